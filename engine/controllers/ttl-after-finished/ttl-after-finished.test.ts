import { describe, expect, it } from 'vitest';
import { jobs } from '../../client/resources.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import { ttlAfterFinishedController } from './controller.ts';

const finished = { conditions: [{ type: 'Complete', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }] };

describe('ttl-after-finished-controller', () => {
  it.each([
    { name: 'finished with time to live', spec: { ttlSecondsAfterFinished: 30 }, status: finished, deletedAfterMs: 30_000 },
    { name: 'finished, at once', spec: { ttlSecondsAfterFinished: 0 }, status: finished, deletedAfterMs: 0 },
    { name: 'not finished', spec: { ttlSecondsAfterFinished: 0 }, status: {}, deletedAfterMs: undefined },
    { name: 'finished without time to live', spec: {}, status: finished, deletedAfterMs: undefined },
  ])('$name', async ({ spec, status, deletedAfterMs }) => {
    const fake = new FakeCluster();
    fake.add(jobs, { metadata: { namespace: 'default', name: 'j', uid: 'job-uid' }, spec, status });
    await fake.run(ttlAfterFinishedController);
    if (deletedAfterMs !== undefined && deletedAfterMs > 0) {
      await fake.advance(deletedAfterMs - 1);
      expect(fake.writeTexts()).toEqual([]);
      await fake.advance(1);
    }
    if (deletedAfterMs === undefined) await fake.advance(1e9);
    expect(fake.writes.map(({ verb, body }) => ({ verb, body }))).toEqual(
      deletedAfterMs === undefined ? [] : [{ verb: 'delete', body: { propagationPolicy: 'Foreground', preconditions: { uid: 'job-uid' } } }],
    );
  });
});
