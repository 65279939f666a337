/**
 * Brings a cluster that was just constructed to a place of a session: from a restore point, or from its first instant, by running the
 * inputs again. Every mark on the way is checked (SESSION-FILE.md F9 to F14).
 */
import { StateError } from '../base/codecs.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { SessionError, type SessionFile, type SessionLine } from '../persistence/session-file.ts';
import type { Mark, Place, ReplayRecord } from '../persistence/session-records.ts';
import type { StoredState } from '../persistence/session-state.ts';
import { currentBuild } from './session.ts';
import type { RecordedChain } from './session-recorder.ts';

/** How a session was taken up. */
export interface Resumed {
  /** What the recorder goes on with; absent when it must begin with a base. */
  readonly chain: RecordedChain | undefined;
  /** The last revision that the file holds. */
  readonly loggedRevision: number;
  /** The build that wrote its last lines. */
  readonly build: string;
  /** Sentences for the user. */
  readonly notes: readonly string[];
}

/**
 * Takes a session up where it ends. Another build than the one that wrote it may run the inputs after the last restore point
 * differently: every mark is compared, and SessionDifference says where it did. Where it does not even understand that point, all
 * inputs are run again from the beginning, if they are all there.
 */
export async function resume(cluster: Cluster, session: SessionFile, build = currentBuild()): Promise<Resumed> {
  const { stored, refused } = await restoreOrStart(cluster, session, session.readRestorePoint(), build);
  const run = new Run(cluster, session, { from: stored, build });
  try {
    await run.to(session.lines(stored?.end));
  } catch (error) {
    throw refused !== undefined && error instanceof SessionDifference ? foreignSession(refused, error) : error;
  }
  cluster.door.endReplay();
  // The build that wrote it needs none of what is missing.
  if (refused !== undefined && run.lostAt !== undefined) throw refused;
  const damage = run.damagedAt === undefined ? [] : [settleDamage(session, run)];
  const isForeign = run.writtenBy !== build;
  const isUsable = stored !== undefined && run.damagedAt === undefined && !run.isPointPassed && !isForeign;
  return {
    chain: isUsable ? chainOf(stored) : undefined,
    loggedRevision: run.loggedRevision ?? stored?.point.revision ?? 0,
    build: run.writtenBy,
    notes: isForeign
      ? [
          `${session.path} was written by another build of this release (${run.writtenBy}, this is ${build}); ${sinceText(run, refused !== undefined)}`,
          ...damage,
        ]
      : damage,
  };
}

/** Neither what was remembered nor what was done leads this build to where the session is. */
function foreignSession(refused: SessionError, { place, what }: SessionDifference): SessionError {
  const tried = `run again from the beginning its inputs lead elsewhere (at ${placeText(place)} ${what})`;
  return new SessionError(`${refused.message}; ${tried}. The file is as it was`);
}

function sinceText({ lastMark, ran }: Run, isFromBeginning: boolean): string {
  if (isFromBeginning) return `it remembers other things, so all ${ran} tasks were run again from the beginning, and went as recorded`;
  if (lastMark === undefined || ran === 0) return 'it goes on from its last restore point, and a replay from its beginning may differ';
  return `the ${ran} tasks after its last restore point went as recorded, and a replay from its beginning may differ`;
}

/**
 * Takes a session to a place on its way: the state right before the task after `tasksRun` runs. Only what leads there is read and
 * checked. Throws SessionError when an input on the way is damaged.
 */
export async function reach(cluster: Cluster, session: SessionFile, tasksRun: number, build = currentBuild()): Promise<void> {
  const { stored } = await restoreOrStart(cluster, session, session.readRestorePoint(tasksRun), build);
  const run = new Run(cluster, session, { from: stored, tasksMax: tasksRun });
  await run.to(session.lines(stored?.end));
  cluster.door.endReplay();
  if (run.lostAt !== undefined)
    throw new SessionError(`${session.path} is damaged at byte ${run.lostAt}: what came after it, up to task ${tasksRun}, cannot be reached`);
  await cluster.loop.run(Number.POSITIVE_INFINITY, tasksRun);
}

export interface ReplayResult {
  readonly digest: string;
  /** The last digest that the session recorded. */
  readonly recorded: string | undefined;
  /** Whether every recorded digest is the same again; undefined when there is none. */
  readonly equal: boolean | undefined;
  readonly inputs: number;
  readonly notes: readonly string[];
}

/** Runs a whole session again from its first instant, or from where it begins since it was trimmed. */
export async function replaySession(cluster: Cluster, session: SessionFile): Promise<ReplayResult> {
  const trimmed = session.head?.trimmed;
  const stored = trimmed === undefined ? undefined : session.readRestorePoint(trimmed.tasksRun);
  await restoreOrStart(cluster, session, stored, currentBuild());
  const run = new Run(cluster, session, { from: stored });
  let difference: SessionDifference | undefined;
  try {
    await run.to(session.lines(stored?.end));
  } catch (error) {
    if (!(error instanceof SessionDifference)) throw error;
    difference = error;
  }
  return {
    digest: cluster.digest,
    recorded: run.lastMark?.digest,
    equal: difference !== undefined ? false : run.lastMark === undefined ? undefined : true,
    inputs: cluster.door.inputs - (stored?.point.inputs ?? 0),
    notes: [
      ...(trimmed === undefined ? [] : [`${session.path} was trimmed: it was run again from ${placeText(trimmed)} on`]),
      ...(difference === undefined ? damageNotes(session, run) : [difference.message]),
    ],
  };
}

/** A mark is not as it was recorded: this is another history. */
class SessionDifference extends SessionError {
  readonly place: Place;
  readonly what: string;

  constructor(path: string, place: Place, what: string, builds: { readonly wrote: string; readonly runs: string }) {
    const { wrote, runs } = builds;
    const why =
      wrote === runs ? `though this is the build that wrote it (${wrote})` : `run it with the build that wrote it (${wrote}; this is ${runs})`;
    super(`${path} runs differently from what it recorded at ${placeText(place)}: ${what}; ${why}`);
    this.place = place;
    this.what = what;
  }
}

interface RunLimits {
  /** Where it begins; absent: at the first instant. */
  readonly from?: StoredState | undefined;
  readonly tasksMax?: number;
  /** Of the engine that runs. */
  readonly build?: string;
}

class Run {
  readonly #cluster: Cluster;
  readonly #path: string;
  readonly #from: StoredState | undefined;
  readonly #tasksMax: number;
  /** Where the first damaged line since the last place that was found to be right begins. */
  #suspectAt: number | undefined;
  lastMark: Mark | undefined;
  /** The build that wrote the lines that are read now. */
  writtenBy: string;
  readonly #build: string | undefined;
  readonly #begun: number;
  loggedRevision: number | undefined;
  /** A restore point that could not be used was passed: nothing may stand on it. */
  isPointPassed = false;
  /** Lines that cannot be read begin here, though no input was lost by them. */
  damagedAt: number | undefined;
  /** An input is missing: what begins here was not run. */
  lostAt: number | undefined;

  constructor(cluster: Cluster, session: SessionFile, { from, tasksMax = Number.POSITIVE_INFINITY, build }: RunLimits) {
    this.#from = from;
    this.#cluster = cluster;
    this.#path = session.path;
    this.#build = build;
    this.writtenBy = from?.build ?? session.head?.build ?? '';
    this.#begun = cluster.loop.tasksRun;
    this.#tasksMax = tasksMax;
  }

  async to(lines: Iterable<SessionLine>): Promise<void> {
    this.#cluster.door.beginReplay();
    for (const { offset, record } of lines) {
      if (record === undefined) {
        this.#suspectAt ??= offset;
        this.damagedAt ??= offset;
      } else if (!(await this.#take(record))) break;
    }
    // Nothing tells what damaged last lines held.
    this.lostAt ??= this.#suspectAt;
  }

  /** False when the way ends here. */
  async #take(record: ReplayRecord): Promise<boolean> {
    switch (record.t) {
      case 'input':
        if (record.tasksRun >= this.#tasksMax) return this.#stop(record.input - 1);
        if (record.input !== this.#cluster.door.inputs + 1) return this.#lose();
        this.#suspectAt = undefined;
        await this.#runTo(record.tasksRun, record.nowMs);
        this.#cluster.door.replay(record);
        return true;
      case 'based':
        // Its place is that of the `base` line.
        this.isPointPassed ||= record.base !== this.#from?.base;
        return true;
      case 'checkpoint':
        this.isPointPassed = true;
        return this.#check(record);
      case 'base':
      case 'mark':
      case 'end':
        return this.#check(record);
      case 'change':
        this.loggedRevision = record.r;
        return true;
      case 'build':
        this.writtenBy = record.build;
        return true;
      case 'entry':
      case 'old':
      case 'past':
      case 'part':
        return true;
    }
  }

  async #check(mark: Mark): Promise<boolean> {
    if (mark.tasksRun > this.#tasksMax) return this.#stop(mark.inputs);
    if (mark.inputs !== this.#cluster.door.inputs) return this.#lose();
    this.#suspectAt = undefined;
    await this.#runTo(mark.tasksRun, mark.nowMs);
    const { digest, store } = this.#cluster;
    const revision = store.currentRevision();
    this.lastMark = mark;
    if (revision !== mark.revision) throw this.#difference(mark, `revision ${revision} instead of ${mark.revision}`);
    if (digest !== mark.digest) throw this.#difference(mark, `digest ${digest} instead of ${mark.digest}`);
    return true;
  }

  /** The way ends before a line that knows how many inputs there were: if all were run, no damage hid one. */
  #stop(inputs: number): false {
    if (inputs === this.#cluster.door.inputs) this.#suspectAt = undefined;
    return false;
  }

  /** Tasks run so far. */
  get ran(): number {
    return this.#cluster.loop.tasksRun - this.#begun;
  }

  #difference(place: Place, what: string): SessionDifference {
    return new SessionDifference(this.#path, place, what, { wrote: this.writtenBy, runs: this.#build ?? currentBuild() });
  }

  #lose(): false {
    if (this.#suspectAt === undefined)
      throw new SessionError(`${this.#path} lacks input ${this.#cluster.door.inputs + 1}; it was not written by this engine`);
    this.lostAt = this.#suspectAt;
    return false;
  }

  async #runTo(tasksRun: number, nowMs: number): Promise<void> {
    const { loop } = this.#cluster;
    await loop.run(Number.POSITIVE_INFINITY, tasksRun);
    const place = { tasksRun, nowMs };
    if (loop.tasksRun !== tasksRun) throw this.#difference(place, `this run is at task ${loop.tasksRun}`);
    const dueMs = loop.nextDueMs() ?? Number.POSITIVE_INFINITY;
    if (loop.nowMs() > nowMs || dueMs < nowMs) throw this.#difference(place, 'time is not the same');
    loop.advanceIdleTo(nowMs);
  }
}

/** What a run begins with: a restore point, or the first instant. `refused` says why it is not the restore point that there is. */
interface Beginning {
  readonly stored: StoredState | undefined;
  readonly refused?: SessionError;
}

/** Throws SessionError where the restore point is of other slots and the file no longer has its beginning. */
async function restoreOrStart(cluster: Cluster, session: SessionFile, stored: StoredState | undefined, build: string): Promise<Beginning> {
  const trimmed = session.head?.trimmed;
  if (stored === undefined && trimmed !== undefined)
    throw new SessionError(`${session.path} was trimmed and begins at ${placeText(trimmed)}; nothing whole leads to what is asked for`);
  cluster.door.beginReplay();
  if (stored === undefined) {
    await cluster.start();
    return { stored };
  }
  try {
    // Another build may understand it otherwise: all is checked before anything changes.
    const { derived, ...rest } = stored;
    cluster.restoreStored({ ...rest, ...(stored.build === build ? { derivedLater: derived.pieces() } : { derived: derived.whole() }) });
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    const refused = new SessionError(
      `${session.path} holds what this build (${build}) does not understand at ${placeText(stored.point)}: ${error.message}; open it with the build that wrote it (${stored.build})`,
    );
    if (trimmed !== undefined) throw refused;
    // Nothing was changed by what was refused.
    await cluster.start();
    return { stored: undefined, refused };
  }
  cluster.door.continueAfter(stored.point.inputs);
  return { stored };
}

function placeText({ tasksRun, nowMs }: Place): string {
  return `task ${tasksRun} (${new Date(nowMs).toISOString()})`;
}

function chainOf({ address, base, based, state, baseBytes }: StoredState): RecordedChain {
  return { address, base, based, baseBytes, state };
}

/** Cuts off what was not run, and says what became of it. */
function settleDamage(session: SessionFile, { damagedAt, lostAt }: Run): string {
  if (lostAt === undefined) return `${session.path} is damaged at byte ${damagedAt}; no input was lost, and history goes on from its end`;
  const inputs = countInputs(session, lostAt);
  const kept = session.cutAt(lostAt);
  return `${session.path} is damaged at byte ${lostAt} and an input is missing; history goes on from before it, and what followed (${inputs} readable ${inputs === 1 ? 'input' : 'inputs'}) is kept in ${kept}`;
}

function damageNotes(session: SessionFile, { damagedAt, lostAt }: Run): readonly string[] {
  if (lostAt !== undefined)
    return [
      `${session.path} is damaged at byte ${lostAt} and an input is missing; ${countInputs(session, lostAt)} readable inputs after it were not run`,
    ];
  return damagedAt === undefined ? [] : [`${session.path} is damaged at byte ${damagedAt}; no input was lost`];
}

function countInputs(session: SessionFile, from: number): number {
  let count = 0;
  for (const { record } of session.lines(from)) if (record?.t === 'input') count++;
  return count;
}
