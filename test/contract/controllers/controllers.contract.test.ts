/**
 * The contract of every controller, played in whole situations: it writes, and told the same again it writes nothing; killed after any
 * write and begun anew it comes to the same end; of two replicas one acts at a time; conflicts, others who make first what it is about to
 * make, a slow or failing API server and lost or late watches only delay it; what it reads is frozen. `npm run contract -- --all` plays every death by itself.
 */
import { describe, expect, it } from 'vitest';
import { cases } from './cases.ts';
import { judgeCase, type Judged, silentOf } from './judge.ts';

const judged: Judged[] = [];

describe('controllers', () => {
  it.each(cases)('$id', { timeout: 300_000 }, async (one) => {
    const found = await judgeCase(one);
    judged.push(found);
    expect(found.problems).toEqual([]);
  });

  it('all of them have written in one of these', () => {
    expect(judged).toHaveLength(cases.length);
    expect(silentOf(judged)).toEqual([]);
  });

  it('what they give a name has been there before them', () => {
    const rivalled = new Set(judged.flatMap((one) => [...one.rivalled]));
    const named = ['configmaps', 'controllerrevisions', 'endpoints', 'jobs', 'persistentvolumeclaims', 'pods', 'replicasets', 'serviceaccounts'];
    expect(named.filter((resource) => !rivalled.has(resource))).toEqual([]);
  });
});
