/**
 * Asks a real server about each status of `cases.json`, as the whole status of a claim, and writes `facts.json`.
 *   node build/with-node.mjs test/contract/claim-status/record.ts KUBECONFIG
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../engine/base/json.ts';
import { peerSide } from '../../differential/sides.ts';
import { claim, claims, type StatusFact } from './claim.ts';

const side = peerSide(process.argv[2] ?? '');
const ask = (method: string, path: string, body: JsonObject, query = ''): ReturnType<typeof side.ask> =>
  side.ask({ method, path, query, type: 'application/json', accept: 'application/json', body });
await ask('POST', claims, claim);
const facts: StatusFact[] = [];
for (const status of JSON.parse(readFileSync(join(import.meta.dirname, 'cases.json'), 'utf8')) as readonly JsonObject[]) {
  const { code, text } = await ask('PUT', `${claims}/${claim.metadata.name}/status`, { ...claim, status }, 'dryRun=All');
  const { message } = JSON.parse(text) as { readonly message?: string };
  facts.push({ status, code, ...(message === undefined ? {} : { message }) });
}
side.close();
writeFileSync(join(import.meta.dirname, 'facts.json'), `${JSON.stringify(facts, undefined, 1)}\n`);
