/** What the pods of an index carry: its number as a variable, and how often its pods have failed. */
import type { Job } from '../../api/batch/v1/types.gen.ts';
import type { Container, Pod } from '../../api/core/v1/types.gen.ts';
import { indexAnnotation } from './indexes.ts';
import { judgeFailure } from './policies.ts';

const failureCountAnnotation = 'batch.kubernetes.io/job-index-failure-count';
const ignoredCountAnnotation = 'batch.kubernetes.io/job-index-ignored-failure-count';

/** Failures of the index before this pod that count against its limit. */
export function countFailures(pod: Pod | undefined): number {
  return countIn(pod, failureCountAnnotation);
}

/** All failures of the index before this pod. */
export function absoluteFailures(pod: Pod): number {
  return countFailures(pod) + countIn(pod, ignoredCountAnnotation);
}

/** Annotations of the pod that comes after one that failed. */
export function failureCounts(job: Job, replaced: Pod | undefined): Readonly<Record<string, string>> {
  const counts = replaced === undefined ? undefined : judgeFailure(job, replaced).counts;
  const failures = countFailures(replaced) + (counts === true ? 1 : 0);
  const ignored = countIn(replaced, ignoredCountAnnotation) + (counts === false ? 1 : 0);
  return { [failureCountAnnotation]: String(failures), ...(ignored > 0 ? { [ignoredCountAnnotation]: String(ignored) } : {}) };
}

function countIn(pod: Pod | undefined, annotation: string): number {
  const text = pod?.metadata.annotations?.[annotation];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : 0;
}

export function withIndexVariable(container: Container): Container {
  const name = 'JOB_COMPLETION_INDEX';
  if (container.env?.some((variable) => variable.name === name)) return container;
  const valueFrom = { fieldRef: { fieldPath: `metadata.labels['${indexAnnotation}']` } };
  return { ...container, env: [...(container.env ?? []), { name, valueFrom }] } as Container;
}
