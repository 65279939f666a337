import { expect, test } from 'vitest';
import type { KubeObject } from '../apimachinery/object.ts';
import { createStore } from '../store/memory-store.ts';
import { ClusterFollower } from './follower.ts';

const meta = { virtualMs: 0, identity: 'admin', causes: [] };
const places = { pods: '/registry/pods/', nodes: '/registry/minions/' };

function pod(index: number, nodeName: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `p${index}`, uid: `u${index}` },
    spec: { nodeName, containers: [] },
    status: {},
  } as unknown as KubeObject;
}

test('what is looked at in slices is as it is now, also where it changed between two of them', () => {
  const store = createStore<KubeObject>();
  const key = (index: number): string => `/registry/pods/default/p${index}`;
  for (let index = 0; index < 10; index++) store.create(key(index), pod(index, 'a'), meta);
  const follower = new ClusterFollower(store, places, () => '');
  expect(follower.prepare(4)).toBe(false);
  store.update(key(1), undefined, pod(1, 'b'), meta);
  store.remove(key(2), undefined, meta);
  store.update(key(8), undefined, pod(8, 'b'), meta);
  store.remove(key(9), undefined, meta);
  store.create(key(10), pod(10, 'b'), meta);
  expect(follower.prepare(4)).toBe(false);
  expect(follower.prepare(4)).toBe(true);
  const names = (node: string): readonly string[] => [...(follower.nodes().get(node)?.pods.values() ?? [])].map(({ name }) => name).sort();
  expect(names('a')).toEqual(['p0', 'p3', 'p4', 'p5', 'p6', 'p7']);
  expect(names('b')).toEqual(['p1', 'p10', 'p8']);
});

test('many changes are taken in slices too, once a pod however often it changed', () => {
  const store = createStore<KubeObject>();
  const key = (index: number): string => `/registry/pods/default/p${index}`;
  const count = 2_500;
  for (let index = 0; index < count; index++) store.create(key(index), pod(index, 'a'), meta);
  const follower = new ClusterFollower(store, places, () => '');
  expect(follower.prepare(count + 1)).toBe(true);
  for (const node of ['b', 'c']) for (let index = 0; index < count; index++) store.update(key(index), undefined, pod(index, node), meta);
  expect(follower.prepare(300)).toBe(false);
  expect(follower.prepare(300)).toBe(true);
  expect([...follower.nodes()].map(([name, { pods }]) => [name, pods.size])).toEqual([['c', count]]);
});
