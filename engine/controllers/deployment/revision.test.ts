import { expect, it } from 'vitest';
import type { ReplicaSet } from '../../api/apps/v1/types.gen.ts';
import { maxRevision } from './revision.ts';

it('counts revisions beyond what a double holds', () => {
  const replicaSet = { metadata: { annotations: { 'deployment.kubernetes.io/revision': '3546343826724305832' } } } as unknown as ReplicaSet;
  expect(String(maxRevision([replicaSet]) + 1n)).toBe('3546343826724305833');
});
