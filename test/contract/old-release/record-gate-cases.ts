/**
 * Records what a real 1.13.12 makes of the cases with all gates on and with all of them off:
 * `node build/with-node.mjs test/contract/old-release/record-gate-cases.ts PEERS PORT`; PEERS as for ../shared/peers/old-apiserver.sh, which starts it.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBefore, play, type Told } from '../gates/cases.ts';
import { peerAsker } from '../gates/peer.ts';
import { oldGateCases, oldGatesOf, oldOptions, type OldState, oldStates } from './gate-cases.ts';

const [, , peers = '', port = ''] = process.argv;
const script = join(import.meta.dirname, '../../../../shared/peers/old-apiserver.sh');
const facts: { [state: string]: { [name: string]: readonly Told[] } } = {};

function server(word: string, state: OldState): void {
  const flags = Object.entries(oldOptions).map(([name, value]) => `--${name}=${value}`);
  const env = { ...process.env, PEERS: peers, OLD_KCM: 'none', OLD_FLAGS: [...flags, `--feature-gates=${oldGatesOf(state)}`].join(' ') };
  const { status } = spawnSync('bash', [script, word, port], { env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`old-apiserver.sh ${word}: ${status}`);
}

for (const state of oldStates) {
  server('up', state);
  const ask = peerAsker(join(peers, 'old-work/kubeconfig'));
  await makeBefore(ask, oldGateCases);
  const told: { [name: string]: readonly Told[] } = {};
  for (const one of oldGateCases) told[`${one.gate}: ${one.name}`] = await play(ask, one);
  facts[state] = told;
  server('down', state);
}
const lines = Object.entries(facts).map(([state, cases]) => {
  const rows = Object.entries(cases).map(([name, told]) => `    ${JSON.stringify(name)}: ${JSON.stringify(told)}`);
  return `  ${JSON.stringify(state)}: {\n${rows.join(',\n')}\n  }`;
});
writeFileSync(new URL('gate-cases.json', import.meta.url), `{\n${lines.join(',\n')}\n}\n`);
process.exit(0);
