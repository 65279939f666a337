/**
 * One line of history that runs: a cluster, its gate for inputs, its pacer, its session on disk. It knows no sockets; an `Endpoint`
 * shows it to clients. Rewind, fork, replay and scenario runs make further branches beside the first.
 */
import { hash } from 'node:crypto';
import type { PortConnection, PortSink } from '../contracts/connect.ts';
import type { HttpRequest, HttpResponse } from '../apiserver/http-types.ts';
import { Cluster, type ClusterConfig, type ClusterHost } from '../cluster/cluster.ts';
import { settingsResource } from '../cluster/host-kinds.ts';
import { InputGate, type RecordedInput } from '../cluster/input-gate.ts';
import { type Session, sessionExists, SessionWriter } from '../persistence/session-file.ts';
import { clockResource, readClock } from './clock-resource.ts';
import type { Keys } from './home.ts';
import { Pacer, type Speed, wallClock } from './pacing.ts';
import { checkEngine, configOf, headOf, readSession, resume, SessionRecorder } from './session.ts';
import { createTokenAuthenticators, createTokenSigner, knownToken } from './tokens.ts';

export interface BranchOptions {
  readonly config: ClusterConfig;
  readonly keys: Keys;
  readonly speed: Speed;
  /** Session file to go on with, or to begin. */
  readonly session?: string;
  readonly log?: (line: string) => void;
  /** The loop stopped for good. */
  readonly onFailure: (error: Error) => void;
}

const bookmarkMs = 60_000;
const watchWindowMs = 300_000;

export class Branch {
  readonly cluster: Cluster;
  readonly gate: InputGate;
  readonly pacer: Pacer;
  /** The cluster was made now, not read from a session. */
  readonly isNew: boolean;
  /** Bytes of a half-written last line that the session lost. */
  readonly droppedBytes: number;
  readonly #recorder: SessionRecorder | undefined;
  readonly #bookmarks: NodeJS.Timeout;
  readonly #failureListeners: ((error: Error) => void)[] = [];
  #failure: Error | undefined;

  private constructor(parts: {
    readonly cluster: Cluster;
    readonly gate: InputGate;
    readonly speed: Speed;
    readonly recorder: SessionRecorder | undefined;
    readonly old: Session | undefined;
  }) {
    const { cluster, old } = parts;
    this.cluster = cluster;
    this.gate = parts.gate;
    this.isNew = old === undefined;
    this.droppedBytes = old?.droppedBytes ?? 0;
    this.#recorder = parts.recorder;
    this.pacer = new Pacer({ loop: cluster.loop, wall: wallClock, speed: parts.speed, onFailure: (error) => this.#fail(error) });
    this.#bookmarks = setInterval(() => cluster.store.notifyProgress(), bookmarkMs);
    this.#bookmarks.unref();
  }

  /** Makes a cluster, or goes on with a session; returns when its nodes are Ready. Time stands still until `run`. */
  static async start(options: BranchOptions): Promise<Branch> {
    const { keys, session } = options;
    const old = session !== undefined && sessionExists(session) ? readSession(session) : undefined;
    if (old !== undefined && session !== undefined) checkEngine(session, old.head);
    const config = old === undefined ? options.config : configOf(old.head);
    const parts: { branch?: Branch; recorder?: SessionRecorder } = {};
    const cluster: Cluster = new Cluster(
      config,
      createHost(
        keys,
        () => cluster,
        () => (parts.branch as Branch).pacer,
        options.log,
      ),
    );
    const gate = new InputGate(cluster, (input: RecordedInput) => parts.recorder?.onInput(input));
    if (old === undefined) await cluster.start();
    else await resume(cluster, gate, old);
    if (session !== undefined) {
      const writer = old === undefined ? SessionWriter.create(session, headOf(config)) : SessionWriter.append(session);
      parts.recorder = new SessionRecorder(cluster, () => gate, writer);
      parts.recorder.start();
    }
    const branch = new Branch({ cluster, gate, speed: options.speed, recorder: parts.recorder, old });
    parts.branch = branch;
    branch.onFailure(options.onFailure);
    return branch;
  }

  /** Lets time pass. */
  run(): void {
    this.pacer.start();
  }

  /** Why the loop stopped for good: nothing will run any more. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  onFailure(listener: (error: Error) => void): void {
    this.#failureListeners.push(listener);
  }

  /** Handles a request; its caller is known, or says who it is by credentials that this cluster's authenticators know. */
  handle(request: HttpRequest): HttpResponse {
    return this.gate.handle(request, (act) => this.#enter(act));
  }

  /** A byte stream to a port of a pod. */
  openPort(namespace: string, pod: string, port: number, sink: PortSink): PortConnection {
    const connection = this.#enter(() => this.gate.ports.open(namespace, pod, port, sink));
    return { write: (data) => this.#enter(() => connection.write(data)), end: () => this.#enter(() => connection.end()) };
  }

  /** Clients of another branch come here: what they know of revisions is void. */
  startAnew(revision: number): void {
    this.#enter(() => this.gate.startAnew(revision));
  }

  clock(): ReturnType<typeof readClock> {
    return readClock(this.cluster, this.pacer);
  }

  async close(): Promise<void> {
    clearInterval(this.#bookmarks);
    await this.pacer.close();
    if (this.cluster.loop.failure === undefined) await this.#recorder?.close();
  }

  /** Idle time is brought up to wall time before an input, and what the input made due runs. */
  #enter<T>(act: () => T): T {
    this.pacer.catchUp();
    const result = act();
    this.pacer.wake();
    return result;
  }

  #fail(error: Error): void {
    this.#failure = error;
    for (const listener of this.#failureListeners) listener(error);
  }
}

function createHost(keys: Keys, cluster: () => Cluster, pacer: () => Pacer, log: ((line: string) => void) | undefined): ClusterHost {
  return {
    hop: () => new Promise((resolve) => setImmediate(resolve)),
    wallMs: () => performance.now(),
    hash: (text) => hash('sha256', text, 'hex'),
    rootCaPem: keys.authority.certificatePem,
    watchWindowMs,
    tokenSigner: createTokenSigner(keys),
    knownToken: (token) => knownToken(keys, cluster(), token),
    authenticators: createTokenAuthenticators(keys, cluster),
    computed: (cluster) => [clockResource(cluster, pacer), settingsResource(cluster)],
    ...(log === undefined ? {} : { log }),
  };
}
