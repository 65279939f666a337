/** Stateful sets. Mirrors ValidateStatefulSetSpec and ValidateStatefulSetUpdate of pkg/apis/apps/validation. */
import type { StatefulSet, StatefulSetSpec } from '../../../api/apps/v1/types.gen.ts';
import type { PodSpec, PodTemplateSpec } from '../../../api/core/v1/types.gen.ts';
import { type FieldErrorList, forbidden, invalid, notSupportedOf, required } from '../../../apimachinery/field-errors.ts';
import { labelSelectorAsSelector } from '../../../apimachinery/labels.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import { isDNS1123Label, validateLabelSelector } from '../../../apimachinery/validation.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { validatePodTemplate, validateTemplateMeta } from '../../core/v1/pod-validation.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { validateClaimTemplates } from '../../core/v1/volume-object-validation.ts';
import { specPath } from '../../shared/strategy.ts';
import { isZero, nonnegative, over100, validateIntOrPercent, validateLasting } from './validation.ts';

const retentions = ['Retain', 'Delete'];

/** Names and templates that cannot be changed are judged when they are new; in old releases neither they nor the pods were. */
export function validateStatefulSet({ spec }: StatefulSet, context: StrategyContext): FieldErrorList {
  const isJudged = context.ratcheted('JudgedStatefulSets');
  return validateSpec(spec, context, { isNew: isJudged, judgesTemplate: isJudged });
}

interface Extent {
  readonly isNew: boolean;
  readonly judgesTemplate: boolean;
}

function validateSpec(spec: StatefulSetSpec | undefined, context: StrategyContext, { isNew, judgesTemplate }: Extent): FieldErrorList {
  const out: Faults = [];
  const policies = ['OrderedReady', 'Parallel'];
  if (!spec?.podManagementPolicy) out.push(required(specPath.child('podManagementPolicy')));
  else if (!policies.includes(spec.podManagementPolicy))
    out.push(invalid(specPath.child('podManagementPolicy'), spec.podManagementPolicy, `must be '${policies[0]}' or '${policies[1]}'`));
  validateStatefulStrategy(spec?.updateStrategy, out);
  const retention = specPath.child('persistentVolumeClaimRetentionPolicy');
  for (const name of ['whenDeleted', 'whenScaled'] as const) {
    const policy = spec?.persistentVolumeClaimRetentionPolicy?.[name];
    if (spec?.persistentVolumeClaimRetentionPolicy && !retentions.includes(policy ?? ''))
      out.push(notSupportedOf(retention.child(name), policy ?? '', retentions));
  }
  if (isNew) out.push(...validateClaimTemplates(spec?.volumeClaimTemplates ?? [], specPath.child('volumeClaimTemplates')));
  nonnegative(spec?.replicas, specPath.child('replicas'), out);
  nonnegative(spec?.minReadySeconds, specPath.child('minReadySeconds'), out);
  nonnegative(spec?.ordinals?.start, specPath.child('ordinals.start'), out);
  const service = spec?.serviceName ?? '';
  if (isNew && service !== '') for (const fault of isDNS1123Label(service)) out.push(invalid(specPath.child('serviceName'), service, fault));
  validateSelector(spec, context, judgesTemplate, out);
  validateLasting(spec?.template ?? {}, 'StatefulSet', specPath.child('template'), out);
  return out;
}

function validateSelector(spec: StatefulSetSpec | undefined, context: StrategyContext, judgesTemplate: boolean, out: Faults): void {
  const path = specPath.child('selector');
  const at = specPath.child('template');
  const template = spec?.template ?? {};
  const { selector } = spec ?? {};
  const faults = selector ? validateLabelSelector(selector, path) : [];
  if (!selector) out.push(required(path));
  else {
    out.push(...faults);
    if (Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length === 0)
      out.push(invalid(path, selector, 'empty selector is invalid for statefulset'));
  }
  if (faults.length > 0) return void out.push(invalid(path, selector, ''));
  const labels = template.metadata?.labels;
  if (!selector || !labelSelectorAsSelector(selector).matches(labels ?? {}))
    out.push(invalid(at.child('metadata', 'labels'), labels ?? null, '`selector` does not match template `labels`'));
  if (judgesTemplate) validatePodTemplate(asPod(template, spec), context, at, out);
  // Upstream judges labels and annotations twice.
  validateTemplateMeta(template, context, at, out);
}

/** As its pods are: with the volumes of their claims, which stand first and win, and names of their own. */
function asPod(template: PodTemplateSpec, spec: StatefulSetSpec | undefined): PodTemplateSpec {
  if (!template.spec) return template;
  const { hostname: _hostname, subdomain: _subdomain, ...pod } = template.spec;
  const claims = new Set((spec?.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name ?? ''));
  if (claims.size === 0) return { ...template, spec: pod };
  const own = [...claims].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const volumes: PodSpec['volumes'] = [...own, ...(pod.volumes ?? []).filter(({ name }) => !claims.has(name))];
  return { ...template, spec: { ...pod, volumes } };
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
      if (update) validateRolling(update, out);
      return;
    default:
      out.push(invalid(path, strategy ?? {}, "must be 'RollingUpdate' or 'OnDelete'"));
  }
}

function validateRolling(
  { partition, maxUnavailable }: NonNullable<NonNullable<StatefulSetSpec['updateStrategy']>['rollingUpdate']>,
  out: Faults,
): void {
  const path = specPath.child('updateStrategy', 'rollingUpdate');
  const at = path.child('maxUnavailable');
  nonnegative(partition, path.child('partition'), out);
  if (maxUnavailable === undefined) return;
  validateIntOrPercent(maxUnavailable, at, out);
  if (isZero(maxUnavailable)) out.push(invalid(at, maxUnavailable, 'cannot be 0'));
  over100(maxUnavailable, at, out);
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
  const judgesTemplate =
    context.ratcheted('JudgedStatefulSets') && validateSpec(old.spec, context, { isNew: false, judgesTemplate: true }).length === 0;
  const out: Faults = [...validateSpec(next.spec, context, { isNew: false, judgesTemplate })];
  const isOtherHistory = next.spec?.revisionHistoryLimit !== old.spec?.revisionHistoryLimit && !context.ratcheted('MutableHistories');
  if (isOtherHistory || !semanticEqual(fixedPart(next.spec), fixedPart(old.spec))) {
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

function fixedPart(spec: StatefulSetSpec | undefined): object {
  const rest: { [name: string]: unknown } = { ...spec };
  for (const name of statefulMutable) delete rest[name];
  return rest;
}
