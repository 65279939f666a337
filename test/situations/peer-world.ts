/**
 * The real API server and controller manager to play in, over HTTPS. Many situations are played in it side by side; one watch for each
 * resource tells all of them what there is.
 */
import { Agent, request } from 'node:https';
import { readPeerKubeconfig, trustOf } from '../support/peer-kubeconfig.ts';
import type { Dialect } from './dialect.ts';
import { isClusterWide, resourceOf } from './resources.ts';
import { PeerMetrics } from './peer-metrics.ts';
import { situationNamespace } from './stage.ts';
import { PlayedUsage } from './usage.ts';
import { beat, heartbeatMs, makePlayedNode, playedNode, type Answered, type Thing, type World } from './world.ts';

const quietMs = 3000;
const lagWindowMs = 8000;

interface WatchLine {
  readonly type: string;
  readonly object: Thing;
}

export class PeerWorld implements World {
  readonly dialect: Dialect;
  readonly usage = new PlayedUsage();
  readonly #metrics = new PeerMetrics(this);
  readonly #server: string;
  readonly #token: string;
  readonly #commitMs: number;
  readonly #agent: Agent;
  /** Resource → `namespace/name` → object. */
  readonly #things = new Map<string, Map<string, Thing>>();
  readonly #changes = new Map<string, number>();
  /** Revisions at which things went, by `resource/namespace/name`. */
  readonly #gone = new Map<string, number>();
  /** How late the Events of the last seconds were. */
  readonly #lags: { readonly atMs: number; readonly lagMs: number }[] = [];
  #beat: NodeJS.Timeout | undefined;

  /** From a kubeconfig with one cluster and a token. A write takes as long as `commitMs` says, where the server's own take no time. */
  constructor(kubeconfig: string, dialect: Dialect, commitMs = 0) {
    this.dialect = dialect;
    this.#commitMs = commitMs;
    const reached = readPeerKubeconfig(kubeconfig);
    this.#server = reached.server;
    this.#token = reached.token;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 64, ...trustOf(reached) });
  }

  async start(): Promise<void> {
    for (const resource of [...this.dialect.namespacedResources, ...this.dialect.clusterResources]) await this.#follow(resource);
    await makePlayedNode(this);
    if (this.dialect.hasMetrics) await this.#metrics.start();
    this.#beat = setInterval(() => void beat(this, playedNode), heartbeatMs);
  }

  close(): void {
    clearInterval(this.#beat);
    this.#metrics.close();
    this.#agent.destroy();
  }

  async ask(method: string, path: string, body?: unknown, contentType = 'application/json'): Promise<Answered> {
    const { status, text } = await this.#send(method, path, body === undefined ? '' : JSON.stringify(body), contentType);
    const object: unknown = text.startsWith('{') ? JSON.parse(text) : { metadata: {}, message: text };
    const answered = { status, object: object as Answered['object'] };
    if (method !== 'GET' && this.#commitMs > 0) await this.sleep(this.#commitMs);
    // A step sees what the steps before it did, as a client that reads would.
    const { kind, metadata } = answered.object;
    if (method !== 'GET' && method !== 'DELETE' && status < 300 && kind !== undefined && metadata['resourceVersion'] !== undefined)
      this.#put(resourceOf(kind), answered.object);
    return answered;
  }

  list(resource: string, namespace: string): readonly Thing[] {
    const all = [...(this.#things.get(resource)?.values() ?? [])];
    return isClusterWide(resource) ? all : all.filter(({ metadata }) => metadata.namespace === namespace);
  }

  changes(namespace: string): number {
    return this.#changes.get(namespace) ?? 0;
  }

  restMs(): number {
    const lately = this.#lags.filter(({ atMs }) => atMs > this.nowMs() - lagWindowMs);
    this.#lags.splice(0, this.#lags.length, ...lately);
    return quietMs + 2 * Math.max(0, ...lately.map(({ lagMs }) => lagMs));
  }

  nowMs(): number {
    return Date.now();
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  async #follow(resource: string): Promise<void> {
    const path = this.dialect.path(resource, '');
    const { status, object } = await this.ask('GET', path);
    if (status !== 200) throw new Error(`GET ${path}: ${object.message}`);
    const { items, metadata } = object as unknown as { readonly items: readonly Thing[]; readonly metadata: { readonly resourceVersion: string } };
    const things = new Map(items.map((thing) => [keyOf(thing), thing]));
    this.#things.set(resource, things);
    const { ca, rejectUnauthorized } = this.#agent.options;
    const options = { method: 'GET', ca, rejectUnauthorized, headers: { authorization: `Bearer ${this.#token}` }, agent: false as const };
    const watching = request(`${this.#server}${path}?watch=1&timeoutSeconds=3600&resourceVersion=${metadata.resourceVersion}`, options, (answer) => {
      let rest = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) this.#take(resource, JSON.parse(line) as WatchLine);
      });
      answer.on('error', () => {});
    });
    watching.on('error', () => {});
    watching.on('socket', (socket) => socket.unref());
    watching.end();
  }

  #put(resource: string, thing: Thing): void {
    const things = this.#things.get(resource);
    const key = keyOf(thing);
    const before = things?.get(key);
    const lastRevision = Math.max(before === undefined ? 0 : revisionOf(before), this.#gone.get(`${resource}/${key}`) ?? 0);
    if (revisionOf(thing) > lastRevision) things?.set(key, thing);
  }

  /** How late an Event is, beyond the second that its time is cut to. */
  #noteLag(event: Thing): void {
    const toldMs = Date.parse(String(event['firstTimestamp']));
    const nowMs = this.nowMs();
    if (Number.isFinite(toldMs)) this.#lags.push({ atMs: nowMs, lagMs: Math.max(0, nowMs - toldMs - 1000) });
  }

  #take(resource: string, { type, object }: WatchLine): void {
    if (type === 'ERROR') throw new Error(`a watch of the peer ended: ${JSON.stringify(object)}`);
    if (type === 'DELETED') {
      this.#things.get(resource)?.delete(keyOf(object));
      this.#gone.set(`${resource}/${keyOf(object)}`, revisionOf(object));
    } else this.#put(resource, object);
    if (resource === 'events' && type === 'ADDED') this.#noteLag(object);
    const { namespace, name } = object.metadata;
    const about = namespace === 'default' ? ((object['involvedObject'] as { readonly name?: string } | undefined)?.name ?? '') : name;
    // What has no namespace is named after the situation's.
    const owner = namespace === undefined || namespace === 'default' ? (situationNamespace.exec(about)?.[0] ?? '') : namespace;
    this.#changes.set(owner, (this.#changes.get(owner) ?? 0) + 1);
  }

  #send(method: string, path: string, body: string, contentType: string): Promise<{ readonly status: number; readonly text: string }> {
    const headers = {
      authorization: `Bearer ${this.#token}`,
      accept: 'application/json',
      'content-type': contentType,
      'content-length': Buffer.byteLength(body),
    };
    return new Promise((resolve, reject) => {
      const sent = request(`${this.#server}${path}`, { method, headers, agent: this.#agent }, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => (text += chunk));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
        answer.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

function revisionOf({ metadata }: Thing): number {
  return Number(metadata['resourceVersion']);
}

function keyOf({ metadata: { namespace = '', name } }: Thing): string {
  return `${namespace}/${name}`;
}
