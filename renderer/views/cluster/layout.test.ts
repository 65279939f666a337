import { describe, expect, it } from 'vitest';
import type { MapNode, MapPod } from '../../../engine/api/sim/v1alpha1/cluster-map.ts';
import { layoutMap, placeOfPod, podAt, twoLines } from './layout.ts';
import { cores, nodeFacts, podFacts } from './tell.ts';

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

  it('sets few names apart, and says more of each, where the window has room below', () => {
    const few = layoutMap({ zones, nodes: [node(0, 7), node(1, 3), node(2, 6)] }, 1100, 560);
    expect(few.stepY).toBeGreaterThanOrEqual(twoLines);
    for (const rack of few.racks) {
      const count = rack.node.pods?.length ?? 0;
      const [, y] = placeOfPod(few, rack, count - 1);
      expect(y + few.stepY).toBeLessThanOrEqual(rack.y + rack.height);
      expect(podAt(few, rack, rack.x + 30, y + few.stepY / 2)?.name).toBe(`pod-${count - 1}`);
    }
    const many = layoutMap({ zones, nodes: [node(0, 23), node(1, 3), node(2, 6)] }, 1100, 560);
    expect(many.stepY).toBeLessThan(twoLines);
  });

  it('is a list downwards before it is columns', () =>
    expect(layoutMap({ zones: zones.slice(0, 1), nodes: [node(0, 9)] }, 1800, 900).racks[0]?.columns).toBe(1));

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
  expect([1, 50, 333, 4000, 5_000_250].map(cores)).toEqual(['0', '0.05', '0.33', '4', '5 000.25']);
});

it('beneath a pod’s name stand how it is, where, and for how long it is there', () => {
  const pod: MapPod = { namespace: 'shop', name: 'web', look: 'Ready', place: 0, createdMs: 0, priority: 0 };
  expect(podFacts(pod, 90_000)).toBe('Ready · in shop · 1m 30s old');
  expect(podFacts({ ...pod, look: 'CrashLoop', countdown: { what: 'restart', fromMs: 0, untilMs: 100_000 } }, 90_000)).toBe(
    'restarts in 10 s · in shop · 1m 30s old',
  );
});
