/**
 * Asks the real daemons of both releases what they say to each command line:
 *   node build/with-node.mjs test/contract/daemon-flags/record.ts [--bin FOLDER] [--out FILE] [--new]
 * FOLDER has kube-controller-manager and kube-scheduler of 1.36, and those of 1.13 below `old` (../shared/peers/build.sh).
 * With --new what was asked before is not asked again.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { scriptOptions } from '../../../build/script-options.ts';
import { absentKubeconfig, commandLines, flagsOfHelp, type HelpFlag, linesOfOthers } from './values.ts';

const { values } = scriptOptions(import.meta.filename, {
  options: {
    bin: { type: 'string', default: join(homedir(), '.cache/wavetank-peers/bin') },
    out: { type: 'string' },
    new: { type: 'boolean', default: false },
  },
});
const folders: Readonly<Record<string, string>> = { '1.36': values.bin, '1.13': join(values.bin, 'old') };
const daemons = ['kube-controller-manager', 'kube-scheduler'] as const;

interface Said {
  readonly code: number;
  readonly text: string;
}

function ask(file: string, args: readonly string[]): Promise<Said> {
  return new Promise((resolve) => {
    execFile(file, [...args], { timeout: 20_000, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, text: stderr.trim() === '' ? stdout : stderr });
    });
  });
}

/** What it ended with, without time, process and the words of its logger. */
function problem(text: string): string {
  const lines = text.trimEnd().split('\n');
  const failed = lines.findLast((line) => line.includes('"command failed" err='));
  if (failed !== undefined) return String(JSON.parse(failed.slice(failed.indexOf('err=') + 4)));
  return (lines.findLast((line) => line.startsWith('Error: ')) ?? lines.at(-1) ?? '')
    .replace(/^Error: /, '')
    .replace(/^[EF]\d{4} \S+ +\d+ \S+\] /, '');
}

type Answers = Record<string, readonly [code: number, problem: string] | null>;

const flagsOf = async (file: string): Promise<readonly HelpFlag[]> => flagsOfHelp((await ask(file, ['--help'])).text);

async function answersOf(file: string, former: Answers, other?: string): Promise<Answers> {
  const own = await flagsOf(file);
  const lines = [...commandLines(own), ...(other === undefined ? [] : linesOfOthers(own, await flagsOf(other)))];
  const answers: Answers = { ...former };
  const rest = lines.filter((line) => !Object.hasOwn(former, JSON.stringify(line)));
  const worker = async (): Promise<void> => {
    for (let line = rest.shift(); line !== undefined; line = rest.shift()) {
      const { code, text } = await ask(file, [`--kubeconfig=${absentKubeconfig}`, ...line]);
      const words = problem(text);
      const isTaken = words.includes(absentKubeconfig);
      answers[JSON.stringify(line)] = isTaken ? null : [code, code === 0 ? '' : words];
    }
  };
  await Promise.all([worker(), worker()]);
  return Object.fromEntries(lines.map((line) => [JSON.stringify(line), answers[JSON.stringify(line)] ?? null]));
}

const file = values.out ?? join(import.meta.dirname, 'facts.json');
const before = (values.new ? JSON.parse(readFileSync(file, 'utf8')) : {}) as Record<string, Answers>;
const facts: Record<string, unknown> = {};
for (const [release, folder] of Object.entries(folders))
  for (const daemon of daemons) {
    const name = `${release} ${daemon}`;
    const other = release === '1.13' ? join(values.bin, daemon) : undefined;
    facts[name] = await answersOf(join(folder, daemon), before[name] ?? {}, other);
  }
const rows = Object.entries(facts).map(([name, answers]) => {
  const lines = Object.entries(answers as object).map(([line, said]) => `  ${JSON.stringify(line)}: ${JSON.stringify(said)}`);
  return `${JSON.stringify(name)}: {\n${lines.join(',\n')}\n}`;
});
writeFileSync(file, `{\n${rows.join(',\n')}\n}\n`);
