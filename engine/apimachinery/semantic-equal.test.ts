import { expect, test } from 'vitest';
import { semanticEqual } from './semantic-equal.ts';

test.each([
  [{ limits: { cpu: '1.125' } }, { limits: { cpu: '1125m' } }, true],
  [{ limits: { cpu: '1.125' } }, { limits: { cpu: '1126m' } }, false],
  [{ emptyDir: { sizeLimit: '1.125G' } }, { emptyDir: { sizeLimit: '1125M' } }, true],
  [{ data: { sizeLimit: '1.0' } }, { data: { sizeLimit: '1' } }, false],
  [{ results: [{ consumedCapacity: { memory: '1.125' } }] }, { results: [{ consumedCapacity: { memory: '1125m' } }] }, true],
  [{ opaque: { parameters: { limits: { a: '1.0' } } } }, { opaque: { parameters: { limits: { a: '1' } } } }, false],
  [{ devices: [{ data: { used: { a: '1.0' } } }] }, { devices: [{ data: { used: { a: '1' } } }] }, false],
  [{ properties: { limits: { title: '1.0' } } }, { properties: { limits: { title: '1' } } }, false],
  [{ labels: { limits: '1.0' } }, { labels: { limits: '1' } }, false],
  [{ env: [{ value: '1.0' }] }, { env: [{ value: '1' }] }, false],
  [{ limits: { cpu: 'x' } }, { limits: { cpu: 'y' } }, false],
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, true],
  [{ a: [1] }, { a: { 0: 1 } }, false],
  [{ a: 1 }, { b: 1 }, false],
])('%j and %j are the same: %s', (a, b, same) => {
  expect([semanticEqual(a, b), semanticEqual(b, a)]).toEqual([same, same]);
});
