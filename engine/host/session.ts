/**
 * A running cluster's session on disk: writes down inputs, marks of progress and, at quiet instants, checkpoints; and brings a
 * cluster back to where a file ends.
 */
import type { Cluster, ClusterConfig } from '../cluster/cluster.ts';
import type { InputGate, RecordedInput } from '../cluster/input-gate.ts';
import {
  type ReadLine,
  readSession,
  type Session,
  SessionError,
  sessionFormat,
  type SessionHead,
  type SessionWriter,
} from '../persistence/session-file.ts';

export const engineVersion = '0.1.0';
const markMs = 1000;
const checkpointMs = 120_000;

export function headOf(config: ClusterConfig): SessionHead {
  return {
    type: 'wavetank-session',
    format: sessionFormat,
    engine: engineVersion,
    timeZones: process.versions.tz ?? 'unknown',
    name: config.name,
    seed: config.seed,
    startMs: config.startMs,
    config: { nodes: config.nodes, zones: config.zones, options: config.options, ownRuns: config.ownRuns === true },
  };
}

export function configOf(head: SessionHead): ClusterConfig {
  const { nodes, zones, options, ownRuns = false } = head.config as unknown as Pick<ClusterConfig, 'nodes' | 'zones' | 'options' | 'ownRuns'>;
  return { name: head.name, seed: head.seed, startMs: head.startMs, nodes, zones, options, ownRuns };
}

/** Refuses a file of another engine: running it again could give another history. */
export function checkEngine(path: string, head: SessionHead): void {
  const zones = process.versions.tz ?? 'unknown';
  if (head.engine !== engineVersion)
    throw new SessionError(`${path} was written by Wavetank ${head.engine}, this is ${engineVersion}; run it with that release`);
  if (head.timeZones !== zones)
    throw new SessionError(`${path} was written with time-zone data ${head.timeZones}, this Node.js has ${zones}; run it with the same Node.js`);
}

export class SessionRecorder {
  readonly #cluster: Cluster;
  readonly #gate: () => InputGate;
  readonly #writer: SessionWriter;
  #lastMarkMs = 0;
  #lastCheckpointMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(cluster: Cluster, gate: () => InputGate, writer: SessionWriter) {
    this.#cluster = cluster;
    this.#gate = gate;
    this.#writer = writer;
    this.#lastCheckpointMs = performance.now();
  }

  onInput(input: RecordedInput): void {
    this.#writer.write({ type: 'input', ...input });
  }

  start(): void {
    this.#timer = setInterval(() => this.#tick(), markMs);
    this.#timer.unref();
  }

  /** Writes the last state and the digest; the cluster must have been stopped. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await becomeQuiet(this.#cluster);
    this.#checkpoint();
    const { digest, store } = this.#cluster;
    this.#writer.write({ type: 'end', ...this.#place(), digest, revision: store.currentRevision() });
    this.#writer.close();
  }

  #tick(): void {
    const place = this.#place();
    if (place.tasksRun === this.#lastMarkMs) return;
    this.#lastMarkMs = place.tasksRun;
    this.#writer.write({ type: 'mark', ...place });
    if (performance.now() - this.#lastCheckpointMs > checkpointMs && this.#cluster.loop.quiet && !this.#cluster.loop.running) this.#checkpoint();
    this.#writer.flush();
  }

  #checkpoint(): void {
    this.#lastCheckpointMs = performance.now();
    this.#writer.write({ type: 'checkpoint', ...this.#place(), input: this.#gate().inputs, state: this.#cluster.save() });
  }

  #place(): { readonly tasksRun: number; readonly nowMs: number } {
    return { tasksRun: this.#cluster.loop.tasksRun, nowMs: this.#cluster.loop.nowMs() };
  }
}

/** Runs a stopped loop on, task by task, until nothing is in flight. */
export async function becomeQuiet(cluster: Cluster): Promise<void> {
  const { loop } = cluster;
  while (!loop.quiet) await loop.run(Number.POSITIVE_INFINITY, loop.tasksRun + 1);
}

/** Brings a cluster that was just constructed to the end of a session: the last checkpoint, then what came after it. */
export async function resume(cluster: Cluster, gate: InputGate, session: Session): Promise<void> {
  const last = session.lines.findLastIndex((line) => line.type === 'checkpoint');
  const checkpoint = session.lines[last];
  if (checkpoint?.type === 'checkpoint') {
    const { state, input } = checkpoint.read();
    cluster.restore(state);
    gate.continueAfter(input);
  } else await cluster.start();
  await runLines(cluster, gate, session.lines.slice(last + 1));
}

export interface ReplayResult {
  readonly digest: string;
  /** The last digest that the session recorded, if it was closed cleanly at least once. */
  readonly recorded: string | undefined;
  /** Whether every recorded digest is the same again; undefined when there is none. */
  readonly equal: boolean | undefined;
  readonly inputs: number;
}

/** Runs a whole session again from its first instant. */
export async function replaySession(cluster: Cluster, gate: InputGate, session: Session): Promise<ReplayResult> {
  await cluster.start();
  const ends = await runLines(cluster, gate, session.lines);
  return {
    digest: cluster.digest,
    recorded: ends.at(-1)?.recorded,
    equal: ends.length === 0 ? undefined : ends.every(({ recorded, digest }) => recorded === digest),
    inputs: gate.inputs,
  };
}

interface EndDigests {
  readonly recorded: string;
  readonly digest: string;
}

/** Answers the digests at each clean close: what was recorded, and what this run has there. */
async function runLines(cluster: Cluster, gate: InputGate, lines: readonly ReadLine[]): Promise<readonly EndDigests[]> {
  const { loop } = cluster;
  const ends: EndDigests[] = [];
  for (const line of lines) {
    if (line.type === 'checkpoint') continue;
    await loop.run(Number.POSITIVE_INFINITY, line.tasksRun);
    if (loop.tasksRun !== line.tasksRun)
      throw new SessionError(`the session cannot be run again: it has task ${line.tasksRun}, this run ended at ${loop.tasksRun}`);
    loop.advanceIdleTo(line.nowMs);
    if (line.type === 'input') gate.replay(line);
    else if (line.type === 'end') ends.push({ recorded: line.digest, digest: cluster.digest });
  }
  return ends;
}

export { readSession };
