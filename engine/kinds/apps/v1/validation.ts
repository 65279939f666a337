/** Workloads. Mirrors pkg/apis/apps/validation: every fault is collected, in upstream's order. */
import type { Int64 } from '../../../base/int64.ts';
import type { DaemonSet, Deployment, ReplicaSet } from '../../../api/apps/v1/types.gen.ts';
import type { PodTemplateSpec } from '../../../api/core/v1/types.gen.ts';
import {
  type FieldErrorList,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  notSupportedOf,
  required,
} from '../../../apimachinery/field-errors.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { type LabelSelector, labelSelectorAsSelector } from '../../../apimachinery/labels.ts';
import { isValidPercent, negativeText, validateImmutableField, validateLabelSelector } from '../../../apimachinery/validation.ts';
import { validatePodTemplate } from '../../core/v1/pod-validation.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { specPath } from '../../shared/strategy.ts';

type IntOrString = number | string;

export function nonnegative(value: Int64 | undefined, path: FieldPath, out: Faults): void {
  if (value !== undefined && value < 0) out.push(invalid(path, value, negativeText));
}

export function validateIntOrPercent(value: IntOrString | undefined, path: FieldPath, out: Faults): void {
  if (typeof value === 'string') for (const fault of isValidPercent(value)) out.push(invalid(path, value, fault));
  else nonnegative(value, path, out);
}

function percentOf(value: IntOrString | undefined): number | undefined {
  return typeof value === 'string' && /^[0-9]+%$/.test(value) ? Number(value.slice(0, -1)) : undefined;
}

/** A text that is neither a percentage nor a number counts as none. */
export function isZero(value: IntOrString | undefined): boolean {
  if (typeof value !== 'string') return (value ?? 0) === 0;
  return (percentOf(value) ?? (/^[+-]?[0-9]+$/.test(value) ? Number(value) : 0)) === 0;
}

export function over100(value: IntOrString | undefined, path: FieldPath, out: Faults): void {
  if ((percentOf(value) ?? 0) > 100) out.push(invalid(path, value, 'must not be greater than 100%'));
}

/** Selector there, not empty, sound; the template matches it. What kind it is says how upstream goes on after a bad selector. */
function validateSelected(
  selector: LabelSelector | undefined | null,
  given: PodTemplateSpec | undefined,
  kind: 'deployment' | 'daemonset',
  context: StrategyContext,
  out: Faults,
): void {
  const path = specPath.child('selector');
  const at = specPath.child('template');
  const template = given ?? ({} as PodTemplateSpec);
  const faults = selector ? validateLabelSelector(selector, path) : [];
  const isEmpty = Boolean(selector) && Object.keys(selector?.matchLabels ?? {}).length + (selector?.matchExpressions ?? []).length === 0;
  const empty = isEmpty ? [invalid(path, selector, `empty selector is invalid for ${kind}`)] : [];
  const isMatching = faults.length === 0 && (selector ? labelSelectorAsSelector(selector).matches(template.metadata?.labels ?? {}) : false);
  const mismatch =
    faults.length > 0 || isMatching
      ? []
      : [invalid(at.child('metadata', 'labels'), template.metadata?.labels ?? null, '`selector` does not match template `labels`')];
  if (kind === 'daemonset') out.push(...faults, ...mismatch, ...empty);
  else {
    out.push(...(selector ? [] : [required(path)]), ...faults, ...empty);
    if (faults.length > 0) return void out.push(invalid(path, selector, 'invalid label selector'));
    out.push(...mismatch);
  }
  validatePodTemplate(template, context, at, out);
  validateLasting(template, kind === 'deployment' ? 'ReplicaSet' : 'DaemonSet', at, out);
}

/** Pods of workloads are started again for ever. */
export function validateLasting(template: PodTemplateSpec, kind: string, at: FieldPath, out: Faults): void {
  const policy = template.spec?.restartPolicy ?? '';
  if (policy !== 'Always') out.push(notSupported(at.child('spec', 'restartPolicy'), policy, ['Always']));
  if (template.spec?.activeDeadlineSeconds !== undefined) {
    out.push(forbidden(at.child('spec', 'activeDeadlineSeconds'), `activeDeadlineSeconds in ${kind} is not Supported`));
  }
}

const noSpec: NonNullable<Deployment['spec']> = Object.freeze({ selector: undefined, template: {} }) as never;

export function validateDeployment(object: Deployment, context: StrategyContext): FieldErrorList {
  const out: Faults = [];
  const spec = object.spec ?? noSpec;
  nonnegative(spec.replicas, specPath.child('replicas'), out);
  validateSelected(spec.selector, spec.template, 'deployment', context, out);
  validateStrategy(spec.strategy, out);
  nonnegative(spec.minReadySeconds, specPath.child('minReadySeconds'), out);
  nonnegative(spec.revisionHistoryLimit, specPath.child('revisionHistoryLimit'), out);
  const deadline = spec.progressDeadlineSeconds;
  nonnegative(deadline, specPath.child('progressDeadlineSeconds'), out);
  if (deadline !== undefined && deadline <= (spec.minReadySeconds ?? 0)) {
    out.push(invalid(specPath.child('progressDeadlineSeconds'), deadline, 'must be greater than minReadySeconds'));
  }
  return out;
}

function validateStrategy(strategy: NonNullable<Deployment['spec']>['strategy'], out: Faults): void {
  const path = specPath.child('strategy');
  const update = strategy?.rollingUpdate;
  switch (strategy?.type) {
    case 'Recreate':
      if (update) out.push(forbidden(path.child('rollingUpdate'), "may not be specified when strategy `type` is 'Recreate'"));
      return;
    case 'RollingUpdate':
      if (!update) out.push(required(path.child('rollingUpdate'), 'this should be defaulted and never be nil'));
      else validateRolling(update, path.child('rollingUpdate'), out);
      return;
    default:
      out.push(notSupported(path, strategy ?? {}, ['Recreate', 'RollingUpdate']));
  }
}

interface Rolling {
  readonly maxUnavailable?: IntOrString;
  readonly maxSurge?: IntOrString;
}

function validateRolling(update: Rolling, path: FieldPath, out: Faults): void {
  validateIntOrPercent(update.maxUnavailable, path.child('maxUnavailable'), out);
  validateIntOrPercent(update.maxSurge, path.child('maxSurge'), out);
  if (isZero(update.maxUnavailable) && isZero(update.maxSurge))
    out.push(invalid(path.child('maxUnavailable'), update.maxUnavailable, 'may not be 0 when `maxSurge` is 0'));
  over100(update.maxUnavailable, path.child('maxUnavailable'), out);
}

interface Selecting {
  readonly spec?: { readonly selector?: LabelSelector | null };
}

function validateSameSelector(next: Selecting, old: Selecting, out: Faults): void {
  if (next.spec?.selector !== old.spec?.selector)
    out.push(...validateImmutableField(next.spec?.selector, old.spec?.selector, specPath.child('selector')));
}

export function validateDeploymentUpdate(next: Deployment, old: Deployment, context: StrategyContext): FieldErrorList {
  if (next.spec === old.spec) return [];
  const out: Faults = [...validateDeployment(next, context)];
  validateSameSelector(next, old, out);
  return out;
}

export function validateReplicaSet(object: ReplicaSet, context: StrategyContext): FieldErrorList {
  const out: Faults = [];
  nonnegative(object.spec?.replicas, specPath.child('replicas'), out);
  nonnegative(object.spec?.minReadySeconds, specPath.child('minReadySeconds'), out);
  validateSelected(object.spec?.selector, object.spec?.template, 'deployment', context, out);
  return out;
}

export function validateReplicaSetUpdate(next: ReplicaSet, old: ReplicaSet, context: StrategyContext): FieldErrorList {
  if (next.spec === old.spec) return [];
  // What was judged is not judged again: deployments scale all the time.
  const isJudged =
    next.spec?.template === old.spec?.template &&
    next.spec?.selector === old.spec?.selector &&
    next.spec?.minReadySeconds === old.spec?.minReadySeconds;
  const out: Faults = isJudged ? [] : [...validateReplicaSet(next, context)];
  if (isJudged) nonnegative(next.spec?.replicas, specPath.child('replicas'), out);
  validateSameSelector(next, old, out);
  return out;
}

export function validateDaemonSet(object: DaemonSet, context: StrategyContext): FieldErrorList {
  const out: Faults = [];
  const { spec } = object;
  validateSelected(spec?.selector, spec?.template, 'daemonset', context, out);
  nonnegative(spec?.minReadySeconds, specPath.child('minReadySeconds'), out);
  const path = specPath.child('updateStrategy');
  const { type = '', rollingUpdate } = spec?.updateStrategy ?? {};
  if (type === 'RollingUpdate') {
    if (!rollingUpdate) out.push(required(path.child('rollingUpdate')));
    else validateDaemonRolling(rollingUpdate, path.child('rollingUpdate'), out);
  } else if (type !== 'OnDelete') out.push(notSupportedOf(path, spec?.updateStrategy ?? {}, ['RollingUpdate', 'OnDelete']));
  nonnegative(spec?.revisionHistoryLimit, specPath.child('revisionHistoryLimit'), out);
  return out;
}

function validateDaemonRolling(update: Rolling, path: FieldPath, out: Faults): void {
  for (const name of ['maxUnavailable', 'maxSurge'] as const) validateIntOrPercent(update[name], path.child(name), out);
  for (const name of ['maxUnavailable', 'maxSurge'] as const) over100(update[name], path.child(name), out);
  const [unavailable, surge] = [isZero(update.maxUnavailable), isZero(update.maxSurge)];
  if (!unavailable && !surge) out.push(invalid(path.child('maxSurge'), update.maxSurge, 'may not be set when maxUnavailable is non-zero'));
  if (unavailable && surge) out.push(required(path.child('maxUnavailable'), 'cannot be 0 when maxSurge is 0'));
}

export function validateDaemonSetUpdate(next: DaemonSet, old: DaemonSet, context: StrategyContext): FieldErrorList {
  if (next.spec === old.spec) return [];
  const out: Faults = [];
  validateSameSelector(next, old, out);
  out.push(...validateDaemonSet(next, context));
  return out;
}
