import { describe, expect, it } from 'vitest';
import type { Fault, FaultStatus, FaultTarget } from '../../../engine/api/sim/v1alpha1/fault.ts';
import { proposedNode } from './proposed-node.ts';

const node = (name: string, zone: string, ready: 'True' | 'Unknown' = 'True') => ({ name, zone, ready });
const fault = (target: FaultTarget, phase?: FaultStatus['phase']): Fault => ({
  kind: 'Fault',
  apiVersion: 'sim.wavetank.dev/v1alpha1',
  metadata: {},
  spec: { type: 'node-power-loss', target },
  ...(phase === undefined ? {} : { status: { phase } }),
});

describe('the node that is proposed to be broken', () => {
  const nodes = [node('a', 'east'), node('b', 'east'), node('c', 'west')];

  it.each([
    ['is the first where all is well', nodes, [], [], 'a'],
    ['is none that does not answer', [node('a', 'east', 'Unknown'), ...nodes.slice(1)], [], [], 'b'],
    ['is none that a fault strikes, also one that no time has passed for', nodes, [fault({ node: 'a' })], [], 'b'],
    ['is none of a zone that is dark', nodes, [fault({ zone: 'east' }, 'Active')], [], 'c'],
    ['is one again once that is healed', nodes, [fault({ node: 'a' }, 'Healed')], [], 'a'],
    ['is none that is to be broken together with it', nodes, [], [{ node: 'a' }], 'b'],
    ['is one all the same where nothing is well', [node('a', 'east', 'Unknown')], [fault({ node: 'a' }, 'Active')], [], 'a'],
    ['is none without nodes', [], [], [], ''],
  ] as const)('%s', (_what, given, faults, queued, wanted) => {
    expect(proposedNode(given, faults, queued)).toBe(wanted);
  });
});
