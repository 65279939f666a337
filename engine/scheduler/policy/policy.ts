/**
 * Policies of release 1.13: which predicates a node has to pass and which priorities weigh it, as a file, a ConfigMap or a named
 * provider says. Mirrors its pkg/scheduler/factory/plugins.go, factory.go and api/validation.
 */
import { unmarshalYaml } from '../../apimachinery/serializer/yaml.ts';
import { getOwn } from '../../base/dictionary.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { faultsOfName } from '../configuration/extenders.ts';
import { arrayOf, ConfigurationError, objectOf } from '../configuration/fields.ts';
import { type ExtenderOptions, standardTimeoutMs } from '../extenders/options.ts';

export interface ShapePoint {
  readonly utilization: number;
  readonly score: number;
}

export type PredicateArgument =
  | { readonly serviceAffinity: readonly string[] }
  | { readonly labelsPresence: { readonly labels: readonly string[]; readonly presence: boolean } };

export type PriorityArgument =
  | { readonly serviceAntiAffinity: string }
  | { readonly labelPreference: { readonly label: string; readonly presence: boolean } }
  | { readonly shape: readonly ShapePoint[] };

export interface ChosenPredicate {
  readonly name: string;
  readonly argument?: PredicateArgument;
}

export interface ChosenPriority {
  readonly name: string;
  readonly weight: number;
  readonly argument?: PriorityArgument;
}

export interface Policy {
  readonly predicates: readonly ChosenPredicate[];
  readonly priorities: readonly ChosenPriority[];
  readonly extenders: readonly ExtenderOptions[];
  readonly hardPodAffinityWeight: number;
  readonly checksAllPredicates: boolean;
  /** Nobody makes room for a pod that fits nowhere. */
  readonly disablesPreemption?: true;
  readonly gates: PolicyGates;
}

export interface PolicyGates {
  /** Conditions of nodes are taints (TaintNodesByCondition); else predicates look at them. */
  readonly taintsByCondition: boolean;
  /** Nodes say how many volumes they take (AttachVolumeLimit). */
  readonly attachLimits: boolean;
  /** Nodes that have what a pod is limited to are better (ResourceLimitsPriorityFunction). */
  readonly scoresLimits: boolean;
  /** Disks weigh as much as CPU and memory where a node's use is to be even (BalanceAttachedNodeVolumes). */
  readonly balancesDisks: boolean;
}

export const standardGates: PolicyGates = { taintsByCondition: true, attachLimits: true, scoresLimits: false, balancesDisks: false };
/** Of release 1.13. */
export function gatesOfPolicy(isOn: (gate: string) => boolean): PolicyGates {
  return {
    taintsByCondition: isOn('TaintNodesByCondition'),
    attachLimits: isOn('AttachVolumeLimit'),
    scoresLimits: isOn('ResourceLimitsPriorityFunction'),
    balancesDisks: isOn('BalanceAttachedNodeVolumes'),
  };
}

const limitsPriority = 'ResourceLimitsPriority';

const conditionPredicates = ['CheckNodeCondition', 'CheckNodeDiskPressure', 'CheckNodeMemoryPressure', 'CheckNodePIDPressure'];
const standardPredicates = [
  'CheckVolumeBinding',
  'GeneralPredicates',
  'MatchInterPodAffinity',
  'MaxAzureDiskVolumeCount',
  'MaxCSIVolumeCountPred',
  'MaxEBSVolumeCount',
  'MaxGCEPDVolumeCount',
  'NoDiskConflict',
  'NoVolumeZoneConflict',
  'PodToleratesNodeTaints',
];
const morePredicates = ['HostName', 'MatchNodeSelector', 'PodFitsHostPorts', 'PodFitsPorts', 'PodFitsResources'];

const standardPriorities: { readonly [name: string]: number } = {
  BalancedResourceAllocation: 1,
  ImageLocalityPriority: 1,
  InterPodAffinityPriority: 1,
  LeastRequestedPriority: 1,
  NodeAffinityPriority: 1,
  NodePreferAvoidPodsPriority: 10_000,
  SelectorSpreadPriority: 1,
  TaintTolerationPriority: 1,
};
const morePriorities = ['EqualPriority', 'MostRequestedPriority', 'RequestedToCapacityRatioPriority', 'ServiceSpreadingPriority'];
const weightMax = Math.trunc(Number.MAX_SAFE_INTEGER / 10);
const validName = /^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])$/;

export const providers: readonly string[] = ['ClusterAutoscalerProvider', 'DefaultProvider'];

/** What a provider stands for; an empty name is the default one. Throws ConfigurationError for one that is not there. */
export function policyOfProvider(provider: string, gates: PolicyGates = standardGates, hardPodAffinityWeight = 1): Policy {
  if (provider !== '' && !providers.includes(provider))
    throw new ConfigurationError(
      `couldn't create scheduler using provider ${JSON.stringify(provider)}: plugin ${JSON.stringify(provider)} has not been registered`,
    );
  const isPacking = provider === 'ClusterAutoscalerProvider';
  const standard = { ...standardPriorities, ...(gates.scoresLimits ? { [limitsPriority]: 1 } : {}) };
  const priorities = Object.entries(standard).map(([name, weight]) => ({
    name: isPacking && name === 'LeastRequestedPriority' ? 'MostRequestedPriority' : name,
    weight,
  }));
  return {
    predicates: withMandatory([], gates.taintsByCondition, true),
    priorities: priorities.sort(byName),
    extenders: [],
    hardPodAffinityWeight: inRange(hardPodAffinityWeight),
    checksAllPredicates: false,
    gates,
  };
}

/** Throws ConfigurationError, in the words of 1.13 where they are its own. */
export function readPolicy(text: string, gates: PolicyGates = standardGates, hardPodAffinityWeight = 1): Policy {
  const { taintsByCondition } = gates;
  const document = documentOf(text);
  const standard = policyOfProvider('DefaultProvider', gates, hardPodAffinityWeight);
  const list = (name: string): readonly JsonObject[] | undefined => {
    const value = document[name] ?? null;
    return value === null ? undefined : arrayOf(value, name).map((entry, i) => objectOf(entry, `${name}[${i}]`));
  };
  const given = list('priorities');
  const extenders = (list('extenders') ?? []).map(extenderOf);
  const faults = [...(given ?? []).flatMap(weightFaults), ...extenderFaults(extenders)];
  if (faults.length > 0)
    throw new ConfigurationError(`couldn't create scheduler from policy: ${faults.length === 1 ? faults[0] : `[${faults.join(', ')}]`}`);
  const predicates = list('predicates')?.map((entry) => predicateOf(entry, taintsByCondition));
  const weight = Number(document['hardPodAffinitySymmetricWeight'] ?? 0) || hardPodAffinityWeight;
  return {
    ...standard,
    predicates: predicates === undefined ? standard.predicates : withMandatory(predicates, taintsByCondition, false),
    priorities: given === undefined ? standard.priorities : unique(given.map((entry) => priorityOf(entry, gates))).sort(byName),
    extenders,
    hardPodAffinityWeight: inRange(weight),
    checksAllPredicates: document['alwaysCheckAllPredicates'] === true,
  };
}

function documentOf(text: string): JsonObject {
  let value: JsonValue;
  try {
    value = unmarshalYaml(text).value;
  } catch (error) {
    throw new ConfigurationError(`invalid policy: ${(error as Error).message}`);
  }
  const document = isObject(value) ? value : {};
  const { kind = 'Policy', apiVersion = 'v1' } = document;
  if (kind === 'Policy' && apiVersion === 'v1') return document;
  throw new ConfigurationError(
    `invalid policy: no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "k8s.io/kubernetes/pkg/scheduler/api/register.go:27"`,
  );
}

function withMandatory(chosen: readonly ChosenPredicate[], taintsByCondition: boolean, isStandard: boolean): readonly ChosenPredicate[] {
  const mandatory = taintsByCondition ? ['CheckNodeUnschedulable', 'PodToleratesNodeTaints'] : ['CheckNodeCondition'];
  const standard = isStandard ? [...standardPredicates, ...(taintsByCondition ? [] : conditionPredicates)] : [];
  return unique([...[...standard, ...mandatory].map((name) => ({ name })), ...chosen]).sort(byName);
}

function predicateOf(entry: JsonObject, taintsByCondition: boolean): ChosenPredicate {
  const name = nameOf(entry);
  const argument = entry['argument'] ?? null;
  if (argument === null) {
    const known = [...standardPredicates, ...morePredicates, ...(taintsByCondition ? ['CheckNodeUnschedulable'] : conditionPredicates)];
    if (known.includes(name)) return { name };
    throw new ConfigurationError(`Invalid configuration: Predicate type not found for ${name}`);
  }
  const { serviceAffinity = null, labelsPresence = null } = objectOf(argument, 'argument');
  if ((serviceAffinity === null) === (labelsPresence === null))
    throw new ConfigurationError(`Exactly 1 predicate argument is required, numArgs: ${serviceAffinity === null ? 0 : 2}, Predicate: ${name}`);
  if (serviceAffinity !== null) return { name, argument: { serviceAffinity: textsOf(objectOf(serviceAffinity, 'serviceAffinity')['labels']) } };
  const { labels, presence } = objectOf(labelsPresence, 'labelsPresence');
  return { name, argument: { labelsPresence: { labels: textsOf(labels), presence: presence === true } } };
}

function priorityOf(entry: JsonObject, { scoresLimits }: PolicyGates): ChosenPriority {
  const name = nameOf(entry);
  const weight = Number(entry['weight'] ?? 0);
  const argument = entry['argument'] ?? null;
  if (argument === null) {
    if (getOwn(standardPriorities, name) !== undefined || morePriorities.includes(name) || (scoresLimits && name === limitsPriority))
      return { name, weight };
    throw new ConfigurationError(`Invalid configuration: Priority type not found for ${name}`);
  }
  const { serviceAntiAffinity = null, labelPreference = null, requestedToCapacityRatioArguments: ratio = null } = objectOf(argument, 'argument');
  const count = [serviceAntiAffinity, labelPreference, ratio].filter((one) => one !== null).length;
  if (count !== 1) throw new ConfigurationError(`Exactly 1 priority argument is required, numArgs: ${count}, Priority: ${name}`);
  if (serviceAntiAffinity !== null)
    return { name, weight, argument: { serviceAntiAffinity: String(objectOf(serviceAntiAffinity, 'serviceAntiAffinity')['label'] ?? '') } };
  if (ratio !== null) return { name, weight, argument: { shape: shapeOf(objectOf(ratio, 'requestedToCapacityRatioArguments')['shape'] ?? []) } };
  const { label = '', presence } = objectOf(labelPreference, 'labelPreference');
  return { name, weight, argument: { labelPreference: { label: String(label), presence: presence === true } } };
}

function shapeOf(value: JsonValue): readonly ShapePoint[] {
  const points = arrayOf(value, 'shape').map((point) => {
    const { utilization = 0, score = 0 } = objectOf(point, 'shape');
    return { utilization: Number(utilization), score: Number(score) };
  });
  const fail = (why: string): never => {
    throw new ConfigurationError(`invalid RequestedToCapacityRatioPriority arguments: ${why}`);
  };
  if (points.length === 0) fail('at least one point must be specified');
  points.forEach(({ utilization }, i) => {
    const before = points[i - 1];
    if (before !== undefined && before.utilization >= utilization)
      fail(`utilization values must be sorted. Utilization[${i - 1}]==${before.utilization} >= Utilization[${i}]==${utilization}`);
  });
  points.forEach(({ utilization, score }, i) => {
    if (utilization < 0) fail(`utilization values must not be less than 0. Utilization[${i}]==${utilization}`);
    if (utilization > 100) fail(`utilization values must not be greater than 100. Utilization[${i}]==${utilization}`);
    if (score < 0) fail(`score values must not be less than 0. Score[${i}]==${score}`);
    if (score > 10) fail(`score valuses not be greater than 10. Score[${i}]==${score}`);
  });
  return points;
}

function extenderOf(entry: JsonObject): ExtenderOptions {
  const text = (name: string): string => String(entry[name] ?? '');
  const { tlsConfig = null, httpTimeout = 0, managedResources = [] } = entry;
  return {
    urlPrefix: text('urlPrefix'),
    filterVerb: text('filterVerb'),
    preemptVerb: text('preemptVerb'),
    prioritizeVerb: text('prioritizeVerb'),
    bindVerb: text('bindVerb'),
    weight: Number(entry['weight'] ?? 0),
    enableHttps: entry['enableHttps'] === true,
    tls: tlsConfig === null ? undefined : tlsOf(objectOf(tlsConfig, 'tlsConfig')),
    httpTimeoutMs: Number(httpTimeout) / 1e6 || standardTimeoutMs,
    nodeCacheCapable: entry['nodeCacheCapable'] === true,
    managedResources: arrayOf(managedResources, 'managedResources').map((one) => {
      const { name = '', ignoredByScheduler } = objectOf(one, 'managedResources');
      return { name: String(name), ignoredByScheduler: ignoredByScheduler === true };
    }),
    ignorable: entry['ignorable'] === true,
  };
}

/** Fields of client-go's type, whose names begin with a capital. */
function tlsOf(tls: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(tls).map(([name, value]) => [name.replace(/^CA/, 'ca').replace(/^./, (first) => first.toLowerCase()), value]),
  );
}

function weightFaults(entry: JsonObject): readonly string[] {
  const weight = Number(entry['weight'] ?? 0);
  return weight > 0 && weight < weightMax
    ? []
    : [`Priority ${String(entry['name'] ?? '')} should have a positive weight applied to it or it has overflown`];
}

function extenderFaults(extenders: readonly ExtenderOptions[]): readonly string[] {
  const seen = new Set<string>();
  const faults = extenders.flatMap(({ urlPrefix, prioritizeVerb, weight, managedResources }) => [
    ...(prioritizeVerb !== '' && weight <= 0 ? [`Priority for extender ${urlPrefix} should have a positive weight applied to it`] : []),
    ...managedResources.flatMap(({ name }) => {
      const isTwice = seen.has(name);
      seen.add(name);
      return [
        ...faultsOfName(name, `${name} is an invalid extended resource name`),
        ...(isTwice ? [`Duplicate extender managed resource name ${name}`] : []),
      ];
    }),
  ]);
  const binders = extenders.filter(({ bindVerb }) => bindVerb !== '').length;
  return binders > 1 ? [...faults, `Only one extender can implement bind, found ${binders}`] : faults;
}

function inRange(weight: number): number {
  if (weight >= 1 && weight <= 100) return weight;
  throw new ConfigurationError(`invalid hardPodAffinitySymmetricWeight: ${weight}, must be in the range 1-100`);
}

function nameOf(entry: JsonObject): string {
  const name = String(entry['name'] ?? '');
  if (validName.test(name)) return name;
  throw new ConfigurationError(`Algorithm name ${name} does not match the name validation regexp "${validName.source}".`);
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return arrayOf(value ?? [], 'labels').map(String);
}

function unique<T extends { readonly name: string }>(list: readonly T[]): T[] {
  return [...new Map(list.map((one) => [one.name, one])).values()];
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}
