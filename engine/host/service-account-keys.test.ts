/** The options `--service-account-…`: keys of each kind sign and are believed, several issuers and audiences, what is refused. */
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aCluster, type TestCluster } from '../../test/support/cluster.ts';
import { readAuthentication } from './commands/authentication-options.ts';
import { parseUp } from './commands/program.ts';
import { toSecretJwt, createClusterTokens, type ClusterTokens } from './tokens.ts';
import { JwtIssuer } from './jwt.ts';

const folder = mkdtempSync(join(tmpdir(), 'wavetank-keys-'));
const keyPem = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const keys = { tokens: { keyPem, certificatePem: '' }, adminToken: 'admin' };

function file(name: string, key: KeyObject): string {
  const path = join(folder, name);
  const pem = key.type === 'private' ? key.export({ type: 'pkcs8', format: 'pem' }) : key.export({ type: 'spki', format: 'pem' });
  writeFileSync(path, pem);
  return path;
}

const made = {
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  p256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  p384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  p521: generateKeyPairSync('ec', { namedCurve: 'P-521' }),
};
const files = Object.fromEntries(Object.entries(made).map(([name, pair]) => [name, file(`${name}.key`, pair.privateKey)]));
const publicFiles = Object.fromEntries(Object.entries(made).map(([name, pair]) => [name, file(`${name}.pub`, pair.publicKey)]));

interface Asked {
  readonly token: string;
  readonly spec: { readonly expirationSeconds: number; readonly audiences: readonly string[] };
  readonly warnings: unknown;
}

async function aTank(...flags: string[]) {
  const tokens = createClusterTokens(keys, 'one', readAuthentication(parseUp(flags)));
  const tank = await aCluster({ nodes: 0 }, { tokenSigner: tokens.signer, address: () => '127.0.0.1:6443' });
  await tank.advance(5000);
  return { ...tank, tokens };
}

function ask({ ask: send }: TestCluster, spec: object = { audiences: [] }): Asked {
  const { object } = send<{ status: { token: string }; spec: Asked['spec'] }>('POST', '/api/v1/namespaces/default/serviceaccounts/default/token', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec,
  });
  return { token: object.status.token, spec: object.spec, warnings: undefined };
}

function part(token: string, index: number): { readonly [key: string]: unknown } {
  return JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString()) as { readonly [key: string]: unknown };
}

function who(tank: TestCluster, tokens: ClusterTokens, token: string): string {
  const known = tokens.known(tank.cluster, token, [], () => ({ ok: false, error: '' }) as never);
  return 'identity' in known ? known.identity.name : known.error;
}

test.each([
  ['rsa', 'RS256'],
  ['p256', 'ES256'],
  ['p384', 'ES384'],
  ['p521', 'ES512'],
])('a key %s signs by %s, the same each time, and is published', async (name, algorithm) => {
  const tank = await aTank('--service-account-signing-key-file', files[name] ?? '', '--service-account-key-file', publicFiles[name] ?? '');
  const { token } = ask(tank);
  expect(part(token, 0)['alg']).toBe(algorithm);
  expect(who(tank, tank.tokens, token)).toBe('system:serviceaccount:default:default');
  const { keys: published } = tank.call<{ keys: { kid: string; alg: string }[] }>('GET', '/openid/v1/jwks');
  expect(published).toMatchObject([{ kid: part(token, 0)['kid'], alg: algorithm, use: 'sig' }]);
  const claims = { namespace: 'a', serviceAccount: { name: 'b', uid: 'c' }, id: 'd', audiences: [], expirationSeconds: 600, nowMs: 0 };
  expect(tank.tokens.signer.sign(claims)).toBe(tank.tokens.signer.sign(claims));
});

test('tokens of several keys and issuers are believed, the first issuer signs, and audiences are the issuers', async () => {
  const flags = ['rsa', 'p384'].flatMap((name) => ['--service-account-key-file', publicFiles[name] ?? '']);
  const issuers = ['https://new.example', 'https://old.example'];
  const tank = await aTank(
    ...flags,
    '--service-account-signing-key-file',
    files['rsa'] ?? '',
    ...issuers.flatMap((iss) => ['--service-account-issuer', iss]),
  );
  const { token, spec } = ask(tank);
  expect([part(token, 1)['iss'], spec.audiences]).toEqual([issuers[0], issuers]);
  const old = new JwtIssuer(['https://old.example'], made.p384.privateKey).sign({ ...part(token, 1), iss: 'https://old.example' });
  expect(who(tank, tank.tokens, old)).toBe('system:serviceaccount:default:default');
  const strange = new JwtIssuer(['https://old.example'], made.p521.privateKey).sign({ ...part(token, 1), iss: 'https://old.example' });
  expect(who(tank, tank.tokens, strange)).toContain('invalid signature, no keys found');
  expect(tank.call('GET', '/.well-known/openid-configuration')).toMatchObject({
    issuer: issuers[0],
    id_token_signing_alg_values_supported: ['ES384', 'RS256'],
  });
});

test('who fills Secrets with tokens elsewhere is believed by the key', async () => {
  const tank = await aTank('--service-account-key-file', publicFiles['rsa'] ?? '');
  const account = tank.call<{ metadata: { uid: string } }>('GET', '/api/v1/namespaces/default/serviceaccounts/default');
  const claims = toSecretJwt({ namespace: 'default', secret: 'mine', serviceAccount: { name: 'default', uid: account.metadata.uid } });
  const token = new JwtIssuer(['kubernetes/serviceaccount'], made.rsa.privateKey).sign(claims);
  tank.call('POST', '/api/v1/namespaces/default/secrets', {
    metadata: { name: 'mine', annotations: { 'kubernetes.io/service-account.name': 'default' } },
    type: 'kubernetes.io/service-account-token',
    stringData: { token },
  });
  expect(who(tank, tank.tokens, token)).toBe('system:serviceaccount:default:default');
});

test('audiences, the longest time and the place of the keys are as given', async () => {
  const tank = await aTank(
    ...['--api-audiences', 'one,two', '--service-account-max-token-expiration', '2h', '--service-account-jwks-uri', 'https://keys.example/jwks'],
  );
  expect(ask(tank).spec.audiences).toEqual(['one', 'two']);
  const long = ask(tank, { audiences: [], expirationSeconds: 86_400 });
  expect(long.spec.expirationSeconds).toBe(7200);
  expect(Number(part(long.token, 1)['exp']) - Number(part(long.token, 1)['iat'])).toBe(7200);
  expect(tank.call('GET', '/.well-known/openid-configuration')).toMatchObject({ jwks_uri: 'https://keys.example/jwks' });
});

test('an issuer that is no URL publishes nothing', async () => {
  const tank = await aTank('--service-account-issuer', 'api');
  expect(() => tank.call('GET', '/.well-known/openid-configuration')).toThrow('404 page not found');
});

test('the public half of a private key is read too, and several keys of one file', () => {
  const path = join(folder, 'both.pem');
  const pems = [made.rsa.privateKey, made.p256.publicKey].map((key) =>
    key.type === 'private' ? key.export({ type: 'pkcs8', format: 'pem' }) : key.export({ type: 'spki', format: 'pem' }),
  );
  writeFileSync(path, pems.join(''));
  const { serviceAccounts } = readAuthentication(parseUp(['--service-account-key-file', path]));
  expect(serviceAccounts?.publicKeys.map((key) => key.equals(createPublicKey(made.rsa.privateKey)) || key.equals(made.p256.publicKey))).toEqual([
    true,
    true,
  ]);
});

test.each([
  [['--service-account-issuer', ''], 'service-account-issuer should not be an empty string'],
  [['--service-account-issuer', 'a', '--service-account-issuer', 'a'], 'service-account-issuer "a" is already specified'],
  [['--service-account-jwks-uri', 'http://a'], 'service-account-jwks-uri requires https scheme, parsed as: http://a'],
  [['--service-account-max-token-expiration', '59m'], 'the service-account-max-token-expiration must be between 1 hour and 2^32 seconds'],
  [['--service-account-key-file', '/nowhere'], 'error reading public key file /nowhere: open /nowhere: no such file or directory'],
])('%j is refused in upstream’s words', (flags, message) => {
  expect(() => readAuthentication(parseUp(flags))).toThrow(message);
});
