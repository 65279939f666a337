/**
 * Records what a real API server makes of the cases: `API_FLAGS=--runtime-config=resource.k8s.io/v1beta1=true,resource.k8s.io/v1beta2=true
 * control-plane.sh up PORT --no-controllers`, then `node build/with-node.mjs test/contract/devices/record.ts KUBECONFIG`.
 */
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { readPeerKubeconfig, trustOf } from '../../support/peer-kubeconfig.ts';
import { type Ask, type DeviceFact, deviceCases, playDevices } from './cases.ts';

const reached = readPeerKubeconfig(process.argv[2] ?? '');
const agent = new Agent(trustOf(reached));
const ask: Ask = (method, path, body) => {
  const text = body === undefined ? '' : JSON.stringify(body);
  const headers = { authorization: `Bearer ${reached.token}`, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const call = request(reached.server + path, { method, agent, headers }, (response) => {
      let answer = '';
      response.on('data', (piece: Buffer) => (answer += piece.toString()));
      response.on('end', () => resolve({ code: response.statusCode ?? 0, body: JSON.parse(answer) as { readonly spec?: unknown } }));
    });
    call.on('error', reject);
    call.end(text);
  });
};

const facts: Record<string, DeviceFact> = {};
for (const one of deviceCases) facts[one.name] = await playDevices(ask, one);
const lines = Object.entries(facts).map(([name, fact]) => `  ${JSON.stringify(name)}: ${JSON.stringify(fact)}`);
writeFileSync(new URL('facts.json', import.meta.url), `{\n${lines.join(',\n')}\n}\n`);
process.exit(0);
