/** What a run found, for a reader. */
import { wording } from './compare.ts';
import { decisions } from './decisions.ts';
import type { Verdict } from './play.ts';
import type { KindScore, Score } from './score.ts';

const say = (text: string): void => console.log(text);

export interface Shown {
  readonly show: number;
  /** The smallest request, or story, under that number that is still of the group. */
  shrink(number: number, group: string): Promise<readonly Verdict[]>;
}

export async function report(score: Score, { show, shrink }: Shown): Promise<void> {
  for (const [name, { count, kinds, examples }] of score.biggest(show)) {
    const verdicts = await shrink(examples[0] ?? 0, name);
    say(`\n${count}× ${name} (requests ${examples.slice(0, 5).join()}) in ${Object.entries(kinds).map(([kind, times]) => `${kind} ${times}`).slice(0, 6).join(', ')}`); // biome-ignore format: one line
    for (const { asked } of verdicts) {
      const { method, path, query, type, body, accept } = asked;
      const forms = [method === 'PATCH' ? type : '', accept === 'application/json' ? '' : accept].join(' ').trim();
      say(`  ${method} ${path}?${query} ${forms} ${JSON.stringify(body ?? '').slice(0, 700)}`);
    }
    const last = verdicts.at(-1);
    if (last !== undefined) for (const line of wording(last)) say(`    ${line}`);
  }
  table('verb', score.verbs);
  table('kind', score.kinds);
  for (const { name, reason } of decisions)
    if (score.decisions.has(name)) say(`\ndifferent by decision, ${score.decisions.get(name)} answers: ${name} (${reason})`);
  const { all, equal, meant, decided } = score.sum;
  say(
    `code and reason equal=${decided} of ${all} (${percent(decided, all)}), groups ${score.groups.size}; the real server broke down at ${score.broken}`,
  );
  say(
    `different by decision alone: ${meant} of ${all} (${percent(meant, all)}); to be mended: ${all - equal - meant} (${percent(all - equal - meant, all)})`,
  );
  say(`equal=${equal} of ${all}`);
  if (equal + meant < all) process.exitCode = 1;
}

function table(by: string, scores: ReadonlyMap<string, KindScore>): void {
  say(`\nby ${by}: equal, different by decision alone, alike in code and reason, of`);
  for (const [name, { all, equal, meant, decided }] of [...scores].sort(([, a], [, b]) => a.equal / a.all - b.equal / b.all))
    say(`  ${name}: ${equal} ${meant} ${decided} ${all} (${percent(equal, all)})`);
}

export function showVerdict({ kind, asked, real, ours, differences, group }: Verdict): void {
  say(`${kind}: ${group ?? 'equal'}`);
  say(JSON.stringify(asked, undefined, 1));
  say(`real ${JSON.stringify(real)}`);
  say(`ours ${JSON.stringify(ours)}`);
  say(JSON.stringify(differences, undefined, 1));
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(2)} %`;
}
