/** What the real API server answered while webhooks converted in many moods, is what Wavetank answers. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAsk } from '../../../engine/host/asking.ts';
import { wallClock } from '../../../engine/host/pacing.ts';
import { createReach } from '../../../engine/host/reach.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import { sender } from '../webhooks/inside.ts';
import { conversionCases } from './cases.ts';
import { play } from './play.ts';
import { type ConversionServer, startConversionServer } from './server.ts';

const facts = JSON.parse(readFileSync(new URL('./facts.json', import.meta.url), 'utf8')) as { readonly [name: string]: unknown };

let tank: TestCluster;
let server: ConversionServer;
beforeAll(async () => {
  server = await startConversionServer();
  tank = await aCluster({ nodes: 1 }, { ask: createAsk(createReach(), wallClock) });
});
afterAll(() => server.close());

const send = sender(() => tank);

test.each(conversionCases.map((one) => [one.name, one] as const))('%s', async (name, one) => {
  // A definition is established by a controller, in virtual time.
  const played = await play(one, send, server, () => tank.advance(5_000));
  expect(played).toEqual(facts[name]);
});
