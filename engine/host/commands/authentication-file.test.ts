import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Ways } from '../authentication.ts';
import { createClusterTokens } from '../tokens.ts';
import { loadKeys } from '../home.ts';
import { AuthenticationFile } from './authentication-file.ts';
import { parseConfiguration, readAuthentication, readConfiguration } from './authentication-options.ts';
import { OidcIssuer } from '../oidc.ts';
import { parseUp } from './program.ts';

const folder = mkdtempSync(join(tmpdir(), 'wavetank-authentication-'));
afterAll(() => rmSync(folder, { recursive: true }));

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';
// Nobody listens there.
const issuer = 'jwt: [{issuer: {url: "https://127.0.0.1:1", audiences: [me]}, claimMappings: {username: {claim: sub, prefix: ""}}}]\n';

function opened(
  name: string,
  text: string,
): { readonly file: AuthenticationFile; readonly write: (text: string) => Promise<readonly string[]>; readonly path: string } {
  const path = join(folder, name);
  writeFileSync(path, text);
  const file = new AuthenticationFile({
    file: path,
    text,
    parse: parseConfiguration,
    read: readConfiguration,
    makeIssuer: (configuration) => new OidcIssuer(configuration, () => 0),
    nowMs: () => 7000,
  });
  const write = async (next: string): Promise<readonly string[]> => {
    const lines: string[] = [];
    writeFileSync(path, next);
    await file.check((line) => lines.push(line));
    return lines;
  };
  return { file, write, path };
}

test('issuers that the file names no more are believed no more', async () => {
  const { file, write } = opened('a', head + issuer);
  expect(file.issuers.map(({ url }) => url)).toEqual(['https://127.0.0.1:1']);
  expect(await write(head + issuer)).toEqual([]);
  expect(await write(`${head}jwt: []\n`)).toEqual(['reloaded authentication config']);
  expect(file.issuers).toEqual([]);
  expect(file.metrics()).toContain('apiserver_authentication_config_controller_automatic_reloads_total{apiserver_id_hash="",status="success"} 1\n');
  expect(file.metrics()).toContain(
    'apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds{apiserver_id_hash="",status="success"} 7\n',
  );
});

test.each([
  ['no document', ': :', /^failed to load authentication config: /],
  ['another kind', `${head.replace('AuthenticationConfiguration', 'Pod')}`, /^failed to load authentication config: /],
  ['an issuer without https', `${head}${issuer.replace('https:', 'http:')}`, /^failed to validate authentication config: .*URL scheme must be https/],
  [
    'another word about anonymous requests',
    `${head}anonymous: {enabled: false}\n`,
    /^failed to validate authentication config: anonymous: Forbidden: changed from initial configuration file$/,
  ],
  ['an issuer that does not answer', `${head}${issuer.replace('me', 'you')}`, /^failed to update authentication config: /],
])('%s leaves the issuers as they were', async (_what, text, told) => {
  const { file, write } = opened('b', head + issuer);
  const before = file.issuers;
  const lines = await write(text);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(told);
  expect(file.issuers).toBe(before);
  expect(file.metrics()).toContain('automatic_reloads_total{apiserver_id_hash="",status="failure"} 1\n');
});

test('a file that goes is told of, and counts on when it is back', async () => {
  const { file, write, path } = opened('c', head + issuer);
  rmSync(path);
  const lines: string[] = [];
  await file.check((line) => lines.push(line));
  expect(lines).toEqual([`failed to read authentication config file: open ${path}: no such file or directory`]);
  expect(await write(head + issuer)).toEqual([]);
  expect(file.issuers).toHaveLength(1);
});

test('tokens are asked of the issuers that there are now', () => {
  const path = join(folder, 'd');
  writeFileSync(path, head + issuer);
  const ways: Ways = readAuthentication(parseUp(['--authentication-config', path]));
  expect(ways.issuers).toHaveLength(1);
  expect(ways.metrics?.()).toMatch(/last_config_info\{apiserver_id_hash="",hash="sha256:[0-9a-f]{64}"\} 1/);
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = `${part({ alg: 'RS256' })}.${part({ iss: 'https://127.0.0.1:1', aud: 'me', sub: 'jane' })}.c2ln`;
  const asked: string[] = [];
  const tell = (from: Ways): readonly unknown[] =>
    createClusterTokens(loadKeys(), 'one', from)
      .authenticators(() => expect.unreachable())
      .map((known) =>
        known(token, undefined, ({ to }) => {
          asked.push(to);
          return { outcome: 'answered', body: {} };
        }),
      );
  expect(tell(ways)).toContainEqual({ error: 'oidc: authenticator not initialized' });
  expect(asked).toEqual(['oidc/https://127.0.0.1:1']);
  expect(tell({ anonymous: ways.anonymous, bootstrapTokens: false, issuers: [] })).not.toContainEqual(
    expect.objectContaining({ error: expect.any(String) }),
  );
});

test('a file of passwords is for releases before 1.19', () => {
  const file = join(folder, 'passwords.csv');
  writeFileSync(file, 'secret,jane,1\n');
  const { passwords } = readAuthentication(parseUp(['--emulate', '1.13', '--basic-auth-file', file]));
  expect(passwords?.(`Basic ${Buffer.from('jane:secret').toString('base64')}`)).toMatchObject({ identity: { name: 'jane', uid: '1' } });
  expect(() => readAuthentication(parseUp(['--basic-auth-file', file]))).toThrow('--basic-auth-file is not for release 1.36');
  writeFileSync(file, 'secret,jane\n');
  expect(() => readAuthentication(parseUp(['--emulate', '1.13', '--basic-auth-file', file]))).toThrow(
    `password file '${file}' must have at least 3 columns (password, user name, user uid), found 2`,
  );
});

test('a file of tokens that is none is refused as the Go of the release refuses it', () => {
  const file = join(folder, 'tokens.csv');
  writeFileSync(file, 'a,b,c\nd, "e",f\n');
  const open = (...args: readonly string[]): unknown => readAuthentication(parseUp([...args, '--token-auth-file', file]));
  expect(() => open()).toThrow('parse error on line 2, column 4: bare " in non-quoted-field');
  expect(() => open('--emulate', '1.13')).toThrow('parse error on line 2, column 3: bare " in non-quoted-field');
});
