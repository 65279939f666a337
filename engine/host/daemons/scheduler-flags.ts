/** Flags of `wavetank scheduler`. */
import { flags } from '../../cluster/flags.ts';
import { defaultRelease } from '../../releases/releases.ts';
import { commonFlags, type DefaultsOfRelease, section } from './common-flags.ts';
import { daemonFlag } from './controller-manager-flags.ts';
import type { DaemonFlag } from './flag-set.ts';
import { unfeltFlags } from './unfelt-flags.ts';

const old = section('Deprecated');
const misc = section('Misc');

const schedulerPorts = { secure: 10_259, insecure: 10_251 };
/** Switches that are on in a scheduler. */
const ownDefaults: ReadonlySet<string> = new Set(['authentication-tolerate-lookup-failure', 'contention-profiling']);
/** Of a scheduler inside a cluster. */
const ofCluster: ReadonlySet<string> = new Set(['scheduler', 'scheduler-config']);
const standardDomains = 'kubernetes.io/hostname,failure-domain.beta.kubernetes.io/zone,failure-domain.beta.kubernetes.io/region';
const standardLock = { name: 'kube-scheduler', namespace: 'kube-system' };

export function schedulerFlags(release: DefaultsOfRelease = defaultRelease): readonly DaemonFlag[] {
  const own: readonly DaemonFlag[] = [
    ...commonFlags(schedulerPorts, release).map((flag) =>
      ownDefaults.has(flag.name) ? { ...flag, default: release.flagDefaults[flag.name] ?? 'true' } : flag,
    ),
    ...unfeltFlags,
    misc('config', 'string', '', 'File with a KubeSchedulerConfiguration'),
    misc('write-config-to', 'string', '', 'Write the configuration in force to this file, and end'),
    misc('leader-elect-resource-name', 'string', standardLock.name, 'Name of what the leader holds'),
    misc('leader-elect-resource-namespace', 'string', standardLock.namespace, 'Namespace of what the leader holds'),
    old('policy-configmap', 'string', '', 'Releases that go by policies: a ConfigMap whose key policy.cfg holds the policy'),
    old('policy-configmap-namespace', 'string', 'kube-system', 'Releases that go by policies: where that ConfigMap lies'),
    old('use-legacy-policy-config', 'bool', 'false', 'Releases that go by policies: go by --policy-config-file, whatever ConfigMap is named'),
    old('failure-domains', 'string', standardDomains, 'Topologies of a rule that names none', {
      deprecated: "Doesn't have any effect. Will be removed in future version.",
      noEffect: 'upstream’s scheduler does not read it either',
    }),
    old('lock-object-name', 'string', standardLock.name, 'Name of what the leader holds', { deprecated: 'use --leader-elect-resource-name' }),
    old('lock-object-namespace', 'string', standardLock.namespace, 'Namespace of what the leader holds', {
      deprecated: 'use --leader-elect-resource-namespace',
    }),
    old('kube-api-qps', 'float', '50', 'Requests a second; below 0 does not limit', { deprecated: 'set it in --config' }),
    old('kube-api-burst', 'int32', '100', 'Burst of requests', { deprecated: 'set it in --config' }),
    old(
      'kube-api-content-type',
      'string',
      'application/vnd.kubernetes.protobuf',
      'Form of requests and answers about kinds that have protobuf; any other type than its own is JSON',
    ),
  ];
  const named = new Set(own.map(({ name }) => name));
  const ofControlPlane = flags.filter(
    ({ name, component }) =>
      !named.has(name) && ((component === 'scheduler' && !name.startsWith('scheduler-kube-api') && !ofCluster.has(name)) || name === 'feature-gates'),
  );
  return [...own, ...ofControlPlane.map((flag) => daemonFlag(flag, release))];
}
