/**
 * The gate of law 5: whatever enters from outside and can change state passes here, gets a number, is written down with its place in
 * history, and is the cause of what it does. A replay puts the same inputs at the same places.
 */
import { decodeBase64, encodeBase64 } from '../base/base64.ts';
import { type Cause, inputCause } from '../base/causes.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { Identity } from '../contracts/request.ts';
import type { AdmittedRequest, HttpRequest, HttpResponse } from '../apiserver/http-types.ts';
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

/** Lets the host prepare for an input and follow it up. */
export type Around = <T>(act: () => T) => T;

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

  /**
   * Handles a request; one that can change state is written down before it acts, when it is known that its caller may and that its
   * body can be read. `around` is what the host does for each of these.
   */
  handle(request: HttpRequest, around: Around = (act) => act()): HttpResponse {
    return this.#cluster.http.handle(request, (admitted, act) =>
      around(() => this.#enter(this.#write(record(admitted) as unknown as JsonValue), act)),
    );
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
    const request = { ...recorded, headers: recorded.headers as Record<string, string>, body: toBytes(recorded) };
    this.#cluster.http.replay(request, (_request, act) => this.#enter(input, act));
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

  #enter<T>(input: number, act: (causes: readonly Cause[]) => T): T {
    this.#inputs = input;
    return this.#cluster.loop.enter(() => act([inputCause(input)]));
  }
}

function isRecordedStart(what: unknown): what is RecordedStart {
  return typeof what === 'object' && what !== null && 'startAnew' in what;
}

function record({ method, path, query, headers, body, identity }: AdmittedRequest): RecordedRequest {
  const kept = Object.fromEntries(meaningful.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])));
  const text = asText(body);
  const common = { method, path, query, headers: kept, identity };
  return text === undefined ? { ...common, body: encodeBase64(body), binary: true } : { ...common, body: text };
}

function asText(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}

function toBytes({ body, binary }: RecordedRequest): Uint8Array {
  return binary === true ? decodeBase64(body) : new TextEncoder().encode(body);
}
