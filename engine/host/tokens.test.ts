/** Tokens that Secrets hold: good as long as the Secret has them, in both releases, and the same whenever they are signed. */
import { createPublicKey, generateKeyPairSync, type JsonWebKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aCluster, type TestCluster } from '../../test/support/cluster.ts';
import type { Secret } from '../api/core/v1/types.gen.ts';
import { decodeBase64Text, encodeBase64 } from '../base/base64.ts';
import { createClusterTokens } from './tokens.ts';

const keyPem = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const keys = { tokens: { keyPem, certificatePem: '' }, adminToken: 'admin' };
const core = '/api/v1/namespaces/default';
const type = 'kubernetes.io/service-account-token';
const annotations = { 'kubernetes.io/service-account.name': 'default' };

interface Known {
  readonly made: TestCluster;
  /** Name of the Secret. */
  readonly name: string;
  readonly token: string;
  /** User name, or what is wrong. */
  who(token: string): string;
}

async function aToken(release: string): Promise<Known> {
  const tokens = createClusterTokens(keys, 'one');
  const made = await aCluster({ release, nodes: 0 }, { signSecretToken: tokens.signForSecret });
  await made.advance(5000);
  made.call('POST', `${core}/secrets`, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'mine', annotations }, type });
  await made.advance(1000);
  return {
    made,
    name: 'mine',
    token: tokenOf(made, 'mine'),
    who: (token) => {
      const known = tokens.known(made.cluster, token, [], () => ({ ok: false, error: '' }) as never);
      return 'identity' in known ? known.identity.name : known.error;
    },
  };
}

it('publishes the key that its tokens are signed with', async () => {
  const { signer } = createClusterTokens(keys, 'one');
  const made = await aCluster({ nodes: 0 }, { tokenSigner: signer, address: () => 'tank.example:6443' });
  const configuration = made.call<{ readonly issuer: string }>('GET', '/.well-known/openid-configuration');
  expect(configuration).toEqual({
    issuer: 'https://kubernetes.default.svc.cluster.local',
    jwks_uri: 'https://tank.example:6443/openid/v1/jwks',
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  });
  const { keys: published } = made.call<{ readonly keys: readonly JsonWebKey[] }>('GET', '/openid/v1/jwks');
  const subject = { serviceAccount: { name: 'default', uid: '1' }, namespace: 'default' };
  const token = signer.sign({ ...subject, id: '1', audiences: [], expirationSeconds: 600, nowMs: 0 });
  const [head = '', body = '', signature = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as { readonly iss: string };
  const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as { readonly kid: string };
  expect(claims.iss).toBe(configuration.issuer);
  expect(published.map(({ kid, use, alg, d }) => [kid, use, alg, d])).toEqual([[header.kid, 'sig', 'ES256', undefined]]);
  const key = createPublicKey({ key: published[0] as JsonWebKey, format: 'jwk' });
  const isGood = verify('sha256', Buffer.from(`${head}.${body}`), { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  expect(isGood).toBe(true);
  expect(() => made.call('POST', '/openid/v1/jwks', {})).toThrow(/405|not allow/);
});

function tokenOf({ call }: TestCluster, name: string): string {
  return decodeBase64Text(call<Secret>('GET', `${core}/secrets/${name}`).data?.['token'] ?? '');
}

describe.each(['1.36', '1.13'])('release %s', (release) => {
  it('knows the account by the token of its Secret', async () => {
    const { token, who } = await aToken(release);
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as object;
    expect(claims).toMatchObject({
      iss: 'kubernetes/serviceaccount',
      sub: 'system:serviceaccount:default:default',
      'kubernetes.io/serviceaccount/secret.name': 'mine',
    });
    expect(who(token)).toBe('system:serviceaccount:default:default');
  });

  it.each<[string, (known: Known) => void, string]>([
    ['a Secret that is gone', ({ made, name }) => made.call('DELETE', `${core}/secrets/${name}`), 'Token has been invalidated'],
    [
      'a Secret that holds another',
      ({ made, name }) =>
        made.call('PATCH', `${core}/secrets/${name}`, { data: { token: encodeBase64(new Uint8Array(3)) } }, 'application/merge-patch+json'),
      "Token does not match server's copy",
    ],
    [
      'a Secret that is marked',
      ({ made, name }) =>
        made.call(
          'PATCH',
          `${core}/secrets/${name}`,
          { metadata: { labels: { 'kubernetes.io/legacy-token-invalid-since': '2026-01-01' } } },
          'application/merge-patch+json',
        ),
      'has been marked invalid',
    ],
    ['an account that is gone', ({ made }) => made.call('DELETE', `${core}/serviceaccounts/default`), 'serviceaccounts "default" not found'],
  ])('does not know it by %s', async (_what, act, why) => {
    const known = await aToken(release);
    act(known);
    expect(known.who(known.token)).toContain(why);
  });

  it('gives one digest whoever signs', async () => {
    const [a, b] = await Promise.all([aToken(release), aCluster({ release, nodes: 0 })]);
    await b.advance(5000);
    b.call('POST', `${core}/secrets`, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'mine', annotations }, type });
    await b.advance(1000);
    expect(tokenOf(b, 'mine')).not.toBe(a.token);
    expect(b.cluster.digest).toBe(a.made.cluster.digest);
  });
});

it('signs the same token again, opens no other cluster with it, and takes no other algorithm', async () => {
  const { token, who } = await aToken('1.36');
  const claims = { namespace: 'a', secret: 's', serviceAccount: { name: 'x', uid: 'u' } };
  expect(createClusterTokens(keys, 'one').signForSecret(claims)).toBe(createClusterTokens(keys, 'one').signForSecret(claims));
  const other = createClusterTokens(keys, 'two').signForSecret({
    namespace: 'default',
    secret: 'mine',
    serviceAccount: { name: 'default', uid: 'u' },
  });
  expect(who(other)).toContain('invalid signature');
  const [, body = '', signature = ''] = token.split('.');
  const head = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
  expect(who(`${head}.${body}.${signature}`)).toContain('error in cryptographic primitive');
  expect(who(`${head}.${body}.`)).toContain('error in cryptographic primitive');
});
