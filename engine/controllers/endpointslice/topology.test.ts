import { describe, expect, it } from 'vitest';
import type { Node } from '../../api/core/v1/types.gen.ts';
import type { EndpointSlice } from '../../api/discovery/v1/types.gen.ts';
import { hintByZones, isOverloaded, zoneRatios } from './topology.ts';

function node(zone: string, cpu: string, labels: object = {}): Node {
  const status = { allocatable: { cpu }, conditions: [{ type: 'Ready', status: 'True' }] };
  return {
    kind: 'Node',
    apiVersion: 'v1',
    metadata: { name: zone, labels: { 'topology.kubernetes.io/zone': zone, ...labels } },
    status,
  } as unknown as Node;
}

function slice(...zones: readonly string[]): EndpointSlice {
  const endpoints = zones.map((zone, i) => ({ addresses: [`10.0.0.${i}`], conditions: { ready: true }, zone }));
  return { metadata: { name: 's' }, addressType: 'IPv4', endpoints } as unknown as EndpointSlice;
}

function hintsOf(zones: readonly string[], nodes: readonly Node[]): unknown {
  const hinted = hintByZones({ create: [slice(...zones)], update: [], remove: [] }, [], zoneRatios(nodes));
  if ('refusal' in hinted) return hinted.refusal;
  return hinted.slices.create[0]?.endpoints?.map(({ hints }) => hints?.forZones?.[0]?.name);
}

describe('hints by zones', () => {
  it.each([
    { name: 'every zone has its share', zones: ['a', 'b'], nodes: [node('a', '2'), node('b', '2')], want: ['a', 'b'] },
    { name: 'a zone gives', zones: ['a', 'a', 'a', 'b'], nodes: [node('a', '2'), node('b', '2')], want: ['b', 'a', 'a', 'b'] },
    {
      name: 'too few endpoints',
      zones: ['a'],
      nodes: [node('a', '2'), node('b', '2')],
      want: 'Insufficient number of endpoints (1 endpoints, 2 zones)',
    },
    {
      name: 'shares that cannot be met',
      zones: ['a', 'a', 'b'],
      nodes: [node('a', '2'), node('b', '2')],
      want: 'Unable to allocate minimum required endpoints to each zone without exceeding overload threshold (3 endpoints, 2 zones)',
    },
    {
      name: 'a node without a zone',
      zones: ['a', 'b'],
      nodes: [node('a', '2'), node('', '2')],
      want: 'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes',
    },
    {
      name: 'an endpoint without a zone',
      zones: ['a', ''],
      nodes: [node('a', '2'), node('b', '2')],
      want: 'One or more endpoints do not have a zone specified',
    },
  ])('$name', ({ zones, nodes, want }) => {
    expect(hintsOf(zones, nodes)).toEqual(want);
  });

  it('leaves control plane nodes out', () => {
    expect(zoneRatios([node('a', '2'), node('b', '2', { 'node-role.kubernetes.io/control-plane': '' })])).toBeUndefined();
  });

  it('sees when a zone has too few', () => {
    const ratios = zoneRatios([node('a', '1'), node('b', '3')]);
    expect([
      isOverloaded(
        new Map([
          ['a', 1],
          ['b', 3],
        ]),
        ratios,
      ),
      isOverloaded(
        new Map([
          ['a', 3],
          ['b', 1],
        ]),
        ratios,
      ),
      isOverloaded(new Map([['a', 1]]), undefined),
    ]).toEqual([false, true, true]);
  });
});
