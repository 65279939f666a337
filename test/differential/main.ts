/**
 * `npm run differential`: puts the same drawn requests before the real API server and before ours and compares the answers. Three numbers of four
 * are dry runs over fixtures that stay, the fourth is a story: real writes to objects of its own, and what is read of them, until the sides differ in a write.
 *   --seed N --requests N       which requests; the same seed draws the same
 *   --draw dry|stories|all      only those
 *   --peer BIN                  the folder with the real programs (~/.cache/wavetank-peers/bin), --port N where it listens
 *   --kubeconfig FILE           a real server that runs already, instead
 *   --release 1.13              the real 1.13.12 against our profile of it
 *   --gates on|off              starts both sides with all gates on, or off, that change answers (those of test/contract/gates), and with all versions
 *   --feature-gates TEXT, --runtime-config TEXT   starts both sides with these
 *   --bases own|all             without or with what lies in ../shared; --kinds REGEXP only these
 *   --state FILE                goes on where an earlier run stopped, and keeps what it found
 *   --show N                    shows the N biggest groups, shrunk (--whole: as they are)
 *   --only N,N                  plays these alone, and shows them whole
 *   --record FILE               adds what both answer alike to the facts (of own bases alone): refusals and warnings, and the stories of --only
 * The last line says `equal=N of N`.
 */
import { parseArgs } from 'node:util';
import { type Base, labelOf, readBases } from './bases.ts';
import { addFacts, type Fact, type StoryFact } from './facts.ts';
import { report, showVerdict } from './report.ts';
import { gatedOptions } from './gated.ts';
import { defaultBin, startedWith, startPeer } from './peer.ts';
import { Play, type Verdict } from './play.ts';
import { Score } from './score.ts';
import { resourcesOf } from './served.ts';
import { peerSide, type Side, wavetankSide } from './sides.ts';
import { factOf, Teller } from './teller.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    draw: { type: 'string', default: 'all' },
    requests: { type: 'string', default: '1000' },
    peer: { type: 'string', default: defaultBin },
    port: { type: 'string', default: '21500' },
    kubeconfig: { type: 'string' },
    release: { type: 'string' },
    gates: { type: 'string' },
    'feature-gates': { type: 'string' },
    'runtime-config': { type: 'string' },
    bases: { type: 'string', default: 'all' },
    kinds: { type: 'string', default: '.' },
    state: { type: 'string' },
    show: { type: 'string', default: '20' },
    only: { type: 'string' },
    whole: { type: 'boolean' },
    record: { type: 'string' },
  },
});
const seed = Number(values.seed);
const together = 96;
/** Options that both sides are started with. */
const options = {
  ...gatedOptions(values.gates),
  ...startedWith({ 'feature-gates': values['feature-gates'], 'runtime-config': values['runtime-config'] }),
};
const say = (text: string): void => console.log(text);

async function run(real: Side): Promise<void> {
  const ours = await wavetankSide(values.release, options);
  const play = new Play(real, ours);
  const bases = readBases(values.bases, await servedByBoth(real, ours), say);
  const prepared = await play.prepare(bases);
  const odd = prepared.filter(({ group, real: { code } }) => group !== undefined && code !== 409);
  say(`${bases.length} objects to begin from, ${prepared.length} of them stored, ${odd.length} answered otherwise by us`);
  for (const verdict of odd.slice(0, Number(values.show)))
    say(`  ${verdict.kind}: ${verdict.group} ${JSON.stringify(verdict.differences.slice(0, 2)).slice(0, 300)}`);
  const groups = byKind(bases.filter((base) => new RegExp(values.kinds).test(labelOf(base.kind))));
  const teller = new Teller({ real, ours, play, groups, seed, which: values.draw });
  if (values.only !== undefined) return only(teller, values.only.split(',').map(Number));
  const score = values.state === undefined ? new Score() : Score.load(values.state, seed);
  const wanted: Verdict[] = [];
  while (score.told < Number(values.requests)) {
    const numbers = Array.from({ length: together }, (_, i) => score.next + i);
    for (const [number, verdicts] of await teller.tell(numbers)) {
      for (const verdict of verdicts) score.add(number, verdict);
      if (values.record !== undefined && !teller.isStory(number)) wanted.push(...verdicts.filter(isTelling));
    }
    score.next += numbers.length;
    await ours.settle();
    if (values.state !== undefined) score.save(values.state, seed);
  }
  if (values.record !== undefined) say(`${addFacts(values.record, wanted.map(factOf))} facts added`);
  await report(score, { show: Number(values.show), shrink: (number, name) => teller.shrink(number, name, values.whole === true) });
}

/** Shows what stands under these numbers, and keeps what is alike. */
async function only(teller: Teller, numbers: readonly number[]): Promise<void> {
  const kept: (Fact | StoryFact)[] = [];
  for (const number of numbers) {
    const verdicts = await teller.verdictsOf(number);
    if (values.record === undefined) for (const verdict of verdicts) showVerdict(verdict);
    else if (verdicts.every(({ group, decided, own }) => group === undefined && decided.length === 0 && own))
      kept.push(...teller.factsOf(number, verdicts));
  }
  if (values.record !== undefined) say(`${addFacts(values.record, kept)} facts added`);
}

/** What is refused, or told besides, and alike: a fact worth keeping. */
function isTelling({ decided, own, real, hasFixture, group }: Verdict): boolean {
  return own && group === undefined && decided.length === 0 && hasFixture && ((real.code >= 400 && real.code < 500) || real.warnings.length > 0);
}

/** Resources that both sides serve. */
async function servedByBoth(real: Side, ours: Side): Promise<ReadonlySet<string>> {
  const [left, right] = await Promise.all([real, ours].map(resourcesOf));
  return new Set([...(left ?? [])].filter((name) => right?.has(name) === true));
}

function byKind(bases: readonly Base[]): readonly (readonly Base[])[] {
  const groups = new Map<string, Base[]>();
  for (const base of bases) groups.set(labelOf(base.kind), [...(groups.get(labelOf(base.kind)) ?? []), base]);
  return [...groups.keys()].sort().map((label) => groups.get(label) ?? []);
}

const peer = values.kubeconfig === undefined ? startPeer(values.peer, Number(values.port), { release: values.release, options }) : undefined;
const real = peerSide(peer?.kubeconfig ?? values.kubeconfig ?? '');
try {
  await run(real);
} finally {
  real.close();
  peer?.stop();
}
