/**
 * What the API server does with a pod besides checking it: first status, graceful deletion, what each subresource may change.
 * Mirrors pkg/registry/core/pod/strategy.go and DropDisabledPodFields of pkg/api/pod.
 */
import { type FieldError, root } from '../../../apimachinery/field-errors.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import type { Int64 } from '../../../base/int64.ts';
import type {
  Affinity,
  Container,
  Node,
  Pod,
  PodAffinityTerm,
  PodCondition,
  PodSpec,
  TopologySpreadConstraint,
} from '../../../api/core/v1/types.gen.ts';
import type { KindDefinition, StoredBeside, StrategyContext } from '../../../contracts/kind.ts';
import type { DeleteOptions } from '../../../contracts/request.ts';
import { type NodeReadiness, nodeReadiness } from '../../../component-helpers/node.ts';
import { isPodTerminal } from '../../../component-helpers/pod.ts';
import { lookOn, podState, seePod, stateOn } from '../../../component-helpers/pod-looks.ts';
import { edit, editEach } from '../../shared/defaulting.ts';
import { keepStatus } from '../../shared/strategy.ts';
import { editContainers } from './containers.ts';
import { appArmorContainer } from './pod-annotation-validation.ts';
import { syncServiceAccount } from './pod-defaults.ts';
import { dropDisabled, dropDisabledStatus } from './pod-fields.ts';
import { appArmorOf, podWarnings } from './pod-warnings.ts';
import { validateAppArmor } from './security-validation.ts';
import { mergesKeys } from './placement-validation.ts';
import { podQosClass } from '../../../component-helpers/pod-qos.ts';

function preparePod(object: Pod, context: StrategyContext): Pod {
  const { labels, annotations } = object.metadata;
  const pod = edit(object, 'spec', (spec) =>
    withAppArmor(mergeLabelKeys(dropDisabled(syncServiceAccount(spec), undefined, context), labels, mergesKeys(context)), annotations, context),
  );
  const gated = (pod.spec?.schedulingGates?.length ?? 0) > 0;
  const qosClass = podQosClass(pod, context.ratcheted('InitQualities'));
  return {
    ...pod,
    status: gated
      ? { phase: 'Pending', conditions: [{ ...gatedCondition, lastTransitionTime: context.nowText }], qosClass }
      : { phase: 'Pending', qosClass },
  };
}

const gatedCondition: PodCondition = Object.freeze({
  type: 'PodScheduled',
  status: 'False',
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
});

/** What annotations of old say of AppArmor becomes a field, where there is none (applyAppArmorVersionSkew). */
function withAppArmor(spec: PodSpec, annotations: Pod['metadata']['annotations'], context: StrategyContext): PodSpec {
  if (annotations === undefined || !context.ratcheted('AppArmorFields') || spec.os?.name === 'windows') return spec;
  return editContainers(spec, (container) => {
    const text = getOwn(annotations, appArmorContainer + container.name);
    if (text === undefined || container.securityContext?.appArmorProfile) return container;
    const appArmorProfile = appArmorOf(text);
    const faults: FieldError[] = [];
    validateAppArmor(appArmorProfile, root('appArmorProfile'), faults);
    if (appArmorProfile === undefined || faults.length > 0 || semanticEqual(appArmorProfile, spec.securityContext?.appArmorProfile)) return container;
    return { ...container, securityContext: { ...container.securityContext, appArmorProfile } };
  });
}

type Labels = { readonly [key: string]: string } | undefined;

/** matchLabelKeys become part of the selectors, with the values this pod has. */
function mergeLabelKeys(spec: PodSpec, labels: Labels, intoSpread: boolean): PodSpec {
  let next = spec;
  if (next.affinity) next = edit(next, 'affinity', (affinity) => mergeAffinity(affinity, labels));
  if (intoSpread && next.topologySpreadConstraints?.length)
    next = editEach(next, 'topologySpreadConstraints', (constraint) => mergeConstraint(constraint, labels));
  return next;
}

function mergeConstraint(constraint: TopologySpreadConstraint, labels: Labels): TopologySpreadConstraint {
  return withKeys(constraint, constraint.matchLabelKeys, 'In', labels);
}

function mergeTerm(term: PodAffinityTerm, labels: Labels): PodAffinityTerm {
  return withKeys(withKeys(term, term.matchLabelKeys, 'In', labels), term.mismatchLabelKeys, 'NotIn', labels);
}

interface Selecting {
  readonly labelSelector?: {
    readonly matchExpressions?: readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] }[];
  };
}

function withKeys<S extends Selecting>(object: S, keys: readonly string[] | undefined, operator: string, labels: Labels): S {
  if (!keys?.length || !object.labelSelector) return object;
  const added = keys.filter((key) => getOwn(labels, key) !== undefined).map((key) => ({ key, operator, values: [getOwn(labels, key) ?? ''] }));
  if (added.length === 0) return object;
  const matchExpressions = [...(object.labelSelector.matchExpressions ?? []), ...added];
  return { ...object, labelSelector: { ...object.labelSelector, matchExpressions } };
}

function mergeAffinity(affinity: Affinity, labels: Labels): Affinity {
  let next = affinity;
  for (const side of ['podAffinity', 'podAntiAffinity'] as const) {
    next = edit(next, side, (terms) => {
      const required = editEach(terms, 'requiredDuringSchedulingIgnoredDuringExecution', (term) => mergeTerm(term, labels));
      return editEach(required, 'preferredDuringSchedulingIgnoredDuringExecution', (weighted) =>
        edit(weighted, 'podAffinityTerm', (term) => mergeTerm(term, labels)),
      );
    });
  }
  return next;
}

/** Seconds that the pod has to stop; none for pods that are on no node or have ended. */
function podGrace(object: Pod, options: DeleteOptions, context: StrategyContext): Int64 {
  let period = options.gracePeriodSeconds ?? object.spec?.terminationGracePeriodSeconds ?? 0;
  if (!object.spec?.nodeName || isPodTerminal(object)) period = 0;
  return period < 0 && context.ratcheted('BoundedGraces') ? 1 : period;
}

function keepMeta(next: Pod, old: Pod): Pod['metadata'] {
  const { labels: _l, annotations: _a, finalizers: _f, ownerReferences: _o, ...meta } = next.metadata;
  const { labels, annotations, finalizers, ownerReferences } = old.metadata;
  return {
    ...meta,
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(ownerReferences && { ownerReferences }),
    ...(finalizers && { finalizers }),
  };
}

function ephemeralOnly(next: Pod, old: Pod): Pod {
  const ephemeralContainers = next.spec?.ephemeralContainers;
  const { ephemeralContainers: _old, ...rest } = old.spec ?? ({ containers: [] } satisfies PodSpec);
  return { ...old, metadata: keepMeta(next, old), spec: ephemeralContainers?.length ? { ...rest, ephemeralContainers } : rest };
}

function resizedContainers(next: readonly Container[], old: readonly Container[]): readonly Container[] {
  if (next.some((container, index) => container.name !== old[index]?.name)) return next;
  return old.map((container, index) => {
    const { resources: _r, resizePolicy: _p, ...rest } = container;
    const { resources, resizePolicy } = next[index] ?? container;
    return { ...rest, ...(resources && { resources }), ...(resizePolicy && { resizePolicy }) };
  });
}

/** Renamed, added or removed containers are left for validation to find. */
function resizeOnly(next: Pod, old: Pod, context: StrategyContext): Pod {
  const [now, before] = [next.spec, old.spec];
  if (!now || !before || now.containers?.length !== before.containers?.length) return next;
  if ((now.initContainers?.length ?? 0) !== (before.initContainers?.length ?? 0)) return next;
  const containers = resizedContainers(now.containers ?? [], before.containers ?? []);
  const inits =
    now.initContainers && before.initContainers ? { initContainers: resizedContainers(now.initContainers, before.initContainers) } : undefined;
  const { resources: _resources, ...rest } = before;
  const { resources } = context.featureEnabled('InPlacePodLevelResourcesVerticalScaling') ? now : before;
  return { ...old, metadata: keepMeta(next, old), spec: { ...rest, ...inits, containers, ...(resources && { resources }) } };
}

function statusUpdate(next: Pod, old: Pod, context: StrategyContext): Pod {
  const { ownerReferences: refs, deletionTimestamp: due } = old.metadata;
  const isKept = next.metadata.ownerReferences === refs && next.metadata.deletionTimestamp === due;
  const { ownerReferences: _refs, deletionTimestamp: _due, ...meta } = next.metadata;
  const metadata = isKept ? next.metadata : { ...meta, ...(refs && { ownerReferences: refs }), ...(due && { deletionTimestamp: due }) };
  const status = dropDisabledStatus(keepObserved(next.status ?? {}, old.status ?? {}, context), old.status ?? {}, context);
  return { ...next, metadata, ...(old.spec && { spec: old.spec }), status };
}

type Status = NonNullable<Pod['status']>;

/** Old kubelets do not write the QoS class nor observed generations. */
function keepObserved(status: Status, old: Status, context: StrategyContext): Status {
  let next = status;
  if (!next.qosClass && old.qosClass && context.ratcheted('KeptQualities')) next = { ...next, qosClass: old.qosClass };
  if (!next.observedGeneration && old.observedGeneration) next = { ...next, observedGeneration: old.observedGeneration };
  if (next.conditions === old.conditions) return next;
  return editEach(next, 'conditions', (condition) => {
    if (condition.observedGeneration) return condition;
    const observedGeneration = old.conditions?.find((before) => before.type === condition.type)?.observedGeneration;
    return observedGeneration ? { ...condition, observedGeneration } : condition;
  });
}

type Hooks = 'prepareForCreate' | 'prepareForUpdate' | 'warnings' | 'gracefulDelete' | 'selectableFields' | 'stateOf' | 'lookOf';

export const podHooks: Pick<KindDefinition<Pod>, Hooks> = {
  prepareForCreate: preparePod,
  prepareForUpdate: (next, old, context) =>
    keepStatus(
      edit(next, 'spec', (spec) => dropDisabled(syncServiceAccount(spec), old.spec, context)),
      old,
    ),
  warnings: podWarnings,
  gracefulDelete: podGrace,
  stateOf: (pod, stored) => stateOn(podState(pod), readinessBelow(pod, stored)),
  lookOf: (pod, stored) => lookOn(seePod(pod).look, readinessBelow(pod, stored)),
  selectableFields: {
    'spec.nodeName': (pod) => pod.spec?.nodeName ?? '',
    'spec.restartPolicy': (pod) => pod.spec?.restartPolicy ?? '',
    'spec.schedulerName': (pod) => pod.spec?.schedulerName ?? '',
    'spec.serviceAccountName': (pod) => pod.spec?.serviceAccountName ?? '',
    'spec.hostNetwork': (pod) => String(pod.spec?.hostNetwork ?? false),
    'status.phase': (pod) => pod.status?.phase ?? '',
    'status.podIP': (pod) => pod.status?.podIPs?.[0]?.ip ?? '',
    'status.podIPs': (pod) => pod.status?.podIPs?.[0]?.ip ?? '',
    'status.nominatedNodeName': (pod) => pod.status?.nominatedNodeName ?? '',
    'spec.host': (pod) => pod.spec?.nodeName ?? '',
  },
};

export { ephemeralOnly, resizeOnly, statusUpdate };

/** Of a pod without a node nothing is left open by one. */
function readinessBelow({ spec }: Pod, stored: StoredBeside): NodeReadiness {
  return spec?.nodeName ? nodeReadiness(stored(`minions/${spec.nodeName}`) as Node | undefined) : 'True';
}
