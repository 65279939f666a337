/** Tokens of an issuer that listens on this machine. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Fields } from '../apiserver/configuration-reader.ts';
import { readIssuers } from '../apiserver/auth/jwt/configuration.ts';
import type { JsonObject } from '../base/json.ts';
import type { Authenticated } from '../contracts/tokens.ts';
import type { Identity } from '../contracts/request.ts';
import { createAuthority, issueCertificate } from '../serving/certificates.ts';
import { OidcIssuer } from './oidc.ts';

const nowMs = Date.parse('2026-01-01T00:00:00Z');
const keys = new Map<string, { readonly privateKey: KeyObject; readonly publicKey: KeyObject }>([
  ['rsa', generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ['ec', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
]);
const authority = createAuthority('oidc');
let url = '';
let served: readonly string[] = ['rsa'];
let fetches = 0;
let server: ReturnType<typeof createServer>;

beforeAll(async () => {
  const pair = issueCertificate(authority, { commonName: 'issuer', names: ['localhost', '127.0.0.1'], usage: 'server', days: 1 });
  server = createServer({ cert: pair.certificatePem, key: pair.keyPem }, (request, response) => {
    fetches++;
    const jwks = served.map((kid) => ({ ...keys.get(kid)?.publicKey.export({ format: 'jwk' }), kid, use: 'sig' }));
    response.end(JSON.stringify(request.url === '/keys' ? { keys: jwks } : { issuer: url, jwks_uri: `${url}/keys` }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

function token(claims: JsonObject, kid = 'rsa', alg = kid === 'rsa' ? 'RS256' : 'ES256'): string {
  const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encoded({ alg, kid })}.${encoded({ iss: url, aud: 'me', exp: nowMs / 1000 + 60, sub: 'jane', ...claims })}`;
  const key = keys.get(kid)?.privateKey as KeyObject;
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

function issuerOf(more: JsonObject = {}): OidcIssuer {
  const { issuer = {}, ...rest } = more as { readonly issuer?: JsonObject };
  const jwt = [
    {
      issuer: { url, audiences: ['me'], certificateAuthority: authority.certificatePem, ...issuer },
      claimMappings: { username: { claim: 'sub', prefix: 'o:' } },
      ...rest,
    },
  ];
  const [configuration] = readIssuers(new Fields({ jwt } as unknown as JsonObject, '', ['jwt']), []);
  if (configuration === undefined) throw new Error('one issuer');
  return new OidcIssuer(configuration, () => nowMs);
}

/** As the door does: what is asked is answered, and then it is tried again. */
async function judged(issuer: OidcIssuer, given: string): Promise<Authenticated<Identity>> {
  const authenticator = issuer.authenticator(['api']);
  class Asked extends Error {}
  try {
    return authenticator(given, undefined, () => {
      throw new Asked();
    });
  } catch (error) {
    if (!(error instanceof Asked)) throw error;
    await issuer.fetchKeys().catch(() => undefined);
    return authenticator(given, undefined, () => ({ outcome: 'answered', body: {} }));
  }
}

describe('a token of an OpenID issuer', () => {
  it('says who its holder is', async () => {
    expect(await judged(issuerOf(), token({ jti: 'j' }))).toEqual({
      identity: { name: 'o:jane', groups: [], extra: { 'authentication.kubernetes.io/credential-id': ['JTI=j'] } },
      audiences: ['api'],
    });
  });

  it('is nothing to other issuers', async () => {
    expect(await judged(issuerOf(), token({ iss: 'https://other' }))).toBeUndefined();
    expect(await judged(issuerOf(), 'a.b')).toBeUndefined();
  });

  it.each([
    [{ aud: ['you'] }, 'oidc: verify token: oidc: expected audience in ["me"] got ["you"]'],
    [{ exp: 1_700_000_000 }, 'oidc: verify token: oidc: token is expired (Token Expiry: 2023-11-14 22:13:20 +0000 UTC)'],
    [{ exp: -1e300 }, 'oidc: verify token: oidc: token is expired (Token Expiry: 0001-01-01 00:00:00 +0000 UTC)'],
    [{ exp: 'soon' }, 'oidc: verify token: oidc: token is expired (Token Expiry: 0001-01-01 00:00:00 +0000 UTC)'],
    [{ nbf: 1e300 }, 'oidc: verify token: oidc: current time'],
    [{ sub: 7 }, 'oidc: parse username claims "sub": json: cannot unmarshal number into Go value of type string'],
  ])('with claims %j is none', async (claims, why) => {
    expect((await judged(issuerOf(), token(claims))) as object).toMatchObject({ error: expect.stringContaining(why) as string });
  });

  it('is none with another signature, or under an algorithm that is not asked for', async () => {
    const [head, , signature] = token({}).split('.');
    const forged = `${head}.${token({ sub: 'root' }).split('.')[1]}.${signature}`;
    expect(await judged(issuerOf(), forged)).toMatchObject({ error: expect.stringContaining('failed to verify signature') as string });
    expect(await judged(issuerOf(), token({}, 'rsa', 'HS256'))).toMatchObject({
      error: expect.stringContaining('unexpected signature algorithm') as string,
    });
  });

  it('may be signed by a key that came later; unknown keys are asked for now and then', async () => {
    const issuer = issuerOf();
    served = ['rsa'];
    expect(await judged(issuer, token({}, 'ec'))).toMatchObject({ error: expect.stringContaining('failed to verify signature') as string });
    const before = fetches;
    expect(await judged(issuer, token({}, 'ec'))).toMatchObject({ error: expect.stringContaining('failed to verify signature') as string });
    expect(fetches).toBe(before);
    served = ['rsa', 'ec'];
    expect(await judged(issuerOf(), token({}, 'ec'))).toMatchObject({ identity: { name: 'o:jane' } });
    served = ['rsa'];
  });

  it('is mapped and judged by expressions', async () => {
    const rules = {
      claimMappings: {
        username: { expression: 'claims.sub + "@x"' },
        groups: { expression: 'claims.roles.split(",")' },
        uid: { claim: 'oid' },
        extra: [{ key: 'acme.io/tenant', valueExpression: 'claims.tenant' }],
      },
      claimValidationRules: [
        { expression: 'claims.hd == "acme"', message: 'not of acme' },
        { claim: 'kind', requiredValue: 'user' },
      ],
      userValidationRules: [{ expression: "!user.username.startsWith('system:')", message: 'reserved' }, { expression: "user.uid != '8'" }],
    };
    const good = { roles: 'a,b', oid: '7', tenant: ['t'], hd: 'acme', kind: 'user' };
    expect(await judged(issuerOf(rules), token(good))).toMatchObject({
      identity: { name: 'jane@x', groups: ['a', 'b'], uid: '7', extra: { 'acme.io/tenant': ['t'] } },
    });
    const faultOf = async (claims: JsonObject): Promise<unknown> => (await judged(issuerOf(rules), token({ ...good, ...claims }))) as unknown;
    expect(await faultOf({ hd: 'x' })).toEqual({
      error: `oidc: error evaluating claim validation expression: validation expression 'claims.hd == "acme"' failed: not of acme`,
    });
    expect(await faultOf({ kind: 'bot' })).toEqual({ error: 'oidc: required claim kind value does not match. Got = bot, want = user' });
    expect(await faultOf({ oid: '8' })).toEqual({
      error: `oidc: error evaluating user info validation rule: validation expression 'user.uid != '8'' failed: `,
    });
    expect(await faultOf({ sub: 'system:x' })).toMatchObject({ error: expect.stringContaining('reserved') as string });
  });

  it('is not known while its issuer cannot be trusted', async () => {
    const issuer = issuerOf({ issuer: { certificateAuthority: createAuthority('other').certificatePem } });
    expect(await judged(issuer, token({}))).toEqual({ error: 'oidc: authenticator not initialized' });
  });
});

describe('a configuration of issuers', () => {
  const faultOf = (jwt: object): string => {
    try {
      readIssuers(new Fields({ jwt: [jwt] } as unknown as JsonObject, '', ['jwt']), ['https://own']);
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };
  const issuer = { url: 'https://x', audiences: ['a'] };
  const claimMappings = { username: { claim: 'sub', prefix: '' } };

  it.each([
    [{ issuer, claimMappings }, ''],
    [
      { issuer: { ...issuer, url: 'http://u:p@x?a=b#c' }, claimMappings },
      'jwt[0].issuer.url: Invalid value: "http://u:p@x?a=b#c": URL scheme must be https',
    ],
    [{ issuer: { ...issuer, url: 'https://own' }, claimMappings }, 'URL must not overlap with disallowed issuers: [https://own]'],
    [{ issuer: { url: 'https://x' }, claimMappings }, 'jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required'],
    [
      { issuer, claimMappings: { username: { claim: 'sub' } } },
      'jwt[0].claimMappings.username.prefix: Required value: prefix is required when claim is set',
    ],
    [{ issuer, claimMappings: { username: { expression: 'claims.' } } }, 'jwt[0].claimMappings.username.expression: Invalid value: "claims."'],
    [{ issuer, claimMappings: { username: { expression: 'claims.email' } } }, 'claims.email_verified must be used'],
    [{ issuer, claimMappings, userValidationRules: [{ expression: 'user.username' }] }, 'must evaluate to bool but got string'],
    [{ issuer, claimMappings: { ...claimMappings, extra: [{ key: 'k8s.io/x', valueExpression: 'claims.x' }] } }, 'are reserved for Kubernetes use'],
  ])('%j: %s', (jwt, why) => {
    if (why === '') expect(faultOf(jwt)).toBe('');
    else expect(faultOf(jwt)).toContain(why);
  });
});
