import { expect, test } from 'vitest';
import { weightLike, weightOf } from './weight.ts';

const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`key-${index}`, index]));
const pod = { metadata: { name: 'a', labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'x'.repeat(80) }] }, status: {} };
const values: readonly unknown[] = [
  pod,
  { ...pod, metadata: { ...pod.metadata, resourceVersion: '7' } },
  { ...pod, spec: { ...pod.spec, nodeName: 'n' } },
  { ...pod, spec: { containers: [pod.spec.containers[0], { name: 'd' }] } },
  { ...pod, spec: { containers: ['text'] } },
  { ...pod, status: ['now a list'] },
  { ...pod, status: many },
  { ...pod, status: { ...many, 'key-0': { deeper: 'é'.repeat(70) } } },
  { ...pod, status: undefined },
  { metadata: {}, constructor: 'text' },
  { metadata: null, toString: undefined },
  'text',
];

test('what a value weighs is the same counted from any other that it replaces', () => {
  for (const value of values)
    for (const old of values)
      expect(weightLike(value, old, weightOf(old, 'resourceVersion'), 'resourceVersion')).toBe(weightOf(value, 'resourceVersion'));
});

test('what two values share is not looked at again', () => {
  const shared = {
    get text(): string {
      throw new Error('looked at');
    },
  };
  expect(weightLike({ shared, more: 'a' }, { shared }, 100)).toBeGreaterThan(100);
});
