/** Requests of a pod: the rules of init containers, sidecars, overhead and pod level. */
import { expect, test } from 'vitest';
import type { Pod } from '../api/core/v1/types.gen.ts';
import { podRequests } from './resources.ts';
import { quantityAmount } from './quantity-amount.ts';

const container = (cpu: string, restartPolicy?: string): object => ({
  name: cpu,
  resources: { requests: { cpu } },
  ...(restartPolicy && { restartPolicy }),
});
const makePod = (spec: object): Pod => ({ kind: 'Pod', apiVersion: 'v1', metadata: {}, spec }) as unknown as Pod;

const cases: readonly { readonly name: string; readonly spec: object; readonly want: number }[] = [
  { name: 'containers add up', spec: { containers: [container('100m'), container('0.2')] }, want: 300 },
  { name: 'a big init container wins', spec: { containers: [container('100m')], initContainers: [container('1')] }, want: 1000 },
  { name: 'sidecars add to containers', spec: { containers: [container('100m')], initContainers: [container('50m', 'Always')] }, want: 150 },
  {
    name: 'sidecars add to later init containers',
    spec: { containers: [container('100m')], initContainers: [container('50m', 'Always'), container('200m')] },
    want: 250,
  },
  { name: 'overhead comes on top', spec: { containers: [container('100m')], overhead: { cpu: '10m' } }, want: 110 },
  { name: 'pod level replaces', spec: { containers: [container('100m')], resources: { requests: { cpu: '500m' } } }, want: 500 },
];
test.each(cases)('$name', ({ spec, want }) => expect(podRequests(makePod(spec))['cpu']).toBe(want));

test.each([
  ['cpu', '0.1', 100],
  ['cpu', '100m', 100],
  ['memory', '1Gi', 1073741824],
  ['memory', '1e3', 1000],
  ['memory', '1500m', 2],
])('%s %s is %d', (name, text, want) => {
  expect(quantityAmount(name, text)).toBe(want);
});
