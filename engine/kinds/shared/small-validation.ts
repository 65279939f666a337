/** Validation of kinds with few rules. Mirrors pkg/apis/{policy,scheduling,coordination,node}/validation. */
import type { Lease } from '../../api/coordination/v1/types.gen.ts';
import type { ReplicationController, Toleration } from '../../api/core/v1/types.gen.ts';
import type { RuntimeClass } from '../../api/node/v1/types.gen.ts';
import type { PodDisruptionBudget } from '../../api/policy/v1/types.gen.ts';
import type { PriorityClass } from '../../api/scheduling/v1/types.gen.ts';
import {
  duplicate,
  type FieldErrorList,
  forbidden,
  invalid,
  metaPlace,
  notSupported,
  notSupportedOf,
  required,
  root,
} from '../../apimachinery/field-errors.ts';
import { internalValue } from '../../apimachinery/internal-value.ts';
import { getOwn } from '../../base/dictionary.ts';
import type { JsonObject } from '../../base/json.ts';
import { systemClasses } from '../../component-helpers/priority.ts';
import type { StrategyContext } from '../../contracts/kind.ts';
import {
  isDNS1123Label,
  isQualifiedName,
  validateConditions,
  validateImmutableField,
  validateLabels,
  validateLabelSelector,
} from '../../apimachinery/validation.ts';
import { nonnegative, over100, validateIntOrPercent } from '../apps/v1/validation.ts';
import { validatePodTemplate } from '../core/v1/pod-validation.ts';
import { validateTolerations } from '../core/v1/placement-validation.ts';
import { type Faults, validateContainerResourceName, validateRequirements } from '../core/v1/resource-validation.ts';
import { metadataPath, specPath } from './strategy.ts';

export function validateBudget(object: PodDisruptionBudget): FieldErrorList {
  const out: Faults = [];
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = object.spec ?? {};
  if (minAvailable !== undefined && maxUnavailable !== undefined)
    out.push(
      invalid(
        specPath,
        internalValue('policy.v1.PodDisruptionBudgetSpec', (object.spec ?? {}) as JsonObject),
        'minAvailable and maxUnavailable cannot be both set',
      ),
    );
  for (const [name, value] of [
    ['minAvailable', minAvailable],
    ['maxUnavailable', maxUnavailable],
  ] as const) {
    if (value === undefined) continue;
    validateIntOrPercent(value, specPath.child(name), out);
    over100(value, specPath.child(name), out);
  }
  if (selector) out.push(...validateLabelSelector(selector, specPath.child('selector')));
  if (policy !== undefined && policy !== 'IfHealthyBudget' && policy !== 'AlwaysAllow')
    out.push(notSupported(specPath.child('unhealthyPodEvictionPolicy'), policy, ['AlwaysAllow', 'IfHealthyBudget']));
  return out;
}

/** Of what counts nobody counts below zero. */
export function validateBudgetStatus({ status }: PodDisruptionBudget): FieldErrorList {
  const out: Faults = [...validateConditions(status?.conditions ?? [], root('status', 'conditions'))];
  for (const name of ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const)
    nonnegative(status?.[name], root('status', name), out);
  return out;
}

const userPriorityMax = 1000000000;

/** One of the two that are there from the first moment. */
export function isSystemClass(name: string): boolean {
  return Object.hasOwn(systemClasses, name);
}

/** Why a class with a name of the system's is none of them (IsKnownSystemPriorityClass of pkg/apis/scheduling/v1). */
function systemClassFault({ metadata: { name = '' }, value, globalDefault = false }: PriorityClass): string | undefined {
  const known = getOwn<number>(systemClasses, name);
  if (known === undefined) return `${name} is not a known system priority class`;
  if (value !== known) return `value of ${name} PriorityClass must be ${known}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

export function validatePriorityClass(object: PriorityClass): FieldErrorList {
  const name = object.metadata.name ?? '';
  const out: Faults = [];
  if (name.startsWith('system-')) {
    const why = systemClassFault(object);
    if (why !== undefined)
      out.push(forbidden(metadataPath.child('name'), `priority class names with 'system-' prefix are reserved for system use only. error: ${why}`));
  } else if (object.value > userPriorityMax) {
    out.push(forbidden(root('value'), `maximum allowed value of a user defined priority is ${userPriorityMax}`));
  }
  const policy = object.preemptionPolicy;
  if (policy === '') out.push(required(root('preemptionPolicy')));
  else if (policy !== undefined && policy !== 'PreemptLowerPriority' && policy !== 'Never')
    out.push(notSupportedOf(root('preemptionPolicy'), policy, ['PreemptLowerPriority', 'Never']));
  return out;
}

export function validatePriorityClassUpdate(next: PriorityClass, old: PriorityClass): FieldErrorList {
  const out: Faults = [];
  if (next.value !== old.value) out.push(forbidden(root('value'), 'may not be changed in an update.'));
  out.push(...validateImmutableField(next.preemptionPolicy, old.preemptionPolicy, root('preemptionPolicy')));
  return out;
}

const leaseStrategies: readonly string[] = ['OldestEmulationVersion'];

/** One that is known, or somebody's own behind a domain. */
export function validateLeaseStrategy(strategy: string, out: Faults): void {
  // Upstream's path has the name twice.
  const path = specPath.child('strategy', 'strategy');
  if (strategy.includes('/')) for (const fault of isQualifiedName(strategy)) out.push(invalid(path, strategy, fault));
  else if (!leaseStrategies.includes(strategy)) out.push(notSupported(path, strategy, leaseStrategies));
}

export function validateLease(object: Lease): FieldErrorList {
  const out: Faults = [];
  const { leaseDurationSeconds: seconds, leaseTransitions: transitions, strategy, preferredHolder } = object.spec ?? {};
  if (seconds !== undefined && seconds <= 0) out.push(invalid(specPath.child('leaseDurationSeconds'), seconds, 'must be greater than 0'));
  if (transitions !== undefined && transitions < 0)
    out.push(invalid(specPath.child('leaseTransitions'), transitions, 'must be greater than or equal to 0'));
  if (strategy !== undefined) validateLeaseStrategy(strategy, out);
  if (preferredHolder && !strategy) out.push(forbidden(specPath.child('preferredHolder'), 'may only be specified if `strategy` is defined'));
  return out;
}

export function validateRuntimeClass({ handler = '', overhead, scheduling }: RuntimeClass): FieldErrorList {
  const out: Faults = [];
  validateHandler(handler, out);
  if (overhead?.podFixed) validateRequirements({ limits: overhead.podFixed }, validateContainerResourceName, noClaims, root('overhead'), out);
  if (scheduling?.nodeSelector) out.push(...validateLabels(scheduling.nodeSelector, root('scheduling', 'nodeSelector')));
  if (scheduling?.tolerations) validateDistinct(scheduling.tolerations, out);
  return out;
}

function validateHandler(handler: string, out: Faults): void {
  if (handler === '') out.push(required(root('handler')));
  else for (const fault of isDNS1123Label(handler)) out.push(invalid(root('handler'), handler, fault));
}

/** But for their seconds. */
function validateDistinct(tolerations: readonly Toleration[], out: Faults): void {
  const path = root('scheduling', 'tolerations');
  validateTolerations(tolerations, false, path, out);
  const seen = new Set<string>();
  for (const [index, toleration] of tolerations.entries()) {
    const { key = '', operator = '', value = '', effect = '' } = toleration;
    const members = JSON.stringify([key, operator, value, effect]);
    if (seen.has(members)) out.push(duplicate(path.index(index), toleration));
    seen.add(members);
  }
}

const noClaims: ReadonlySet<string> = new Set();

export function validateRuntimeClassUpdate(next: RuntimeClass, old: RuntimeClass): FieldErrorList {
  return [...validateRuntimeClass(next), metaPlace, ...validateImmutableField(next.handler, old.handler, root('handler'))];
}

export function validateReplicationController(object: ReplicationController, context: StrategyContext): FieldErrorList {
  const out: Faults = [];
  const { selector = {}, template, replicas, minReadySeconds } = object.spec ?? {};
  nonnegative(minReadySeconds, specPath.child('minReadySeconds'), out);
  if (Object.keys(selector).length === 0) out.push(required(specPath.child('selector')));
  nonnegative(replicas, specPath.child('replicas'), out);
  const path = specPath.child('template');
  if (!template) return [...out, required(path)];
  const labels = template.metadata?.labels;
  if (Object.entries(selector).some(([key, value]) => getOwn(labels, key) !== value))
    out.push(invalid(path.child('metadata', 'labels'), template.metadata?.labels ?? null, '`selector` does not match template `labels`'));
  validatePodTemplate(template, context, path, out);
  const policy = template.spec?.restartPolicy ?? '';
  if (policy !== 'Always') out.push(notSupported(path.child('spec', 'restartPolicy'), policy, ['Always']));
  if (template.spec?.activeDeadlineSeconds !== undefined)
    out.push(forbidden(path.child('spec', 'activeDeadlineSeconds'), 'activeDeadlineSeconds in ReplicationController is not Supported'));
  return out;
}
