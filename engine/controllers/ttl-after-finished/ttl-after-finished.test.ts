import { describe, expect, it } from 'vitest';
import { jobs } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { ttlAfterFinishedController } from './controller.ts';

const finished = { conditions: [{ type: 'Complete', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }] };

describe('ttl-after-finished-controller', () => {
  it.each([
    { name: 'finished with time to live', spec: { ttlSecondsAfterFinished: 30 }, status: finished, deletedAfterMs: 30_000 },
    { name: 'finished, at once', spec: { ttlSecondsAfterFinished: 0 }, status: finished, deletedAfterMs: 0 },
    { name: 'not finished', spec: { ttlSecondsAfterFinished: 0 }, status: {}, deletedAfterMs: undefined },
    { name: 'finished without time to live', spec: {}, status: finished, deletedAfterMs: undefined },
  ])('$name', async ({ spec, status, deletedAfterMs }) => {
    const bench = new ControllerBench();
    bench.add(jobs, { metadata: { namespace: 'default', name: 'j', uid: 'job-uid' }, spec, status });
    await bench.run(ttlAfterFinishedController);
    if (deletedAfterMs !== undefined && deletedAfterMs > 0) {
      await bench.advance(deletedAfterMs - 1);
      expect(bench.writeTexts()).toEqual([]);
      await bench.advance(1);
    }
    if (deletedAfterMs === undefined) await bench.advance(1e9);
    expect(bench.writes.map(({ verb, body }) => ({ verb, body }))).toEqual(
      deletedAfterMs === undefined ? [] : [{ verb: 'delete', body: { propagationPolicy: 'Foreground', preconditions: { uid: 'job-uid' } } }],
    );
  });
});
