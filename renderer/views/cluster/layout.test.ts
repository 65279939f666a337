import { describe, expect, it } from 'vitest';
import type { MapNode, MapPod } from '../../../engine/api/sim/v1alpha1/cluster-map.ts';
import { layoutMap } from './layout.ts';
import { cores, nodeFacts } from './tell.ts';

const zones = ['a', 'b', 'c'].map((name) => ({ name, nodes: 1 }));

function node(zone: number, count: number): MapNode {
  const pods = Array.from({ length: count }, (_, at) => ({ namespace: 'default', name: `pod-${at}` })) as unknown as MapPod[];
  return { name: `node-${zone}`, zone, ready: 'True', podCount: count, counts: [], pods };
}

describe('the map', () => {
  it('shows names whole while the window has room below', () => {
    const { mode, racks } = layoutMap({ zones, nodes: [node(0, 7), node(0, 7), node(1, 3), node(2, 6)] }, 1100, 560);
    expect(mode).toBe('names');
    expect(racks.map(({ columns }) => columns)).toEqual([1, 1, 1, 1]);
  });

  it('puts names beside each other where they would not fit below', () => {
    const { mode, racks } = layoutMap({ zones: zones.slice(0, 1), nodes: [node(0, 60)] }, 1100, 560);
    expect(mode).toBe('names');
    expect(racks[0]?.columns).toBeGreaterThan(1);
  });

  it('shows pods as cells where names do not fit, and nodes as cells where pods are counted', () => {
    expect(layoutMap({ zones, nodes: [node(0, 110), node(1, 110), node(2, 110)] }, 800, 400).mode).toBe('cells');
    const counted = Array.from({ length: 150 }, (_, at) => ({ ...node(at % 3, 0), pods: undefined })) as unknown as MapNode[];
    expect(layoutMap({ zones, nodes: counted }, 800, 400).mode).toBe('counts');
  });
});

it('a node’s facts are told with as many words as there is room for, and one pod is no pods', () => {
  const facts = nodeFacts({ ...node(0, 1), room: 110, milliCpu: 4000, requestedMilliCpu: 250 });
  expect(facts).toEqual(['1 pod of 110 · 0.25 of 4 CPU requested', '1 pod · 0.25 / 4 CPU', '1 pod']);
  expect([1, 50, 333, 4000].map(cores)).toEqual(['0', '0.05', '0.33', '4']);
});
