/** Credentials that a kubeconfig names and that change while a daemon runs, seen by a server. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Connection } from './connection.ts';
import { FileCredentials } from './credentials.ts';
import { ExecPlugin } from './exec-plugin.ts';
import { readKubeconfig } from './kubeconfig-reader.ts';

const v1 = 'client.authentication.k8s.io/v1';
let folder: string;
let server: Server;
let address: string;
/** Tokens as they came, and which of them are refused. */
let seen: (string | undefined)[];
let refused: ReadonlySet<string>;
let connection: Connection | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wavetank-credentials-'));
  seen = [];
  refused = new Set();
  server = createServer((request, response) => {
    const token = request.headers.authorization?.replace('Bearer ', '');
    seen.push(token);
    response.writeHead(refused.has(token ?? '') ? 401 : 200).end('{}');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  connection?.close();
  connection = undefined;
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

function kubeconfig(user: object): string {
  const path = join(folder, 'config');
  const config = {
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: address } }],
    users: [{ name: 'u', user }],
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}

/** A plugin that gives `token-1`, `token-2` … and notes what it was told. */
function plugin(more: object = {}, status = ''): object {
  const script = `const fs = require('fs'); const n = fs.existsSync('${folder}/n') ? Number(fs.readFileSync('${folder}/n')) + 1 : 1;
    fs.writeFileSync('${folder}/n', String(n)); fs.writeFileSync('${folder}/info', process.env.KUBERNETES_EXEC_INFO + ' ' + process.env.EXTRA);
    console.log(JSON.stringify({ apiVersion: '${v1}', kind: 'ExecCredential', status: { token: 'token-' + n${status} } }));`;
  return {
    exec: {
      apiVersion: v1,
      command: process.execPath,
      args: ['-e', script],
      interactiveMode: 'Never',
      env: [{ name: 'EXTRA', value: 'yes' }],
      ...more,
    },
  };
}

async function call(): Promise<number> {
  connection ??= new Connection(readKubeconfig(join(folder, 'config')), 'test');
  return connection.call('GET', '/x').then(
    () => 200,
    (error: { status: { code: number } }) => error.status.code,
  );
}

describe('a plugin', () => {
  it('is run once, is told what upstream tells, and gives the token', async () => {
    kubeconfig(plugin({ provideClusterInfo: true }));
    expect([await call(), await call()]).toEqual([200, 200]);
    expect(seen).toEqual(['token-1', 'token-1']);
    const [info = '', extra] = readFileSync(join(folder, 'info'), 'utf8').split(' ');
    expect(extra).toBe('yes');
    expect(JSON.parse(info)).toEqual({
      kind: 'ExecCredential',
      apiVersion: v1,
      spec: { cluster: { server: address, config: null }, interactive: false },
    });
  });

  it('is run again when the server refuses what it gave', async () => {
    kubeconfig(plugin());
    refused = new Set(['token-1']);
    expect([await call(), await call()]).toEqual([401, 200]);
    expect(seen).toEqual(['token-1', 'token-2']);
  });

  it('is run again when the time of what it gave is over', () => {
    let nowMs = Date.UTC(2026, 0, 1);
    const config = plugin({}, ", expirationTimestamp: '2026-01-01T01:00:00Z'") as { exec: Record<string, unknown> };
    const source = new ExecPlugin(config.exec, { file: join(folder, 'config'), user: 'u', cluster: {}, nowMs: () => nowMs, env: process.env });
    expect(source.current().token).toBe('token-1');
    nowMs += 3_599_000;
    expect(source.current().token).toBe('token-1');
    nowMs += 1000;
    expect(source.current().token).toBe('token-2');
  });

  it.each<[name: string, more: object, message: string]>([
    ['that fails', { args: ['-e', 'process.exit(3)'] }, `failed with exit code 3`],
    ['that is not there', { command: 'wavetank-no-such-plugin', installHint: 'get it' }, 'exec: executable wavetank-no-such-plugin not found'],
    ['that says nothing', { args: ['-e', ''] }, 'decoding stdout'],
    [
      'of another version',
      { args: ['-e', 'console.log(JSON.stringify({apiVersion: "client.authentication.k8s.io/v1beta1"}))'] },
      `exec plugin is configured to use API version ${v1}, plugin returned version client.authentication.k8s.io/v1beta1`,
    ],
    ['without a status', { args: ['-e', `console.log(JSON.stringify({apiVersion: "${v1}"}))`] }, "exec plugin didn't return a status field"],
    [
      'without a token',
      { args: ['-e', `console.log(JSON.stringify({apiVersion: "${v1}", status: {}}))`] },
      "exec plugin didn't return a token or cert/key pair",
    ],
  ])('%s', async (_name, more, message) => {
    kubeconfig(plugin(more));
    connection = new Connection(readKubeconfig(join(folder, 'config')), 'test');
    await expect(connection.call('GET', '/x')).rejects.toThrow(message);
    expect(seen).toEqual([]);
  });

  it.each<[name: string, more: object, message: string]>([
    ['without a command', { command: '' }, 'command must be specified for u to use exec authentication plugin'],
    ['without a version', { apiVersion: '' }, 'apiVersion must be specified for u to use exec authentication plugin'],
    ['of an unknown version', { apiVersion: 'x/v1' }, 'exec plugin: invalid apiVersion "x/v1"'],
    [
      'that does not say whether it asks',
      { interactiveMode: undefined },
      'interactiveMode must be specified for u to use exec authentication plugin',
    ],
    ['that has to ask', { interactiveMode: 'Always' }, 'exec plugin cannot support interactive mode'],
  ])('%s is refused at once', (_name, more, message) => {
    const path = kubeconfig(plugin(more));
    expect(() => readKubeconfig(path)).toThrow(message);
  });
});

describe('files', () => {
  it('a token file goes before a token, and is beside the kubeconfig', async () => {
    writeFileSync(join(folder, 'token'), 'from-file\n');
    kubeconfig({ token: 'inline', tokenFile: 'token' });
    expect(await call()).toBe(200);
    expect(seen).toEqual(['from-file']);
  });

  it('what is renewed is read again within a minute, or when it was refused', () => {
    const token = join(folder, 'token');
    let nowMs = 0;
    writeFileSync(token, 'one');
    const source = new FileCredentials({ token }, {}, () => nowMs);
    const now = (): string | undefined => source.current().token;
    expect(now()).toBe('one');
    writeFileSync(token, 'two');
    expect(now()).toBe('one');
    nowMs = 60_000;
    expect(now()).toBe('two');
    writeFileSync(token, 'three');
    source.refused();
    expect(now()).toBe('three');
    rmSync(token);
    nowMs = 120_000;
    expect(now()).toBe('three');
  });

  it.each([
    ['is missing', undefined, /: failed to read token file "(.*)": open \1: no such file or directory$/],
    ['is empty', ' \n', 'read empty token from file'],
  ])('a token file that %s is told at once', (_name, text, message) => {
    if (text !== undefined) writeFileSync(join(folder, 'token'), text);
    const path = kubeconfig({ tokenFile: 'token' });
    expect(() => readKubeconfig(path)).toThrow(message);
  });

  it('a certificate that is renewed is shown by new connections', () => {
    const [cert, key] = [join(folder, 'c.crt'), join(folder, 'c.key')];
    for (const [path, text] of [
      [cert, 'old'],
      [key, 'old key'],
    ] as const)
      writeFileSync(path, text);
    const { credentials } = readKubeconfig(kubeconfig({ 'client-certificate': cert, 'client-key': key }));
    writeFileSync(cert, 'new');
    credentials?.refused();
    expect(credentials?.current()).toEqual({ cert: 'new', key: 'old key' });
  });
});
