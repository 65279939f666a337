/** Runs of one CronJob as a judge of thousands of instants asks for them: none of its questions looks at all of them. */
import { countWhile } from '../../base/bisect.ts';
import type { Run } from './record.ts';

export class RunIndex {
  /** In the order of their starts. */
  readonly #runs: readonly Run[];
  /** Planned instants in order, each as often as it was started; only schedules that count from the run before ask for them. */
  #planned: readonly number[] | undefined;
  #latestEnds: readonly number[] | undefined;
  #byEnd: readonly Run[] | undefined;

  constructor(runs: readonly Run[]) {
    this.#runs = runs;
  }

  /** By planned instant, from one on. The last one for an instant counts: a Job may be deleted and started anew. */
  since(ms: number): ReadonlyMap<number, Run> {
    const found = new Map<number, Run>();
    for (const run of this.#runs) if (run.plannedMs >= ms) found.set(run.plannedMs, run);
    return found;
  }

  /** Planned before an instant, and started before it, but not over then. */
  goingOnAt(ms: number): readonly Run[] {
    return this.#runs.filter(({ plannedMs, startMs, finishMs }) => plannedMs < ms && startMs < ms && (finishMs === 0 || finishMs > ms));
  }

  /** The last planned instant that has a run and is not after `ms`. */
  plannedUntil(ms: number): number | undefined {
    const planned = this.#plannedInOrder();
    return planned[countUntil(planned, ms) - 1];
  }

  /** The run of that instant; the last one, where it was started again. */
  plannedUntilRun(ms: number): Run | undefined {
    const plannedMs = this.plannedUntil(ms);
    return plannedMs === undefined ? undefined : this.#runs.findLast((run) => run.plannedMs === plannedMs);
  }

  /** The first planned instant after `ms` that has a run. */
  plannedAfter(ms: number): number | undefined {
    const planned = this.#plannedInOrder();
    return planned[countUntil(planned, ms)];
  }

  /** When the last run before `ms` was started; 0 where none was. */
  startedBefore(ms: number): number {
    return this.#runs[countWhile(this.#runs.length, (index) => (this.#runs[index] as Run).startMs < ms) - 1]?.startMs ?? 0;
  }

  /** The first run that was there at an instant and is not over before `untilMs`, which is not earlier. */
  activeThrough(ms: number, untilMs: number): Run | undefined {
    this.#latestEnds ??= latestEnds(this.#runs);
    const ends = this.#latestEnds;
    const run = this.#runs[countWhile(ends.length, (index) => (ends[index] as number) < untilMs)];
    return run !== undefined && run.startMs <= ms ? run : undefined;
  }

  /** The first run that ended after an instant, if not after `untilMs`. */
  endedWithin(ms: number, untilMs: number): Run | undefined {
    this.#byEnd ??= this.#runs.filter(({ finishMs }) => finishMs !== 0).sort((a, b) => a.finishMs - b.finishMs);
    const runs = this.#byEnd;
    const run = runs[countWhile(runs.length, (index) => (runs[index] as Run).finishMs <= ms)];
    return run !== undefined && run.finishMs <= untilMs ? run : undefined;
  }

  #plannedInOrder(): readonly number[] {
    this.#planned ??= this.#runs.map(({ plannedMs }) => plannedMs).sort((a, b) => a - b);
    return this.#planned;
  }
}

function countUntil(instants: readonly number[], ms: number): number {
  return countWhile(instants.length, (index) => (instants[index] as number) <= ms);
}

/** The latest end of the runs up to each one. */
function latestEnds(runs: readonly Run[]): readonly number[] {
  let latest = 0;
  return runs.map(({ finishMs }) => (latest = Math.max(latest, finishMs === 0 ? Number.POSITIVE_INFINITY : finishMs)));
}
