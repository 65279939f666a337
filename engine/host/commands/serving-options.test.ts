/** `up` with certificates of one's own: what it shows, whom it believes, what its own commands and kubeconfig see. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAuthority, issueCertificate, type KeyPair } from '../../serving/certificates.ts';
import { callCluster } from '../local-client.ts';
import { parseUp } from './program.ts';
import { startUp, type StartedCluster } from './up.ts';

const folder = mkdtempSync(join(tmpdir(), 'wavetank-serving-'));
const home = process.env['WAVETANK_HOME'];
const theirs = createAuthority('their-ca');
const names = ['localhost', '127.0.0.1'];
const shown = issueCertificate(theirs, { commonName: 'their-apiserver', names, usage: 'server', days: 10 });
const special = issueCertificate(theirs, { commonName: 'special', names: ['special.example.org'], usage: 'server', days: 10 });
const client = issueCertificate(theirs, { commonName: 'jane', organizations: ['dev', 'ops'], usage: 'client', days: 10 });

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

function up(...options: readonly string[]): Promise<StartedCluster> {
  const kubeconfig = join(folder, 'kubeconfig');
  rmSync(kubeconfig, { force: true });
  const base = ['--name', 'own-certificates', '--nodes', '0', '--port', '0', '--no-ui', '--no-warm-up', '--kubeconfig', kubeconfig];
  return startUp(parseUp([...base, ...options]), { log: () => undefined });
}

async function close(cluster: StartedCluster): Promise<void> {
  cluster.stop();
  await cluster.stopped;
}

interface Given {
  readonly pair?: KeyPair;
  /** Posted. */
  readonly body?: object;
}

function ask(
  server: string,
  path: string,
  ca: string,
  { pair, body }: Given = {},
): Promise<{ readonly code: number | undefined; readonly text: string }> {
  const method = body === undefined ? 'GET' : 'POST';
  const certificate = pair === undefined ? {} : { cert: pair.certificatePem, key: pair.keyPem };
  return new Promise((resolve, reject) => {
    const call = request(new URL(path, server), { method, ca, headers: { 'content-type': 'application/json' }, ...certificate }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => resolve({ code: response.statusCode, text }));
    });
    call.on('error', reject);
    call.end(body && JSON.stringify(body));
  });
}

function nameShown(server: string, servername?: string): Promise<string> {
  const { port } = new URL(server);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false, ...(servername && { servername }) }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

beforeAll(() => {
  process.env['WAVETANK_HOME'] = join(folder, 'home');
});
afterAll(() => {
  if (home === undefined) delete process.env['WAVETANK_HOME'];
  else process.env['WAVETANK_HOME'] = home;
  rmSync(folder, { recursive: true });
});

const tls = (): readonly string[] => ['--tls-cert-file', file('a.crt', shown.certificatePem), '--tls-private-key-file', file('a.key', shown.keyPem)];

describe('certificates of files', () => {
  test('are shown to all but the commands of this machine; the kubeconfig trusts them', async () => {
    const cluster = await up(...tls(), '--tls-sni-cert-key', `${file('s.crt', special.certificatePem)},${file('s.key', special.keyPem)}`);
    try {
      const { server } = cluster.record;
      expect(await nameShown(server)).toBe('their-apiserver');
      expect(await nameShown(server, 'special.example.org')).toBe('special');
      expect((await ask(server, '/version', theirs.certificatePem)).code).toBe(200);
      expect(await callCluster(cluster.record, 'GET', '/api/v1/namespaces/default')).toMatchObject({ kind: 'Namespace' });
      const [, data = ''] = /certificate-authority-data: (\S+)/.exec(readFileSync(cluster.record.kubeconfig, 'utf8')) ?? [];
      expect(Buffer.from(data, 'base64').toString()).toContain(shown.certificatePem);
    } finally {
      await close(cluster);
    }
  });

  test('may lie in a folder; where none lies there, this machine’s are shown', async () => {
    for (const [name, said] of [
      ['apiserver', 'their-apiserver'],
      ['other', 'kube-apiserver'],
    ] as const) {
      const inside = mkdtempSync(join(folder, 'certs-'));
      writeFileSync(join(inside, `${name}.crt`), shown.certificatePem);
      writeFileSync(join(inside, `${name}.key`), shown.keyPem);
      const cluster = await up('--cert-dir', inside);
      try {
        expect(await nameShown(cluster.record.server)).toBe(said);
      } finally {
        await close(cluster);
      }
    }
  });

  test('that cannot be used are told of before anything starts', async () => {
    const crt = file('a.crt', shown.certificatePem);
    await expect(up('--tls-cert-file', crt)).rejects.toThrow('missing filename for serving cert');
    await expect(up('--tls-cert-file', crt, '--tls-private-key-file', file('b.key', client.keyPem))).rejects.toThrow(
      'tls: private key does not match public key',
    );
    await expect(up('--tls-cert-file', '/nope', '--tls-private-key-file', '/nope')).rejects.toThrow('open /nope: no such file or directory');
    await expect(up('--client-ca-file', '/nope')).rejects.toThrow('unable to load client CA provider: open /nope: no such file or directory');
    await expect(up('--client-ca-file', file('empty.pem', 'nothing'))).rejects.toThrow('data does not contain any valid RSA or ECDSA certificates');
  });
});

describe('authorities of clients', () => {
  const review = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const whoami = async (cluster: StartedCluster, pair: KeyPair): Promise<unknown> => {
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const { text } = await ask(cluster.record.server, review, theirs.certificatePem, { pair, body });
    const answer = JSON.parse(text) as { readonly status?: { readonly userInfo?: unknown } };
    return answer.status?.userInfo ?? answer;
  };

  test('name their holders and groups, and other authorities nobody', async () => {
    const ca = file('ca.pem', theirs.certificatePem);
    const cluster = await up(...tls(), '--client-ca-file', ca);
    try {
      expect(await whoami(cluster, client)).toMatchObject({ username: 'jane', groups: ['dev', 'ops', 'system:authenticated'] });
      const stranger = issueCertificate(createAuthority('stranger'), {
        commonName: 'admin',
        organizations: ['system:masters'],
        usage: 'client',
        days: 1,
      });
      expect(await whoami(cluster, stranger)).toMatchObject({ code: 401 });
      const config = await callCluster<{ data: Record<string, string> }>(
        cluster.record,
        'GET',
        '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication',
      );
      expect(config.data['client-ca-file']).toContain(theirs.certificatePem);
    } finally {
      await close(cluster);
    }
  });

  test('of proxies alone name nobody without headers; those of both do', async () => {
    const ca = file('ca.pem', theirs.certificatePem);
    const proxies = ['--requestheader-client-ca-file', ca, '--requestheader-username-headers', 'X-Remote-User'];
    for (const [more, expected] of [
      [[], { code: 401 }],
      [['--client-ca-file', ca], { username: 'jane' }],
    ] as const) {
      const cluster = await up(...tls(), ...proxies, ...more);
      try {
        expect(await whoami(cluster, client)).toMatchObject(expected);
      } finally {
        await close(cluster);
      }
    }
  });
});
