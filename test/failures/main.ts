/**
 * `npm run failures`: plays each failure in a cluster of ours and prints what was expected of it, derived from flags and formulas, and the
 * seconds of virtual time that were measured; then what the real controller managers were recorded with, beside ours.
 *   --release 1.36|1.13   both without it; --only PATTERN: cases whose name matches; --seed N
 * The last line says `right=N of N`.
 */
import { playTimed, rowText } from './judge.ts';
import { makeOwnWorld } from './own-world.ts';
import { playStage } from './played.ts';
import { stages } from './played-cases.ts';
import { compare, isTaintedInTime, knownDifferences, readRecorded, taintedSeconds } from './recorded.ts';
import type { Release } from './timing.ts';
import { timingCases } from './timing-cases.ts';
import { scriptOptions } from '../../build/script-options.ts';

const { values } = scriptOptions(import.meta.filename, {
  options: { release: { type: 'string' }, only: { type: 'string', default: '' }, seed: { type: 'string', default: '1' } },
});
const releases = (['1.36', '1.13'] as const).filter((release: Release) => values.release === undefined || values.release === release);
const pattern = new RegExp(values.only);
let right = 0;
let all = 0;
for (const timed of timingCases.filter(({ name }) => pattern.test(name))) {
  for (const release of releases.filter((one) => timed.releases?.includes(one) ?? true)) {
    const rows = await playTimed(timed, release, Number(values.seed));
    console.log(`${timed.name}, ${release}`);
    for (const row of rows) console.log(`  ${rowText(row)}`);
    if (rows.length === 0) console.log('    nothing happens, as it should');
    all++;
    if (rows.every(({ isRight }) => isRight)) right++;
  }
}
for (const release of releases) {
  for (const stage of stages) {
    const cases = stage.cases.filter(({ name }) => pattern.test(name));
    if (cases.length === 0) continue;
    // Zones of one cluster: those that fail one after the other cannot be played apart.
    const ours = await playStage(await makeOwnWorld(release, Number(values.seed)), stage);
    for (const played of cases) {
      const lines = ours[played.name] ?? [];
      const differences = compare(played, release, readRecorded(release, stage.name)?.[played.name] ?? [], lines);
      const known = knownDifferences[`${release} ${stage.name}/${played.name}`];
      const isRight = (differences.length === 0 || known !== undefined) && isTaintedInTime(played, lines, release);
      console.log(
        `${stage.name}: ${played.name}, ${release}: ${isRight ? 'as' : 'NOT as'} the real controller manager${known === undefined ? '' : ` but that ${known}`}`,
      );
      if (played.tainted !== undefined) {
        const { seconds, because } = played.tainted;
        console.log(
          `    NoExecute taints, seconds after the first silence: expected ${seconds.join(' ') || 'none'}, measured ${taintedSeconds(lines).join(' ') || 'none'}   ${because}`,
        );
      }
      for (const line of differences) console.log(`    ${line}`);
      all++;
      if (isRight) right++;
    }
  }
}
console.log(`right=${right} of ${all}`);
if (right < all) process.exitCode = 1;
