/** Paths and queries at the edge of what they mean, as real servers of both releases answer them (`record.ts`). */
import { expect, test } from 'vitest';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import factsNow from './facts-1.36.json' with { type: 'json' };
import factsBefore from './facts-1.13.json' with { type: 'json' };
import { before, everywhere, type OddAnswer, type OddRequest, said, setUp } from './requests.ts';

function answerOf({ door }: TestCluster, one: OddRequest): OddAnswer {
  const { method, path, body, contentType = 'application/json', accept = 'application/json', whole } = one;
  const [route = '', query = ''] = path.split('?', 2);
  const bytes = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body));
  const headers = { accept, 'content-type': contentType };
  const answer = door.serveAtOnce({ method, path: route, query, headers, body: bytes, identity: adminIdentity });
  if (!('body' in answer)) return { status: 200, said: 'a stream' };
  const text = typeof answer.body === 'string' ? answer.body : new TextDecoder().decode(answer.body as Uint8Array);
  return { status: answer.status, said: said(text, whole === true) };
}

test.each([
  ['1.36', everywhere, factsNow],
  ['1.13', [...everywhere, ...before], factsBefore],
])('release %s', async (release, requests, facts: readonly OddAnswer[]) => {
  const tank = await aCluster({ nodes: 0, release });
  for (const [path, body] of setUp) tank.call('POST', path, body);
  await tank.advance(5_000);
  const told = requests.map((one) => ({ asked: `${one.method} ${one.path}`, ...answerOf(tank, one) }));
  expect(told).toEqual(requests.map((one, index) => ({ asked: `${one.method} ${one.path}`, ...facts[index] })));
});
