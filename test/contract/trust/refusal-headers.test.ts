/** What the heads of refusals say beside their code. */
import { expect, it } from 'vitest';
import type { Identity } from '../../../engine/contracts/request.ts';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';

function headers({ door }: TestCluster, path: string, given: Record<string, string>, identity?: Identity): Readonly<Record<string, unknown>> {
  const request = { method: 'GET', path, query: '', headers: { accept: 'application/json', ...given }, body: new Uint8Array(), peer: undefined };
  const response = door.serveAtOnce({ ...request, ...(identity && { identity }) });
  if ('upgrade' in response) throw new Error(`${path} is upgraded`);
  return { code: response.status, sniffing: response.headers['x-content-type-options'], warning: response.headers['warning'] };
}

it('browsers are told not to guess what a refusal of the filters is, and nothing of other answers', async () => {
  const tank = await aCluster({ nodes: 1 });
  expect(headers(tank, '/api/v1/secrets', { 'impersonate-user': 'bob' }, adminIdentity)).toMatchObject({ code: 403, sniffing: 'nosniff' });
  const bob = { name: 'bob', groups: [] };
  expect(headers(tank, '/api', { 'impersonate-user': 'alice' }, bob)).toMatchObject({ code: 403, sniffing: 'nosniff' });
  expect(headers(tank, '/api', { 'impersonate-group': 'g' }, adminIdentity)).toMatchObject({ code: 400, sniffing: 'nosniff' });
  expect(headers(tank, '/api/v1/namespaces/none', {}, adminIdentity)).toEqual({ code: 404, sniffing: undefined, warning: undefined });
});

it('a space too many before a token is warned of, and the token not looked at', async () => {
  const tank = await aCluster({ nodes: 1 });
  const warning = ['299 - "the provided Authorization header contains extra space before the bearer token, and is ignored"'];
  expect(headers(tank, '/version', { authorization: 'Bearer  x' })).toMatchObject({ code: 200, warning });
  expect(headers(tank, '/api/v1/secrets', { authorization: 'Bearer  x' })).toMatchObject({ code: 403, warning });
  expect(headers(tank, '/version', { authorization: 'Bearer x' })).toMatchObject({ code: 401, warning: undefined });
  expect(headers(tank, '/version', { authorization: 'Bearer ' })).toMatchObject({ code: 200, warning: undefined });
});
