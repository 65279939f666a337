/**
 * The gate of law 5: whatever enters from outside and can change state passes here, gets a number, is written down with its place in
 * history, and is the cause of what it does. A replay puts the same inputs at the same places.
 */
import { inputCause } from '../base/causes.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { Identity } from '../contracts/request.ts';
import type { HttpRequest, HttpResponse } from '../apiserver/http-types.ts';
import { fromBase64, toBase64 } from './base64.ts';
import type { Cluster } from './cluster.ts';
import { isRecordedPort, PortGate } from './port-gate.ts';

/** What is kept of a request: enough to make it again. `body` is text, or base64 when `binary`. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: JsonObject;
  readonly body: string;
  readonly binary?: boolean;
  readonly identity: Identity;
}

/** Clients came from another branch, where revisions up to this one were issued. */
interface RecordedStart {
  readonly startAnew: number;
}

export interface RecordedInput {
  readonly input: number;
  readonly tasksRun: number;
  readonly nowMs: number;
  readonly what: JsonValue;
}

/** Headers that decide what a request means. */
const meaningful = ['content-type', 'accept', 'user-agent'] as const;
const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Computed objects of the host: no revision, no history. */
const hostPaths = ['/apis/sim.wavetank.dev/v1alpha1/clocks'];
/** Reviews answer a question and change nothing. */
const reviews = /^\/apis\/(authentication|authorization)\.k8s\.io\/.*reviews$/;
/** Opens nothing yet: what comes through the port are inputs of their own. */
const portForwards = /^\/api\/v1\/namespaces\/[^/]+\/pods\/[^/]+\/portforward$/;

export class InputGate {
  readonly #cluster: Cluster;
  readonly #onInput: (input: RecordedInput) => void;
  #inputs = 0;
  /** Connections of clients to ports of pods. */
  readonly ports: PortGate;

  constructor(cluster: Cluster, onInput: (input: RecordedInput) => void) {
    this.#cluster = cluster;
    this.#onInput = onInput;
    this.ports = new PortGate(cluster, (what, act) => this.#admit(what, act));
  }

  /** Number of the last input. */
  get inputs(): number {
    return this.#inputs;
  }

  continueAfter(inputs: number): void {
    this.#inputs = inputs;
  }

  isInput(request: Pick<HttpRequest, 'method' | 'path'>): boolean {
    if (reads.has(request.method) || hostPaths.some((path) => request.path.startsWith(path))) return false;
    return !reviews.test(request.path) && !portForwards.test(request.path);
  }

  /** Handles a request; one that can change state is written down first. */
  handle(request: Omit<HttpRequest, 'causes'>): HttpResponse {
    if (!this.isInput(request)) return this.#cluster.handleHttp({ ...request, causes: [] });
    return this.#enter(request, this.#write(record(request) as unknown as JsonValue));
  }

  /**
   * Clients of another branch come to this one: its revisions go on above all that they have seen, and what they ask for below that
   * is expired (410), so that each lists anew.
   */
  startAnew(revision: number): void {
    const what: RecordedStart = { startAnew: revision };
    this.#admit(what as unknown as JsonValue, () => this.#startAnew(what));
  }

  /** Makes a recorded request again; the loop must be at its place. */
  replay({ input, what }: Pick<RecordedInput, 'input' | 'what'>): void {
    if (isRecordedPort(what)) {
      this.#inputs = input;
      this.#cluster.loop.enter(() => this.ports.replay(what));
      return;
    }
    if (isRecordedStart(what)) {
      this.#inputs = input;
      this.#cluster.loop.enter(() => this.#startAnew(what));
      return;
    }
    const recorded = what as unknown as RecordedRequest;
    this.#enter({ ...recorded, headers: recorded.headers as Record<string, string>, body: toBytes(recorded) }, input);
  }

  #startAnew({ startAnew }: RecordedStart): void {
    const { store } = this.#cluster;
    store.advanceRevisionTo(Math.max(startAnew, store.currentRevision()) + 1);
    store.compact(store.currentRevision());
  }

  #admit<T>(what: JsonValue, act: () => T): T {
    this.#inputs = this.#write(what);
    return this.#cluster.loop.enter(act);
  }

  /** Writes an input down with its place in history; returns its number. */
  #write(what: JsonValue): number {
    const { loop } = this.#cluster;
    const input = this.#inputs + 1;
    this.#onInput({ input, tasksRun: loop.tasksRun, nowMs: loop.nowMs(), what });
    return input;
  }

  #enter(request: Omit<HttpRequest, 'causes'>, input: number): HttpResponse {
    this.#inputs = input;
    return this.#cluster.loop.enter(() => this.#cluster.handleHttp({ ...request, causes: [inputCause(input)] }));
  }
}

function isRecordedStart(what: unknown): what is RecordedStart {
  return typeof what === 'object' && what !== null && 'startAnew' in what;
}

function record({ method, path, query, headers, body, identity }: Omit<HttpRequest, 'causes'>): RecordedRequest {
  const names = [...meaningful, ...Object.keys(headers).filter((name) => name.startsWith('impersonate-'))];
  const kept = Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])));
  const text = asText(body);
  const common = { method, path, query, headers: kept, identity };
  return text === undefined ? { ...common, body: toBase64(body), binary: true } : { ...common, body: text };
}

function asText(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}

function toBytes({ body, binary }: RecordedRequest): Uint8Array {
  return binary === true ? fromBase64(body) : new TextEncoder().encode(body);
}
