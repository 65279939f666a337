/**
 * One line of history that runs: a cluster with its door, its pacer, its session on disk. It knows no sockets; an `Endpoint`
 * shows it to clients. Rewind, fork, replay and scenario runs make further branches beside the first.
 */
import { randomBytes } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import type { PortConnection, PortSink, ProcessConnection, ProcessSink, ProcessTarget } from '../contracts/connect.ts';
import type { AuditOptions } from '../apiserver/audit/auditor.ts';
import type { HttpRequest, HttpResponse } from '../apiserver/http-types.ts';
import { differInManifestsOnly } from '../cluster/admission-manifests.ts';
import { Cluster } from '../cluster/cluster.ts';
import type { ClusterConfig } from '../cluster/config.ts';
import type { ClusterAccess } from '../api/sim/v1alpha1/timeline.ts';
import type { RecordedInput } from '../cluster/inputs.ts';
import { SessionFile } from '../persistence/session-file.ts';
import type { Reach } from './asking.ts';
import { createHost } from './branch-host.ts';
import type { ChangingSeals } from './encryption/changing-seals.ts';
import { ReviewReach } from './reach-review.ts';
import { readClock } from './clock-resource.ts';
import type { Keys } from './home.ts';
import { Pacer, type Speed, wallClock } from './pacing.ts';
import { checkEngine, checkRelease, configOf, currentBuild, headOf } from './session.ts';
import { SessionRecorder } from './session-recorder.ts';
import { shownWhenWritten, sinkWhenWritten } from './shown-when-written.ts';
import { type Resumed, resume } from './session-resume.ts';
import type { Ways } from './authentication.ts';
import { createClusterTokens } from './tokens.ts';

export interface BranchOptions {
  readonly config: ClusterConfig;
  readonly keys: Keys;
  readonly speed: Speed;
  /** Session file to go on with, or to begin. */
  readonly session?: string;
  /** Seals what the session must not show to whoever has the file. */
  readonly seals?: ChangingSeals | undefined;
  /** Beyond so many bytes the session loses its beginning; 0 keeps it whole. Default `sessionBytesMaxDefault`. */
  readonly sessionBytesMax?: number | undefined;
  /** How much of the process's heap what is stored may take, where the configuration does not say; default half. */
  readonly memoryShare?: number;
  /** Reaches whom a request or a component has to ask before it can go on; without it, extenders of the scheduler alone can be asked. */
  readonly reach?: Reach;
  readonly log?: (line: string) => void;
  /** What else the process counts of itself, in Prometheus' text form. */
  metrics?(): string;
  /** How people reach it, asked for with its settings, and where clients find it: before it listens nobody knows. */
  access?(): ClusterAccess;
  address?(): string | undefined;
  /** Who is believed besides those that the cluster's keys vouch for; no part of the session. */
  readonly ways?: Ways;
  /** Which requests are logged, and where to; no part of the session. */
  readonly audit?: AuditOptions;
  /** Awaited between parts of the start of a new cluster that lets others go first; its start fails with it. */
  readonly pause?: () => Promise<void>;
  /** The loop stopped for good. */
  readonly onFailure: (error: Error) => void;
}

export const sessionBytesMaxDefault = 1_024_000_000;
const admissionOption = 'admission-control-config-file';
const bookmarkMs = 60_000;
const catchUpSliceMs = 4;
const catchUpPauseMs = 8;
const catchUpStep = 8;

export class Branch {
  readonly cluster: Cluster;
  readonly pacer: Pacer;
  /** The cluster was made now, not read from a session. */
  readonly isNew: boolean;
  /** Bytes behind the last line that could be used, which the session lost. */
  readonly droppedBytes: number;
  /** What the user should know of how the session was taken up. */
  readonly sessionNotes: readonly string[];
  readonly #recorder: SessionRecorder | undefined;
  readonly #reviews: ReviewReach;
  readonly #bookmarks: NodeJS.Timeout;
  #catchingUp: NodeJS.Timeout | undefined;
  readonly #failureListeners: ((error: Error) => void)[] = [];
  #failure: Error | undefined;

  private constructor(parts: {
    readonly cluster: Cluster;
    readonly options: BranchOptions;
    readonly session: SessionFile | undefined;
    readonly resumed: Resumed | undefined;
    readonly reviews: ReviewReach;
  }) {
    const { cluster, session, resumed } = parts;
    this.#reviews = parts.reviews;
    this.cluster = cluster;
    this.isNew = resumed === undefined;
    this.droppedBytes = session?.droppedBytes ?? 0;
    this.sessionNotes = [...(resumed?.notes ?? []), ...smallHeapNote(cluster)];
    this.pacer = new Pacer({ loop: cluster.loop, wall: wallClock, speed: parts.options.speed, onFailure: (error) => this.#fail(error) });
    this.#recorder = session === undefined ? undefined : this.#record(session, resumed, parts.options);
    this.#bookmarks = setInterval(() => cluster.store.notifyProgress(), bookmarkMs);
    this.#bookmarks.unref();
    if (resumed !== undefined) this.#catchUpSoon();
  }

  /** Makes a cluster, or goes on with a session; returns when its nodes are Ready. Time stands still until `run`. */
  static async start(options: BranchOptions): Promise<Branch> {
    const session = options.session === undefined ? undefined : SessionFile.openOrCreate(options.session, options.seals?.current);
    if (session !== undefined) options.seals?.onChanged((seals) => (session.seals = seals));
    try {
      return await Branch.#startWith(options, session);
    } catch (error) {
      session?.close();
      throw error;
    }
  }

  static async #startWith(options: BranchOptions, session: SessionFile | undefined): Promise<Branch> {
    const { keys } = options;
    const head = session?.head;
    if (session !== undefined && head !== undefined) {
      checkEngine(session.path, head);
      checkRelease(session.path, head, options.config.release);
    }
    const config = head === undefined ? { id: randomBytes(16).toString('hex'), ...withQuota(options.config, options.memoryShare) } : configOf(head);
    const tokens = createClusterTokens(keys, config.id ?? '', options.ways);
    const parts: { branch?: Branch; onInput?: (input: RecordedInput) => void } = {};
    const reviews = new ReviewReach();
    const cluster: Cluster = new Cluster(
      config,
      createHost(
        keys,
        tokens,
        () => cluster,
        () => (parts.branch as Branch).pacer,
        options,
        reviews,
      ),
    );
    cluster.door.listen({
      onBefore: () => parts.branch?.pacer.catchUp(),
      // Where nobody keeps them, inputs are not even made.
      ...(session === undefined ? {} : { onInput: (input) => parts.onInput?.(input) }),
      onEntered: () => parts.branch?.pacer.wake(),
      onReleased: () => parts.branch?.pacer.stood(),
    });
    let resumed: Resumed | undefined;
    if (session === undefined || head === undefined) await cluster.start(options.pause);
    else resumed = await resume(cluster, session);
    const branch = new Branch({ cluster, options, session, resumed, reviews });
    parts.branch = branch;
    parts.onInput = (input) => branch.#recorder?.onInput(input);
    branch.onFailure(options.onFailure);
    if (resumed !== undefined) {
      cluster.door.ports.endAll();
      cluster.door.processes.endAll();
      branch.#takeUpConfiguration(options.config);
    }
    return branch;
  }

  #record(
    session: SessionFile,
    resumed: Resumed | undefined,
    { sessionBytesMax: bytesMax = sessionBytesMaxDefault, log }: BranchOptions,
  ): SessionRecorder {
    const { cluster } = this;
    const build = currentBuild();
    const recorder = new SessionRecorder({
      cluster,
      session,
      writer: session.head === undefined ? session.begin(headOf(cluster.config, build)) : session.goOn(),
      build,
      writtenBy: resumed?.build,
      chain: resumed?.chain,
      loggedRevision: resumed?.loggedRevision ?? 0,
      ...(bytesMax > 0 ? { bytesMax } : {}),
      onNote: (line) => log?.(line),
      onLost: (error) => this.#fail(error),
    });
    recorder.start();
    return recorder;
  }

  /** Lets time pass; that of a new cluster from `wallTimeMs` (Unix milliseconds) on, if that is given and not past. */
  run(wallTimeMs?: number): void {
    this.pacer.start(this.isNew && wallTimeMs !== undefined ? wallTimeMs - this.cluster.loop.nowMs() : 0);
  }

  /** Why the loop stopped for good: nothing will run any more. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  onFailure(listener: (error: Error) => void): void {
    this.#failureListeners.push(listener);
  }

  /** Handles a request; its caller is known, or says who it is by credentials that this cluster's authenticators know. */
  handle(request: HttpRequest): HttpResponse | Promise<HttpResponse> {
    this.#recorder?.mustBeWritable();
    const response = this.cluster.door.serve(request);
    return response instanceof Promise ? response.then((answer) => this.#shown(answer)) : this.#shown(response);
  }

  /** For requests that ask nobody outside. */
  handleAtOnce(request: HttpRequest): HttpResponse {
    this.#recorder?.mustBeWritable();
    return this.#shown(this.cluster.door.serveAtOnce(request));
  }

  /** What is shown is on disk before. */
  #shown(response: HttpResponse): HttpResponse {
    const recorder = this.#recorder;
    if (recorder === undefined) return response;
    recorder.commit();
    return 'open' in response ? shownWhenWritten(response, recorder) : response;
  }

  /** A byte stream to a port of a pod. */
  openPort(namespace: string, pod: string, port: number, sink: PortSink): PortConnection {
    const recorder = this.#recorder;
    recorder?.mustBeWritable();
    const shown = recorder === undefined ? sink : sinkWhenWritten(sink, recorder);
    const connection = this.#enter(() => this.cluster.door.ports.open(namespace, pod, port, shown));
    return { write: (data) => this.#enter(() => connection.write(data)), end: () => this.#enter(() => connection.end()) };
  }

  /** A command in a container, or the container's own process. */
  openProcess(target: ProcessTarget, sink: ProcessSink): ProcessConnection {
    const recorder = this.#recorder;
    recorder?.mustBeWritable();
    const shown: ProcessSink =
      recorder === undefined
        ? sink
        : { onOutput: (stream, data) => recorder.show(() => sink.onOutput(stream, data)), onEnd: (end) => recorder.show(() => sink.onEnd(end)) };
    const connection = this.#enter(() => this.cluster.door.processes.open(target, shown));
    return {
      write: (data) => this.#enter(() => connection.write(data)),
      resize: (width, height) => this.#enter(() => connection.resize(width, height)),
      hold: (isHeld) => this.#enter(() => connection.hold(isHeld)),
      endInput: () => this.#enter(() => connection.endInput()),
      end: () => this.#enter(() => connection.end()),
    };
  }

  /** Clients of another branch come here: what they know of revisions is void. */
  startAnew(revision: number): void {
    this.#enter(() => this.cluster.door.step({ startAnew: revision }));
  }

  /** Another AuthorizationConfiguration counts, which is right; kubeconfigs that it names are read anew. */
  reconfigure(text: string): void {
    this.#recorder?.mustBeWritable();
    this.#enter(() => this.#configure(text));
  }

  /** Other manifests of webhooks and policies lie on disk, which are right; `configuration` is the AdmissionConfiguration with them. */
  useManifests(configuration: string): void {
    this.#recorder?.mustBeWritable();
    this.#enter(() => this.cluster.door.step({ configured: { [admissionOption]: configuration } }));
  }

  /** Its files may have changed while nothing ran. */
  #takeUpConfiguration({ options: { 'authorization-config': given = '', [admissionOption]: admission = '' } }: ClusterConfig): void {
    const { configuration } = this.cluster.authorization;
    if (given !== '' && configuration !== '' && given !== configuration) this.#configure(given);
    if (differInManifestsOnly(admission, this.cluster.manifests.configuration))
      this.cluster.door.step({ configured: { [admissionOption]: admission } });
  }

  #configure(text: string): void {
    this.#reviews.renew();
    this.cluster.door.step({ configured: { 'authorization-config': text } });
  }

  /** What history has not looked at since the session was opened, a few milliseconds at a time; who asks for it earlier waits for it. */
  #catchUpSoon(): void {
    const { history } = this.cluster;
    this.#catchingUp = setTimeout(() => {
      const untilMs = performance.now() + catchUpSliceMs;
      while (history.isBehind && performance.now() < untilMs) history.catchUp(catchUpStep);
      if (history.isBehind) this.#catchUpSoon();
    }, catchUpPauseMs);
    this.#catchingUp.unref();
  }

  clock(): ReturnType<typeof readClock> {
    return readClock(this.cluster, this.pacer);
  }

  async close(): Promise<void> {
    clearInterval(this.#bookmarks);
    clearTimeout(this.#catchingUp);
    await this.cluster.door.close();
    await this.pacer.close();
    if (this.cluster.loop.failure === undefined) await this.#recorder?.close();
    else this.#recorder?.abandon();
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

/**
 * What is stored may take half of what this process can hold, unless somebody said otherwise: the rest is for what is remembered, wire
 * forms and requests. It is part of the configuration from then on, so that a replay refuses what was refused.
 */
function withQuota(config: ClusterConfig, share = memoryShareDefault): ClusterConfig {
  return { ...config, options: { 'quota-backend-bytes': String(heapShare(share)), ...config.options } };
}

const memoryShareDefault = 1 / 2;

function heapShare(share = memoryShareDefault): number {
  return Math.floor(getHeapStatistics().heap_size_limit * share);
}

/** A quota of another machine, or one that was asked for, may be more than this process can hold. */
function smallHeapNote({ settings }: Cluster): readonly string[] {
  const quota = settings.number('quota-backend-bytes');
  const share = heapShare();
  if (quota <= share) return [];
  return [
    `--quota-backend-bytes is ${quota}, and Node.js has memory for ${share} at most; a full cluster would end (NODE_OPTIONS=--max-old-space-size=…)`,
  ];
}
