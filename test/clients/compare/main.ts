/**
 * `npm run clients`: types the same lines of kubectl and helm before the real control plane and before ours, both without machines, and compares what a
 * user sees: text (names that are drawn, instants and ages apart), errors and exit codes. The lines are in `lines/`, a topic a file.
 *   --topics NAME,NAME          only these (all that `lines/` has; for --release 1.13 those of `lines/1.13/`)
 *   --kubectl 1.36,1.30,1.24    which kubectl, or the path of one (1.36)
 *   --release 1.13              the real 1.13.12 and its kubectl against our profile of it
 *   --peer BIN, --port N        the folder with the real programs (~/.cache/wavetank-peers/bin), and where they listen; ours at N + 10
 *   --lines REGEXP              shows what both sides say to these lines, whole
 * Lines whose answers are meant to differ stand in `differences.json` with the reason. The last line says `equal=N of N`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultBin } from '../../differential/peer.ts';
import { masked } from './masks.ts';
import { ourSide, realSide, type ClientSide, type Said, type Terminal } from './sides.ts';

const { values } = parseArgs({
  options: {
    topics: { type: 'string' },
    kubectl: { type: 'string' },
    release: { type: 'string' },
    peer: { type: 'string', default: defaultBin },
    port: { type: 'string', default: '21700' },
    lines: { type: 'string' },
  },
});

interface Difference {
  readonly line: string;
  readonly why: string;
  /** The one that it is about; all where it is absent. */
  readonly release?: string;
}

const folder = values.release === undefined ? join(import.meta.dirname, 'lines') : join(import.meta.dirname, 'lines', values.release);
const differences = JSON.parse(readFileSync(join(import.meta.dirname, 'differences.json'), 'utf8')) as readonly Difference[];
const meant = differences.filter(({ release }) => release === undefined || release === values.release).map(({ line }) => new RegExp(line));
const wholly = values.lines === undefined ? undefined : new RegExp(values.lines);
const say = (text: string): void => console.log(text);

interface Score {
  equal: number;
  meant: number;
  all: number;
}

async function compareTopic(topic: string, kubectl: string, real: ClientSide, ours: ClientSide): Promise<Score> {
  const namespace = `${topic}-${/[\d.]+$/.exec(kubectl)?.[0].replace('.', '-') ?? 'old'}`;
  const terminals = await Promise.all([real, ours].map((side) => side.open(namespace, kubectl)));
  const score = { equal: 0, meant: 0, all: 0 };
  const lines = readFileSync(join(folder, `${topic}.txt`), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const told: string[] = [];
  for (const line of lines) {
    const [theirs = [], our = []] = await Promise.all(terminals.map(async (terminal) => shownOf(await terminal.type(line), terminal)));
    score.all += 1;
    if (wholly?.test(line) === true) told.push(`$ ${line}`, ...theirs.map((text) => `  real | ${text}`), ...our.map((text) => `  ours | ${text}`));
    if (theirs.join('\n') === our.join('\n')) score.equal += 1;
    else if (meant.some((pattern) => pattern.test(line))) score.meant += 1;
    else if (wholly === undefined) told.push(`$ ${line}`, ...differing(theirs, our));
  }
  await Promise.all(terminals.map((terminal) => terminal.type(`kubectl delete namespace ${namespace} --wait=false`)));
  say(`${topic}, kubectl ${kubectl}: ${score.equal} of ${score.all} equal, ${score.meant} meant to differ`);
  for (const text of told) say(`  ${text}`);
  return score;
}

function shownOf({ code, out, error }: Said, terminal: Terminal): readonly string[] {
  const parts = [masked(out, terminal), masked(error, terminal)].flatMap((text) => (text === '' ? [] : text.split('\n')));
  return code === 0 ? parts : [...parts, `(exit code ${code})`];
}

/** Lines that only one side says, with the place where they stand first. */
function differing(theirs: readonly string[], our: readonly string[]): readonly string[] {
  const [left, right] = [theirs.filter((text) => !our.includes(text)), our.filter((text) => !theirs.includes(text))];
  if (left.length === 0 && right.length === 0) return ['  (the same lines in another order, or not as often)'];
  const cut = (mark: string, texts: readonly string[]): readonly string[] => texts.slice(0, 12).map((text) => `  ${mark} ${text.slice(0, 300)}`);
  return [...cut('-', left), ...cut('+', right)];
}

async function run(): Promise<void> {
  const options = { bin: values.peer, port: Number(values.port), release: values.release };
  const versions = (values.kubectl ?? (values.release === undefined ? '1.36' : join(values.peer, 'old/kubectl'))).split(',');
  const topics = values.topics?.split(',') ?? readdirSync(folder).filter((name) => name.endsWith('.txt')).map((name) => name.slice(0, -4)).sort(); // biome-ignore format: one line
  const real = realSide(options);
  const ours = await ourSide({ ...options, port: options.port + 10 });
  const sum = { equal: 0, meant: 0, all: 0 };
  const stop = (): Promise<unknown> => Promise.all([real.stop(), ours.stop()]);
  process.once('SIGINT', () => void stop().then(() => process.exit(130)));
  try {
    for (const kubectl of versions)
      for (const topic of topics) {
        const score = await compareTopic(topic, kubectl, real, ours);
        for (const name of ['equal', 'meant', 'all'] as const) sum[name] += score[name];
      }
  } finally {
    await stop();
  }
  say(`${sum.meant} meant to differ, ${sum.all - sum.equal - sum.meant} different`);
  say(`equal=${sum.equal} of ${sum.all}`);
}

await run();
