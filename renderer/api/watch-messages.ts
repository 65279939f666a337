/** What the page and its watch worker say to each other. */
import type { Clock } from '../../engine/api/sim/v1alpha1/clock.ts';

/** Whether the engine answers, is connected and silent, or lost; or answers that the branch this page looks at is gone, or that this browser is not signed in. */
export type Hearing = 'heard' | 'silent' | 'lost' | 'gone' | 'stranger';

export type ToWorker = { readonly open: { readonly id: number; readonly path: string } } | { readonly close: number };

export interface Change {
  readonly key: string;
  /** Absent: deleted. */
  readonly row?: object;
}

export type FromWorker =
  | {
      readonly type: 'changes';
      readonly id: number;
      readonly changes: readonly Change[];
      readonly reset: boolean;
      readonly synced: boolean;
      /** Virtual milliseconds that all of them are true of, where the engine says so. */
      readonly asOfMs?: number;
    }
  | { readonly type: 'error'; readonly id: number; readonly message: string }
  | { readonly type: 'clock'; readonly clock: Clock }
  | { readonly type: 'connection'; readonly hearing: Hearing };
