/**
 * Pods on tainted nodes: nobody goes before its toleration ends, and nobody stays long after it. The formula is upstream's: at once
 * where a NoExecute taint is not tolerated, else after the shortest `tolerationSeconds` from when the taint was seen. Upstream tries a
 * deletion five times within 50 ms and never again (pkg/controller/tainteviction, `retries`): one that falls due while the API server
 * fails requests may be given up.
 */
import type { Node, Pod, Taint } from '../../../engine/api/core/v1/types.gen.ts';
import { nameOf, prefixOf, type World } from '../world.ts';
import type { Checker } from './checker.ts';
import { FailingRequests } from './failing-requests.ts';
import { isTolerated } from './placement.ts';

/** Node lifecycle and taint eviction share one account. */
const evictor = 'system:serviceaccount:kube-system:node-controller';
const lateMs = 8_000;
const earlyMs = 1_000;

export function evictionsAreInTime(): Checker {
  /** When each node got the first of its present NoExecute taints and when they last changed, and when each pod came to its node. */
  const taintedMs = new Map<string, number>();
  const changedMs = new Map<string, number>();
  const placedMs = new Map<string, number>();
  const failing = new FailingRequests();
  return {
    name: 'evictions are in time',
    onChange(change, world) {
      const { key, current, previous, meta } = change;
      const prefix = prefixOf(key);
      failing.note(change, world.nowMs);
      if (prefix === 'minions') {
        const [node, before] = [current?.value as Node | undefined, previous?.value as Node | undefined];
        noteTaints(taintedMs, node, key, world.nowMs);
        if (JSON.stringify(noExecute(node)) !== JSON.stringify(noExecute(before))) changedMs.set(nameOfKey(key), world.nowMs);
      }
      if (prefix !== 'pods') return [];
      const before = previous?.value as Pod | undefined;
      const pod = current?.value as Pod | undefined;
      if (pod?.spec?.nodeName && !before?.spec?.nodeName) placedMs.set(key, world.nowMs);
      if (current === undefined) placedMs.delete(key);
      const goes = before !== undefined && before.metadata.deletionTimestamp === undefined && pod?.metadata.deletionTimestamp !== undefined;
      return goes && meta.identity === evictor ? tooEarly(pod, key, world) : [];
    },
    inspect: (world) => world.all<Pod>('pods').flatMap((pod) => tooLate(pod, world)),
  };

  function tooEarly(pod: Pod, key: string, world: World): readonly string[] {
    const node = pod.spec?.nodeName ?? '';
    const patienceMs = patience(pod, world);
    const sinceMs = Math.max(taintedMs.get(node) ?? 0, placedMs.get(key) ?? 0);
    // The taint may have gone while the eviction was on its way.
    if (patienceMs === undefined) return taintedMs.has(node) ? [`${nameOf(pod)} was evicted from ${node} and tolerates it for ever`] : [];
    if (patienceMs === 0 || world.nowMs - sinceMs >= patienceMs - earlyMs) return [];
    return [`${nameOf(pod)} was evicted from ${node} after ${world.nowMs - sinceMs} ms and tolerates it for ${patienceMs} ms`];
  }

  function tooLate(pod: Pod, world: World): readonly string[] {
    const node = pod.spec?.nodeName ?? '';
    const since = taintedMs.get(node);
    if (since === undefined || pod.metadata.deletionTimestamp !== undefined) return [];
    const patienceMs = patience(pod, world);
    // A deletion that was planned for an earlier taint stays where it is when another comes that is tolerated less long.
    const lastMs = changedMs.get(node) ?? since;
    if (patienceMs !== 0 && lastMs !== since) return [];
    const sinceMs = Math.max(lastMs, placedMs.get(`/registry/pods/${pod.metadata.namespace}/${pod.metadata.name}`) ?? since);
    if (patienceMs === undefined || world.nowMs - sinceMs <= patienceMs + lateMs) return [];
    if (failing.wereBetween(sinceMs + patienceMs - earlyMs, sinceMs + patienceMs + lateMs)) return [];
    return [`${nameOf(pod)} is on ${node} for ${world.nowMs - sinceMs} ms and tolerates its taints for ${patienceMs} ms`];
  }
}

function noteTaints(taintedMs: Map<string, number>, node: Node | undefined, key: string, nowMs: number): void {
  const name = nameOfKey(key);
  const taints = noExecute(node);
  if (taints.length === 0) taintedMs.delete(name);
  else if (!taintedMs.has(name)) taintedMs.set(name, nowMs);
}

function nameOfKey(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

function noExecute(node: Node | undefined): readonly Taint[] {
  return (node?.spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
}

/** Undefined: for ever. */
function patience(pod: Pod, world: World): number | undefined {
  let shortest: number | undefined;
  for (const taint of noExecute(world.get<Node>('minions', undefined, pod.spec?.nodeName ?? ''))) {
    const toleration = (pod.spec?.tolerations ?? []).find((each) => isTolerated(each, taint));
    if (toleration === undefined) return 0;
    const { tolerationSeconds } = toleration;
    if (tolerationSeconds !== undefined) shortest = Math.min(shortest ?? Number.POSITIVE_INFINITY, Math.max(0, Number(tolerationSeconds)) * 1000);
  }
  return shortest;
}
