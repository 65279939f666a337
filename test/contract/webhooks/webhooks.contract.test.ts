/** What the real API server answered while webhooks were in many moods, is what Wavetank answers. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAsk } from '../../../engine/host/asking.ts';
import { wallClock } from '../../../engine/host/pacing.ts';
import { createReach } from '../../../engine/host/reach.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import { webhookCases } from './cases.ts';
import { sender } from './inside.ts';
import { mutatingPolicyCases } from './mutating-policy-cases.ts';
import { oddMutatingCases } from './mutating-policy-odd-cases.ts';
import { policyCases } from './policy-cases.ts';
import { play, type Played } from './play.ts';
import { type HookServer, startHookServer } from './server.ts';

const facts = JSON.parse(readFileSync(new URL('./facts.json', import.meta.url), 'utf8')) as { readonly [name: string]: Played };

let tank: TestCluster;
let server: HookServer;
beforeAll(async () => {
  server = await startHookServer();
  tank = await aCluster({ nodes: 1 }, { ask: createAsk(createReach(), wallClock) });
});
afterAll(() => server.close());

const send = sender(() => tank);

const policyFacts = JSON.parse(readFileSync(new URL('./policy-facts.json', import.meta.url), 'utf8')) as typeof facts;

test.each(policyCases.map((one) => [one.name, one] as const))('policy: %s', async (name, one) => {
  const played = await play(one, send, server, () => Promise.resolve());
  expect(played).toEqual(policyFacts[name]);
});

const mutatingFacts = JSON.parse(readFileSync(new URL('./mutating-policy-facts.json', import.meta.url), 'utf8')) as typeof facts;

test.each(mutatingPolicyCases.map((one) => [one.name, one] as const))('mutating policy: %s', async (name, one) => {
  const played = await play(one, send, server, () => Promise.resolve());
  expect(played).toEqual(mutatingFacts[name]);
});

const oddFacts = JSON.parse(readFileSync(new URL('./mutating-policy-odd-facts.json', import.meta.url), 'utf8')) as typeof facts;

test.each(oddMutatingCases.map((one) => [one.name, one] as const))('odd mutating policy: %s', async (name, one) => {
  const played = await play(one, send, server, () => Promise.resolve());
  expect(played).toEqual(oddFacts[name]);
});

test.each(webhookCases.map((one) => [one.name, one] as const))('%s', async (name, one) => {
  const played = await play(one, send, server, () => Promise.resolve());
  expect(played).toEqual(facts[name]);
});
