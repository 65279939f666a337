/**
 * `npm run differential`: puts the same drawn requests before the real API server and before ours and compares the answers.
 *   --seed N --requests N       which requests; the same seed draws the same
 *   --peer BIN                  the folder with the real programs (~/.cache/wavetank-peers/bin), --port N where it listens
 *   --kubeconfig FILE           a fresh real server that runs already, instead
 *   --release 1.13              the real 1.13.12 against our profile of it
 *   --bases own|all             without or with what lies in ../shared; --kinds REGEXP only these
 *   --state FILE                goes on where an earlier run stopped, and keeps what it found
 *   --show N                    shows the N biggest groups, shrunk (--whole: as they are); --only N plays that one request and shows it whole
 *   --record FILE               adds the refusals and warnings in which both are alike to the facts (of own bases alone)
 * The last line says `equal=N of N`.
 */
import { parseArgs } from 'node:util';
import { type Base, labelOf, readBases } from './bases.ts';
import { wording } from './compare.ts';
import { drawRequest } from './draw.ts';
import { addFacts } from './facts.ts';
import { defaultBin, startPeer } from './peer.ts';
import { Play, type Verdict } from './play.ts';
import { Score } from './score.ts';
import { peerSide, type Side, wavetankSide } from './sides.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '1000' },
    peer: { type: 'string', default: defaultBin },
    port: { type: 'string', default: '21500' },
    kubeconfig: { type: 'string' },
    release: { type: 'string' },
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
const together = 48;
const say = (text: string): void => console.log(text);

async function run(real: Side): Promise<void> {
  const ours = await wavetankSide(values.release);
  const play = new Play(real, ours);
  const bases = readBases(values.bases, await servedByBoth(real, ours), say);
  const prepared = await play.prepare(bases);
  const odd = prepared.filter(({ group, real: { code } }) => group !== undefined && code !== 409);
  say(`${bases.length} objects to begin from, ${prepared.length} of them stored, ${odd.length} answered otherwise by us`);
  for (const verdict of odd.slice(0, 15)) say(`  ${verdict.kind}: ${verdict.group} ${JSON.stringify(verdict.differences.slice(0, 2)).slice(0, 300)}`);
  const groups = byKind(bases.filter((base) => new RegExp(values.kinds).test(labelOf(base.kind))));
  if (values.only !== undefined) return show(await play.play(drawRequest(seed, Number(values.only), groups)));
  const score = values.state === undefined ? new Score() : Score.load(values.state, seed);
  const wanted: { readonly number: number; readonly verdict: Verdict }[] = [];
  while (score.next < Number(values.requests)) {
    const numbers = Array.from({ length: Math.min(together, Number(values.requests) - score.next) }, (_, i) => score.next + i);
    const verdicts = await Promise.all(numbers.map((number) => play.play(drawRequest(seed, number, groups))));
    for (const [i, verdict] of verdicts.entries()) {
      const number = numbers[i] ?? 0;
      score.add(number, verdict);
      if (values.record !== undefined && verdict.own && isTelling(verdict)) wanted.push({ number, verdict });
    }
    score.next += numbers.length;
    if (values.state !== undefined && score.next % 480 === 0) score.save(values.state, seed);
  }
  if (values.state !== undefined) score.save(values.state, seed);
  if (values.record !== undefined)
    say(
      `${addFacts(
        values.record,
        wanted.map(({ verdict }) => verdict),
      )} facts added`,
    );
  await report(play, score, groups);
}

/** What is refused, or told besides, and alike: a fact worth keeping. */
function isTelling({ group, real, hasFixture }: Verdict): boolean {
  // What is not acceptable the seeds word otherwise, and they win.
  return group === undefined && real.code !== 406 && hasFixture && ((real.code >= 400 && real.code < 500) || real.warnings.length > 0);
}

/** Resources that both sides serve. */
async function servedByBoth(real: Side, ours: Side): Promise<ReadonlySet<string>> {
  const [left, right] = await Promise.all([real, ours].map(resourcesOf));
  return new Set([...(left ?? [])].filter((name) => right?.has(name) === true));
}

async function resourcesOf(side: Side): Promise<ReadonlySet<string>> {
  const get = async <T>(path: string): Promise<T> => {
    const { code, text } = await side.ask({ method: 'GET', path, query: '', type: '', accept: 'application/json' });
    // A group that an APIService has just promised may not be there.
    return (code === 200 ? JSON.parse(text) : {}) as T;
  };
  const { groups } = await get<{ groups: readonly { versions: readonly { groupVersion: string }[] }[] }>('/apis');
  const versions = ['v1', ...groups.flatMap((group) => group.versions.map(({ groupVersion }) => groupVersion))];
  const lists = await Promise.all(
    versions.map(async (version) => {
      const { resources = [] } = await get<{ resources?: readonly { name: string }[] }>(version === 'v1' ? '/api/v1' : `/apis/${version}`);
      return resources.map(({ name }) => `${version} ${name}`);
    }),
  );
  return new Set(lists.flat());
}

function byKind(bases: readonly Base[]): readonly (readonly Base[])[] {
  const groups = new Map<string, Base[]>();
  for (const base of bases) groups.set(labelOf(base.kind), [...(groups.get(labelOf(base.kind)) ?? []), base]);
  return [...groups.keys()].sort().map((label) => groups.get(label) ?? []);
}

function show({ kind, asked, real, ours, differences, group }: Verdict): void {
  say(`${kind}: ${group ?? 'equal'}`);
  say(JSON.stringify(asked, undefined, 1));
  say(`real ${JSON.stringify(real)}`);
  say(`ours ${JSON.stringify(ours)}`);
  say(JSON.stringify(differences, undefined, 1));
}

async function report(play: Play, score: Score, groups: readonly (readonly Base[])[]): Promise<void> {
  for (const [name, { count, kinds, example }] of score.biggest(Number(values.show))) {
    const drawn = drawRequest(seed, example, groups);
    const verdict = values.whole === true ? await play.play(drawn) : await play.shrink(drawn, name);
    const { method, path, query, body, accept } = verdict.asked;
    say(`\n${count}× ${name} (request ${example}) in ${Object.entries(kinds).map(([kind, times]) => `${kind} ${times}`).slice(0, 6).join(', ')}`); // biome-ignore format: one line
    say(`  ${method} ${path}?${query} ${accept === 'application/json' ? '' : accept} ${JSON.stringify(body ?? '').slice(0, 700)}`);
    for (const line of wording(verdict)) say(`    ${line}`);
  }
  say('\nby kind: equal, decided alike (code and reason), of');
  for (const [kind, { all, equal, decided }] of [...score.kinds].sort(([, a], [, b]) => a.equal / a.all - b.equal / b.all))
    say(`  ${kind}: ${equal} ${decided} ${all}`);
  const { all, equal, decided } = score.sum;
  say(
    `code and reason equal=${decided} of ${all} (${percent(decided, all)}), groups ${score.groups.size}; the real server broke down at ${score.broken}`,
  );
  say(`equal=${equal} of ${all}`);
  if (equal < all) process.exitCode = 1;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(2)} %`;
}

const peer = values.kubeconfig === undefined ? startPeer(values.peer, Number(values.port), values.release) : undefined;
const real = peerSide(peer?.kubeconfig ?? values.kubeconfig ?? '');
try {
  await run(real);
} finally {
  real.close();
  peer?.stop();
}
