/** A job's own selector and labels, and what its users are warned of. Mirrors pkg/registry/batch/job/strategy.go and pkg/api/job. */
import type { Job } from '../../../api/batch/v1/types.gen.ts';
import { sortedMap } from '../../../component-helpers/meta.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { edit } from '../../shared/defaulting.ts';
import type { JobSpec } from '../../../api/batch/v1/types.gen.ts';
import type { FieldPath } from '../../../apimachinery/field-errors.ts';
import { WarningList } from '../../core/v1/warning-list.ts';
import { inPodNames, warnOfName, warnOfTemplate } from '../../core/v1/pod-warnings.ts';
import { specPath } from '../../shared/strategy.ts';
import { specTemplate, templateHooks } from '../../shared/template-hooks.ts';

const hooks = templateHooks<Job>(specTemplate(true));

export function prepareJobUpdate(next: Job, old: Job, context: StrategyContext): Job {
  return hooks.prepareForUpdate(next, old, context);
}

/** Whoever reads a job without labels finds those of its template: they are its default, once it is stored. */
export function labelled(job: Job): Job {
  const labels = job.spec?.template?.metadata?.labels;
  return labels === undefined || Object.keys(job.metadata.labels ?? {}).length > 0 ? job : { ...job, metadata: { ...job.metadata, labels } };
}

const generated: ReadonlySet<string> = new Set(['batch.kubernetes.io/controller-uid', 'batch.kubernetes.io/job-name', 'controller-uid', 'job-name']);

/** Whether its labels are a default: its template had none until it was named, and so it had none to be stored with. */
export function inheritsLabels({ metadata: { labels = {} }, spec }: Job): boolean {
  const others = spec?.template?.metadata?.labels ?? {};
  const names = Object.keys(others);
  const isOurs = spec?.manualSelector !== true && names.length > 0 && names.every((name) => generated.has(name) && labels[name] === others[name]);
  return isOurs && Object.keys(labels).length === names.length;
}

export function prepareJob(object: Job, context: StrategyContext): Job {
  const job = hooks.prepareForCreate(object, context);
  return job.spec?.manualSelector === true ? job : generateSelector(job, context.ratcheted('JobLabelPrefix'));
}

/** Labels of the template name the job and its uid; the selector asks for the uid. A job that has its labels from its template has these too. */
function generateSelector(job: Job, isPrefixed: boolean): Job {
  const { name = '', uid = '' } = job.metadata;
  const own = job.metadata.labels;
  const inherits = own !== undefined && own === job.spec?.template?.metadata?.labels;
  const next = edit(job, 'spec', (spec) => {
    const given = spec.template?.metadata?.labels;
    const prefixed = isPrefixed ? { 'batch.kubernetes.io/controller-uid': uid, 'batch.kubernetes.io/job-name': name } : undefined;
    const labels = sortedMap({ ...prefixed, 'controller-uid': uid, 'job-name': name, ...given });
    const own = isPrefixed ? 'batch.kubernetes.io/controller-uid' : 'controller-uid';
    const matchLabels = sortedMap({ ...spec.selector?.matchLabels, [own]: spec.selector?.matchLabels?.[own] ?? uid });
    const template = { ...spec.template, metadata: { ...spec.template?.metadata, labels } };
    const { matchLabels: _given, ...selector } = spec.selector ?? {};
    return { ...spec, selector: { matchLabels, ...selector }, template };
  });
  const labels = next.spec?.template?.metadata?.labels;
  return inherits && labels !== undefined ? { ...next, metadata: { ...next.metadata, labels } } : next;
}

export function jobWarnings(object: Job, old: Job | undefined): readonly string[] {
  const out = new WarningList();
  if (old === undefined) warnOfName(object.metadata.name, inPodNames, out);
  if (object.metadata.generation !== old?.metadata.generation) warnOfJobSpec(object.spec, specPath, out);
  return out.texts;
}

const manyCompletions = 100000;
const manyAtOnce = 10000;
const trackingText =
  'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';

export function warnOfJobSpec(spec: JobSpec | undefined, path: FieldPath, out: WarningList): void {
  const { completionMode, completions = 0, parallelism = 0, template } = spec ?? {};
  if (completionMode === 'Indexed' && completions > manyCompletions && parallelism > manyAtOnce) out.add(`${path.toString()}: ${trackingText}`);
  warnOfTemplate(template, path.child('template'), out);
}
