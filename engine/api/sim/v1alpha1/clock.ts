/** Clock: virtual time as an API object. One object, `cluster`, computed at reading: no revision, no history. */
import type { KubeObject } from '../../../apimachinery/object.ts';

export interface ClockSpec {
  /** `paused`, `max`, or how many virtual seconds pass in a real one, e.g. `1`, `0.5`, `60`. */
  readonly speed?: string;
  /** After a delivery to an outside watcher time stands still until it has been quiet for this long (Go duration). */
  readonly settle?: string;
  /** Write only: run this much virtual time as fast as possible (Go duration), then go on at `speed`. */
  readonly advance?: string;
  /** Write only: run as fast as possible up to this instant (RFC 3339). */
  readonly runUntil?: string;
  /** Write only: run the tasks of the next instant at which something other than a heartbeat happens (`event`), or of the very next instant (`instant`), and pause. */
  readonly step?: 'event' | 'instant';
}

export interface ClockStatus {
  /** RFC 3339 with microseconds. */
  readonly virtualTime: string;
  readonly virtualMs: number;
  readonly startTime: string;
  /** Instant of the next task. */
  readonly nextTaskTime?: string;
  /** A run at full speed (`advance`, `runUntil`, `step`) is under way up to this instant. */
  readonly runningUntil?: string;
  /** Virtual seconds that passed in a real one over the last two seconds; absent while time stands by wish, and at first. */
  readonly achievedSpeed?: number;
  /** Why that is less than `spec.speed`: time is held after deliveries to watchers (`settle`), until somebody outside has answered, or the machine does not get done in time. */
  readonly slowedBy?: 'Settling' | 'WaitingForAnswer' | 'MachineBusy';
  readonly tasksRun: number;
  readonly seed: number;
  /** Hash of the history so far, as DESIGN.md law 5 defines it. */
  readonly digest: string;
  readonly revision: number;
}

export interface Clock extends KubeObject {
  readonly kind: 'Clock';
  readonly spec: ClockSpec;
  readonly status: ClockStatus;
}
