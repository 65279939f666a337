/** A job's own selector and labels. Mirrors generateSelector of pkg/registry/batch/job/strategy.go. */
import type { Job } from '../../../api/batch/v1/types.gen.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { edit } from '../../shared/defaulting.ts';
import { dropStatus } from '../../shared/strategy.ts';

export function prepareJob(object: Job, context: StrategyContext): Job {
  const job = dropStatus(object);
  return job.spec?.manualSelector === true ? job : generateSelector(job, context.ratcheted('JobLabelPrefix'));
}

/**
 * Labels of the template name the job and its uid; the selector asks for the uid. A job without labels of its own has those of
 * its template, these included.
 */
function generateSelector(job: Job, isPrefixed: boolean): Job {
  const { name = '', uid = '' } = job.metadata;
  const own = job.metadata.labels;
  const inherits = own === undefined || Object.keys(own).length === 0 || own === job.spec?.template?.metadata?.labels;
  const next = edit(job, 'spec', (spec) => {
    const given = spec.template?.metadata?.labels;
    const prefixed = isPrefixed ? { 'batch.kubernetes.io/controller-uid': uid, 'batch.kubernetes.io/job-name': name } : undefined;
    const labels = { ...prefixed, 'controller-uid': uid, 'job-name': name, ...given };
    const own = isPrefixed ? 'batch.kubernetes.io/controller-uid' : 'controller-uid';
    const matchLabels = { ...spec.selector?.matchLabels, [own]: spec.selector?.matchLabels?.[own] ?? uid };
    const template = { ...spec.template, metadata: { ...spec.template?.metadata, labels } };
    return { ...spec, selector: { ...spec.selector, matchLabels }, template };
  });
  const labels = next.spec?.template?.metadata?.labels;
  return inherits && labels !== undefined ? { ...next, metadata: { ...next.metadata, labels } } : next;
}
