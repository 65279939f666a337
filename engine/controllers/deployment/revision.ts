/** Annotations that a deployment writes on its ReplicaSets: revision, history of revisions, sizes. Mirrors deployment_util.go. */
import { setOwn } from '../../base/dictionary.ts';
import type { Deployment, ReplicaSet } from '../../api/apps/v1/types.gen.ts';
import { byCreation, desiredAnnotation, desiredOf, maxAnnotation, maxSurgeOf } from './arithmetic.ts';

export const revisionAnnotation = 'deployment.kubernetes.io/revision';
const historyAnnotation = 'deployment.kubernetes.io/revision-history';
const historyLengthMax = 2000;
const notCopied = [
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  maxAnnotation,
  'deprecated.deployment.rollback.to',
];

export type Annotations = Readonly<Record<string, string>>;

/** Zero without the annotation, undefined when it is no number. Users may write any 64-bit number there. */
function parseRevision(text: string | undefined): bigint | undefined {
  if (text === undefined || text === '') return 0n;
  return /^[+-]?\d+$/.test(text) ? BigInt(text.replace('+', '')) : undefined;
}

export function revisionOf(replicaSet: ReplicaSet): bigint | undefined {
  return parseRevision(replicaSet.metadata.annotations?.[revisionAnnotation]);
}

export function maxRevision(replicaSets: readonly ReplicaSet[]): bigint {
  let max = 0n;
  for (const replicaSet of replicaSets) {
    const revision = revisionOf(replicaSet) ?? 0n;
    if (revision > max) max = revision;
  }
  return max;
}

/** The one before the newest; 0 when there is none. */
export function lastRevision(replicaSets: readonly ReplicaSet[]): bigint {
  let newest = 0n;
  let last = 0n;
  for (const replicaSet of replicaSets) {
    const revision = revisionOf(replicaSet);
    if (revision === undefined) continue;
    if (revision >= newest) [last, newest] = [newest, revision];
    else if (revision > last) last = revision;
  }
  return last;
}

/** Annotations that a deployment and its ReplicaSets share. */
export function copiedAnnotations(annotations: Annotations = {}): Annotations {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !notCopied.includes(key)));
}

/** Annotations that each of them has for itself. */
export function uncopiedAnnotations(annotations: Annotations = {}): Annotations {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => notCopied.includes(key)));
}

export function byRevision(a: ReplicaSet, b: ReplicaSet): number {
  const left = revisionOf(a);
  const right = revisionOf(b);
  return left === undefined || right === undefined || left === right ? byCreation(a, b) : left < right ? -1 : 1;
}

/** Annotations that the new ReplicaSet should have; the same object when it has them. `notes`: any change goes into its history. */
export function newReplicaSetAnnotations(deployment: Deployment, current: Annotations, revision: bigint, notes: boolean): Annotations {
  const annotations: Record<string, string> = { ...current };
  for (const [key, value] of Object.entries(deployment.metadata.annotations ?? {})) if (!notCopied.includes(key)) setOwn(annotations, key, value);
  const oldText = current[revisionAnnotation];
  const old = parseRevision(oldText);
  // Whoever wrote something else there is left alone.
  if (old === undefined) return current;
  const isNew = old < revision;
  if (isNew) setOwn(annotations, revisionAnnotation, String(revision));
  if (oldText !== undefined && (isNew || (notes && !isSame(annotations, current)))) {
    const history = appendHistory(current[historyAnnotation] ?? '', oldText);
    if (history !== undefined) setOwn(annotations, historyAnnotation, history);
  }
  return isSame(annotations, current) ? current : annotations;
}

/** The oldest revisions make room; undefined when there is none. */
function appendHistory(history: string, revision: string): string | undefined {
  if (history === '') return revision;
  const revisions = history.split(',');
  let length = history.length + revision.length + 1;
  let start = 0;
  for (; length > historyLengthMax && start < revisions.length; start++) length -= (revisions[start] ?? '').length + 1;
  return length <= historyLengthMax ? [...revisions.slice(start), revision].join(',') : undefined;
}

/** The sizes by which a later scaling is shared out; the same object when they stand there. */
export function withSizes(current: Annotations, deployment: Deployment): Annotations {
  const desired = desiredOf(deployment);
  const sizes = { [desiredAnnotation]: String(desired), [maxAnnotation]: String(desired + maxSurgeOf(deployment)) };
  const annotations = { ...current, ...sizes };
  return isSame(annotations, current) ? current : annotations;
}

function isSame(a: Annotations, b: Annotations): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
