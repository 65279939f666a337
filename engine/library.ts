/**
 * The library's door: `import { startCluster } from 'wavetank'`. A cluster in this process on its own virtual clock; time passes only
 * in `advance` and `until`. Several clusters live side by side. See docs/library.md.
 */
import { formatGroupVersion, type KubeObject } from './apimachinery/object.ts';
import type { JsonObject } from './base/json.ts';
import { type Status, StatusError } from './apimachinery/status.ts';
import { formatMicroTime, parseDuration } from './apimachinery/time.ts';
import type { HttpRequest, HttpResponse } from './apiserver/http-types.ts';
import { adminIdentity } from './cluster/identities.ts';
import { type ClusterConfig, defaultConfig, documentedStartMs, parseStart } from './cluster/config.ts';
import { unmarshalYaml } from './apimachinery/serializer/yaml.ts';
import { type Engine, startEngine } from './host/engine.ts';
import { loadKeys } from './host/home.ts';
import { kubeconfigText } from './host/kubeconfig.ts';
import { getRelease, releaseNames } from './releases/releases.ts';

export { StatusError } from './apimachinery/status.ts';
export type { KubeObject } from './apimachinery/object.ts';

export interface StartOptions {
  readonly name?: string;
  readonly seed?: number;
  readonly nodes?: number;
  readonly zones?: number;
  /** RFC 3339; 2026-01-01T00:00:00Z without it. */
  readonly startTime?: string;
  /** The release it is to be, e.g. `1.13`; the newest without it. A session goes on as what it began with. */
  readonly emulate?: string;
  /** Options of the control plane under their flag names. */
  readonly options?: Readonly<Record<string, string | number | boolean>>;
  /** Serves the API on a port of this machine, for kubectl and other clients; `kubeconfig` tells how to reach it. */
  readonly serve?: boolean;
  /** Session file to begin, or to go on with. */
  readonly session?: string;
}

export interface UntilOptions {
  /** Virtual time; 10m without it. */
  readonly timeout?: string;
}

/** Starts a cluster and returns when its nodes are Ready. Time stands still until it is advanced. */
export async function startCluster(options: StartOptions = {}): Promise<LibraryCluster> {
  const startMs = options.startTime === undefined ? documentedStartMs : parseStart(options.startTime);
  if (startMs === undefined) throw new TypeError(`startTime ${JSON.stringify(options.startTime)} is not an RFC 3339 time before 2250`);
  if (options.emulate !== undefined && getRelease(options.emulate) === undefined)
    throw new TypeError(`emulate ${JSON.stringify(options.emulate)} is no release: expected ${releaseNames()}`);
  const { name = defaultConfig.name, seed = defaultConfig.seed, nodes = defaultConfig.nodes, zones = defaultConfig.zones } = options;
  const config: ClusterConfig = {
    name,
    seed,
    nodes,
    zones,
    startMs,
    ...(options.emulate === undefined ? undefined : { release: options.emulate }),
    options: Object.fromEntries(Object.entries(options.options ?? {}).map(([key, value]) => [key, String(value)])),
  };
  const keys = loadKeys();
  const failed: { error?: Error } = {};
  const onFailure = (error: Error): void => void (failed.error = error);
  const engine = await startEngine({
    config,
    keys,
    speed: 'paused',
    ports: options.serve === true ? [0] : [],
    onFailure,
    ...(options.session === undefined ? {} : { session: options.session }),
  });
  return new LibraryCluster(engine, failed, options.serve === true ? kubeconfigText(name, engine.endpoint.server, keys) : undefined);
}

const slice = 250;
const untilDefault = '10m';
const jsonHeaders = { accept: 'application/json', 'user-agent': 'wavetank-library' };

export class LibraryCluster {
  /** Text of a kubeconfig, when the cluster was started with `serve`. */
  readonly kubeconfig: string | undefined;
  readonly #engine: Engine;
  readonly #failed: { readonly error?: Error };

  constructor(engine: Engine, failed: { readonly error?: Error }, kubeconfig: string | undefined) {
    this.#engine = engine;
    this.#failed = failed;
    this.kubeconfig = kubeconfig;
  }

  /** Hash of the history so far: the same for the same seed and the same calls. */
  get digest(): string {
    return this.#engine.branch.cluster.digest;
  }

  /** Virtual time, RFC 3339. */
  get now(): string {
    return formatMicroTime(this.#engine.branch.cluster.loop.nowMs());
  }

  /**
   * Applies every document of a YAML (or JSON) text, as `kubectl apply --server-side --force-conflicts`. A release without server-side
   * apply gets what is not there created and the rest merged: what a document no longer says stays.
   */
  apply(text: string): Promise<readonly KubeObject[]> {
    const documents = text.split(/^---[ \t]*$/m).filter((document) => document.trim() !== '');
    return this.#enter(async () => {
      const applied: KubeObject[] = [];
      for (const document of documents) applied.push(await this.#applyOne(document));
      return applied;
    });
  }

  get<T extends KubeObject = KubeObject>(apiVersion: string, kind: string, namespace: string | undefined, name: string): T | undefined {
    try {
      return this.#read(this.#path(apiVersion, kind, namespace, name)) as unknown as T;
    } catch (error) {
      if (error instanceof StatusError && error.status.code === 404) return undefined;
      throw error;
    }
  }

  /** All objects of a kind, of one namespace or of all. */
  list<T extends KubeObject = KubeObject>(apiVersion: string, kind: string, namespace?: string): readonly T[] {
    const { items } = this.#read(this.#path(apiVersion, kind, namespace)) as unknown as { items: readonly T[] };
    return items.map((item) => ({ ...item, apiVersion, kind }));
  }

  delete(apiVersion: string, kind: string, namespace: string | undefined, name: string): Promise<void> {
    return this.#enter(async () => void (await this.#call('DELETE', this.#path(apiVersion, kind, namespace, name))));
  }

  /** Any request of the API, as the admin; throws a StatusError for a failure. */
  request<T = KubeObject>(method: string, path: string, body?: unknown, contentType = 'application/json'): Promise<T> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return this.#enter(async () => (await this.#call(method, path, text, contentType)) as unknown as T);
  }

  /** Lets virtual time pass, as fast as possible: `await cluster.advance('5m')`. */
  async advance(duration: string): Promise<void> {
    await this.#runUntil(this.#engine.branch.cluster.loop.nowMs() + mustParse(duration));
  }

  /** Lets time pass until the condition holds; fails when it does not within the timeout. */
  async until(condition: () => boolean, { timeout = untilDefault }: UntilOptions = {}): Promise<void> {
    const { loop } = this.#engine.branch.cluster;
    const endMs = loop.nowMs() + mustParse(timeout);
    while (!condition()) {
      if (loop.nowMs() >= endMs) throw new Error(`the condition does not hold after ${timeout} of virtual time (${this.now})`);
      await this.#runUntil(Math.min(endMs, loop.nowMs() + slice));
    }
  }

  async stop(): Promise<void> {
    await this.#engine.close();
  }

  /** What enters is seen by the cluster before the call returns. */
  async #enter<T>(act: () => Promise<T>): Promise<T> {
    const result = await act();
    await this.#runUntil(this.#engine.branch.cluster.loop.nowMs());
    return result;
  }

  async #runUntil(ms: number): Promise<void> {
    if (this.#failed.error === undefined) await this.#engine.branch.pacer.runUntil(ms);
    if (this.#failed.error !== undefined) throw this.#failed.error;
  }

  async #applyOne(document: string): Promise<KubeObject> {
    const object = (unmarshalYaml(document).value ?? {}) as unknown as KubeObject;
    const { apiVersion, kind, metadata } = object;
    if (apiVersion === undefined || kind === undefined || metadata?.name === undefined)
      throw new TypeError('every document needs apiVersion, kind and metadata.name');
    const path = this.#path(apiVersion, kind, metadata.namespace, metadata.name);
    if (this.#engine.branch.cluster.release.servesApply)
      return this.#call('PATCH', `${path}?fieldManager=wavetank-library&force=true`, document, 'application/apply-patch+yaml');
    const text = JSON.stringify(object);
    if (this.get(apiVersion, kind, metadata.namespace, metadata.name) !== undefined)
      return this.#call('PATCH', path, text, 'application/merge-patch+json');
    return this.#call('POST', path.slice(0, path.lastIndexOf('/')), text);
  }

  #path(apiVersion: string, kind: string, namespace: string | undefined, name?: string): string {
    const entry = this.#engine.branch.cluster.registry.table
      .list()
      .find(({ kind: known }) => known.kind === kind && formatGroupVersion(known) === apiVersion);
    if (entry === undefined) throw new TypeError(`the cluster knows no kind ${apiVersion} ${kind}`);
    const scope =
      !entry.kind.namespaced || (namespace === undefined && name === undefined) ? '' : `/namespaces/${encodeURIComponent(namespace ?? 'default')}`;
    return `/${entry.kind.group === '' ? 'api' : 'apis'}/${apiVersion}${scope}/${entry.kind.plural}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`;
  }

  async #call(method: string, pathWithQuery: string, text = '', contentType = 'application/json'): Promise<KubeObject> {
    return objectOf(await this.#engine.branch.handle(asAdmin(method, pathWithQuery, text, contentType)), pathWithQuery);
  }

  #read(path: string): KubeObject {
    return objectOf(this.#engine.branch.handleAtOnce(asAdmin('GET', path, '', 'application/json')), path);
  }
}

function asAdmin(method: string, pathWithQuery: string, text: string, contentType: string): HttpRequest {
  const [path = '', query = ''] = pathWithQuery.split('?', 2);
  const headers = { ...jsonHeaders, 'content-type': contentType };
  return { method, path, query, headers, body: new TextEncoder().encode(text), identity: adminIdentity };
}

function objectOf(response: HttpResponse, path: string): KubeObject {
  if (!('body' in response)) throw new TypeError(`${path} answers a stream; use a client with \`serve: true\``);
  const chunks = typeof response.body === 'string' || response.body instanceof Uint8Array ? [response.body] : [...response.body];
  const value = JSON.parse(chunks.map((chunk) => (typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk))).join('')) as JsonObject;
  if (response.status >= 400) throw new StatusError(value as unknown as Status);
  return value as unknown as KubeObject;
}

function mustParse(duration: string): number {
  const ms = parseDuration(duration);
  if (ms === undefined || ms < 0) throw new TypeError(`${JSON.stringify(duration)} is not a duration such as 90s or 10m`);
  return ms;
}
