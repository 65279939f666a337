import { expect, test } from 'vitest';
import type { KubeObject } from '../apimachinery/object.ts';
import { nodeReadiness } from '../component-helpers/node.ts';
import type { Node } from '../api/core/v1/types.gen.ts';
import { stateOf } from './states.ts';

const cases = [
  { status: 'True', state: 'Ready', readiness: 'True' },
  { status: 'False', state: 'NotReady', readiness: 'False' },
  { status: 'Unknown', state: 'Unknown', readiness: 'Unknown' },
  { status: 'constructor', state: 'Unknown', readiness: 'Unknown' },
];

test.each(cases)('a node whose readiness is $status is $state on the timeline as on the map', ({ status, state, readiness }) => {
  const node = { metadata: { name: 'n' }, status: { conditions: [{ type: 'Ready', status }] } };
  expect(stateOf('nodes', node as unknown as KubeObject).state).toBe(state);
  expect(nodeReadiness(node as unknown as Node)).toBe(readiness);
});
