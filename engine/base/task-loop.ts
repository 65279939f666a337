/**
 * The one owner of virtual time. Everything that happens in a cluster is a task of this loop; see `TASK-LOOP.md` for the contract.
 *
 * I1  Virtual time never goes back, and moves only between tasks.
 * I2  Tasks run in the order (due, component rank, sequence), whatever the order of their creation in wall time.
 * I3  Between two tasks every coroutine of the engine is parked at an engine promise: order never depends on microtask counts.
 * I4  What outlives its instant and is not a call in flight is a timer: component, name and plain payload.
 * I5  The loop is quiet when no call is in flight and no coroutine is unfinished. Only then can it be saved.
 * I6  What throws is a component that crashed: it is told to the crash handler, and the loop goes on. Only a broken invariant of the
 *     loop itself stops it for good.
 * I7  A timer whose handler threw comes again after a back-off, unless the handler had set it again itself.
 * I8  While the loop is held no task runs and time stands still; inputs enter all the same.
 */
import type { JsonValue } from './json.ts';
import { AssertionError, assert } from './assert.ts';
import { json, mapOf, number, optional, record, text } from './codecs.ts';
import type { Slots } from './slots.ts';
import { Heap } from './heap.ts';

/** Source of virtual time. Milliseconds since the Unix epoch, with microsecond resolution. */
export interface Clock {
  nowMs(): number;
}

/** What the loop needs of the outside: turns for others, and a monotonic wall clock for its slices. */
export interface LoopHost {
  /** A macrotask hop: all microtasks run dry, and sockets and windows have their turn. */
  hop(): Promise<void>;
  /** Resolves when all microtasks have run dry, without a turn for anything else: a tenth of a hop. Absent: `hop` does it. */
  dry?(): Promise<void>;
  wallMs(): number;
}

/** A part of the cluster that remembers something: what it has declared in its slots, and nothing else. */
export interface Component {
  readonly name: string;
  /** A handler that starts a coroutine returns its promise. */
  onTimer(name: string, payload: JsonValue): void | Promise<void>;
  readonly slots: Slots;
}

export type TimerId = number;

/** A component threw. `key` says at what: a timer, the object that was worked on, a request. */
export interface Crash {
  readonly component: string;
  readonly key: string;
  readonly error: unknown;
}

interface Task {
  readonly dueUs: number;
  readonly rank: number;
  readonly sequence: number;
  /** Timers carry a name and a payload, calls in flight carry `run`. */
  readonly component: string;
  readonly name: string;
  readonly payload: JsonValue;
  readonly run: (() => void | Promise<void>) | undefined;
  /** How often in a row the handler of this timer has thrown. */
  readonly crashes: number;
  cancelled: boolean;
}

export interface SavedTimer {
  readonly dueUs: number;
  readonly component: string;
  readonly name: string;
  readonly payload: JsonValue;
  readonly crashes?: number;
}

export interface SavedLoop {
  readonly nowUs: number;
  readonly sequence: number;
  readonly tasksRun: number;
  /** By sequence, in its order: what has come since stands at the end. */
  readonly timers: ReadonlyMap<string, SavedTimer>;
}

export const savedLoop = record<SavedLoop>({
  nowUs: number,
  sequence: number,
  tasksRun: number,
  timers: mapOf(record<SavedTimer>({ dueUs: number, component: text, name: text, payload: json, crashes: optional(number) })),
});

/** An invariant of the loop is broken, an instant never ended, or a task threw and nobody was there to hear of it. */
export class LoopFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LoopFailure';
  }
}

/** Of wall time between two turns of sockets and windows. */
const sliceMs = 1;
/** Who has just written comes first again for so long: every hop is a turn for sockets. */
const attentiveMs = 5;
const tasksPerInstantMax = 2_000_000;
/** Of timers that crash: doubles from the first to the second. */
const retryMinMs = 1_000;
const retryMaxMs = 300_000;
/** The last instant that numbers can tell from the one before. */
const dueUsMax = Number.MAX_SAFE_INTEGER;

export class TaskLoop implements Clock {
  readonly #host: LoopHost;
  readonly #heap = new Heap<Task>(runsBefore);
  readonly #timers = new Map<TimerId, Task>();
  readonly #components = new Map<string, { readonly component: Component; readonly rank: number }>();
  #nowUs: number;
  #sequence = 0;
  #tasksRun = 0;
  #tasksThisInstant = 0;
  #callsInFlight = 0;
  #coroutines = 0;
  #executing = false;
  #running = false;
  #stopRequested = false;
  #hopNeeded = false;
  #onQuiet: (() => void) | undefined;
  #holds = 0;
  #unpark: (() => void) | undefined;
  /** Wall time up to which somebody outside is likely to ask again. */
  #attentiveUntilMs = Number.NEGATIVE_INFINITY;
  #failure: LoopFailure | undefined;
  #onCrash: ((crash: Crash) => void) | undefined;

  constructor(startMs: number, host: LoopHost) {
    this.#nowUs = toUs(startMs);
    this.#host = host;
  }

  nowMs(): number {
    return this.#nowUs / 1000;
  }

  /** Tasks run so far: together with the virtual time, the exact place in history at which an input enters. */
  get tasksRun(): number {
    return this.#tasksRun;
  }

  get failure(): LoopFailure | undefined {
    return this.#failure;
  }

  /** I5. */
  get quiet(): boolean {
    return this.#callsInFlight === 0 && this.#coroutines === 0 && this.#holds === 0;
  }

  get held(): boolean {
    return this.#holds > 0;
  }

  /** I8. Returns what lets go; the loop goes on when every hold is over. */
  hold(): () => void {
    this.#holds++;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#holds--;
      // Whoever waited for the answer runs before the next task (I3).
      this.#hopNeeded = true;
      if (this.#holds === 0) this.#unpark?.();
    };
  }

  /** Calls once, at the next place between two tasks that is quiet; at once where the loop stands at one. */
  whenQuiet(call: () => void): void {
    assert(this.#onQuiet === undefined, 'one waits for quiet at a time');
    if (this.quiet && !this.#executing && !this.#hopNeeded) call();
    else this.#onQuiet = call;
  }

  /** Adds a component; the order of registration is its rank, so the composition root registers in a fixed order. */
  register(component: Component): void {
    assert(!this.#components.has(component.name), `component ${component.name} is registered once`);
    this.#components.set(component.name, { component, rank: this.#components.size + 1 });
  }

  setTimer(component: string, dueMs: number, name: string, payload: JsonValue = null): TimerId {
    assert(this.#components.has(component), `component ${component} is registered before it sets timers`);
    assert(!Number.isNaN(dueMs), `timer ${component}/${name} is due at a time`);
    return this.#addTimer(toUs(dueMs), ++this.#sequence, component, name, payload, 0);
  }

  cancelTimer(id: TimerId): void {
    const task = this.#timers.get(id);
    if (task === undefined) return;
    task.cancelled = true;
    this.#timers.delete(id);
  }

  /**
   * Runs `call` after `delayMs` of virtual time, as a task of its own, and hands over its result: a call in flight. A call that gives a
   * promise holds the loop until it is settled.
   */
  after<T>(delayMs: number, component: string, call: () => T | Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#addCall(delayMs, component, () => {
        this.#hopNeeded = true;
        try {
          resolve(call());
        } catch (error) {
          reject(error as Error);
        }
      });
    });
  }

  /** Runs a synchronous `deliver` after `delayMs`, e.g. a watch delivery. In flight like `after`, but nobody awaits it. */
  soon(delayMs: number, component: string, deliver: () => void | Promise<void>): void {
    this.#addCall(delayMs, component, deliver);
  }

  /** Counts a coroutine until it ends; a rejection is a crash of `component` at `key` (I6). */
  track(coroutine: Promise<void>, component: string, key: string): void {
    this.#track(coroutine, (error) => this.crashed(component, key, error));
  }

  /** Who hears of crashes. A loop without one stops at the first. */
  onCrash(handler: (crash: Crash) => void): void {
    this.#onCrash = handler;
  }

  /** Tells a crash that the component has recovered from by itself; it sees to its own retry. */
  crashed(component: string, key: string, error: unknown): void {
    if (error instanceof LoopFailure || this.#onCrash === undefined) {
      this.#fail(`${component} at ${key}`, error);
      return;
    }
    try {
      this.#onCrash({ component, key, error });
    } catch (failure) {
      this.#fail('the crash handler', failure);
    }
  }

  /**
   * Lets something from outside happen now, between two tasks. It counts as a task, so that a replay can put it at the same place.
   * Must not be called from inside a task.
   */
  enter<T>(input: () => T): T {
    this.#must(!this.#executing, 'an input enters between two tasks');
    this.#attentiveUntilMs = this.#host.wallMs() + attentiveMs;
    this.#tasksRun++;
    this.#executing = true;
    try {
      return input();
    } finally {
      this.#executing = false;
    }
  }

  /** Virtual time of the next task, if any. */
  nextDueMs(): number | undefined {
    const task = this.#peek();
    return task === undefined ? undefined : task.dueUs / 1000;
  }

  /** Moves an idle loop's time forward. Asserts that nothing is due before. A held loop's time stands still. */
  advanceIdleTo(ms: number): void {
    const us = toUs(ms);
    if (us <= this.#nowUs || this.held) return;
    const next = this.#peek();
    assert(next === undefined || next.dueUs >= us, 'time does not jump over a task');
    this.#nowUs = us;
    this.#tasksThisInstant = 0;
  }

  /** Asks a running `run` to return after the task at hand. */
  stop(): void {
    this.#stopRequested = true;
    this.#unpark?.();
  }

  get running(): boolean {
    return this.#running;
  }

  /**
   * Runs every task due up to and including `untilMs`, then sets time to `untilMs` (if finite). Yields to the outside every
   * millisecond of wall time, and at every hop while inputs come. Returns false when stopped before. With `tasksMax`, stops after that many tasks in all,
   * and where the loop is held; without it, waits there.
   */
  async run(untilMs: number, tasksMax = Number.POSITIVE_INFINITY): Promise<boolean> {
    assert(!this.#running, 'one run at a time');
    this.#running = true;
    this.#stopRequested = false;
    try {
      return await this.#runTasks(untilMs === Number.POSITIVE_INFINITY ? untilMs : toUs(untilMs), tasksMax);
    } finally {
      this.#running = false;
    }
  }

  async #runTasks(untilUs: number, tasksMax: number): Promise<boolean> {
    let sliceStart = this.#host.wallMs();
    for (let count = 1; ; count++) {
      if (this.#hopNeeded || count % 16 === 0) {
        const wallMs = this.#host.wallMs();
        if (wallMs - sliceStart > sliceMs || (this.#hopNeeded && wallMs < this.#attentiveUntilMs)) {
          this.#hopNeeded = false;
          await this.#host.hop();
          sliceStart = this.#host.wallMs();
        } else if (this.#hopNeeded) {
          this.#hopNeeded = false;
          await (this.#host.dry?.() ?? this.#host.hop());
        }
      }
      if (this.#failure) throw this.#failure;
      if (this.#onQuiet !== undefined && this.quiet) this.#tellQuiet(this.#onQuiet);
      if (this.#stopRequested || this.#tasksRun >= tasksMax) return false;
      if (this.held) {
        if (tasksMax !== Number.POSITIVE_INFINITY) return false;
        await this.#released();
        continue;
      }
      const task = this.#peek();
      if (task === undefined || task.dueUs > untilUs) break;
      this.#heap.pop();
      this.#execute(task);
    }
    if (untilUs !== Number.POSITIVE_INFINITY && untilUs > this.#nowUs) {
      this.#nowUs = untilUs;
      this.#tasksThisInstant = 0;
    }
    return true;
  }

  #tellQuiet(call: () => void): void {
    this.#onQuiet = undefined;
    call();
  }

  /** Resolves when the last hold is over, or when the run is to stop. */
  #released(): Promise<void> {
    return new Promise((resolve) => {
      this.#unpark = () => {
        this.#unpark = undefined;
        resolve();
      };
    });
  }

  #execute(task: Task): void {
    if (task.dueUs > this.#nowUs) {
      this.#nowUs = task.dueUs;
      this.#tasksThisInstant = 0;
    }
    this.#tasksRun++;
    if (++this.#tasksThisInstant > tasksPerInstantMax) {
      this.#fail(describe(task), new Error(`the instant ${this.nowMs()} did not end after ${tasksPerInstantMax} tasks`));
      return;
    }
    this.#executing = true;
    try {
      const started = this.#start(task);
      if (started !== undefined) this.#track(started, (error) => this.#recover(task, error));
    } catch (error) {
      this.#recover(task, error);
    } finally {
      this.#executing = false;
    }
  }

  #track(coroutine: Promise<void>, onError: (error: unknown) => void): void {
    this.#coroutines++;
    this.#hopNeeded = true;
    coroutine.then(
      () => {
        this.#coroutines--;
      },
      (error: unknown) => {
        this.#coroutines--;
        onError(error);
      },
    );
  }

  /** I6, I7. */
  #recover(task: Task, error: unknown): void {
    const { component, name, payload, run, crashes } = task;
    if (run !== undefined) {
      this.crashed(component, 'call', error);
      return;
    }
    this.crashed(component, payload === null ? name : `${name} ${textOf(payload)}`, error);
    if (this.#failure !== undefined || this.#isPending(component, name, payload)) return;
    const delayMs = Math.min(retryMaxMs, retryMinMs * 2 ** Math.min(crashes, 20));
    this.#addTimer(this.#nowUs + toUs(delayMs), ++this.#sequence, component, name, payload, crashes + 1);
  }

  #isPending(component: string, name: string, payload: JsonValue): boolean {
    const text = textOf(payload);
    for (const timer of this.#timers.values()) {
      if (timer.component === component && timer.name === name && textOf(timer.payload) === text) return true;
    }
    return false;
  }

  #start(task: Task): void | Promise<void> {
    if (task.run !== undefined) {
      this.#callsInFlight--;
      return task.run();
    }
    this.#timers.delete(task.sequence);
    const entry = this.#components.get(task.component);
    this.#must(entry, `component ${task.component} is there when its timer fires`);
    return entry.component.onTimer(task.name, task.payload);
  }

  #addCall(delayMs: number, component: string, run: () => void | Promise<void>): void {
    assert(!Number.isNaN(delayMs), `a call of ${component} takes some time`);
    this.#callsInFlight++;
    const rank = this.#components.get(component)?.rank ?? 0;
    const dueUs = Math.min(dueUsMax, this.#nowUs + Math.max(0, Math.round(delayMs * 1000)));
    this.#heap.push({ dueUs, rank, sequence: ++this.#sequence, component, name: 'call', payload: null, run, crashes: 0, cancelled: false });
  }

  #addTimer(due: number, sequence: number, component: string, name: string, payload: JsonValue, crashes: number): TimerId {
    const entry = this.#components.get(component);
    this.#must(entry, `component ${component} of a timer is registered`);
    const dueUs = Math.min(dueUsMax, Math.max(due, this.#nowUs));
    const task: Task = { dueUs, rank: entry.rank, sequence, component, name, payload, run: undefined, crashes, cancelled: false };
    this.#heap.push(task);
    this.#timers.set(sequence, task);
    return sequence;
  }

  #peek(): Task | undefined {
    for (;;) {
      const task = this.#heap.peek();
      if (task === undefined || !task.cancelled) return task;
      this.#heap.pop();
    }
  }

  #fail(what: string, error: unknown): void {
    if (error instanceof LoopFailure) {
      this.#failure ??= error;
      return;
    }
    const message = error instanceof Error ? error.message : String(error);
    this.#failure ??= new LoopFailure(`${what} failed at ${new Date(this.nowMs()).toISOString()}: ${message}`, { cause: error });
  }

  /** An invariant of the loop: nobody may recover from its breach, whoever catches the error on its way up. */
  #must(condition: unknown, rule: string): asserts condition {
    if (condition) return;
    this.#fail('task loop', new AssertionError(rule));
    throw this.#failure as LoopFailure;
  }

  /** I5: asserts quietness. */
  save(): SavedLoop {
    if (!this.quiet) throw new AssertionError('a checkpoint is taken at a quiet instant');
    const timers = this.#heap
      .values()
      .filter((task) => !task.cancelled)
      .sort((a, b) => a.sequence - b.sequence)
      .map(({ dueUs, component, name, payload, sequence, crashes }): [string, SavedTimer] => [
        String(sequence),
        { dueUs, component, name, payload, ...(crashes === 0 ? {} : { crashes }) },
      ]);
    return { nowUs: this.#nowUs, sequence: this.#sequence, tasksRun: this.#tasksRun, timers: new Map(timers) };
  }

  /** Whether all its timers are of components that are registered here. */
  knowsTimersOf({ timers }: SavedLoop): boolean {
    return [...timers.values()].every(({ component }) => this.#components.has(component));
  }

  /** Replaces time, counters and timers. Components are registered before, in the same order as when it was saved. */
  restore(saved: SavedLoop): void {
    assert(!this.#running && this.quiet, 'a quiet loop is restored');
    assert(this.knowsTimersOf(saved), 'timers are of components of this cluster');
    this.#heap.clear();
    this.#timers.clear();
    this.#nowUs = saved.nowUs;
    this.#sequence = saved.sequence;
    this.#tasksRun = saved.tasksRun;
    this.#tasksThisInstant = 0;
    for (const [sequence, { dueUs, component, name, payload, crashes = 0 }] of saved.timers) {
      this.#addTimer(dueUs, Number(sequence), component, name, payload, crashes);
    }
  }
}

function runsBefore(a: Task, b: Task): boolean {
  if (a.dueUs !== b.dueUs) return a.dueUs < b.dueUs;
  if (a.rank !== b.rank) return a.rank < b.rank;
  return a.sequence < b.sequence;
}

function toUs(ms: number): number {
  return Math.round(ms * 1000);
}

function textOf(payload: JsonValue): string {
  return typeof payload === 'string' ? payload : JSON.stringify(payload);
}

function describe(task: Task): string {
  return task.run === undefined ? `timer ${task.component}/${task.name}` : `call of ${task.component}`;
}
