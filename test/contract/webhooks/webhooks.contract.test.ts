/** What the real API server answered while webhooks were in many moods, is what Wavetank answers. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HttpResponse } from '../../../engine/apiserver/http-types.ts';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import { createAsk } from '../../../engine/host/asking.ts';
import { wallClock } from '../../../engine/host/pacing.ts';
import { createReach } from '../../../engine/host/reach.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import { type CaseRequest, webhookCases } from './cases.ts';
import { policyCases } from './policy-cases.ts';
import { type Answered, play, type Played } from './play.ts';
import { type HookServer, startHookServer } from './server.ts';

const facts = JSON.parse(readFileSync(new URL('./facts.json', import.meta.url), 'utf8')) as { readonly [name: string]: Played };

let tank: TestCluster;
let server: HookServer;
beforeAll(async () => {
  server = await startHookServer();
  tank = await aCluster({ nodes: 1 }, { ask: createAsk(createReach(), wallClock) });
});
afterAll(() => server.close());

async function send({ method, path, body, contentType = 'application/json' }: CaseRequest): Promise<Answered> {
  const [route = '', query = ''] = path.split('?', 2);
  const bytes = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body));
  const headers = { accept: 'application/json', 'content-type': contentType, 'user-agent': 'test' };
  const response = await tank.door.serve({ method, path: route, query, headers, body: bytes, identity: adminIdentity });
  return answeredBy(response);
}

function answeredBy(response: HttpResponse): Answered {
  if (!('body' in response)) return { code: 101, body: '', warnings: [] };
  const chunks = typeof response.body === 'string' || response.body instanceof Uint8Array ? [response.body] : [...response.body];
  const text = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk))).join('');
  const { warning } = response.headers as { readonly warning?: string | readonly string[] };
  const warnings = warning === undefined ? [] : typeof warning === 'string' ? [warning] : warning;
  return { code: response.status, body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text, warnings };
}

const policyFacts = JSON.parse(readFileSync(new URL('./policy-facts.json', import.meta.url), 'utf8')) as typeof facts;

test.each(policyCases.map((one) => [one.name, one] as const))('policy: %s', async (name, one) => {
  const played = await play(one, send, server, () => Promise.resolve());
  expect(played).toEqual(policyFacts[name]);
});

test.each(webhookCases.map((one) => [one.name, one] as const))('%s', async (name, one) => {
  const played = await play(one, send, server, () => Promise.resolve());
  expect(played).toEqual(facts[name]);
});
