/**
 * `node build/with-node.mjs test/decisions/extenders/record-binds.ts KUBECONFIG SCHEDULER PORT` runs the real scheduler (the file SCHEDULER)
 * once for each case of `bind-world.ts` before the API server of KUBECONFIG, which no other scheduler and no controllers work at, is
 * its extender on PORT, and keeps in `bind-facts.json` what became of the pods. Nobody may listen at the port after.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import type { JsonObject } from '../../../engine/base/json.ts';
import { readPeerKubeconfig } from '../../support/peer-kubeconfig.ts';
import { peerAsk } from '../peer-calls.ts';
import { allocatable, type BindCase, type BindFact, bodyOf, cases, configurationOf, lateMs, lineOf, nodeNames, podSpec, told } from './bind-world.ts';

interface Told {
  readonly type: string;
  readonly reason: string;
  readonly note: string;
  readonly regarding: { readonly name: string };
}

const [kubeconfig = '', scheduler = '', given = ''] = process.argv.slice(2);
const port = Number(given);
const ask = peerAsk(readPeerKubeconfig(kubeconfig));
const inDefault = '/api/v1/namespaces/default/pods';
const folder = mkdtempSync(join(tmpdir(), 'binds-'));
let current: { readonly one: BindCase; readonly asked: string[] } | undefined;

createServer((request, response) => {
  let text = '';
  request.on('data', (piece: Buffer) => (text += piece.toString()));
  request.on('end', () => {
    const playing = current;
    if (playing === undefined) return void response.destroy();
    const { one, asked } = playing;
    const verb = (request.url ?? '').slice(1);
    const body = JSON.parse(text) as JsonObject;
    asked.push(lineOf(verb, body));
    const reply = async (): Promise<void> => {
      if (verb === 'bind' && one.binds !== undefined)
        await ask('POST', `${inDefault}/${String(body['PodName'])}/binding`, {
          metadata: { name: body['PodName'] ?? '' },
          target: { kind: 'Node', name: one.binds },
        });
      if (one.isLate) await wait(lateMs);
      const said = bodyOf(one, verb, body);
      response.statusCode = said.code;
      response.end(said.text);
    };
    void reply();
  });
}).listen(port, '127.0.0.1');

async function play(one: BindCase, index: number): Promise<BindFact> {
  for (const name of nodeNames) {
    await ask('DELETE', `/api/v1/nodes/${name}`);
    const status = { allocatable: allocatable(one), capacity: allocatable(one) };
    await ask('POST', '/api/v1/nodes', { metadata: { name, labels: { 'kubernetes.io/hostname': name } }, status });
    await ask('PATCH', `/api/v1/nodes/${name}`, { spec: { taints: null } });
  }
  const file = join(folder, `${index}.json`);
  const configuration = configurationOf(one, `127.0.0.1:${port}`, `127.0.0.1:${port + 1}`);
  writeFileSync(file, JSON.stringify({ ...configuration, clientConnection: { kubeconfig }, leaderElection: { leaderElect: false } }));
  const process = spawn(scheduler, ['--config', file, '--secure-port=0'], { stdio: 'ignore' });
  await wait(2_500);
  const asked: string[] = [];
  current = { one, asked };
  const name = `p-${index}`;
  await ask('POST', inDefault, { metadata: { name }, spec: podSpec(one) });
  await wait(2_000);
  const pod = await ask<Pod>('GET', `${inDefault}/${name}`);
  const all = await ask<{ readonly items: readonly Told[] }>('GET', '/apis/events.k8s.io/v1/namespaces/default/events');
  const events = all.items.filter(({ regarding }) => regarding.name === name).map(({ type, reason, note }) => `${type} ${reason} ${note}`);
  current = undefined;
  process.kill();
  await ask('DELETE', `${inDefault}/${name}?gracePeriodSeconds=0`);
  const fact = told(one, pod, events, asked);
  return JSON.parse(JSON.stringify(fact).replaceAll(name, 'p')) as BindFact;
}

await ask('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
const facts: BindFact[] = [];
for (const [index, one] of cases.entries()) facts.push(await play(one, index));
rmSync(folder, { recursive: true });
writeFileSync(new URL('bind-facts.json', import.meta.url), `[\n${facts.map((fact) => `  ${JSON.stringify(fact)}`).join(',\n')}\n]\n`);
process.exit(0);
