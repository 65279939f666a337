/** Whole clusters in process for tests: `await aCluster({ seed: 1, nodes: 3 })`. */
import { createHmac, hash } from 'node:crypto';
import { type Crash, LoopFailure } from '../../engine/base/task-loop.ts';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import type { HttpResponse } from '../../engine/apiserver/http-types.ts';
import { Cluster } from '../../engine/cluster/cluster.ts';
import type { ClusterHost } from '../../engine/cluster/cluster-host.ts';
import { type ClusterConfig, defaultConfig, documentedStartMs } from '../../engine/cluster/config.ts';
import { createAuthority } from '../../engine/serving/certificates.ts';
import { createCertificateReader } from '../../engine/serving/certificate-signer.ts';
import { adminIdentity } from '../../engine/cluster/identities.ts';
import type { Door } from '../../engine/cluster/door.ts';
import type { RecordedInput } from '../../engine/cluster/inputs.ts';

export interface Answer<T> {
  readonly status: number;
  /** The object asked for, or the Status that says why not. */
  readonly object: T & { readonly message?: string; readonly reason?: string };
}

/** A line of a watch as a client reads it. */
export interface WatchedEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: KubeObject;
}

export interface TestCluster {
  readonly cluster: Cluster;
  readonly door: Door;
  readonly inputs: readonly RecordedInput[];
  /** Makes a request as the admin; throws with the Status' message for a failure. */
  call<T = KubeObject>(method: string, path: string, body?: unknown, contentType?: string): T;
  /** Makes a request as the admin and tells what was answered, good or bad. */
  ask<T = KubeObject>(method: string, path: string, body?: unknown, contentType?: string): Answer<T>;
  /** Opens a watch as the admin; what it returns ends it. Throws when the answer is no stream. */
  watch(path: string, onEvent: (event: WatchedEvent) => void): () => void;
  advance(ms: number): Promise<void>;
  /** Runs task by task until nothing is in flight. */
  quiet(): Promise<void>;
}

/** Of all clusters of a run of tests. */
const authority = createAuthority('test');

export function testHost(): ClusterHost {
  return {
    hop: () => new Promise((resolve) => setImmediate(resolve)),
    dry: () => new Promise((resolve) => process.nextTick(resolve)),
    wallMs: () => performance.now(),
    hash: (text) => hash('sha256', text, 'hex'),
    rootCaPem: '-----BEGIN CERTIFICATE-----\ntest\n-----END CERTIFICATE-----\n',
    certificates: createCertificateReader(authority),
    hmac: (key, text) => createHmac('sha256', key).update(text).digest('base64url'),
    signSecretToken: ({ namespace, secret }) => `token.of.${namespace}-${secret}`,
    onCrash: stopAtCrash,
  };
}

/** A crash is a defect in every test that does not make one itself: it stops the loop, and the test with it. */
function stopAtCrash({ component, key, error }: Crash): never {
  throw new LoopFailure(`${component} crashed at ${key}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}

export function testConfig(config: Partial<ClusterConfig> = {}): ClusterConfig {
  return { ...defaultConfig, startMs: documentedStartMs, ...config };
}

export async function aCluster(config: Partial<ClusterConfig> = {}, host: Partial<ClusterHost> = {}): Promise<TestCluster> {
  const made = madeCluster(config, host);
  await made.cluster.start();
  return made;
}

/** Constructed and not started: for restores and replays. */
export function madeCluster(config: Partial<ClusterConfig> = {}, host: Partial<ClusterHost> = {}): TestCluster {
  const cluster = new Cluster(testConfig(config), { ...testHost(), ...host });
  const inputs: RecordedInput[] = [];
  const { door } = cluster;
  door.listen({ onInput: (input) => void inputs.push(input) });
  return {
    cluster,
    door,
    inputs,
    call: <T>(method: string, path: string, body?: unknown, contentType = json) => callDoor<T>(door, method, path, body, contentType),
    ask: <T>(method: string, path: string, body?: unknown, contentType = json) => ask<T>(door, method, path, body, contentType),
    watch: (path, onEvent) => watch(door, path, onEvent),
    advance: async (ms) => void (await cluster.loop.run(cluster.loop.nowMs() + ms)),
    quiet: async () => {
      while (!cluster.loop.quiet) await cluster.loop.run(Number.POSITIVE_INFINITY, cluster.loop.tasksRun + 1);
    },
  };
}

const json = 'application/json';

function send(door: Door, method: string, path: string, body: unknown, contentType: string): HttpResponse {
  const [route = '', query = ''] = path.split('?', 2);
  const bytes = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body));
  // As client-go asks.
  const headers = { accept: 'application/json, */*', 'content-type': contentType, 'user-agent': 'test' };
  return door.serveAtOnce({ method, path: route, query, headers, body: bytes, identity: adminIdentity });
}

/** Makes a request as the admin, whatever comes of it. */
export function ask<T>(door: Door, method: string, path: string, body: unknown, contentType = json): Answer<T> {
  const response = send(door, method, path, body, contentType);
  if (!('body' in response)) throw new Error(`${method} ${path} answered a stream`);
  const chunks = typeof response.body === 'string' || response.body instanceof Uint8Array ? [response.body] : [...response.body];
  const text = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk))).join('');
  // What recovers from a panic answers plain text, as upstream's does.
  const object: unknown = text.startsWith('{') ? JSON.parse(text) : { message: text };
  return { status: response.status, object: object as Answer<T>['object'] };
}

/** Makes a request as the admin; throws with the Status' message for a failure. */
export function callDoor<T>(door: Door, method: string, path: string, body: unknown, contentType: string): T {
  const { status, object } = ask<T>(door, method, path, body, contentType);
  if (status >= 400) throw new Error(`${method} ${path}: ${object.message}`);
  return object;
}

function watch(door: Door, path: string, onEvent: (event: WatchedEvent) => void): () => void {
  const response = send(door, 'GET', path, undefined, json);
  if (!('open' in response)) throw new Error(`GET ${path} answered no stream`);
  let rest = '';
  const decoder = new TextDecoder();
  return response.open({
    write: (written) => {
      const chunk = typeof written === 'function' ? written() : written;
      const lines = (rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onEvent(JSON.parse(line) as WatchedEvent);
    },
    end: () => {},
  });
}

export function aDeployment(name: string, replicas: number, image = 'nginx:1.27'): object {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image, resources: { requests: { cpu: '10m', memory: '16Mi' } } }] } },
    },
  };
}
