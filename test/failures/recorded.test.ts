/** What nodes and pods go through when kubelets fall silent, beside what the real controller managers did, and beside what flags say. */
import { describe, expect, test } from 'vitest';
import { makeOwnWorld } from './own-world.ts';
import { playStage } from './played.ts';
import { stages } from './played-cases.ts';
import { compare, isTaintedInTime, knownDifferences, readRecorded } from './recorded.ts';

/** Its kubelets write a status every ten seconds; `npm run failures` plays it too. */
const dear = 'less than 55 % of a large zone';

describe.each(['1.36', '1.13'] as const)('beside the real controller manager %s', (release) => {
  test.each(stages.map((stage) => ({ name: stage.name, stage })))('$name', async ({ stage }) => {
    const real = readRecorded(release, stage.name);
    const cases = stage.cases.filter(({ name }) => release !== '1.13' || name !== dear);
    const ours = await playStage(await makeOwnWorld(release), { ...stage, cases });
    const found = cases.map((one) => [one.name, compare(one, release, real?.[one.name] ?? [], ours[one.name] ?? [])] as const);
    const unknown = found.filter(
      ([name, differences]) => differences.length > 0 && knownDifferences[`${release} ${stage.name}/${name}`] === undefined,
    );
    expect(Object.fromEntries(unknown)).toEqual({});
    expect(cases.filter((one) => !isTaintedInTime(one, ours[one.name] ?? [], release)).map(({ name }) => name)).toEqual([]);
  });
});
