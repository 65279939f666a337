/**
 * Asks a real API server. For each cluster:
 *   API_FLAGS="--service-cluster-ip-range=RANGES" control-plane.sh up PORT --no-controllers
 *   node build/with-node.mjs test/contract/dual-stack/record.ts CLUSTER PORT TOKEN
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import type { JsonObject } from '../../../engine/base/json.ts';
import { cases, type ClusterName, play, type Send, type StepFact } from './cases.ts';

const [cluster = '', port = '', token = ''] = process.argv.slice(2);
const file = new URL('./facts.json', import.meta.url);

const send: Send = (method, path, body, type) =>
  new Promise((resolve, reject) => {
    const asked = request(
      {
        ...{ host: '127.0.0.1', port, method, path: `/api/v1/namespaces/default/services${path}`, rejectUnauthorized: false },
        headers: { authorization: `Bearer ${token}`, 'content-type': type },
      },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve({ code: response.statusCode ?? 0, value: JSON.parse(text) as JsonObject }));
      },
    );
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });

const facts = JSON.parse(readFileSync(file, 'utf8')) as { [name in ClusterName]?: { [name: string]: readonly StepFact[] } };
const own: { [name: string]: readonly StepFact[] } = {};
for (const one of cases) own[one.name] = await play(one, send);
facts[cluster as ClusterName] = own;
writeFileSync(file, `${JSON.stringify(facts, undefined, 1)}\n`);
process.stdout.write(`${cluster}: ${cases.length} cases\n`);
