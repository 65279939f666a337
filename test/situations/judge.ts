/** Compares facts with those that were recorded from the real control plane, and keeps these. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Dialect, presentRelease } from './dialect.ts';
import { canonical, type Fact, factLines } from './facts.ts';

/** Those of a release before the present, and of other gates, stand below, by the dialect's name. */
function fileOf(controller: string, { name }: Dialect): string {
  const folder = join(import.meta.dirname, 'facts', ...(name === presentRelease ? [] : [name]));
  return join(folder, `${controller}.jsonl`);
}

/** Stands for a situation that leaves nothing. */
const nothing = 'nothing';

/** How a situation can end. Where the real one runs a race it ended in several ways, and each is right. */
type Outcomes = readonly (readonly Fact[])[];

interface Recorded extends Fact {
  readonly situation: string;
  /** Counted from 1, which is not written. */
  readonly outcome?: number;
}

/** What is recorded of a controller's situations, by name. */
export function readFacts(controller: string, dialect: Dialect): ReadonlyMap<string, Outcomes> {
  const facts = new Map<string, Fact[][]>();
  const file = fileOf(controller, dialect);
  if (!existsSync(file)) return facts;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue;
    const { situation, outcome = 1, ...fact } = JSON.parse(line) as Recorded;
    const outcomes = facts.get(situation) ?? [];
    facts.set(situation, outcomes);
    const last = (outcomes[outcome - 1] ??= []);
    if (fact.of !== nothing) last.push(fact);
  }
  return facts;
}

/**
 * Puts what was played in the place of what was recorded, one fact a line, or adds it where it came out otherwise than all that is
 * recorded; `known` are the situations that there are.
 */
export function writeFacts(
  controller: string,
  dialect: Dialect,
  played: ReadonlyMap<string, readonly Fact[]>,
  { known, adds }: { readonly known: readonly string[]; readonly adds: boolean },
): void {
  const before = readFacts(controller, dialect);
  const lines = known.flatMap((situation) => {
    const now = played.get(situation);
    const then = before.get(situation) ?? [];
    const outcomes = now === undefined ? then : !adds ? [now] : differencesOf(then, now).length === 0 ? then : [...then, now];
    return outcomes.flatMap((facts, index) => {
      const all = facts.length === 0 ? [{ look: 'end', of: nothing, fact: {} }] : facts;
      const outcome = index === 0 ? undefined : index + 1;
      return all.map((fact) => canonical({ situation, outcome, ...fact })).toSorted();
    });
  });
  const file = fileOf(controller, dialect);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${lines.join('\n')}\n`);
}

/** What differs from the nearest outcome: `- ` is recorded and absent, `+ ` is there and not recorded. Empty for equal facts. */
export function differencesOf(recorded: Outcomes, played: readonly Fact[]): readonly string[] {
  if (recorded.length === 0) return ['- nothing is recorded'];
  return recorded.map((outcome) => differencesOfFacts(outcome, played)).reduce((nearest, next) => (next.length < nearest.length ? next : nearest));
}

function differencesOfFacts(recorded: readonly Fact[], played: readonly Fact[]): readonly string[] {
  const wanted = factLines(recorded);
  const there = factLines(played);
  const [inWanted, inThere] = [new Set(wanted), new Set(there)];
  return [
    ...wanted.filter((line) => !inThere.has(line)).map((line) => `- ${line}`),
    ...there.filter((line) => !inWanted.has(line)).map((line) => `+ ${line}`),
  ];
}

/** Reason → `controller/situation`, for those that are not equal yet. */
export function readDifferences({ name }: Dialect): Readonly<Record<string, readonly string[]>> {
  return JSON.parse(
    readFileSync(join(import.meta.dirname, name === presentRelease ? 'differences.json' : `differences-${name}.json`), 'utf8'),
  ) as Readonly<Record<string, readonly string[]>>;
}
