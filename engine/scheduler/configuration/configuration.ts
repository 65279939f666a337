/**
 * KubeSchedulerConfiguration, `kubescheduler.config.k8s.io/v1`: the document, and what of it the scheduler itself goes by. Checked as
 * upstream does (apis/config/validation/validation.go).
 */
import { aggregateText, type FieldErrorList, invalid, root } from '../../apimachinery/field-errors.ts';
import { unmarshalYaml } from '../../apimachinery/serializer/yaml.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { ExtenderOptions } from '../extenders/options.ts';
import type { ProfileOptions } from '../options.ts';
import { readExtenders } from './extenders.ts';
import { ConfigurationError } from './fields.ts';
import type { HasGate } from './plugin-args.ts';
import { readProfiles } from './profiles.ts';

export const configurationVersion = 'kubescheduler.config.k8s.io/v1';
export const configurationKind = 'KubeSchedulerConfiguration';

export interface ReadConfiguration {
  readonly document: JsonObject;
  readonly profiles: readonly ProfileOptions[];
  readonly extenders: readonly ExtenderOptions[];
}

/** All that a file can say but lists. */
const paths: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'clientConnection.acceptContentTypes',
  'clientConnection.burst',
  'clientConnection.contentType',
  'clientConnection.kubeconfig',
  'clientConnection.qps',
  'delayCacheUntilActive',
  'enableContentionProfiling',
  'enableProfiling',
  'leaderElection.leaderElect',
  'leaderElection.leaseDuration',
  'leaderElection.renewDeadline',
  'leaderElection.resourceLock',
  'leaderElection.resourceName',
  'leaderElection.resourceNamespace',
  'leaderElection.retryPeriod',
  'parallelism',
  'percentageOfNodesToScore',
  'podInitialBackoffSeconds',
  'podMaxBackoffSeconds',
]);
const lists = ['profiles', 'extenders'];

/** Throws ConfigurationError with upstream's text for all that is wrong; without `hasGate` nothing is because of a gate. */
export function readConfiguration(text: string, hasGate: HasGate = () => true): ReadConfiguration {
  const document = documentOf(text);
  const unknown = leaves(document).find(([path]) => !paths.has(path) && !lists.includes(path.split('.')[0] ?? ''));
  if (unknown !== undefined) throw new ConfigurationError(`strict decoding error: unknown field ${JSON.stringify(unknown[0])}`);
  const profiles = readProfiles(document['profiles'] ?? [], hasGate);
  const extenders = readExtenders(document['extenders'] ?? []);
  const faults = [...profiles.faults, ...numberFaults(document), ...extenders.faults];
  if (faults.length > 0) throw new ConfigurationError(aggregateText(faults));
  profiles.check();
  return { document, profiles: profiles.profiles, extenders: extenders.extenders };
}

/** The two levels of the document as paths with dots; lists are leaves. */
export function leaves(document: JsonObject): readonly (readonly [path: string, value: JsonValue])[] {
  return Object.entries(document).flatMap(([name, value]): (readonly [string, JsonValue])[] =>
    isObject(value) ? Object.entries(value).map(([inner, leaf]) => [`${name}.${inner}`, leaf]) : [[name, value]],
  );
}

function documentOf(text: string): JsonObject {
  let document: JsonValue;
  try {
    document = unmarshalYaml(text).value;
  } catch (error) {
    throw new ConfigurationError((error as Error).message);
  }
  const fields = isObject(document) ? document : {};
  if (fields['kind'] === configurationKind && fields['apiVersion'] === configurationVersion) return fields;
  throw new ConfigurationError(
    `no kind ${JSON.stringify(fields['kind'] ?? '')} is registered for version ${JSON.stringify(fields['apiVersion'] ?? '')}; expected ${configurationKind} of ${configurationVersion}`,
  );
}

function numberFaults(document: JsonObject): FieldErrorList {
  const { percentageOfNodesToScore: share, podInitialBackoffSeconds: first = 1, podMaxBackoffSeconds: most = 10, parallelism = 16 } = document;
  const faults = [];
  if (typeof share === 'number' && (share < 0 || share > 100))
    faults.push(invalid(root('percentageOfNodesToScore'), share, 'not in valid range [0-100]'));
  if (typeof first === 'number' && first <= 0) faults.push(invalid(root('podInitialBackoffSeconds'), first, 'must be greater than 0'));
  if (typeof first === 'number' && typeof most === 'number' && most < first)
    faults.push(invalid(root('podMaxBackoffSeconds'), most, 'must be greater than or equal to PodInitialBackoffSeconds'));
  if (typeof parallelism === 'number' && parallelism <= 0)
    faults.unshift(invalid(root('parallelism'), parallelism, 'should be an integer value greater than zero'));
  return faults;
}
