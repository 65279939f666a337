/** Rules of Workloads and PodGroups: what gates allow and what is refused. Mirrors pkg/registry/scheduling/{workload,podgroup}. */
import type { PodGroup, PodGroupSchedulingPolicy, PodGroupSpec, PodGroupTemplate, Workload } from '../../../api/scheduling/v1alpha2/types.gen.ts';
import { duplicate, type FieldError, type FieldErrorList, type FieldPath, invalid, required, tooMany } from '../../../apimachinery/field-errors.ts';
import { immutableText, isLongName, isPathSegmentName, isShortName, validateConditions } from '../../../apimachinery/validation.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { specPath, statusPath } from '../../shared/strategy.ts';
import { claimsMax, named, validateParts } from './parts-validation.ts';

type Faults = FieldError[];
type Gated = { readonly [field in keyof typeof gateOf]?: unknown };

const templatesMax = 8;
/** Which gate allows a field. */
const gateOf = {
  schedulingConstraints: 'TopologyAwareWorkloadScheduling',
  resourceClaims: 'DRAWorkloadResourceClaims',
  disruptionMode: 'WorkloadAwarePreemption',
  priorityClassName: 'WorkloadAwarePreemption',
  priority: 'WorkloadAwarePreemption',
} as const;

export function defaultPodGroup(group: PodGroup): PodGroup {
  return group.spec === undefined || group.spec.disruptionMode !== undefined ? group : { ...group, spec: { ...group.spec, disruptionMode: 'Pod' } };
}

/** Fields without their gate are dropped, but for those that are in use; a group says how it is disrupted all the same. */
export function allowedGroup(next: PodGroup, old: PodGroup | undefined, context: StrategyContext): PodGroup {
  return next.spec === undefined ? next : defaultPodGroup({ ...next, spec: allowed(next.spec, old?.spec, context) });
}

export function allowedWorkload(next: Workload, old: Workload | undefined, context: StrategyContext): Workload {
  const { podGroupTemplates } = next.spec ?? {};
  if (!podGroupTemplates) return next;
  const templates = podGroupTemplates.map((template, index) => allowed(template, old?.spec?.podGroupTemplates?.[index], context));
  return { ...next, spec: { ...next.spec, podGroupTemplates: templates } };
}

function allowed<T extends Gated>(next: T, old: T | undefined, context: StrategyContext): T {
  const kept = Object.entries(next).filter(([field]) => {
    const gate = field in gateOf ? gateOf[field as keyof typeof gateOf] : undefined;
    return gate === undefined || context.featureEnabled(gate) || old?.[field as keyof Gated] !== undefined;
  });
  return Object.fromEntries(kept) as unknown as T;
}

export function validatePodGroup({ spec }: PodGroup): FieldErrorList {
  const out: Faults = [];
  const reference = spec?.podGroupTemplateRef;
  const path = specPath.child('podGroupTemplateRef');
  if (reference && !reference.workload) out.push(invalid(path, '', 'must specify one of: `workload`'));
  if (reference?.workload) {
    const { workloadName, podGroupTemplateName } = reference.workload;
    named(workloadName, path.child('workload', 'workloadName'), isLongName, out);
    named(podGroupTemplateName, path.child('workload', 'podGroupTemplateName'), isShortName, out);
  }
  validatePolicy(spec?.schedulingPolicy, specPath.child('schedulingPolicy'), out);
  validateParts(spec ?? {}, specPath, out);
  return out;
}

export function validatePodGroupUpdate(next: PodGroup, old: PodGroup): FieldErrorList {
  const fields = ['podGroupTemplateRef', 'schedulingPolicy', ...Object.keys(gateOf)] as (keyof PodGroupSpec)[];
  return fields
    .filter((field) => !semanticEqual(next.spec?.[field], old.spec?.[field]))
    .map((field) => invalid(specPath.child(field), undefined, immutableText));
}

export function validatePodGroupStatus({ spec, status }: PodGroup): FieldErrorList {
  const out: Faults = [...validateConditions(status?.conditions ?? [], statusPath.child('conditions'))];
  const claims = new Set((spec?.resourceClaims ?? []).map(({ name }) => name));
  const statuses = status?.resourceClaimStatuses ?? [];
  const path = statusPath.child('resourceClaimStatuses');
  for (const [index, { name }] of statuses.entries())
    if (!claims.has(name)) out.push(invalid(path.index(index).child('name'), name, 'must match the name of an entry in `spec.resourceClaims`'));
  if (statuses.length > claimsMax) return [...out, tooMany(path, statuses.length, claimsMax)];
  const names = statuses.map(({ name }) => name);
  for (const [index, one] of statuses.entries()) if (names.indexOf(one.name) < index) out.push(duplicate(path.index(index), one));
  for (const [index, { resourceClaimName }] of statuses.entries())
    for (const fault of resourceClaimName === undefined ? [] : isLongName(resourceClaimName))
      out.push(invalid(path.index(index).child('resourceClaimName'), resourceClaimName, fault));
  return out;
}

export function validateWorkload({ spec }: Workload): FieldErrorList {
  const out: Faults = [];
  const templates = spec?.podGroupTemplates ?? [];
  const path = specPath.child('podGroupTemplates');
  if (spec?.controllerRef) {
    const { apiGroup, kind, name } = spec.controllerRef;
    const at = specPath.child('controllerRef');
    if (apiGroup) named(apiGroup, at.child('apiGroup'), isLongName, out);
    named(kind, at.child('kind'), isPathSegmentName, out);
    named(name, at.child('name'), isPathSegmentName, out);
  }
  const counted = templateCountFaults(templates.length);
  out.push(...counted);
  if (counted.some(({ type }) => type === 'FieldValueTooMany')) return out;
  const names = templates.map(({ name }) => name);
  templates.forEach((template, index) => {
    if (names.indexOf(template.name) < index) out.push(duplicate(path.index(index), written(template)));
  });
  templates.forEach(({ name, schedulingPolicy, ...parts }, index) => {
    named(name, path.index(index).child('name'), isShortName, out);
    validatePolicy(schedulingPolicy, path.index(index).child('schedulingPolicy'), out);
    validateParts(parts, path.index(index), out);
  });
  return out;
}

/** How many there are is judged even of templates that may not change. */
export function validateWorkloadUpdate(next: Workload, old: Workload): FieldErrorList {
  const fields = ['controllerRef', 'podGroupTemplates'] as const;
  return fields
    .filter((field) => !semanticEqual(next.spec?.[field], old.spec?.[field]))
    .flatMap((field) => [
      invalid(specPath.child(field), undefined, immutableText),
      ...(field === 'podGroupTemplates' ? templateCountFaults(next.spec?.podGroupTemplates?.length ?? 0) : []),
    ]);
}

function templateCountFaults(count: number): FieldErrorList {
  const path = specPath.child('podGroupTemplates');
  if (count > templatesMax) return [tooMany(path, count, templatesMax)];
  return count === 0 ? [required(path)] : [];
}

/** As Go writes one: its constraints are written where there are none. */
function written({ name, schedulingPolicy, schedulingConstraints, ...others }: PodGroupTemplate): object {
  return { name, schedulingPolicy, schedulingConstraints: schedulingConstraints ?? null, ...others };
}

function validatePolicy(policy: PodGroupSchedulingPolicy | undefined, path: FieldPath, out: Faults): void {
  const { basic, gang } = policy ?? {};
  if (!basic && !gang) out.push(invalid(path, '', 'must specify one of: `basic`, `gang`'));
  if (basic && gang) out.push(invalid(path, '{basic, gang}', 'must specify exactly one of: `basic`, `gang`'));
  if (!gang) return;
  const at = path.child('gang', 'minCount');
  if (!gang.minCount) out.push(required(at));
  else if (gang.minCount < 1) out.push(invalid(at, gang.minCount, 'must be greater than or equal to 1'));
}
