/**
 * KubeSchedulerConfiguration files of release 1.13, `kubescheduler.config.k8s.io/v1alpha1`. Nothing but such a file is gone by, whatever
 * flags say beside it, and what it does not know is passed over. Mirrors pkg/scheduler/apis/config/v1alpha1 and
 * cmd/kube-scheduler/app/options of that release.
 */
import { withSortedKeys } from '../../apimachinery/serializer/key-order.ts';
import { encodeYaml, unmarshalYaml } from '../../apimachinery/serializer/yaml.ts';
import { getOwn, setOwn } from '../../base/dictionary.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { badUsage, type FlagValues } from './flag-set.ts';

const version = 'kubescheduler.config.k8s.io/v1alpha1';
const kind = 'KubeSchedulerConfiguration';
const scheme = 'k8s.io/kubernetes/pkg/scheduler/apis/config/scheme/scheme.go:29';

interface Row {
  readonly path: string;
  /** What is in force where the file says nothing, or zero or an empty text, which count as nothing. */
  readonly standard: JsonValue;
  /** Absent: nothing here goes by it. */
  readonly flag?: string;
}

const rows: readonly Row[] = [
  { path: 'bindTimeoutSeconds', standard: 600 },
  { path: 'clientConnection.acceptContentTypes', standard: '' },
  { path: 'clientConnection.burst', standard: 100, flag: 'kube-api-burst' },
  { path: 'clientConnection.contentType', standard: 'application/vnd.kubernetes.protobuf', flag: 'kube-api-content-type' },
  { path: 'clientConnection.kubeconfig', standard: '', flag: 'kubeconfig' },
  { path: 'clientConnection.qps', standard: 50, flag: 'kube-api-qps' },
  { path: 'enableContentionProfiling', standard: false, flag: 'contention-profiling' },
  { path: 'enableProfiling', standard: false, flag: 'profiling' },
  {
    path: 'failureDomains',
    standard: 'kubernetes.io/hostname,failure-domain.beta.kubernetes.io/zone,failure-domain.beta.kubernetes.io/region',
    flag: 'failure-domains',
  },
  { path: 'hardPodAffinitySymmetricWeight', standard: 1, flag: 'hard-pod-affinity-symmetric-weight' },
  { path: 'leaderElection.leaderElect', standard: true, flag: 'leader-elect' },
  { path: 'leaderElection.leaseDuration', standard: '15s', flag: 'leader-elect-lease-duration' },
  { path: 'leaderElection.lockObjectName', standard: 'kube-scheduler', flag: 'lock-object-name' },
  { path: 'leaderElection.lockObjectNamespace', standard: 'kube-system', flag: 'lock-object-namespace' },
  { path: 'leaderElection.renewDeadline', standard: '10s', flag: 'leader-elect-renew-deadline' },
  { path: 'leaderElection.resourceLock', standard: 'endpoints', flag: 'leader-elect-resource-lock' },
  { path: 'leaderElection.retryPeriod', standard: '2s', flag: 'leader-elect-retry-period' },
  { path: 'percentageOfNodesToScore', standard: 50, flag: 'percentage-of-nodes-to-score' },
  { path: 'schedulerName', standard: 'default-scheduler', flag: 'scheduler-name' },
];
const standardAddress = '0.0.0.0:10251';

export interface OldSchedulerConfiguration {
  /** As the file says, and as the release does of what it does not say. */
  readonly flags: FlagValues;
  readonly disablesPreemption: boolean;
}

/** Throws a CommandError for a text that is no configuration, and for values of other types. */
export function readOldConfiguration(text: string, flags: FlagValues): OldSchedulerConfiguration {
  const document = documentOf(text);
  const given = new Map<string, readonly string[]>();
  for (const { path, standard, flag } of rows) {
    const value = valueAt(document, path, typeof standard);
    if (flag !== undefined) given.set(flag, [String(value === undefined || value === 0 || value === '' ? standard : value)]);
  }
  for (const [flag, value] of [...sourceOf(document), ...addressOf(document)]) given.set(flag, [value]);
  return { flags: flags.with(given), disablesPreemption: valueAt(document, 'disablePreemption', 'boolean') === true };
}

/** What `--write-config-to` writes: what flags say, but those of ports and policies, whatever file is named beside them. */
export function oldConfigurationText(flags: FlagValues): string {
  const document: { [field: string]: JsonValue } = {
    algorithmSource: { provider: 'DefaultProvider' },
    apiVersion: version,
    disablePreemption: false,
    healthzBindAddress: standardAddress,
    kind,
    metricsBindAddress: standardAddress,
  };
  for (const { path, standard, flag } of rows) {
    const [outer = '', inner] = path.split('.');
    const isSaid = flag !== undefined && flags.isGiven(flag);
    const value = isSaid ? typed(flags.text(flag), standard) : standard;
    setOwn(document, outer, inner === undefined ? value : { ...(getOwn(document, outer) as JsonObject | undefined), [inner]: value });
  }
  return encodeYaml(withSortedKeys(document));
}

function typed(text: string, standard: JsonValue): JsonValue {
  if (typeof standard === 'boolean') return text === 'true';
  return typeof standard === 'number' ? Number(text) : text;
}

function documentOf(text: string): JsonObject {
  let value: JsonValue;
  try {
    value = unmarshalYaml(text).value;
  } catch (error) {
    throw badUsage((error as Error).message);
  }
  const document = isObject(value) ? value : {};
  const { apiVersion = version, kind: named = kind } = document;
  if (apiVersion === version && named === kind) return document;
  throw badUsage(`no kind ${JSON.stringify(named)} is registered for version ${JSON.stringify(apiVersion)} in scheme ${JSON.stringify(scheme)}`);
}

/** Null is nothing. */
function valueAt(document: JsonObject, path: string, type: string): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const name of path.split('.')) {
    if (!isObject(value)) throw badUsage(`${kind}.${path}: an object is expected around it`);
    value = getOwn(value, name) ?? undefined;
    if (value === undefined) return undefined;
  }
  if (typeof value !== type) throw badUsage(`${kind}.${path}: a ${type} is expected, and not ${JSON.stringify(value)}`);
  return value;
}

/** A policy counts before a provider, and a file before a ConfigMap; without either a policy is the standard one. */
function sourceOf(document: JsonObject): readonly (readonly [flag: string, value: string])[] {
  const at = (path: string): string => String(valueAt(document, `algorithmSource.${path}`, 'string') ?? '');
  const hasPolicy = isObject(document['algorithmSource']) && isObject(document['algorithmSource']['policy']);
  const file = hasPolicy ? at('policy.file.path') : '';
  return [
    ['algorithm-provider', hasPolicy ? '' : at('provider')],
    ['policy-config-file', file],
    ['policy-configmap', hasPolicy && file === '' ? at('policy.configMap.name') : ''],
    ['policy-configmap-namespace', (hasPolicy ? at('policy.configMap.namespace') : '') || 'kube-system'],
    ['use-legacy-policy-config', 'false'],
  ];
}

/** Of health and metrics, which are served together. */
function addressOf(document: JsonObject): readonly (readonly [flag: string, value: string])[] {
  const text = String(valueAt(document, 'healthzBindAddress', 'string') ?? '');
  const [, host = '', port = ''] = /^(.*):([^:]*)$/.exec(text) ?? /^(.*):(.*)$/.exec(standardAddress) ?? [];
  if (!/^\d+$/.test(port)) throw badUsage(`invalid healthz address: invalid address ${JSON.stringify(text)}`);
  return [
    ['address', host.replace(/^\[(.*)\]$/, '$1') || '0.0.0.0'],
    ['port', port],
  ];
}
