import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createAuthority, issueCertificate, type KeyPair } from '../../serving/certificates.ts';
import { type Engine, startEngine } from '../engine.ts';
import { loadKeys } from '../home.ts';
import { kubeconfigText } from '../kubeconfig.ts';
import { controllerManagerFlags } from './controller-manager-flags.ts';
import { parseFlags } from './flag-set.ts';
import { HealthTally } from '../../apiserver/health-tally.ts';
import { openLog } from './log.ts';
import { openPorts, type Ports } from './ports.ts';
import { type DaemonState, type HealthCheck } from './routes.ts';

const folder = mkdtempSync(join(tmpdir(), 'wavetank-ports-'));
const kubeconfig = join(folder, 'config');
let engine: Engine;
let adminToken: string;
let ports: Ports;
let nowMs = Date.now();
let checks: HealthCheck[] = [];
let logged = '';

const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

beforeAll(async () => {
  const keys = loadKeys(folder);
  adminToken = keys.adminToken;
  const config = { name: 'ports', seed: 1, startMs: Date.now(), nodes: 0, zones: 1, options: {} };
  const onFailure = (error: Error): never => {
    throw error;
  };
  engine = await startEngine({ config, keys, speed: 1, ports: [0], onFailure });
  writeFileSync(kubeconfig, kubeconfigText('ports', engine.endpoint.server, keys));
}, 30_000);
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});
afterEach(async () => {
  await ports.close();
  nowMs = Date.now();
  checks = [];
  logged = '';
});

/** Ports that are free now: two of them are asked of the system. */
async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

const asking = ['--authentication-kubeconfig', kubeconfig, '--authorization-kubeconfig', kubeconfig];

async function open(...args: string[]): Promise<Ports> {
  const given = ['--bind-address=127.0.0.1', '--address=127.0.0.1', `--secure-port=${await freePort()}`, '--port=0', ...args];
  const flags = parseFlags('kube-controller-manager', controllerManagerFlags(), given);
  const log = openLog('kube-controller-manager', flags, { stderr: (text) => (logged += text), nowMs: () => nowMs, pid: 1 });
  const state: DaemonState = {
    daemon: 'kube-controller-manager',
    flags,
    log,
    release: () => 'v1.36.3',
    startedMs: nowMs,
    nowMs: () => nowMs,
    checks: (path) => (path === '/healthz' ? checks : undefined),
    tally: new HealthTally(),
    metrics: () => [],
    resources: () => undefined,
    configz: () => '{}',
    healthPaths: [],
  };
  ports = await openPorts(state);
  return ports;
}

interface Answer {
  readonly code: number;
  readonly text: string;
}

interface Asked {
  readonly token?: string;
  readonly pair?: KeyPair;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly body?: string;
  readonly minVersion?: 'TLSv1.2';
  readonly maxVersion?: 'TLSv1.2';
}

function ask(path: string, { token, pair, headers = {}, method = 'GET', body = '', ...tls }: Asked = {}): Promise<Answer> {
  const credentials = pair === undefined ? {} : { cert: pair.certificatePem, key: pair.keyPem };
  const all = { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  const options = {
    host: '127.0.0.1',
    port: ports.secure,
    path,
    method,
    headers: all,
    rejectUnauthorized: false,
    agent: false,
    ...credentials,
    ...tls,
  } as const;
  return new Promise((resolve, reject) => {
    const call = request(options, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => resolve({ code: response.statusCode ?? 0, text }));
    });
    call.on('error', reject).end(body);
  });
}

describe('who is let in at the secure port', () => {
  test('everybody to what is always allowed, nobody unknown to the rest, in the words of upstream', async () => {
    await open(...asking);
    expect(await ask('/healthz')).toEqual({ code: 200, text: 'ok' });
    const { code, text } = await ask('/metrics');
    expect([code, (JSON.parse(text) as { message: string }).message]).toEqual([403, 'forbidden: User "system:anonymous" cannot get path "/metrics"']);
    expect((await ask('/metrics', { token: 'nobody' })).code).toBe(401);
    expect((await ask('/metrics', { token: adminToken })).code).toBe(200);
    expect((await ask('/nothing', { token: adminToken })).text).toBe('404 page not found\n');
  });

  test('without kubeconfigs tokens are anonymous, and only what is always allowed is open', async () => {
    await open();
    expect((await ask('/healthz', { token: adminToken })).code).toBe(200);
    expect((await ask('/metrics', { token: adminToken })).text).toContain('system:anonymous');
  });

  test('--authorization-always-allow-paths opens paths, with * what they begin with', async () => {
    await open('--authorization-always-allow-paths=/metrics,/debug/*');
    expect((await ask('/metrics')).code).toBe(200);
    expect((await ask('/debug/pprof/cmdline')).code).toBe(200);
    expect((await ask('/healthz')).code).toBe(403);
  });

  test('the cluster says whose certificates it believes; --authentication-skip-lookup does not ask it', async () => {
    const { authority } = loadKeys(folder);
    const pair = issueCertificate(authority, { commonName: 'root', organizations: ['system:masters'], usage: 'client', days: 1 });
    await open(...asking);
    expect((await ask('/metrics', { pair })).code).toBe(200);
    await ports.close();
    await open(...asking, '--authentication-skip-lookup');
    expect((await ask('/metrics', { pair })).text).toContain('system:anonymous');
  });

  test('--client-ca-file: a certificate that it signed names its holder, one of another authority nobody', async () => {
    const own = createAuthority('own');
    const pair = issueCertificate(own, { commonName: 'jane', organizations: ['system:masters'], usage: 'client', days: 1 });
    const foreign = issueCertificate(createAuthority('foreign'), { commonName: 'jane', organizations: ['system:masters'], usage: 'client', days: 1 });
    await open('--client-ca-file', file('own.pem', own.certificatePem));
    expect((await ask('/metrics', { pair })).code).toBe(200);
    expect((await ask('/metrics', { pair: foreign })).code).toBe(401);
  });

  test('--requestheader-…: a proxy of the right name speaks for others, with the headers that were said; nobody else does', async () => {
    const own = createAuthority('proxies');
    const proxy = issueCertificate(own, { commonName: 'front', usage: 'client', days: 1 });
    const other = issueCertificate(own, { commonName: 'back', usage: 'client', days: 1 });
    await open(
      '--requestheader-client-ca-file',
      file('proxies.pem', own.certificatePem),
      '--requestheader-allowed-names=front',
      '--requestheader-username-headers=x-user',
      '--requestheader-group-headers=x-group',
    );
    const headers = { 'x-user': 'jane', 'x-group': 'system:masters' };
    expect((await ask('/metrics', { pair: proxy, headers })).code).toBe(200);
    expect((await ask('/metrics', { pair: proxy, headers: { 'x-remote-user': 'jane', 'x-remote-group': 'system:masters' } })).code).toBe(403);
    expect((await ask('/metrics', { pair: other, headers })).text).toContain('system:anonymous');
    expect((await ask('/metrics', { headers })).text).toContain('system:anonymous');
  });

  test('answers about tokens and access are kept as long as the flags say', async () => {
    await open(...asking, '--authentication-token-webhook-cache-ttl=20s', '--authorization-webhook-cache-unauthorized-ttl=20s');
    const reviews = (): number => engine.branch.cluster.store.currentRevision();
    expect((await ask('/metrics')).code).toBe(403);
    const before = reviews();
    nowMs += 19_000;
    expect((await ask('/metrics')).code).toBe(403);
    expect(reviews()).toBe(before);
  });

  test('--authorization-webhook-cache-authorized-ttl is how long a permission is kept', async () => {
    await open(...asking, '--authorization-webhook-cache-authorized-ttl=30s');
    const lent = { token: adminToken };
    expect((await ask('/metrics', lent)).code).toBe(200);
    nowMs += 29_000;
    expect((await ask('/metrics', lent)).code).toBe(200);
  });

  test('--profiling=false takes the profiles away; with it they are profiles', async () => {
    await open(...asking);
    expect((await ask('/debug/pprof/', { token: adminToken })).text).toContain('heap');
    const { text } = await ask('/debug/pprof/profile?seconds=0.05', { token: adminToken });
    expect(JSON.parse(text)).toHaveProperty('nodes');
    expect((await ask('/debug/pprof/profile?seconds=-1', { token: adminToken })).code).toBe(400);
    await ports.close();
    await open(...asking, '--profiling=false');
    expect((await ask('/debug/pprof/', { token: adminToken })).code).toBe(404);
  });
});

describe('what is answered', () => {
  test('health fails with the check that fails, whose reason stays inside', async () => {
    await open(...asking);
    checks = [
      { name: 'leaderElection', problem: () => 'a secret reason' },
      { name: 'other', problem: () => undefined },
    ];
    expect(await ask('/healthz')).toEqual({ code: 500, text: '[-]leaderElection failed: reason withheld\n[+]other ok\nhealthz check failed\n' });
    expect((await ask('/metrics/slis', { token: adminToken })).text).toContain('kubernetes_healthcheck{name="leaderElection",type="healthz"} 0\n');
    checks = [{ name: 'leaderElection', problem: () => undefined }];
    expect((await ask('/healthz?verbose')).text).toBe('[+]leaderElection ok\nhealthz check passed\n');
  });

  test('the verbosity of the log can be set, and nothing else be said there', async () => {
    await open(...asking);
    const token = adminToken;
    expect(await ask('/debug/flags/v', { token })).toEqual({ code: 406, text: 'unsupported http method' });
    expect((await ask('/debug/flags/v', { token, method: 'PUT', body: 'x' })).code).toBe(400);
    expect((await ask('/debug/flags/v', { token, method: 'PUT', body: '4' })).text).toBe('successfully set klog.logging.verbosity to 4');
  });

  test('/flagz tells the flags in force', async () => {
    await open(...asking, '--kube-api-qps=7');
    expect((await ask('/flagz', { token: adminToken })).text).toContain('kube-api-qps: 7\n');
  });

  test('--port answers over HTTP whoever asks; 0 is no port', async () => {
    const port = await freePort();
    await open(`--port=${port}`, '--secure-port=0');
    expect(ports).toMatchObject({ secure: undefined, insecure: port });
    const code = await new Promise(
      (resolve) => void plainRequest({ port, path: '/metrics' }, (response) => resolve(response.resume().statusCode)).end(),
    );
    expect(code).toBe(200);
  });
});

describe('what the secure port shows', () => {
  const shown = (servername?: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(
        { port: ports.secure ?? 0, host: '127.0.0.1', rejectUnauthorized: false, ...(servername === undefined ? {} : { servername }) },
        () => {
          resolve(String(socket.getPeerCertificate().subject.CN));
          socket.end();
        },
      );
      socket.on('error', reject);
    });
  const pairFiles = (name: string, names: readonly string[]): string => {
    const { certificatePem, keyPem } = issueCertificate(createAuthority('a'), { commonName: name, names, usage: 'server', days: 1 });
    return `${file(`${name}.crt`, certificatePem)},${file(`${name}.key`, keyPem)}`;
  };

  test('--http2-max-streams-per-connection is how many requests a connection may have', async () => {
    await open('--http2-max-streams-per-connection=7');
    const session = connectHttp2(`https://127.0.0.1:${ports.secure}`, { rejectUnauthorized: false });
    const settings = await new Promise<{ maxConcurrentStreams?: number }>((resolve) => void session.on('remoteSettings', resolve));
    expect(settings.maxConcurrentStreams).toBe(7);
    session.destroy();
  });

  test('--disable-http2-serving leaves clients HTTP/1.1 alone', async () => {
    const chosen = async (...args: readonly string[]): Promise<string | false | null> => {
      await open(...args);
      const socket = connect({ host: '127.0.0.1', port: ports.secure ?? 0, rejectUnauthorized: false, ALPNProtocols: ['h2', 'http/1.1'] });
      await new Promise((resolve, reject) => void socket.on('secureConnect', resolve).on('error', reject));
      const { alpnProtocol } = socket;
      socket.destroy();
      await ports.close();
      return alpnProtocol;
    };
    expect(await chosen()).toBe('h2');
    expect(await chosen('--disable-http2-serving')).toBe('http/1.1');
  });

  test('a pair of its own, kept in --cert-dir for the next start', async () => {
    const certs = join(folder, 'certs');
    await open(`--cert-dir=${certs}`);
    const first = await shown();
    expect(first).toMatch(/^localhost@\d+$/);
    const text = execFileSync('cat', [join(certs, 'kube-controller-manager.crt')], { encoding: 'utf8' });
    await ports.close();
    await open(`--cert-dir=${certs}`);
    expect(await shown()).toBe(first);
    expect(execFileSync('cat', [join(certs, 'kube-controller-manager.crt')], { encoding: 'utf8' })).toBe(text);
  });

  test('--tls-cert-file and its key, and by name those of --tls-sni-cert-key: what was said over what was read, names over *', async () => {
    const [cert = '', key = ''] = pairFiles('main', ['main.example']).split(',');
    await open(
      `--tls-cert-file=${cert}`,
      `--tls-private-key-file=${key}`,
      `--tls-sni-cert-key=${pairFiles('read', ['one.example', '*.wild.example'])}`,
      `--tls-sni-cert-key=${pairFiles('said', ['unused.example'])}:*.example,a.wild.example`,
    );
    expect(await shown('elsewhere.org')).toBe('main');
    expect(await shown('one.example')).toBe('read');
    expect(await shown('two.example')).toBe('said');
    expect(await shown('b.wild.example')).toBe('read');
    expect(await shown('A.wild.example')).toBe('said');
  });

  test('--tls-min-version and --tls-cipher-suites refuse clients that cannot', async () => {
    await open('--tls-min-version=VersionTLS13');
    await expect(ask('/healthz', { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' })).rejects.toThrow();
    expect((await ask('/healthz')).code).toBe(200);
    await ports.close();
    await open('--tls-cipher-suites=TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256');
    await expect(ask('/healthz', { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' })).rejects.toThrow();
  });

  // Read from kube-controller-manager 1.36.3.
  test.each([
    [['--tls-min-version=VersionTLS9'], 'unknown tls version "VersionTLS9"'],
    [['--tls-cipher-suites=X'], "Cipher suite X not supported or doesn't exist"],
    [['--tls-cert-file=/nope', '--tls-private-key-file=/nope'], 'open /nope: no such file or directory'],
    [['--tls-cert-file=/etc/hosts'], 'missing filename for serving cert'],
    [['--client-ca-file=/nope'], 'unable to load client CA provider: open /nope: no such file or directory'],
    [['--requestheader-client-ca-file=/nope'], 'unable to create request header authentication config: open /nope: no such file or directory'],
    [['--authorization-always-allow-paths=/a*b'], 'only trailing * allowed in "a*b"'],
    [['--secure-port=70000'], '--secure-port 70000 must be between 0 and 65535, inclusive. 0 for turning off secure (HTTPS) port'],
    [['--bind-address=203.0.113.7'], 'listen tcp 203.0.113.7:'],
    [['--bind-address=203.0.113.7'], 'bind: cannot assign requested address'],
  ])('%j is refused', async (args, words) => {
    await open();
    const before = ports;
    await expect(open(...args)).rejects.toThrow(words);
    ports = before;
  });
});

test('a lookup that fails ends the start, unless it may', async () => {
  const lost = file(
    'lost',
    `apiVersion: v1\nkind: Config\ncurrent-context: a\nclusters: [{name: a, cluster: {server: "https://127.0.0.1:1"}}]\ncontexts: [{name: a, context: {cluster: a, user: a}}]\nusers: [{name: a, user: {token: x}}]\n`,
  );
  await expect(open('--authentication-kubeconfig', lost)).rejects.toThrow('unable to load configmap based request-header-client-ca-file');
  await open('--authentication-kubeconfig', lost, '--authentication-tolerate-lookup-failure');
  expect(logged).toContain('authentication] unable to load configmap based');
  expect((await ask('/healthz')).code).toBe(200);
});
