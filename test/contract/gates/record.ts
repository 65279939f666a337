/**
 * Records what a real API server makes of the cases, with the gates on, off, and with those alone on that others need:
 * `node build/with-node.mjs test/contract/gates/record.ts PEERS PORT`; PEERS as for ../shared/peers/control-plane.sh, which starts it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gateCases, gatesOf, makeBefore, play, serverOptions, type State, states, type Told } from './cases.ts';
import { peerAsker } from './peer.ts';

const [, , peers = '', port = ''] = process.argv;
const work = join(peers, 'control-plane-work');
const script = join(import.meta.dirname, '../../../../shared/peers/control-plane.sh');
const asker = () => peerAsker(join(work, 'kubeconfig'));
const flags = (state: State): readonly string[] => [
  ...Object.entries(serverOptions).map(([name, value]) => `--${name}=${value}`),
  `--feature-gates=${gatesOf(state)}`,
];

function controlPlane(...words: readonly string[]): void {
  const { status } = spawnSync('bash', [script, ...words], {
    env: { ...process.env, PEERS: peers, API_FLAGS: flags('on').join(' ') },
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`control-plane.sh ${words.join(' ')}: ${status}`);
}

/** The same server over the same store, with other gates. */
async function switchTo(state: State): Promise<void> {
  const pid = Number(readFileSync(join(work, 'api.pid'), 'utf8'));
  const [program = '', ...options] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  process.kill(pid);
  while (isAlive(pid)) await wait(100);
  const log = openSync(join(work, 'api.log'), 'a');
  const kept = options.filter((option) => !option.startsWith('--feature-gates='));
  const child = spawn(program, [...kept, ...flags(state).slice(-1)], { detached: true, stdio: ['ignore', log, log] });
  writeFileSync(join(work, 'api.pid'), String(child.pid));
  for (let i = 0; ; i++) {
    await wait(300);
    const answer = await asker()({ method: 'GET', path: '/readyz' }).catch(() => undefined);
    if (answer?.text === 'ok') return;
    if (i > 200 || child.exitCode !== null) throw new Error(readFileSync(join(work, 'api.log'), 'utf8').slice(-2000));
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function record(state: State): Promise<Readonly<Record<string, readonly Told[]>>> {
  controlPlane('up', port, '--no-controllers');
  await makeBefore(asker(), gateCases);
  if (state !== 'on') await switchTo(state);
  const facts: Record<string, readonly Told[]> = {};
  for (const one of gateCases) facts[`${one.gate}: ${one.name}`] = await play(asker(), one);
  controlPlane('down');
  return facts;
}

const facts: { [state: string]: Readonly<Record<string, readonly Told[]>> } = {};
for (const state of states) facts[state] = await record(state);
const lines = Object.entries(facts).map(([state, cases]) => {
  const rows = Object.entries(cases).map(([name, told]) => `    ${JSON.stringify(name)}: ${JSON.stringify(told)}`);
  return `  ${JSON.stringify(state)}: {\n${rows.join(',\n')}\n  }`;
});
writeFileSync(new URL('facts.json', import.meta.url), `{\n${lines.join(',\n')}\n}\n`);
process.exit(0);
