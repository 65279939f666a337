/**
 * `npm run contract`: the contract of the controllers, trial by trial.
 *   --all            every death by itself, and every weather
 *   --situations     all recorded situations too; where a step races with a controller upstream, too, ends otherwise: they are to be looked at
 *   --only PATTERN   cases whose name matches
 *   --trial PATTERN  trials whose name matches, beside the undisturbed one
 * The last line says `kept=N of N`.
 */
import { allCases, cases } from './cases.ts';
import { judgeCase } from './judge.ts';
import { scriptOptions } from '../../../build/script-options.ts';

const { values } = scriptOptions(import.meta.filename, {
  options: {
    all: { type: 'boolean', default: false },
    situations: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    trial: { type: 'string', default: '' },
  },
});
const chosen = (values.situations ? allCases : cases).filter(({ id }) => new RegExp(values.only).test(id));
let kept = 0;
const rivalled = new Set<string>();
for (const one of chosen) {
  const { problems, rivalled: made } = await judgeCase(one, {
    isExhaustive: values.all,
    trials: new RegExp(values.trial),
    onTrial: (text) => console.log(text),
  });
  for (const resource of made) rivalled.add(resource);
  if (problems.length === 0) kept++;
  else console.log(problems.join('\n'));
}
console.log(`others made first: ${[...rivalled].toSorted().join(' ')}`);
console.log(`kept=${kept} of ${chosen.length}`);
process.exit(kept === chosen.length ? 0 : 1);
