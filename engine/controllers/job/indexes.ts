/**
 * Sets of completion indexes in their text form (`0,3-5`), and the indexes of pods. Mirrors pkg/controller/job/indexed_job_utils.go.
 */
import type { Job } from '../../api/batch/v1/types.gen.ts';
import type { Pod } from '../../api/core/v1/types.gen.ts';
import { compareActivePods } from '../lib/pod-ranking.ts';

export const indexAnnotation = 'batch.kubernetes.io/job-completion-index';
const generatedNameLengthMax = 58;

/** Both ends belong to it. */
export interface Interval {
  readonly first: number;
  readonly last: number;
}

/** In order, with gaps between. */
export type Indexes = readonly Interval[];

export function parseIndexes(text: string | undefined, completions: number): Indexes {
  if (!text) return [];
  const intervals: Interval[] = [];
  for (const part of text.split(',')) {
    const [from = '', to = from] = part.split('-');
    const first = Number.parseInt(from, 10);
    const last = Math.min(Number.parseInt(to, 10), completions - 1);
    if (Number.isNaN(first) || Number.isNaN(last)) continue;
    if (first >= completions) break;
    intervals.push({ first, last });
  }
  return merge(intervals, []);
}

export function formatIndexes(indexes: Indexes): string {
  return indexes.map(({ first, last }) => (last === first ? `${first}` : last === first + 1 ? `${first},${last}` : `${first}-${last}`)).join(',');
}

export function merge(a: Indexes, b: Indexes): Indexes {
  const result: Interval[] = [];
  for (const interval of [...a, ...b].sort((x, y) => x.first - y.first)) {
    const previous = result.at(-1);
    if (previous === undefined || interval.first > previous.last + 1) result.push(interval);
    else if (previous.last < interval.last) result[result.length - 1] = { first: previous.first, last: interval.last };
  }
  return result;
}

export function withIndexes(indexes: Indexes, added: Iterable<number>): Indexes {
  const list = [...added];
  return list.length === 0
    ? indexes
    : merge(
        indexes,
        list.sort((a, b) => a - b).map((index) => ({ first: index, last: index })),
      );
}

export function total(indexes: Indexes): number {
  let count = 0;
  for (const { first, last } of indexes) count += last - first + 1;
  return count;
}

export function hasIndex(indexes: Indexes, index: number): boolean {
  return indexes.some(({ first, last }) => first <= index && index <= last);
}

export function overlap(a: Indexes, b: Indexes): number {
  let count = 0;
  for (const x of a) for (const y of b) count += Math.max(0, Math.min(x.last, y.last) - Math.max(x.first, y.first) + 1);
  return count;
}

/** The first indexes that nobody has or needs. */
export function firstPending(taken: Indexes, count: number, completions: number): readonly number[] {
  const result: number[] = [];
  let candidate = 0;
  for (const { first, last } of [...taken, { first: completions, last: completions }]) {
    for (; candidate < first && candidate < completions && result.length < count; candidate++) result.push(candidate);
    candidate = Math.max(candidate, last + 1);
  }
  return result;
}

/** Undefined when the pod has none. */
export function indexOf(pod: Pod): number | undefined {
  const text = pod.metadata.annotations?.[indexAnnotation];
  return text !== undefined && /^\+?\d+$/.test(text) ? Number(text) : undefined;
}

export function indexesOf(pods: readonly Pod[]): ReadonlySet<number> {
  const indexes = new Set<number>();
  for (const pod of pods) {
    const index = indexOf(pod);
    if (index !== undefined) indexes.add(index);
  }
  return indexes;
}

export function isIndexed({ spec }: Job): boolean {
  return spec?.completionMode === 'Indexed';
}

/** The pod's index, if it is one that the job has. */
export function validIndexOf(job: Job, pod: Pod): number | undefined {
  const index = indexOf(pod);
  return index !== undefined && index < (job.spec?.completions ?? 0) ? index : undefined;
}

export function indexedGenerateName(jobName: string, index: number): string {
  const suffix = `-${index}-`;
  return `${jobName.slice(0, generatedNameLengthMax - suffix.length)}${suffix}`;
}

/** The pods to remove, at least `count`: those without a place in the job or with a double first, then by rank. */
export function podsForRemoval(job: Job, active: readonly Pod[], count: number): readonly Pod[] {
  if (!isIndexed(job)) return count === 0 ? [] : active.toSorted(compareActivePods).slice(0, count);
  const surplus: Pod[] = [];
  const perIndex = new Map<number, Pod[]>();
  for (const pod of active) {
    const index = validIndexOf(job, pod);
    if (index === undefined) surplus.push(pod);
    else perIndex.set(index, [...(perIndex.get(index) ?? []), pod]);
  }
  const left: Pod[] = [];
  for (const [, same] of [...perIndex].sort(([a], [b]) => a - b)) {
    const ranked = same.toSorted(compareActivePods);
    surplus.push(...ranked.slice(0, -1));
    left.push(...ranked.slice(-1));
  }
  if (surplus.length >= count) return surplus;
  return [...surplus, ...left.sort(compareActivePods).slice(0, count - surplus.length)];
}
