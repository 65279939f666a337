/** Jobs. Mirrors ValidateJob and ValidateJobUpdate of pkg/apis/batch/validation and validationOptionsForJob of pkg/registry/batch/job. */
import type { Job, JobSpec } from '../../../api/batch/v1/types.gen.ts';
import type { Affinity, Container, PodSpec, PodTemplateSpec } from '../../../api/core/v1/types.gen.ts';
import {
  type FieldErrorList,
  type FieldPath,
  invalid,
  metaPlace,
  notSupported,
  notSupportedOf,
  required,
  root,
  tooLong,
} from '../../../apimachinery/field-errors.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { labelSelectorAsSelector } from '../../../apimachinery/labels.ts';
import { isDNS1123Label, isDNS1123Subdomain, isHTTPPath, validateImmutableField, validateLabelSelector } from '../../../apimachinery/validation.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import { getJobCondition } from '../../../component-helpers/job.ts';
import { nonnegative } from '../../apps/v1/validation.ts';
import { validatePodTemplate } from '../../core/v1/pod-validation.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { metadataPath, specPath } from '../../shared/strategy.ts';
import { validateFailurePolicy, validateSuccessPolicy } from './job-policy-validation.ts';

const noSpec: JobSpec = Object.freeze({ template: Object.freeze({}) });
const noPod: PodSpec = Object.freeze({ containers: [] });
const templatePath = specPath.child('template');

export function validateJob(object: Job, context: StrategyContext): FieldErrorList {
  const out: Faults = [];
  const spec = object.spec ?? noSpec;
  validateGenerated(object, spec, context.ratcheted('JobLabelPrefix'), out);
  validateWhole(spec, context, out);
  const { completions = 0, completionMode } = spec;
  if (completionMode !== 'Indexed' || completions <= 0) return out;
  const name = object.metadata.name ?? '';
  const hostname = `${name}-${completions - 1}`;
  if (isDNS1123Label(hostname).length > 0)
    out.push(invalid(metadataPath.child('name'), name, `will not able to create pod with invalid DNS label: ${hostname}`));
  return out;
}

/** Labels and selector that are not the user's are as they were made. */
function validateGenerated({ metadata }: Job, spec: JobSpec, isPrefixed: boolean, out: Faults): void {
  if (spec.manualSelector === true || !spec.selector) return;
  const { uid = '', name = '' } = metadata;
  const legacy = { 'controller-uid': uid, 'job-name': name };
  const expected: { readonly [key: string]: string } = isPrefixed
    ? { ...legacy, 'batch.kubernetes.io/controller-uid': uid, 'batch.kubernetes.io/job-name': name }
    : legacy;
  const labels = spec.template?.metadata?.labels ?? {};
  for (const [key, value] of Object.entries(expected)) {
    const at = root('spec', 'template', 'metadata', 'labels').key(key);
    const given = getOwn(labels, key);
    if (given === undefined) out.push(required(at, `must be '${value}'`));
    else if (given !== value) out.push(invalid(at, labels, `must be '${value}'`));
  }
  if (validateLabelSelector(spec.selector, specPath).length === 0 && !labelSelectorAsSelector(spec.selector).matches(expected))
    out.push(invalid(specPath.child('selector'), spec.selector, '`selector` not auto-generated'));
}

function validateWhole(spec: JobSpec, context: StrategyContext, out: Faults): void {
  validateJobSpec(spec, context, specPath, out);
  const path = specPath.child('selector');
  const faults = spec.selector ? validateLabelSelector(spec.selector, path) : [required(path)];
  out.push(...faults);
  if (spec.selector && faults.length > 0) return;
  const labels = spec.template?.metadata?.labels;
  if (!spec.selector || !labelSelectorAsSelector(spec.selector).matches(labels ?? {}))
    out.push(invalid(templatePath.child('metadata', 'labels'), labels ?? null, '`selector` does not match template `labels`'));
}

const counters = ['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished', 'backoffLimitPerIndex'] as const;
const replacements = ['Failed', 'TerminatingOrFailed'];

/** What jobs and the templates of cron jobs have in common. */
export function validateJobSpec(spec: JobSpec, context: StrategyContext, path: FieldPath, out: Faults): void {
  for (const name of counters) nonnegative(spec[name], path.child(name), out);
  if (spec.maxFailedIndexes !== undefined) {
    nonnegative(spec.maxFailedIndexes, path.child('maxFailedIndexes'), out);
    if (spec.backoffLimitPerIndex === undefined) out.push(required(path.child('backoffLimitPerIndex'), 'when maxFailedIndexes is specified'));
  }
  if (spec.managedBy !== undefined) validateManager(spec.managedBy, path.child('managedBy'), out);
  if (spec.completionMode !== undefined) validateMode(spec, spec.completionMode, path, out);
  if (spec.completionMode === undefined || spec.completionMode === 'NonIndexed') {
    for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes'] as const)
      if (spec[name] !== undefined) out.push(invalid(path.child(name), spec[name], 'requires indexed completion mode'));
  }
  if (spec.podFailurePolicy) validateFailurePolicy(spec, spec.podFailurePolicy, path.child('podFailurePolicy'), out);
  if (spec.successPolicy) {
    const at = path.child('successPolicy');
    if (spec.completionMode !== 'Indexed') out.push(invalid(at, spec.successPolicy, 'requires indexed completion mode'));
    else validateSuccessPolicy(spec.successPolicy, spec.completions ?? 0, at, out);
  }
  const replacement = spec.podReplacementPolicy;
  const allowed = spec.podFailurePolicy ? ['Failed'] : replacements;
  if (replacement !== undefined && !allowed.includes(replacement)) out.push(notSupported(path.child('podReplacementPolicy'), replacement, allowed));
  validatePodTemplate(spec.template ?? {}, context, path.child('template'), out);
  validateRestarts(spec, path.child('template', 'spec', 'restartPolicy'), out);
}

function validateRestarts({ template, podFailurePolicy }: JobSpec, path: FieldPath, out: Faults): void {
  const policy = template?.spec?.restartPolicy ?? '';
  if (policy === '' || policy === 'Always') out.push(required(path, 'valid values: "OnFailure", "Never"'));
  else if (policy !== 'OnFailure' && policy !== 'Never') out.push(notSupportedOf(path, policy, ['OnFailure', 'Never']));
  else if (podFailurePolicy && policy !== 'Never') out.push(invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified'));
}

const longestManager = 63;

function validateManager(manager: string, path: FieldPath, out: Faults): void {
  const slash = manager.indexOf('/');
  if (manager === '') out.push(required(path));
  else if (slash <= 0 || slash === manager.length - 1) out.push(invalid(path, manager, 'must be a domain-prefixed path (such as "acme.io/foo")'));
  else {
    const [host, rest] = [manager.slice(0, slash), manager.slice(slash + 1)];
    for (const fault of isDNS1123Subdomain(host)) out.push(invalid(path, host, fault));
    for (const fault of isHTTPPath(rest)) out.push(invalid(path, rest, fault));
  }
  if (manager.length > longestManager) out.push(tooLong(path, longestManager));
}

const modes = ['NonIndexed', 'Indexed'];
const mostIndexed = 100000;
const mostParallel = 10000;

function validateMode(spec: JobSpec, mode: string, path: FieldPath, out: Faults): void {
  if (!modes.includes(mode)) out.push(notSupportedOf(path.child('completionMode'), mode, modes));
  if (mode !== 'Indexed') return;
  const { completions, parallelism = 0, maxFailedIndexes: failed } = spec;
  const failedAt = path.child('maxFailedIndexes');
  const atMost = (count: number): string => `must be less than or equal to ${count}`;
  if (completions === undefined) out.push(required(path.child('completions'), 'when completion mode is Indexed'));
  if (parallelism > mostIndexed) out.push(invalid(path.child('parallelism'), parallelism, `${atMost(mostIndexed)} when completion mode is Indexed`));
  if (completions !== undefined && failed !== undefined && failed > completions)
    out.push(invalid(failedAt, failed, 'must be less than or equal to completions'));
  if (failed !== undefined && failed > mostIndexed) out.push(invalid(failedAt, failed, atMost(mostIndexed)));
  if ((completions ?? 0) <= mostIndexed || spec.backoffLimitPerIndex === undefined) return;
  const suffix = `when completions are above ${mostIndexed} and used with backoff limit per index`;
  if (failed === undefined) out.push(required(failedAt, `must be specified when completions is above ${mostIndexed}`));
  if (parallelism > mostParallel) out.push(invalid(path.child('parallelism'), parallelism, `${atMost(mostParallel)} ${suffix}`));
  if (failed !== undefined && failed > mostParallel) out.push(invalid(failedAt, failed, `${atMost(mostParallel)} ${suffix}`));
}

const fixed = ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'] as const;

export function validateJobUpdate(next: Job, old: Job, context: StrategyContext): FieldErrorList {
  if (next.spec === old.spec && next.metadata.uid === old.metadata.uid) return [];
  const out: Faults = [...validateJob(next, context), metaPlace];
  const [now, before] = [next.spec ?? noSpec, old.spec ?? noSpec];
  // Upstream judges the spec twice.
  validateWhole(now, context, out);
  validateCompletions(now, before, out);
  out.push(...validateImmutableField(now.selector, before.selector, specPath.child('selector')));
  validateTemplateUpdate(now, old, before, context, out);
  for (const name of fixed) out.push(...validateImmutableField(now[name], before[name], specPath.child(name)));
  return out;
}

function validateCompletions(now: JobSpec, before: JobSpec, out: Faults): void {
  const path = specPath.child('completions');
  if (now.completionMode !== 'Indexed') out.push(...validateImmutableField(now.completions, before.completions, path));
  else if (now.completions !== undefined && now.completions !== before.completions && now.completions !== now.parallelism)
    out.push(invalid(path, now.completions, 'can only be modified in tandem with spec.parallelism'));
}

/** While a job is suspended and has not begun, where its pods may go and what they may use can still be said. */
function validateTemplateUpdate(now: JobSpec, old: Job, before: JobSpec, context: StrategyContext, out: Faults): void {
  const template = now.template ?? {};
  const isSuspended = before.suspend === true;
  const isQuiet = old.status?.startTime === undefined || getJobCondition(old, 'Suspended')?.status === 'True';
  const isOpen = isSuspended && isQuiet && (old.status?.active ?? 0) === 0;
  const mayMove = context.featureEnabled('MutableSchedulingDirectivesForSuspendedJobs') ? isOpen : isSuspended && old.status?.startTime === undefined;
  const oldTemplate = mayMove ? withDirectives(before.template ?? {}, template) : (before.template ?? {});
  if (isSuspended && isOpen && context.featureEnabled('MutablePodResourcesForSuspendedJobs')) {
    const [pod, oldPod] = [template.spec ?? noPod, oldTemplate.spec ?? noPod];
    out.push(...immutable(pod, withResources(oldPod, pod), specPath.child('template.spec')));
  } else out.push(...immutable(template, oldTemplate, templatePath));
}

function immutable(now: object, before: object, path: FieldPath): FieldErrorList {
  return semanticEqual(now, before) ? [] : validateImmutableField(now, before, path);
}

type Writable<T> = { -readonly [member in keyof T]: T[member] };

/** The old template with the scheduling directives, labels and annotations of the new one. */
function withDirectives(old: PodTemplateSpec, next: PodTemplateSpec): PodTemplateSpec {
  const spec: Writable<PodSpec> = { ...(old.spec ?? noPod) };
  const affinity = affinityOf(spec.affinity, next.spec?.affinity);
  if (affinity === undefined) delete spec.affinity;
  else spec.affinity = affinity;
  for (const name of ['nodeSelector', 'tolerations', 'schedulingGates'] as const) {
    if (next.spec?.[name] === undefined) delete spec[name];
    else Object.assign(spec, { [name]: next.spec[name] });
  }
  const { labels: _l, annotations: _a, ...metadata } = old.metadata ?? {};
  const { labels, annotations } = next.metadata ?? {};
  return { ...old, metadata: { ...metadata, ...(labels && { labels }), ...(annotations && { annotations }) }, spec };
}

function affinityOf(old: Affinity | undefined, next: Affinity | undefined): Affinity | undefined {
  if (old === undefined && next === undefined) return undefined;
  const { nodeAffinity: _old, ...others } = old ?? {};
  const kept = { ...others, ...(next?.nodeAffinity && { nodeAffinity: next.nodeAffinity }) };
  return next === undefined && Object.keys(kept).length === 0 ? undefined : kept;
}

function withResources(old: PodSpec, next: PodSpec): PodSpec {
  const taken = (before: readonly Container[], now: readonly Container[]): readonly Container[] =>
    before.length !== now.length
      ? before
      : before.map((container, index) => {
          const other = now[index];
          if (other === undefined || other.name !== container.name) return container;
          const { resources: _own, ...rest } = container;
          return { ...rest, ...(other.resources && { resources: other.resources }) };
        });
  const inits = old.initContainers && { initContainers: taken(old.initContainers, next.initContainers ?? []) };
  return { ...old, ...inits, containers: taken(old.containers ?? [], next.containers ?? []) };
}
