/** Arguments of scheduler plugins: their fields, and what is wrong with them. Mirrors apis/config/validation/validation_pluginargs.go. */
import { duplicate, type FieldErrorList, type FieldPath, forbidden, invalid, notSupported, required } from '../../apimachinery/field-errors.ts';
import { validateLabelName } from '../../apimachinery/validation.ts';
import { getOwn } from '../../base/dictionary.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';

/** Whether a feature gate is on. */
export type HasGate = (gate: string) => boolean;

interface PluginArgs {
  readonly fields: readonly string[];
  validate(args: JsonObject, path: FieldPath, hasGate: HasGate): FieldErrorList;
  /** Fields that are not there while one of these gates is off: no default, and nobody may say them. */
  readonly gated?: { readonly [field: string]: readonly string[] };
  /** Upstream judges them when the plugin is made, not with the file. */
  readonly isLate?: boolean;
}

/** Plugins that take arguments. */
export const pluginArgs: { readonly [plugin: string]: PluginArgs } = {
  DefaultPreemption: { fields: ['minCandidateNodesPercentage', 'minCandidateNodesAbsolute'], validate: preemption },
  InterPodAffinity: {
    fields: ['hardPodAffinityWeight', 'ignorePreferredTermsOfExistingPods'],
    validate: (args, path) => inRange(number(args, 'hardPodAffinityWeight', 1), 0, 100, '[0, 100]', path.child('hardPodAffinityWeight')),
  },
  NodeAffinity: { fields: ['addedAffinity'], validate: () => [] },
  NodeResourcesBalancedAllocation: { fields: ['resources'], validate: balanced },
  NodeResourcesFit: { fields: ['ignoredResources', 'ignoredResourceGroups', 'scoringStrategy'], validate: fit, isLate: true },
  PodTopologySpread: { fields: ['defaultConstraints', 'defaultingType'], validate: spread },
  VolumeBinding: { fields: ['bindTimeoutSeconds', 'shape'], validate: binding },
  DynamicResources: {
    fields: ['filterTimeout', 'bindingTimeout'],
    validate: devices,
    gated: { filterTimeout: ['DRASchedulerFilterTimeout'], bindingTimeout: ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'] },
  },
};

/** Arguments without those that gates keep out. */
export function gatedArgs(plugin: string, args: JsonObject, hasGate: HasGate): JsonObject {
  const gated = getOwn(pluginArgs, plugin)?.gated ?? {};
  return Object.fromEntries(Object.entries(args).filter(([field]) => (getOwn(gated, field) ?? []).every(hasGate)));
}

function number(args: JsonObject, name: string, otherwise: number): number {
  const value = getOwn(args, name);
  return typeof value === 'number' ? value : otherwise;
}

function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonObject[]) : [];
}

function inRange(value: number, min: number, max: number, shown: string, path: FieldPath): FieldErrorList {
  return value < min || value > max ? [invalid(path, value, `not in valid range ${shown}`)] : [];
}

function preemption(args: JsonObject, path: FieldPath): FieldErrorList {
  const percentage = number(args, 'minCandidateNodesPercentage', 10);
  const absolute = number(args, 'minCandidateNodesAbsolute', 100);
  const percentagePath = path.child('minCandidateNodesPercentage');
  const absolutePath = path.child('minCandidateNodesAbsolute');
  return [
    ...inRange(percentage, 0, 100, '[0, 100]', percentagePath),
    ...inRange(absolute, 0, Number.POSITIVE_INFINITY, '[0, inf)', absolutePath),
    ...(percentage === 0 && absolute === 0
      ? [
          invalid(percentagePath, percentage, 'cannot be zero at the same time as minCandidateNodesAbsolute'),
          invalid(absolutePath, absolute, 'cannot be zero at the same time as minCandidateNodesPercentage'),
        ]
      : []),
  ];
}

function balanced(args: JsonObject, path: FieldPath): FieldErrorList {
  const seen = new Set<JsonValue | undefined>();
  return objects(args['resources']).flatMap(({ name, weight }, i) => {
    const at = path.child('resources').index(i);
    const faults = [
      ...(seen.has(name) ? [duplicate(at.child('name'), name)] : []),
      ...(weight !== undefined && weight !== 0 && weight !== 1 ? [invalid(at.child('weight'), weight, 'must be 1')] : []),
    ];
    seen.add(name);
    return faults;
  });
}

const strategies = ['LeastAllocated', 'MostAllocated', 'RequestedToCapacityRatio'];

function fit(args: JsonObject, path: FieldPath): FieldErrorList {
  const texts = (value: JsonValue | undefined): readonly string[] => (Array.isArray(value) ? (value as readonly string[]) : []);
  const strategy = (args['scoringStrategy'] ?? { type: 'LeastAllocated' }) as JsonObject;
  const at = path.child('scoringStrategy');
  const { type, resources, requestedToCapacityRatio: ratio } = strategy;
  return [
    ...texts(args['ignoredResources']).flatMap((name, i) => validateLabelName(name, path.child('ignoredResources').index(i))),
    ...texts(args['ignoredResourceGroups']).flatMap((name, i) => {
      const group = path.child('ignoredResourceGroups').index(i);
      return [...(name.includes('/') ? [invalid(group, name, "resource group name can't contain '/'")] : []), ...validateLabelName(name, group)];
    }),
    ...(strategies.includes(String(type)) ? [] : [notSupported(at.child('type'), type, strategies)]),
    ...objects(resources).flatMap(({ name, weight = 1 }, i) =>
      Number(weight) <= 0 || Number(weight) > 100
        ? [invalid(at.child('resources').index(i).child('weight'), weight, `resource weight of ${String(name)} not in valid range (0, 100]`)]
        : [],
    ),
    ...ratioFaults(type, ratio as JsonObject | undefined, at.child('requestedToCapacityRatio')),
  ];
}

function ratioFaults(type: JsonValue | undefined, ratio: JsonObject | undefined, path: FieldPath): FieldErrorList {
  if (type !== 'RequestedToCapacityRatio')
    return ratio === undefined ? [] : [forbidden(path, 'must be nil when type is not RequestedToCapacityRatio')];
  if (ratio === undefined) return [required(path, 'must be specified when type is RequestedToCapacityRatio')];
  const shape = objects(ratio['shape']);
  const at = path.child('shape');
  if (shape.length === 0) return [required(at, 'at least one point must be specified')];
  const unsorted = shape.findIndex(({ utilization }, i) => i > 0 && number(shape[i - 1] as JsonObject, 'utilization', 0) >= Number(utilization ?? 0));
  return [
    ...(unsorted < 0
      ? []
      : [invalid(at.index(unsorted).child('utilization'), shape[unsorted]?.['utilization'], 'values must be sorted in increasing order')]),
    ...shape.flatMap((point, i) => [
      ...inRange(number(point, 'utilization', 0), 0, 100, '[0, 100]', at.index(i).child('utilization')),
      ...inRange(number(point, 'score', 0), 0, 10, '[0, 10]', at.index(i).child('score')),
    ]),
  ];
}

function spread(args: JsonObject, path: FieldPath): FieldErrorList {
  const constraints = objects(args['defaultConstraints']);
  const type = args['defaultingType'] ?? 'System';
  const at = path.child('defaultingType');
  const faults = ['List', 'System'].includes(String(type))
    ? type === 'System' && constraints.length > 0
      ? [invalid(at, type, 'when .defaultConstraints are not empty')]
      : []
    : [notSupported(at, type, ['System', 'List'])];
  return [...faults, ...constraints.flatMap((constraint, i) => constraintFaults(constraints, constraint, i, path.child('defaultConstraints')))];
}

function constraintFaults(all: readonly JsonObject[], constraint: JsonObject, i: number, list: FieldPath): FieldErrorList {
  const { topologyKey = '', whenUnsatisfiable = '', labelSelector } = constraint;
  const path = list.index(i);
  const maxSkew = number(constraint, 'maxSkew', 0);
  const action = path.child('whenUnsatisfiable');
  const isTwice = all.slice(0, i).some((other) => other['topologyKey'] === topologyKey && other['whenUnsatisfiable'] === whenUnsatisfiable);
  return [
    ...(maxSkew <= 0 ? [invalid(path.child('maxSkew'), maxSkew, 'not in valid range (0, inf)')] : []),
    ...(topologyKey === ''
      ? [required(path.child('topologyKey'), 'can not be empty')]
      : validateLabelName(String(topologyKey), path.child('topologyKey'))),
    ...(whenUnsatisfiable === ''
      ? [required(action, 'can not be empty')]
      : ['DoNotSchedule', 'ScheduleAnyway'].includes(String(whenUnsatisfiable))
        ? []
        : [notSupported(action, whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway'])]),
    ...(labelSelector === undefined
      ? []
      : [forbidden(path.child('labelSelector'), 'constraint must not define a selector, as they deduced for each pod')]),
    ...(isTwice ? [duplicate(path, `{${String(topologyKey)}, ${String(whenUnsatisfiable)}}`)] : []),
  ];
}

function binding(args: JsonObject, path: FieldPath): FieldErrorList {
  const seconds = number(args, 'bindTimeoutSeconds', 600);
  return [
    ...(seconds < 0 ? [invalid(path.child('bindTimeoutSeconds'), seconds, 'invalid BindTimeoutSeconds, should not be a negative value')] : []),
    ...(args['shape'] === undefined
      ? []
      : [invalid(path.child('shape'), args['shape'], 'unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring')]),
  ];
}

function devices(args: JsonObject, path: FieldPath, hasGate: HasGate): FieldErrorList {
  const { filterTimeout, bindingTimeout } = gatedArgs('DynamicResources', args, hasGate);
  const isShort = typeof bindingTimeout === 'string' && (bindingTimeout.startsWith('-') || /^(?:0|[0-9.]+(?:ms|us|µs|ns))+s?$/.test(bindingTimeout));
  return [
    ...(args['filterTimeout'] === undefined || filterTimeout !== undefined
      ? []
      : [forbidden(path.child('filterTimeout'), 'DRASchedulingFilterTimeout feature gate is disabled')]),
    ...(typeof filterTimeout === 'string' && filterTimeout.startsWith('-')
      ? [invalid(path.child('filterTimeout'), filterTimeout, 'must be zero or positive')]
      : []),
    ...(isShort ? [invalid(path.child('bindingTimeout'), bindingTimeout, 'must be at least 1 second')] : []),
    ...(args['bindingTimeout'] === undefined || bindingTimeout !== undefined
      ? []
      : [forbidden(path.child('bindingTimeout'), 'DRADeviceBindingConditions or DRAResourceClaimDeviceStatus feature gate is disabled')]),
  ];
}
