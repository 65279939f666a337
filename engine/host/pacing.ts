/**
 * Maps wall time to virtual time, the only place that does (law 1). Speed never changes history: it only says when the loop may
 * run its next task. Modes: paused (what is due at this instant runs, time stands still), N virtual seconds a second, as fast as
 * possible, and rushes (`advance`, `step`) that run at full speed to an instant and then return to the mode.
 */
import type { TaskLoop } from '../base/task-loop.ts';
import { PaceMeter } from './pace.ts';

export type Speed = 'paused' | 'max' | number;

/** Wall time and timers; a test gives its own. */
export interface WallClock {
  nowMs(): number;
  /** Calls back after `delayMs`; returns what cancels it. */
  after(delayMs: number, call: () => void): () => void;
}

export const wallClock: WallClock = {
  nowMs: () => performance.now(),
  after: (delayMs, call) => {
    const timer = setTimeout(call, delayMs);
    return () => clearTimeout(timer);
  },
};

/** How fast time really passes, and why slower than it should. */
export interface Pace {
  readonly achievedSpeed?: number;
  readonly slowedBy?: 'Settling' | 'WaitingForAnswer' | 'MachineBusy';
}

export interface PacerOptions {
  readonly loop: TaskLoop;
  readonly wall: WallClock;
  readonly speed: Speed;
  /** The loop failed; nothing will run any more. */
  readonly onFailure: (error: Error) => void;
}

interface Rush {
  readonly untilMs: number;
  readonly done: () => void;
}

const sleepMaxMs = 60_000;
/** Slower than this share of what is wished is worth a reason; what held time this lately is one. */
const slowShare = 0.9;
const latelyMs = 2_000;

export class Pacer {
  readonly #loop: TaskLoop;
  readonly #wall: WallClock;
  readonly #onFailure: (error: Error) => void;
  #speed: Speed;
  #settleMs = 0;
  #heldUntilMs = 0;
  #anchorWallMs = 0;
  #anchorVirtualMs = 0;
  #rush: Rush | undefined;
  #wake: (() => void) | undefined;
  /** Set once and left: to set it anew after each input would be a noticeable part of what a small request costs. */
  #alarm: { readonly atMs: number; readonly cancel: () => void } | undefined;
  #closed = false;
  #hasFailed = false;
  /** Something was asked since the driver last looked what to do. */
  #isAsked = false;
  #ended: Promise<void> | undefined;
  readonly #meter = new PaceMeter();
  /** Wall time at which somebody outside last answered a question that time was held for. */
  #answeredWallMs = Number.NEGATIVE_INFINITY;

  constructor(options: PacerOptions) {
    this.#loop = options.loop;
    this.#wall = options.wall;
    this.#speed = options.speed;
    this.#onFailure = options.onFailure;
  }

  get speed(): Speed {
    return this.#speed;
  }

  get settleMs(): number {
    return this.#settleMs;
  }

  get rushUntilMs(): number | undefined {
    return this.#rush?.untilMs;
  }

  setSpeed(speed: Speed): void {
    this.catchUp();
    this.#speed = speed;
    this.#meter.reset();
    this.#anchor();
    this.#interrupt();
  }

  /** For readers of the clock: each look is remembered for the next. */
  pace(): Pace {
    if (this.#speed === 'paused' && this.#rush === undefined) {
      this.#meter.reset();
      return {};
    }
    const nowMs = this.#wall.nowMs();
    const achieved = this.#meter.look(nowMs, this.#virtualNow());
    if (achieved === undefined) return {};
    const achievedSpeed = Number(achieved.toPrecision(3));
    if (typeof this.#speed !== 'number' || this.#rush !== undefined || achieved >= this.#speed * slowShare) return { achievedSpeed };
    if (this.#loop.held || nowMs - this.#answeredWallMs < latelyMs) return { achievedSpeed, slowedBy: 'WaitingForAnswer' };
    return { achievedSpeed, slowedBy: nowMs - this.#heldUntilMs < latelyMs && this.#settleMs > 0 ? 'Settling' : 'MachineBusy' };
  }

  setSettle(settleMs: number): void {
    this.#settleMs = settleMs;
  }

  /** Runs at full speed up to an instant; resolves when it is reached (or another rush took its place, or the loop has failed). */
  runUntil(untilMs: number): Promise<void> {
    this.#rush?.done();
    if (this.#hasFailed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#rush = { untilMs, done: resolve };
      this.#interrupt();
    });
  }

  /** Ends a rush where time stands; a loop that runs stops after the task at hand. */
  endRush(): void {
    const rush = this.#rush;
    if (rush === undefined) return;
    this.#rush = undefined;
    this.#anchor();
    this.#loop.stop();
    rush.done();
  }

  /** Pauses and runs the tasks of the next instant. */
  step(): Promise<void> {
    this.setSpeed('paused');
    return this.runUntil(this.#loop.nextDueMs() ?? this.#loop.nowMs());
  }

  /** Something was delivered to an outside watcher: with `settle`, time stands still until that has been quiet for a while. */
  delivered(): void {
    if (this.#settleMs === 0) return;
    this.#heldUntilMs = this.#wall.nowMs() + this.#settleMs;
    this.#loop.stop();
  }

  /** Brings an idle loop's time up to wall time, as far as no task is due; called before an input enters. */
  catchUp(): void {
    if (this.#loop.running || this.#rush !== undefined || typeof this.#speed !== 'number' || this.#ended === undefined) return;
    this.#loop.advanceIdleTo(Math.min(this.#target(), this.#loop.nextDueMs() ?? Number.POSITIVE_INFINITY));
  }

  /** An input entered: what it made due runs. */
  wake(): void {
    this.#wake?.();
  }

  /** Begins; at speed 1 time first makes up for `behindMs`, if that is more than nothing. */
  start(behindMs = 0): void {
    this.#anchor();
    if (this.#speed === 1) this.#anchorVirtualMs += Math.max(behindMs, 0);
    this.#ended = this.#drive().catch((error: unknown) => this.#fail(error instanceof Error ? error : new Error(String(error))));
  }

  /** Stops driving; resolves when the task at hand is over. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#interrupt();
    await this.#ended;
    this.#dropAlarm();
    this.#rush?.done();
  }

  /** Nobody waits for an instant that will not come. */
  #fail(error: Error): void {
    this.#hasFailed = true;
    this.#dropAlarm();
    this.#onFailure(error);
    this.#rush?.done();
    this.#rush = undefined;
  }

  async #drive(): Promise<void> {
    while (!this.#closed) {
      this.#isAsked = false;
      const heldMs = this.#heldUntilMs - this.#wall.nowMs();
      if (heldMs > 0) await this.#sleep(heldMs);
      else if (this.#rush !== undefined) await this.#runRush(this.#rush);
      else await this.#runMode();
    }
  }

  async #runRush(rush: Rush): Promise<void> {
    const reached = await this.#loop.run(rush.untilMs);
    if (!reached || this.#rush !== rush) return;
    this.#rush = undefined;
    this.#anchor();
    rush.done();
  }

  async #runMode(): Promise<void> {
    const loop = this.#loop;
    if (this.#speed === 'paused') {
      await loop.run(loop.nowMs());
      await this.#sleep(sleepMaxMs, () => loop.nextDueMs() === loop.nowMs());
    } else if (this.#speed === 'max') {
      if (await loop.run(Number.POSITIVE_INFINITY)) await this.#sleep(sleepMaxMs, () => loop.nextDueMs() !== undefined);
    } else {
      await loop.run(this.#target());
      const nextMs = loop.nextDueMs();
      const delayMs = nextMs === undefined ? sleepMaxMs : (nextMs - this.#target()) / this.#speed;
      if (delayMs > 0) await this.#sleep(Math.min(delayMs, sleepMaxMs));
    }
  }

  /** An idle loop's time stands where its last task was, though it passes. */
  #virtualNow(): number {
    const nowMs = this.#loop.nowMs();
    if (typeof this.#speed !== 'number' || this.#rush !== undefined || this.#loop.held || this.#heldUntilMs > this.#wall.nowMs()) return nowMs;
    return Math.max(nowMs, Math.min(this.#target(), this.#loop.nextDueMs() ?? Number.POSITIVE_INFINITY));
  }

  /** Where virtual time should be now, at a numeric speed. */
  #target(): number {
    const speed = this.#speed as number;
    return this.#anchorVirtualMs + (this.#wall.nowMs() - this.#anchorWallMs) * speed;
  }

  /** Time was held while a question was open: pacing goes on from here. */
  stood(): void {
    this.#answeredWallMs = this.#wall.nowMs();
    this.#anchor();
  }

  #anchor(): void {
    this.#anchorWallMs = this.#wall.nowMs();
    this.#anchorVirtualMs = this.#loop.nowMs();
  }

  #interrupt(): void {
    this.#isAsked = true;
    this.#loop.stop();
    this.#wake?.();
  }

  /** Sleeps in wall time until woken; not at all when `unless` holds, or when something was asked while a task ran. */
  #sleep(delayMs: number, unless?: () => boolean): Promise<void> {
    if (this.#closed || this.#isAsked || unless?.()) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
      this.#setAlarm(delayMs);
    });
  }

  /** One that rings too early costs a look; only one that would ring too late is set anew. */
  #setAlarm(delayMs: number): void {
    const atMs = this.#wall.nowMs() + delayMs;
    if (this.#alarm !== undefined && this.#alarm.atMs <= atMs) return;
    this.#dropAlarm();
    const ring = (): void => {
      this.#alarm = undefined;
      this.#wake?.();
    };
    this.#alarm = { atMs, cancel: this.#wall.after(delayMs, ring) };
  }

  #dropAlarm(): void {
    this.#alarm?.cancel();
    this.#alarm = undefined;
  }
}
