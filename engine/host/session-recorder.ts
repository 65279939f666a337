/**
 * Writes a running cluster's session: inputs, changes, marks before anything is shown, restore points at quiet instants
 * (SESSION-FILE.md F5, F6, F8).
 */
import { UserError } from '../base/user-error.ts';
import { newServiceUnavailable } from '../apimachinery/errors.ts';
import type { JsonValue } from '../base/json.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { RecordedInput } from '../cluster/inputs.ts';
import { diff } from '../persistence/delta.ts';
import type { LogRecord } from '../persistence/log-line.ts';
import { LogWriteError, type LogWriter } from '../persistence/log-writer.ts';
import type { SessionFile } from '../persistence/session-file.ts';
import type { SessionTrim } from '../persistence/session-trim.ts';
import { type Mark, stateMapDepth } from '../persistence/session-records.ts';
import { type Base, changeRecord, knowsHistory, piecesOf } from './session-base.ts';
import type { Watcher } from '../store/store.ts';

/** The restore point that the next one is a delta to. */
export interface RecordedChain {
  /** Its address. */
  readonly address: number;
  /** Addresses of the last whole base and of that base's end; its length. */
  readonly base: number;
  readonly based: number;
  readonly baseBytes: number;
  readonly state: JsonValue;
}

export interface RecorderOptions {
  readonly cluster: Cluster;
  readonly session: SessionFile;
  readonly writer: LogWriter;
  /** Absent: begin with a base. */
  readonly chain?: RecordedChain | undefined;
  /** The last revision that the file holds. */
  readonly loggedRevision: number;
  /** The build that runs, and the one that wrote the file so far. */
  readonly build: string;
  readonly writtenBy?: string | undefined;
  /** Beyond so many bytes the file is trimmed; absent: it is kept whole. */
  readonly bytesMax?: number | undefined;
  /** Something that the user should know. */
  readonly onNote?: (line: string) => void;
  /** Nothing can be written for good. */
  readonly onLost: (error: SessionLostError) => void;
}

/** The session cannot be written any more, and too much waits. */
export class SessionLostError extends UserError {
  override readonly exitCode = 74;
  constructor(path: string, reason: string) {
    super(`the session ${path} was lost: ${reason}`);
    this.name = 'SessionLostError';
  }
}

const tickMs = 100;
const syncMs = 1000;
const retryMs = 100;
/** A restore point is due after so many tasks or bytes; it costs a sixth of the processor time at most, which other work on the machine does not change. */
const tasksPerPoint = 150;
const bytesPerPoint = 2 << 20;
const pauseShare = 5;
const idlePointMs = 60_000;
/** A base is due when the log since the last one is longer than half of that base, and than this. */
const baseBytesMin = 4 << 20;
/** Pieces of a base are written for so long at a time. */
const sliceMs = 4;
const piecesPerLook = 32;
const waitingBytesMax = 64 << 20;
/** A base that is written without a pause is handed over when so much of it waits. */
const finishBytes = 8 << 20;
/** While a file is trimmed, so much of it is copied at a tick. */
const trimBytesPerTick = 8 << 20;

export class SessionRecorder {
  readonly #options: RecorderOptions;
  readonly #writer: LogWriter;
  readonly #watcher: Watcher;
  #chain: RecordedChain | undefined;
  /** Being written; until it is whole, restore points stand on the one before. */
  #base: Base | undefined;
  #markedTasks = -1;
  #failure: LogWriteError | undefined;
  #showing: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isAskedForPoint = false;
  #pointTasks: number;
  #pointOffset: number;
  #pointAtMs = performance.now();
  /** Of the processor, at the end of the last restore point, and how much that one and the one before took. */
  #pointCpuMs = cpuMs();
  #pausesCpuMs: readonly [last: number, before: number] = [0, 0];
  #syncedAtMs = 0;
  #isClosed = false;
  #trim: SessionTrim | undefined;
  /** The end of the last base when trimming was thought of last. */
  #trimmedAt = -1;

  constructor(options: RecorderOptions) {
    const { cluster, writer, chain } = options;
    this.#options = options;
    this.#writer = writer;
    this.#chain = chain;
    this.#pointTasks = cluster.loop.tasksRun;
    this.#pointOffset = writer.offset;
    const { build, writtenBy = build } = options;
    if (writtenBy !== build) writer.append({ t: 'build', build } as LogRecord);
    this.#watcher = cluster.store.watch({
      prefix: '',
      afterRevision: options.loggedRevision,
      onChanges: (changes) => {
        for (const change of changes) writer.append(changeRecord(change));
      },
    });
  }

  /** How long the file is, and what waits to be written. */
  get writtenBytes(): number {
    return this.#writer.offset;
  }

  onInput(input: RecordedInput): void {
    this.#writer.append({ t: 'input', ...input } as LogRecord);
  }

  start(): void {
    this.#timer = setInterval(() => this.#tick(), tickMs);
    this.#timer.unref();
    if (this.#chain === undefined) this.#askForPoint();
    setTimeout(() => this.#recall(), sliceMs * 4).unref();
  }

  /** The next base asks for all that was before the last one: until then it is read bit by bit. */
  #recall(): void {
    if (this.#isClosed) return;
    const untilMs = performance.now() + sliceMs;
    let knowsAll = false;
    while (!knowsAll && performance.now() < untilMs) knowsAll = this.#options.cluster.store.recall(piecesPerLook);
    if (!knowsAll) setTimeout(() => this.#recall(), sliceMs * 4).unref();
  }

  /** Throws 503 while the file cannot be written: nothing may change that cannot be kept. */
  mustBeWritable(): void {
    if (this.#failure !== undefined) this.commit();
  }

  /** Writes down all there is, so that it may be shown; throws 503 when that fails. */
  commit(): void {
    try {
      this.#commit();
    } catch (error) {
      if (!(error instanceof LogWriteError)) throw error;
      throw newServiceUnavailable(`the session ${this.#options.session.path}: ${error.message}`);
    }
  }

  /** Shows something to a client when it is written down; in the order of the calls. */
  show(show: () => void): void {
    if (this.#showing.push(show) === 1) setImmediate(() => this.#showAll());
  }

  /** Writes a restore point here, at a quiet place, and the whole base that it may need. */
  point(): void {
    this.#finishBase();
    // Without one before it there must be a base now, which says all that history knows.
    if (this.#chain === undefined) this.#options.cluster.history.catchUp();
    this.#point();
    this.#finishBase();
  }

  /** Writes the last state and the digest; the cluster must have been stopped. Throws when that cannot be written. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#isClosed = true;
    this.#trim?.abandon();
    try {
      await becomeQuiet(this.#options.cluster);
      this.point();
      this.#writer.append({ t: 'end', ...this.#mark() } as LogRecord);
      this.#writer.flush();
      this.#writer.sync();
    } catch (error) {
      if (!(error instanceof LogWriteError)) throw error;
      throw new SessionLostError(this.#options.session.path, error.message);
    } finally {
      this.#watcher.cancel();
      this.#options.session.close();
    }
  }

  /** Leaves the file as it is, when the cluster failed: what is in it can be gone on with. */
  abandon(): void {
    clearInterval(this.#timer);
    this.#isClosed = true;
    this.#trim?.abandon();
    this.#watcher.cancel();
    this.#options.session.close();
  }

  /** Goes on with trimming the file, if it is too long, by so many bytes. A file that cannot be trimmed is told, and goes on whole. */
  trim(bytes: number): void {
    const { session, bytesMax, onNote } = this.#options;
    if (bytesMax === undefined) return;
    try {
      this.#trim ??= this.#beginTrim(bytesMax);
      if (this.#trim === undefined || this.#trim.copy(this.#writer.written, bytes) > bytes) return;
      this.#flush();
      const trim = this.#trim;
      const trimmed = trim.finish(this.#writer.written);
      this.#trim = undefined;
      session.adopt(trimmed);
      this.#writer.moveTo(trimmed.file, trimmed.length);
      trim.sync();
    } catch (error) {
      if (error instanceof LogWriteError) throw error;
      this.#trim?.abandon();
      this.#trim = undefined;
      onNote?.(`trimming the session ${session.path}: ${(error as Error).message}`);
    }
  }

  /** Where at least half of the file stands before a whole base, the oldest such base is to be its beginning. */
  #beginTrim(bytesMax: number): SessionTrim | undefined {
    const { written } = this.#writer;
    const based = this.#chain?.based;
    if (written <= bytesMax || based === undefined || based === this.#trimmedAt) return undefined;
    this.#trimmedAt = based;
    const base = this.#options.session.firstBaseBehind(written / 2, written);
    return base === undefined ? undefined : this.#options.session.beginTrim(base);
  }

  #commit(): void {
    const { loop } = this.#options.cluster;
    if (loop.tasksRun !== this.#markedTasks) {
      this.#markedTasks = loop.tasksRun;
      this.#writer.append({ t: 'mark', ...this.#mark() } as LogRecord);
    }
    this.#flush();
    if (this.#isPointDue()) this.#askForPoint();
  }

  #flush(): void {
    try {
      this.#writer.flush();
      this.#failure = undefined;
    } catch (error) {
      if (!(error instanceof LogWriteError)) throw error;
      this.#failure = error;
      if (this.#writer.waitingBytes > waitingBytesMax) this.#options.onLost(new SessionLostError(this.#options.session.path, error.message));
      throw error;
    }
  }

  #showAll(): void {
    if (this.#isClosed) return;
    try {
      this.#commit();
    } catch (error) {
      if (!(error instanceof LogWriteError)) throw error;
      setTimeout(() => this.#showAll(), retryMs);
      return;
    }
    const waiting = this.#showing;
    this.#showing = [];
    for (const show of waiting) show();
  }

  #tick(): void {
    try {
      this.#commit();
      this.trim(trimBytesPerTick);
      if (performance.now() - this.#syncedAtMs < syncMs) return;
      this.#syncedAtMs = performance.now();
      this.#writer.sync();
    } catch (error) {
      // It waits; clients are told, and the next tick tries again.
      if (!(error instanceof LogWriteError)) throw error;
    }
  }

  #isPointDue(): boolean {
    const { loop } = this.#options.cluster;
    const tasks = loop.tasksRun - this.#pointTasks;
    if (tasks === 0 || (this.#base !== undefined && this.#chain === undefined)) return false;
    const isDue =
      tasks >= tasksPerPoint || this.#writer.offset - this.#pointOffset >= bytesPerPoint || performance.now() - this.#pointAtMs >= idlePointMs;
    // One that took long by chance, in which garbage was collected, does not put off the next.
    return isDue && cpuMs() - this.#pointCpuMs >= Math.min(...this.#pausesCpuMs) * pauseShare;
  }

  #askForPoint(): void {
    if (this.#isAskedForPoint) return;
    this.#isAskedForPoint = true;
    this.#options.cluster.loop.whenQuiet(() => {
      this.#isAskedForPoint = false;
      if (!this.#isClosed) this.#point();
    });
  }

  /** A restore point here, where nothing is in flight. */
  #point(): void {
    const startMs = cpuMs();
    const { cluster } = this.#options;
    const mark = this.#mark();
    const chain = this.#chain;
    const state = cluster.saveState(chain?.state);
    const grown = this.#writer.address - (chain?.based ?? 0);
    if (chain !== undefined) this.#writeDelta(chain, mark, state);
    this.#pausesCpuMs = [cpuMs() - startMs, this.#pausesCpuMs[0]];
    const isBaseDue = this.#base === undefined && (chain === undefined || grown > Math.max(baseBytesMin, chain.baseBytes / 2));
    if (isBaseDue && knowsHistory(cluster)) this.#beginBase(mark, state);
    this.#pointTasks = mark.tasksRun;
    this.#pointOffset = this.#writer.offset;
    this.#pointAtMs = performance.now();
    this.#pointCpuMs = cpuMs();
  }

  #writeDelta(chain: RecordedChain, mark: Mark, state: JsonValue): void {
    const { address } = this.#writer;
    const delta = diff(chain.state, state, stateMapDepth) ?? [5, {}, []];
    const { base, based } = chain;
    const floor = this.#options.cluster.store.compactedRevision();
    this.#writer.append({ t: 'checkpoint', ...mark, from: chain.address, base, based, floor, state: delta } as LogRecord);
    this.#chain = { ...chain, address, state };
  }

  #beginBase(mark: Mark, state: JsonValue): void {
    const { cluster } = this.#options;
    const floor = cluster.store.compactedRevision();
    this.#base = { mark, state, floor, address: this.#writer.address, count: 0, pieces: piecesOf(cluster, mark.revision, state) };
    const same = this.#chain?.address;
    this.#writer.append({ t: 'base', ...mark, ...(same === undefined ? {} : { same }), floor } as LogRecord);
    if (!this.#isClosed) setImmediate(() => this.#goOnWithBase());
  }

  #goOnWithBase(): void {
    // What cannot be written would only wait in memory, all of it.
    if (this.#failure !== undefined && !this.#isClosed) return void setTimeout(() => this.#goOnWithBase(), retryMs).unref();
    const untilMs = performance.now() + sliceMs;
    while (this.#base !== undefined && performance.now() < untilMs) this.#writePiece(this.#base);
    if (this.#base === undefined || this.#isClosed) return;
    // Before the first is whole there are no restore points at all.
    if (this.#chain === undefined) setImmediate(() => this.#goOnWithBase());
    else setTimeout(() => this.#goOnWithBase(), sliceMs * 4);
  }

  #finishBase(): void {
    while (this.#base !== undefined) {
      this.#writePiece(this.#base);
      if (this.#writer.waitingBytes > finishBytes) this.#flush();
    }
  }

  #writePiece(base: Base): void {
    const next = base.pieces.next();
    if (next.done !== true) {
      if (next.value === undefined) return;
      base.count++;
      this.#writer.append(next.value);
      return;
    }
    const { mark, address, floor, state, count } = base;
    const based = this.#writer.address;
    const previous = this.#chain?.based;
    this.#writer.append({
      t: 'based',
      ...mark,
      base: address,
      ...(previous === undefined ? {} : { previous }),
      build: this.#options.build,
      floor,
      pieces: count,
    } as LogRecord);
    this.#base = undefined;
    const baseBytes = this.#writer.address - address;
    const isFirst = this.#chain === undefined;
    // Restore points that were written meanwhile stand on it too: they are deltas to the one at its place.
    this.#chain = { ...(this.#chain ?? { address, state }), base: address, based, baseBytes };
    if (isFirst && !this.#isClosed) this.#askForPoint();
  }

  #mark(): Mark {
    const { loop, store, digest, door } = this.#options.cluster;
    return { tasksRun: loop.tasksRun, nowMs: loop.nowMs(), revision: store.currentRevision(), inputs: door.inputs, digest };
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Runs a stopped loop on, task by task, until nothing is in flight. */
async function becomeQuiet(cluster: Cluster): Promise<void> {
  const { loop } = cluster;
  while (!loop.quiet) await loop.run(Number.POSITIVE_INFINITY, loop.tasksRun + 1);
}
