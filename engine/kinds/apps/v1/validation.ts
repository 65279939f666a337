/** Workloads. Mirrors pkg/apis/apps/validation: every fault is collected, in upstream's order. */
import type { Int64 } from '../../../base/int64.ts';
import type { DaemonSet, Deployment, ReplicaSet, StatefulSet, StatefulSetSpec } from '../../../api/apps/v1/types.gen.ts';
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
import type { JsonValue } from '../../../base/json.ts';
import { goJson } from '../../../apimachinery/quote.ts';
import { isDNS1123Label, isValidPercent, negativeText, validateImmutableField, validateLabelSelector } from '../../../apimachinery/validation.ts';
import { validateClaimTemplates } from '../../core/v1/volume-object-validation.ts';
import { validatePodTemplate, validateTemplateMeta } from '../../core/v1/pod-validation.ts';
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
  return typeof value === 'string' && value.endsWith('%') ? Number(value.slice(0, -1)) : undefined;
}

function isZero(value: IntOrString | undefined): boolean {
  return value === undefined || value === 0 || percentOf(value) === 0;
}

function over100(value: IntOrString | undefined, path: FieldPath, out: Faults): void {
  if ((percentOf(value) ?? 0) > 100) out.push(invalid(path, value, 'must not be greater than 100%'));
}

/** Selector there, not empty, sound; the template matches it. What kind it is says how upstream goes on after a bad selector. */
export function validateSelected(
  selector: LabelSelector | undefined | null,
  given: PodTemplateSpec | undefined,
  kind: 'deployment' | 'daemonset' | 'statefulset',
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
    if (faults.length > 0) out.push(invalid(path, selector, kind === 'statefulset' ? '' : 'invalid label selector'));
    out.push(...mismatch);
  }
  if (faults.length === 0 || kind === 'daemonset') validateWhole(template, kind, context, at, out);
  if (faults.length === 0 || kind !== 'deployment') validateLasting(template, kind, at, out);
}

function validateWhole(template: PodTemplateSpec, kind: string, context: StrategyContext, at: FieldPath, out: Faults): void {
  // What a stateful set mounts comes from claims that its template does not name.
  if (kind === 'statefulset') validateTemplateMeta(template, at, out);
  else validatePodTemplate(template, context, at, out);
}

/** Pods of workloads are started again for ever. */
function validateLasting(template: PodTemplateSpec, kind: string, at: FieldPath, out: Faults): void {
  const policy = template.spec?.restartPolicy ?? '';
  if (policy !== 'Always') out.push(notSupported(at.child('spec', 'restartPolicy'), policy, ['Always']));
  if (template.spec?.activeDeadlineSeconds !== undefined) {
    out.push(
      forbidden(
        at.child('spec', 'activeDeadlineSeconds'),
        `activeDeadlineSeconds in ${kind === 'deployment' ? 'ReplicaSet' : kind === 'daemonset' ? 'DaemonSet' : 'StatefulSet'} is not Supported`,
      ),
    );
  }
}

export function validateDeployment(object: Deployment, context: StrategyContext): FieldErrorList {
  const out: Faults = [];
  const { spec } = object;
  if (spec === undefined) return [required(specPath.child('selector'))];
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
      out.push(notSupported(path, shownStrategy(strategy), ['Recreate', 'RollingUpdate']));
  }
}

/** Upstream shows its own value, whose members have no JSON names. */
function shownStrategy(strategy: { readonly type?: string; readonly rollingUpdate?: unknown } | undefined): object {
  return { Type: strategy?.type ?? '', RollingUpdate: strategy?.rollingUpdate ?? null };
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
  const out: Faults =
    next.spec?.template === old.spec?.template && next.spec?.selector === old.spec?.selector ? [] : [...validateReplicaSet(next, context)];
  nonnegative(next.spec?.replicas, specPath.child('replicas'), out);
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
  } else if (type !== 'OnDelete') out.push(notSupportedOf(path, shownStrategy(spec?.updateStrategy), ['RollingUpdate', 'OnDelete']));
  nonnegative(spec?.revisionHistoryLimit, specPath.child('revisionHistoryLimit'), out);
  return out;
}

function validateDaemonRolling(update: Rolling, path: FieldPath, out: Faults): void {
  validateIntOrPercent(update.maxUnavailable, path.child('maxUnavailable'), out);
  over100(update.maxUnavailable, path.child('maxUnavailable'), out);
  validateIntOrPercent(update.maxSurge, path.child('maxSurge'), out);
  over100(update.maxSurge, path.child('maxSurge'), out);
  const [unavailable, surge] = [isZero(update.maxUnavailable), isZero(update.maxSurge)];
  if (!unavailable && !surge) out.push(invalid(path.child('maxSurge'), update.maxSurge, 'may not be set when maxUnavailable is non-zero'));
  if (unavailable && surge) out.push(required(path.child('maxUnavailable'), 'cannot be 0 when maxSurge is 0'));
}

export function validateDaemonSetUpdate(next: DaemonSet, old: DaemonSet, context: StrategyContext): FieldErrorList {
  if (next.spec === old.spec) return [];
  const out: Faults = [...validateDaemonSet(next, context)];
  validateSameSelector(next, old, out);
  return out;
}

const retentions = ['Retain', 'Delete'];

/** Names and templates that cannot be changed are judged when they are new. */
export function validateStatefulSet(object: StatefulSet, context: StrategyContext, isNew = true): FieldErrorList {
  const out: Faults = [];
  const { spec } = object;
  const policies = ['OrderedReady', 'Parallel'];
  if (!spec?.podManagementPolicy) out.push(required(specPath.child('podManagementPolicy')));
  else if (!policies.includes(spec.podManagementPolicy))
    out.push(invalid(specPath.child('podManagementPolicy'), spec.podManagementPolicy, `must be '${policies[0]}' or '${policies[1]}'`));
  validateStatefulStrategy(spec?.updateStrategy, out);
  const retention = specPath.child('persistentVolumeClaimRetentionPolicy');
  for (const [name, policy] of Object.entries(spec?.persistentVolumeClaimRetentionPolicy ?? {}))
    if (!retentions.includes(policy)) out.push(notSupportedOf(retention.child(name), policy, retentions));
  if (isNew) out.push(...validateClaimTemplates(spec?.volumeClaimTemplates ?? [], specPath.child('volumeClaimTemplates')));
  nonnegative(spec?.replicas, specPath.child('replicas'), out);
  nonnegative(spec?.minReadySeconds, specPath.child('minReadySeconds'), out);
  nonnegative(spec?.ordinals?.start, specPath.child('ordinals.start'), out);
  const service = spec?.serviceName ?? '';
  if (isNew && service !== '') for (const fault of isDNS1123Label(service)) out.push(invalid(specPath.child('serviceName'), service, fault));
  validateSelected(spec?.selector, spec?.template, 'statefulset', context, out);
  return out;
}

function validateStatefulStrategy(strategy: StatefulSetSpec['updateStrategy'], out: Faults): void {
  const path = specPath.child('updateStrategy');
  const update = strategy?.rollingUpdate;
  switch (strategy?.type) {
    case undefined:
    case '':
      return void out.push(required(path));
    case 'OnDelete':
      if (update) out.push(invalid(path.child('rollingUpdate'), update, "only allowed for updateStrategy 'RollingUpdate'"));
      return;
    case 'RollingUpdate':
      nonnegative(update?.partition, path.child('rollingUpdate').child('partition'), out);
      return;
    default:
      out.push(invalid(path, shownStrategy(strategy), "must be 'RollingUpdate' or 'OnDelete'"));
  }
}

const statefulMutable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
] as const;

export function validateStatefulSetUpdate(next: StatefulSet, old: StatefulSet, context: StrategyContext): FieldErrorList {
  if (next.spec === old.spec) return [];
  const out: Faults = [...validateStatefulSet(next, context, false)];
  if (fixedPart(next.spec) !== fixedPart(old.spec)) {
    const names = statefulMutable.map((name) => `'${name}'`);
    out.push(
      forbidden(
        specPath,
        `updates to statefulset spec for fields other than ${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''} are forbidden`,
      ),
    );
  }
  return out;
}

function fixedPart(spec: StatefulSetSpec | undefined): string {
  const rest: { [name: string]: unknown } = { ...spec };
  for (const name of statefulMutable) delete rest[name];
  return goJson(Object.fromEntries(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))) as JsonValue);
}
