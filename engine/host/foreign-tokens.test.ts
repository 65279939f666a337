/** Tokens that somebody else signed with the cluster's key, whatever stands in them: what a real 1.36.3 said to each. */
import { constants, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { aCluster, type TestCluster } from '../../test/support/cluster.ts';
import { createClusterTokens, type ClusterTokens } from './tokens.ts';
import type { Ways } from './authentication.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const issuer = 'https://issuer.example';
const nowSeconds = 1_800_000_000;
const cryptic = '[invalid bearer token, go-jose/go-jose: error in cryptographic primitive]';
const noDate = '[invalid bearer token, go-jose/go-jose/jwt: expected number value to unmarshal NumericDate]';
const noAudience = '[invalid bearer token, go-jose/go-jose/jwt: expected string or array value to unmarshal to Audience]';
const good = 'system:serviceaccount:default:a';
const noText = '[invalid bearer token, json: cannot unmarshal number into Go value of type string]';
const notOurs = 'invalid bearer token';

let made: TestCluster;
let tokens: ClusterTokens;
let uid = '';

beforeAll(async () => {
  const serviceAccounts = {
    issuers: [issuer],
    audiences: [issuer],
    publicKeys: [createPublicKey(privateKey)],
    signingKey: privateKey,
    extendsExpiration: true,
  };
  const keys = { tokens: { keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), certificatePem: '' }, adminToken: 'admin' };
  tokens = createClusterTokens(keys, 'one', { serviceAccounts, issuers: [] } as unknown as Ways);
  made = await aCluster({ nodes: 0, startMs: nowSeconds * 1000, options: { controllers: '-*' } }, { tokenSigner: tokens.signer });
  const account = made.call('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'a' } });
  uid = account.metadata.uid ?? '';
});

interface Written {
  readonly head?: object | string;
  readonly claims?: object;
  readonly digest?: string;
  readonly isPss?: boolean;
  readonly isPlain?: boolean;
  readonly body?: (claims: string) => string;
}

function encode(part: object | string): string {
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
}

function tokenOf({
  head = { alg: 'RS256' },
  claims = {},
  digest = 'sha256',
  isPss = false,
  isPlain = false,
  body = (text) => text,
}: Written): string {
  const bound = { namespace: 'default', serviceaccount: { name: 'a', uid } };
  const times = { exp: nowSeconds + 3600, iat: nowSeconds, nbf: nowSeconds };
  const all = { aud: [issuer], ...times, iss: issuer, jti: 'j', 'kubernetes.io': bound, sub: 'system:serviceaccount:default:a', ...claims };
  const payload = body(JSON.stringify(all));
  const padding = isPss ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
  const signed = `${encode(head)}.${isPlain ? payload : encode(payload)}`;
  return `${encode(head)}.${encode(payload)}.${sign(digest, Buffer.from(signed), { key: privateKey, padding }).toString('base64url')}`;
}

/** Whose it is, or what is wrong with it. */
function said(token: string): string {
  const known = tokens.known(made.cluster, token, [], () => ({ ok: false, error: '' }) as never);
  return 'identity' in known ? known.identity.name : known.error;
}

function account(parts: object): Written {
  return { claims: { 'kubernetes.io': { namespace: 'default', serviceaccount: { name: 'a', uid }, ...parts } } };
}

const none = '[invalid bearer token, resource name may not be empty]';
const cases: readonly (readonly [name: string, given: () => Written, want: string])[] = [
  ['one audience as a text', () => ({ claims: { aud: issuer } }), good],
  ['an audience that is a number', () => ({ claims: { aud: 1 } }), noAudience],
  ['an audience that is null', () => ({ claims: { aud: null } }), noAudience],
  ['a number among audiences', () => ({ claims: { aud: [issuer, 1] } }), noAudience],
  ['no claims of Kubernetes', () => ({ claims: { 'kubernetes.io': undefined } }), none],
  ['claims of Kubernetes that are null', () => ({ claims: { 'kubernetes.io': null } }), none],
  ['no account', () => ({ claims: { 'kubernetes.io': { namespace: 'default' } } }), none],
  [
    'claims of Kubernetes that are a text',
    () => ({ claims: { 'kubernetes.io': 'x' } }),
    '[invalid bearer token, json: cannot unmarshal string into Go value of type serviceaccount.kubernetes]',
  ],
  [
    'a pod that is a number',
    () => account({ pod: 0 }),
    '[invalid bearer token, json: cannot unmarshal number into Go value of type serviceaccount.ref]',
  ],
  ['no namespace', () => account({ namespace: '' }), '[invalid bearer token, the server could not find the requested resource]'],
  ['a namespace that is none', () => account({ namespace: 'a/b' }), `[invalid bearer token, invalid namespace "a/b": [may not contain '/']]`],
  [
    'an account that is none',
    () => account({ serviceaccount: { name: '..', uid } }),
    `[invalid bearer token, invalid resource name "..": [may not be '..']]`,
  ],
  ['a pod without an identity', () => account({ pod: { name: 'p' } }), '[invalid bearer token, service account token has been invalidated]'],
  ['an end that is a text', () => ({ claims: { exp: '1900000000' } }), noDate],
  ['no end', () => ({ claims: { exp: null } }), good],
  ['an end beyond all time', () => ({ claims: { exp: 1e300 } }), '[invalid bearer token, service account token has expired]'],
  ['a beginning beyond all time', () => ({ claims: { nbf: 1e300 } }), good],
  ['an id that is a number', () => ({ claims: { jti: 1 } }), noText],
  ['the first of two faults', () => ({ claims: { aud: 1, sub: 5 } }), noAudience],
  ['a claim twice', () => ({ body: (text) => `${text.slice(0, -1)},"jti":"k"}` }), "[invalid bearer token, json: duplicate key 'jti' in object]"],
  ['an issuer in capitals', () => ({ body: (text) => text.replace('"iss"', '"ISS"') }), '[invalid bearer token, token issuer "" is invalid]'],
  ['RS384', () => ({ head: { alg: 'RS384' }, digest: 'sha384' }), good],
  ['PS512', () => ({ head: { alg: 'PS512' }, digest: 'sha512', isPss: true }), good],
  ['another digest than it says', () => ({ head: { alg: 'RS256' }, digest: 'sha384' }), cryptic],
  ['what nobody understands and has to', () => ({ head: { alg: 'RS256', crit: ['x'] } }), cryptic],
  [
    'what has to be understood, as a text',
    () => ({ head: { alg: 'RS256', crit: 'x' } }),
    '[invalid bearer token, json: cannot unmarshal string into Go value of type []string]',
  ],
  ['a payload that is signed as it is', () => ({ head: { alg: 'RS256', b64: false, crit: ['b64'] }, isPlain: true }), good],
  ['a payload that should have been', () => ({ head: { alg: 'RS256', b64: false } }), cryptic],
  ['an algorithm that is a number', () => ({ head: { alg: 1 } }), notOurs],
  ['a key that is a number', () => ({ head: { alg: 'RS256', kid: 1 } }), notOurs],
  ['a key that is null', () => ({ head: { alg: 'RS256', kid: null } }), good],
  ['a head with no key in it', () => ({ head: { alg: 'RS256', jwk: {} } }), notOurs],
  ['a head with no certificate in it', () => ({ head: { alg: 'RS256', x5c: ['x'] } }), notOurs],
  ['a head that says a thing twice', () => ({ head: '{"alg":"RS256","alg":"RS256"}' }), notOurs],
  ['a head that is a list', () => ({ head: '[]' }), notOurs],
  ['no head', () => ({ head: '' }), cryptic],
];

it.each(cases)('%s', (_name, given, want) => {
  expect(said(tokenOf(given()))).toBe(want);
});

it('takes no other alphabet and no padding', () => {
  const token = tokenOf({});
  expect(said(token)).toBe(good);
  expect(said(`${token}=`)).toBe(notOurs);
});

it('tells the audiences that were asked for, as often as they were', () => {
  const token = tokenOf({ claims: { aud: ['y', 'x'] } });
  const known = tokens.known(made.cluster, token, ['x', 'z', 'x'], () => ({ ok: false, error: '' }) as never);
  expect('audiences' in known && known.audiences).toEqual(['x', 'x']);
});
