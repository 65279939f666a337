/**
 * `node build/with-node.mjs test/decisions/extenders/record.ts KUBECONFIG PORT` is the extenders of `world.ts` on a port, puts their pods
 * before a real scheduler that runs with the configuration that `record.ts config KUBECONFIG PORT` prints (API server beside it, no
 * controllers), and keeps in `facts.json` what became of them. Nobody may listen at the port after.
 */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import type { JsonObject } from '../../../engine/base/json.ts';
import { readPeerKubeconfig } from '../../support/peer-kubeconfig.ts';
import { peerAsk } from '../peer-calls.ts';
import { allocatable, answer, cases, type ExtenderFact, extendersAt, nodeNames, podSpec, told } from './world.ts';

const isConfig = process.argv[2] === 'config';
const [kubeconfig = '', given = ''] = process.argv.slice(isConfig ? 3 : 2);
const port = Number(given);
if (isConfig) {
  const head = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };
  const extenders = extendersAt(`127.0.0.1:${port}`, `127.0.0.1:${port + 1}`);
  console.log(JSON.stringify({ ...head, clientConnection: { kubeconfig }, leaderElection: { leaderElect: false }, extenders }));
  process.exit(0);
}
const ask = peerAsk(readPeerKubeconfig(kubeconfig));
const inDefault = '/api/v1/namespaces/default/pods';
let asked: string[] = [];

createServer((request, response) => {
  let text = '';
  request.on('data', (piece: Buffer) => (text += piece.toString()));
  request.on('end', () => {
    const said = answer(request.url ?? '', JSON.parse(text) as JsonObject, asked);
    response.statusCode = typeof said === 'number' ? said : 200;
    response.end(typeof said === 'number' ? '' : JSON.stringify(said));
  });
}).listen(port, '127.0.0.1');

await ask('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
for (const [name, value] of [
  ['low', 1],
  ['high', 1000],
] as const)
  await ask('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name }, value });
for (const name of nodeNames) {
  const labels = { 'kubernetes.io/hostname': name };
  await ask('POST', '/api/v1/nodes', { metadata: { name, labels }, status: { allocatable: allocatable(), capacity: allocatable() } });
  await ask('PATCH', `/api/v1/nodes/${name}`, { spec: { taints: null } });
}
const facts: ExtenderFact[] = [];
for (const [index, { title, isTaken }] of cases.entries()) {
  const low = isTaken ? nodeNames.map((nodeName) => ({ name: `low-${index}-${nodeName}`, nodeName })) : [];
  for (const { name, nodeName } of low)
    await ask('POST', inDefault, { metadata: { name }, spec: podSpec(index, { nodeName, priorityClassName: 'low' }) });
  await new Promise((resolve) => setTimeout(resolve, 500));
  asked = [];
  await ask('POST', inDefault, { metadata: { name: `p-${index}` }, spec: podSpec(index, { priorityClassName: 'high' }) });
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const pod = await ask<Pod>('GET', `${inDefault}/p-${index}`);
  const left: Pod[] = [];
  for (const { name } of low) {
    const found = await ask<Pod & { readonly code?: number }>('GET', `${inDefault}/${name}`);
    if (found.code === undefined) left.push(found);
  }
  facts.push(told(title, pod, left, asked));
  for (const name of [`p-${index}`, ...low.map((one) => one.name)]) await ask('DELETE', `${inDefault}/${name}?gracePeriodSeconds=0`);
}
writeFileSync(new URL('facts.json', import.meta.url), `[\n${facts.map((fact) => `  ${JSON.stringify(fact)}`).join(',\n')}\n]\n`);
process.exit(0);
