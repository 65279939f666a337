/** What is deleted and stays, because somebody's finalizer holds it: asked of objects of every kind but pods. */
import type { Namespace } from '../../api/core/v1/types.gen.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { parseTime } from '../../apimachinery/time.ts';
import { defineDetector, type Finding, type World } from '../finding.ts';

/** Finalizers of the cluster's own controllers act within seconds. */
const patienceMs = 30_000;

export function isHeld({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

export function findHeld({ metadata, kind }: KubeObject, { nowMs }: World): Finding | undefined {
  const deletedMs = parseTime(metadata.deletionTimestamp ?? '') ?? nowMs;
  const holders = metadata.finalizers ?? [];
  if (nowMs - deletedMs < patienceMs || holders.length === 0) return undefined;
  return { reason: 'FinalizersHold', sinceMs: deletedMs, summary: `this ${kind} is deleted, and waits for ${holders.join(', ')}` };
}

export const namespaceDetector = defineDetector<Namespace>({
  resource: 'namespaces',
  isSuspect: isHeld,
  find: ({ metadata, status }, { nowMs }) => {
    const deletedMs = parseTime(metadata.deletionTimestamp ?? '') ?? nowMs;
    if (nowMs - deletedMs < patienceMs) return undefined;
    const why = status?.conditions?.filter((condition) => condition.status === 'True').map(({ message = '' }) => message) ?? [];
    return {
      reason: 'FinalizersHold',
      sinceMs: deletedMs,
      summary: `it is deleted, and something is left in it: ${why.join('; ')}`,
      next: { text: 'it is looked at again, less and less often' },
    };
  },
});
