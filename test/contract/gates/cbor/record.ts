/**
 * Records what a real API server says to the steps, with the gate on and off:
 * `node build/with-node.mjs test/contract/gates/cbor/record.ts PEERS PORT`; PEERS as for ../shared/peers/control-plane.sh, which starts it.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readPeerKubeconfig, trustOf } from '../../../support/peer-kubeconfig.ts';
import { cborSteps, type CborStep, type CborTold, states } from './cases.ts';

const [, , peers = '', port = ''] = process.argv;
const script = join(import.meta.dirname, '../../../../../shared/peers/control-plane.sh');

function controlPlane(gates: string, ...words: readonly string[]): void {
  const env = { ...process.env, PEERS: peers, API_FLAGS: `--feature-gates=${gates}` };
  const { status } = spawnSync('bash', [script, ...words], { env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`control-plane.sh ${words.join(' ')}: ${status}`);
}

function ask({ method, path, accept, type, bytes = [] }: CborStep): Promise<CborTold> {
  const reached = readPeerKubeconfig(join(peers, 'control-plane-work/kubeconfig'));
  const headers = {
    ...{ authorization: `Bearer ${reached.token}`, accept, 'user-agent': 'cbor', 'content-length': bytes.length },
    ...(type !== undefined && { 'content-type': type }),
  };
  return new Promise((resolve, reject) => {
    const call = request(reached.server + path, { method, agent: new Agent(trustOf(reached)), headers }, (response) => {
      const pieces: Buffer[] = [];
      const warnings = response.rawHeaders.flatMap((name, i, all) => (name === 'Warning' ? [all[i + 1] ?? ''] : []));
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => {
        const body = Buffer.concat(pieces);
        const shown = String(response.headers['content-type']).startsWith('application/cbor')
          ? { cbor: body.toString('hex') }
          : { text: body.toString() };
        resolve({
          ...{ code: response.statusCode ?? 0, type: String(response.headers['content-type']) },
          ...(warnings.length > 0 && { warnings }),
          ...shown,
        });
      });
    });
    call.on('error', reject);
    call.end(Uint8Array.from(bytes));
  });
}

const facts: string[] = [];
for (const [state, gates] of Object.entries(states)) {
  controlPlane(gates, 'up', port, '--no-controllers');
  const rows: string[] = [];
  for (const step of cborSteps) {
    rows.push(`    ${JSON.stringify(step.name)}: ${JSON.stringify(await ask(step))}`);
    if (step.settles === true) await wait(4000);
  }
  controlPlane(gates, 'down');
  facts.push(`  ${JSON.stringify(state)}: {\n${rows.join(',\n')}\n  }`);
}
writeFileSync(new URL('facts.json', import.meta.url), `{\n${facts.join(',\n')}\n}\n`);
process.exit(0);
