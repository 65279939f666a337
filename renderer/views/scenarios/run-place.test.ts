import { describe, expect, it } from 'vitest';
import { placeOf } from './run-place.ts';

const run = (cluster: 'Own' | 'Present', branch?: string) => ({
  kind: 'ScenarioRun' as const,
  apiVersion: 'v1',
  metadata: { name: 'a' },
  spec: { scenario: 's', cluster },
  status: branch === undefined ? {} : { branch },
});

describe('placeOf', () => {
  it('is of the cluster that the run ran in: a step as long as it took, an instant with the minute before', () => {
    const place = placeOf(run('Own', '/branches/run-a'));
    expect(place?.(100_000, 700_000)).toBe('/branches/run-a/#/timeline?from=100000&to=701000');
    expect(place?.(700_000, 700_000)).toBe('/branches/run-a/#/timeline?from=641000&to=701000');
    expect(placeOf(run('Present'))?.(0, 40_000)).toBe('/#/timeline?from=0&to=41000');
  });

  it('is nowhere once that cluster is gone', () => {
    expect(placeOf(run('Own'))).toBeUndefined();
  });
});
