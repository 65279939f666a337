/**
 * A running engine: one cluster with its pacer, its API endpoint, its page, its session on disk. What `wavetank up`, the desktop app
 * and `wavetank run` start.
 */
import { hash } from 'node:crypto';
import { authenticate } from '../apiserver/auth/authenticator.ts';
import type { PortConnection, PortSink } from '../contracts/connect.ts';
import { newBadRequest } from '../apimachinery/errors.ts';
import type { HttpRequest, HttpResponse, HttpUpgradeResponse } from '../apiserver/http-types.ts';
import { StatusError } from '../apimachinery/status.ts';
import { Cluster, type ClusterConfig, type ClusterHost } from '../cluster/cluster.ts';
import { settingsResource } from '../cluster/host-kinds.ts';
import { adminIdentity } from '../cluster/identities.ts';
import { InputGate, type RecordedInput } from '../cluster/input-gate.ts';
import { type Session, SessionWriter } from '../persistence/session-file.ts';
import type { Handler, PlainResponse, ServedRequest, ServedResponse } from '../serving/exchange.ts';
import { type Listener, ListenError, listen } from '../serving/listener.ts';
import { createPortForwarder } from '../serving/portforward/port-forwarder.ts';
import { answerSocket } from '../serving/socket-answer.ts';
import { clockResource, readClock } from './clock-resource.ts';
import type { Keys } from './home.ts';
import { Pacer, type Speed, type WallClock } from './pacing.ts';
import { checkEngine, configOf, headOf, readSession, resume, SessionRecorder } from './session.ts';
import { sessionExists } from '../persistence/session-file.ts';
import { createTokenAuthenticators, createTokenSigner, knownToken } from './tokens.ts';

export interface EngineOptions {
  readonly config: ClusterConfig;
  readonly keys: Keys;
  readonly speed: Speed;
  /** Ports to try in turn, 0 for any free one; empty: no endpoint. */
  readonly ports: readonly number[];
  /** Session file to go on with, or to begin. */
  readonly session?: string;
  readonly log?: (line: string) => void;
  /** The loop stopped for good. */
  readonly onFailure: (error: Error) => void;
}

const bookmarkMs = 60_000;
const watchTimeoutMinMs = 1_800_000;
const watchWindowMs = 300_000;
const bodyLimitBytes = 3 * 1024 * 1024;

export const wallClock: WallClock = {
  nowMs: () => performance.now(),
  after: (delayMs, call) => {
    const timer = setTimeout(call, delayMs);
    return () => clearTimeout(timer);
  },
};

export class Engine {
  readonly cluster: Cluster;
  readonly gate: InputGate;
  readonly pacer: Pacer;
  readonly keys: Keys;
  /** The cluster was made now, not read from a session. */
  readonly isNew: boolean;
  /** Bytes of a half-written last line that the session lost. */
  readonly droppedBytes: number;
  readonly #recorder: SessionRecorder | undefined;
  readonly #bookmarks: NodeJS.Timeout;
  readonly #forwardPorts = createPortForwarder({ open: (...port) => this.#openPort(...port) });
  #listener: Listener | undefined;

  private constructor(cluster: Cluster, gate: InputGate, pacer: Pacer, keys: Keys, recorder: SessionRecorder | undefined, old: Session | undefined) {
    this.isNew = old === undefined;
    this.droppedBytes = old?.droppedBytes ?? 0;
    this.cluster = cluster;
    this.gate = gate;
    this.pacer = pacer;
    this.keys = keys;
    this.#recorder = recorder;
    this.#bookmarks = setInterval(() => cluster.store.notifyProgress(), bookmarkMs);
    this.#bookmarks.unref();
  }

  /** Starts a cluster and returns when it answers and its nodes are Ready. */
  static async start(options: EngineOptions): Promise<Engine> {
    const { keys, session } = options;
    const old = session !== undefined && sessionExists(session) ? readSession(session) : undefined;
    if (old !== undefined && session !== undefined) checkEngine(session, old.head);
    const config = old === undefined ? options.config : configOf(old.head);
    const parts: { pacer?: Pacer; recorder?: SessionRecorder } = {};
    const cluster: Cluster = new Cluster(
      config,
      createHost(
        keys,
        () => cluster,
        () => parts.pacer as Pacer,
        options.log,
      ),
    );
    const gate = new InputGate(cluster, (input: RecordedInput) => parts.recorder?.onInput(input));
    const pacer = new Pacer({ loop: cluster.loop, wall: wallClock, speed: options.speed, onFailure: options.onFailure });
    parts.pacer = pacer;
    if (old === undefined) await cluster.start();
    else await resume(cluster, gate, old);
    if (session !== undefined) {
      const writer = old === undefined ? SessionWriter.create(session, headOf(config)) : SessionWriter.append(session);
      parts.recorder = new SessionRecorder(cluster, () => gate, writer);
      parts.recorder.start();
    }
    const engine: Engine = new Engine(cluster, gate, pacer, keys, parts.recorder, old);
    await engine.#listenOnFirst(options.ports);
    pacer.start();
    return engine;
  }

  get server(): string {
    return `https://127.0.0.1:${this.#listener?.port ?? 0}`;
  }

  /** Handles a request of a caller who is known; what the page and the library use. */
  handle(request: Omit<HttpRequest, 'causes'>): HttpResponse {
    const isInput = this.gate.isInput(request);
    if (isInput) this.pacer.catchUp();
    const response = this.gate.handle(request);
    if (isInput) this.pacer.wake();
    return response;
  }

  /** The API for callers that are already the admin (the page). */
  get adminHandler(): Handler {
    return (request) => this.#serve(request, () => adminIdentity);
  }

  clock(): ReturnType<typeof readClock> {
    return readClock(this.cluster, this.pacer);
  }

  async close(): Promise<void> {
    clearInterval(this.#bookmarks);
    await this.#listener?.close();
    await this.pacer.close();
    if (this.cluster.loop.failure === undefined) await this.#recorder?.close();
  }

  async #listenOnFirst(ports: readonly number[]): Promise<void> {
    for (const [index, port] of ports.entries()) {
      try {
        await this.#listen(port);
        return;
      } catch (error) {
        if (!(error instanceof ListenError) || index === ports.length - 1) throw error;
      }
    }
  }

  async #listen(port: number): Promise<void> {
    const authenticators = createTokenAuthenticators(this.keys, () => this.cluster);
    const identify = (request: ServedRequest): HttpRequest['identity'] => {
      const authorization = request.headers['authorization'];
      return authenticate({ peer: request.peer, authorization: typeof authorization === 'string' ? authorization : undefined }, authenticators);
    };
    this.#listener = await listen({
      host: '127.0.0.1',
      port,
      tls: { server: this.keys.server, clientAuthorityPem: this.keys.authority.certificatePem },
      handler: (request) => this.#serve(request, identify),
      bodyLimitBytes,
      tooLarge: () =>
        toPlain(
          new StatusError({
            kind: 'Status',
            apiVersion: 'v1',
            metadata: {},
            status: 'Failure',
            message: `Request entity too large: limit is ${bodyLimitBytes}`,
            reason: 'RequestEntityTooLarge',
            code: 413,
          }),
        ),
      onDefect: (error) => process.stderr.write(`${error.stack ?? error.message}\n`),
      onUpgrade: (request, raw, socket, head) => {
        const target = this.#forwardTarget(request, identify);
        if ('status' in target) answerSocket(socket, target);
        else this.#forwardPorts(raw, socket, head, target);
      },
    });
  }

  /** Where a port-forward request leads, or the answer it gets instead. */
  #forwardTarget(
    { method, path, query, headers, body, ...request }: ServedRequest,
    identify: (request: ServedRequest) => HttpRequest['identity'],
  ): HttpUpgradeResponse | PlainResponse {
    try {
      const identity = identify({ method, path, query, headers, body, ...request });
      const response = this.handle({ method, path, query, headers, body, identity });
      if (!('upgrade' in response)) return 'open' in response ? toPlain(newBadRequest('this path is not upgraded')) : response;
      const pod = this.handle({ method: 'GET', path: path.slice(0, path.lastIndexOf('/')), query: '', headers: {}, body, identity: adminIdentity });
      return 'body' in pod && pod.status !== 200 ? pod : response;
    } catch (error) {
      if (error instanceof StatusError) return toPlain(error);
      throw error;
    }
  }

  /** Bytes of clients are inputs: idle time is brought up to wall time first, and what they made due runs. */
  #openPort(namespace: string, pod: string, port: number, sink: PortSink): PortConnection {
    const entering = <T>(act: () => T): T => {
      this.pacer.catchUp();
      const result = act();
      this.pacer.wake();
      return result;
    };
    const connection = entering(() => this.gate.ports.open(namespace, pod, port, sink));
    return { write: (data) => entering(() => connection.write(data)), end: () => entering(() => connection.end()) };
  }

  #serve(request: ServedRequest, identify: (request: ServedRequest) => HttpRequest['identity']): ServedResponse {
    try {
      const { method, path, query, headers, body } = request;
      return this.#toServed(this.handle({ method, path, query, headers, body, identity: identify(request) }));
    } catch (error) {
      if (error instanceof StatusError) return toPlain(error);
      throw error;
    }
  }

  #toServed(response: HttpResponse): ServedResponse {
    if ('upgrade' in response) return toPlain(upgradeRequired);
    if (!('open' in response)) return response;
    return {
      ...response,
      timeoutMs: response.timeoutMs ?? watchTimeoutMinMs * (1 + Math.random()),
      open: (sink) =>
        response.open({
          write: (chunk) => {
            this.pacer.delivered();
            sink.write(chunk);
          },
          end: () => sink.end(),
        }),
    };
  }
}

const upgradeRequired = new StatusError({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'Upgrade request required',
  reason: 'BadRequest',
  code: 400,
});

function createHost(keys: Keys, cluster: () => Cluster, pacer: () => Pacer, log: ((line: string) => void) | undefined): ClusterHost {
  return {
    hop: () => new Promise((resolve) => setImmediate(resolve)),
    wallMs: () => performance.now(),
    hash: (text) => hash('sha256', text, 'hex'),
    rootCaPem: keys.authority.certificatePem,
    watchWindowMs,
    tokenSigner: createTokenSigner(keys),
    knownToken: (token) => knownToken(keys, cluster(), token),
    virtual: (cluster) => [clockResource(cluster, pacer), settingsResource(cluster)],
    ...(log === undefined ? {} : { log }),
  };
}

function toPlain({ status }: StatusError): PlainResponse {
  return { status: status.code, headers: { 'content-type': 'application/json' }, body: `${JSON.stringify(status)}\n` };
}
