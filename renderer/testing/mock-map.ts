/** The map of the pretend cluster, made of its objects by the engine's own code. */
import type { Node, Pod } from '../../engine/api/core/v1/types.gen.ts';
import { mapColours, type ClusterMap, type ClusterMapStatus } from '../../engine/api/sim/v1alpha1/cluster-map.ts';
import { classesOf } from '../../engine/cluster-map/classes.ts';
import { drawMap } from '../../engine/cluster-map/draw.ts';
import { nodeFacts, podFacts } from '../../engine/cluster-map/facts.ts';
import { newEntry, type NodeEntry } from '../../engine/cluster-map/follower.ts';
import { sim, type MockObject } from './mock-cluster.ts';

export function mockMap(all: (collection: string) => readonly MockObject[], { pathname, searchParams: query }: URL, nowMs: number): ClusterMap {
  const name = pathname.split('/').at(-1) ?? '';
  const [nodes, pods] = [all('nodes'), all('pods')];
  const entries = new Map<string, NodeEntry>();
  const entryOf = (node: string): NodeEntry => {
    const found = entries.get(node) ?? newEntry(node);
    entries.set(node, found);
    return found;
  };
  for (const node of nodes) entryOf(node.metadata.name).facts = nodeFacts(node as unknown as Node);
  const shared = {
    ownerOf: ({ metadata }: Pod) => `replicasets.apps/${metadata.namespace ?? ''}/${metadata.ownerReferences?.[0]?.name ?? ''}`,
    tolerated: new WeakMap(),
    instants: new Map<string, number>(),
  };
  const facts = pods.map((pod) => podFacts(pod as unknown as Pod, shared));
  facts.forEach((pod, index) => entryOf(pod.node).pods.set(String(index), pod));
  const by = mapColours.find((one) => one === query.get('by')) ?? 'state';
  const status: ClusterMapStatus = drawMap({
    ...{ entries, by, atMs: nowMs, isPast: query.has('at'), periods: { graceMs: 50_000, unreachableMs: 300_000, notReadyMs: 300_000 } },
    classes: classesOf(by, { atMs: nowMs, pods: () => facts, use: () => undefined }),
    node: name === 'cluster' ? undefined : name,
    showsPods: name !== 'cluster' || facts.length <= Number(query.get('pods') ?? 0),
    renewedMs: () => nowMs - (nowMs % 10_000),
    use: () => undefined,
  });
  return { kind: 'ClusterMap', apiVersion: sim, metadata: { name }, status };
}
