import { describe, expect, test } from 'vitest';
import type { FaultTarget } from '../api/sim/v1alpha1/fault.ts';
import type { FaultDefinition } from './fault.ts';
import { faults } from './index.gen.ts';
import { FakeFaults } from './testing/fake-faults.ts';

function targetOf({ target }: FaultDefinition): FaultTarget {
  return target === 'nodes' ? { node: 'n1' } : { host: 'registry.k8s.io' };
}

describe.each(faults.map((definition) => ({ type: definition.name, definition })))('contract of $type', ({ type, definition }) => {
  test('strikes at creation, heals after its duration, says so', async () => {
    const fake = new FakeFaults();
    await fake.create('x', { type, target: targetOf(definition), duration: '1m' });
    expect(fake.calls).toHaveLength(1);
    expect(fake.calls[0]).toMatch(/ false$/);
    expect(fake.get('x')).toMatchObject({
      metadata: { finalizers: ['sim.wavetank.dev/heal'] },
      status: { phase: 'Active', injectedAt: '2026-01-01T00:00:00Z', healsAt: '2026-01-01T00:01:00Z', affected: [expect.any(String)] },
    });
    await fake.advance(60_010);
    expect(fake.calls[1]).toBe(fake.calls[0]?.replace('false', 'true'));
    expect(fake.get('x')).toMatchObject({ metadata: { finalizers: [] }, status: { phase: 'Healed', healedAt: '2026-01-01T00:01:00Z' } });
    await fake.advance(600_000);
    expect(fake.calls).toHaveLength(2);
  });

  test('heals when it is deleted', async () => {
    const fake = new FakeFaults();
    await fake.create('x', { type, target: targetOf(definition) });
    await fake.delete('x');
    expect(fake.calls[1]).toBe(fake.calls[0]?.replace('false', 'true'));
    expect(fake.get('x')).toBeUndefined();
  });

  test('tells in a sentence what will happen', () => {
    expect(definition.describe(targetOf(definition))).toMatch(/^[A-Z].*\.$/);
  });
});

test('a zone is all its nodes, and overlapping faults heal when the last ends', async () => {
  const fake = new FakeFaults();
  await fake.create('zone', { type: 'node-power-loss', target: { zone: 'a' }, duration: '2m' });
  await fake.create('one', { type: 'node-power-loss', target: { node: 'n2' }, duration: '1m' });
  await fake.create('net', { type: 'node-partition', target: { node: 'n1' } });
  expect(fake.calls).toEqual(['power n1 false', 'power n2 false', 'power n2 false', 'network n1 false']);
  await fake.advance(90_000);
  expect(fake.get('one').status?.phase).toBe('Healed');
  expect(fake.calls).toHaveLength(4);
  await fake.advance(60_000);
  expect(fake.calls.slice(4)).toEqual(['power n1 true', 'power n2 true']);
});

test.each([
  [{ node: 'gone' }, 'there is no machine named gone'],
  [{ zone: 'z' }, 'no machine is in zone z'],
])('what cannot be struck fails: %j', async (target, message) => {
  const fake = new FakeFaults();
  await fake.create('x', { type: 'node-power-loss', target });
  expect(fake.get('x').status).toMatchObject({ phase: 'Failed', message });
  expect(fake.calls).toEqual([]);
});
