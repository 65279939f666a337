/** What history needs to know of the cluster that it remembers, and who else sees what it sees. */
import type { Event } from '../api/core/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { Slots } from '../base/slots.ts';
import type { CronGrammar } from '../component-helpers/cron/parse.ts';
import type { Change } from '../store/store.ts';
import type { ResourceOf, Row } from './row.ts';

/** Sees what history sees, in its order, also when it catches up; what it remembers is saved with history. Who reads it has history catch up first. */
export interface HistoryObserver {
  /** Of everything but Events, leases and ranges. */
  onChange(change: Change<KubeObject>, row: Row): void;
  /** `row` is what the Event is about. */
  onEvent(event: Event, row: Row, ms: number): void;
  keepIn(slots: Slots): void;
}

export interface RecorderOptions {
  readonly resourceOf: ResourceOf;
  readonly startMs: number;
  /** The object that is stored under a key now, or was at a revision. */
  readonly stored: (key: string, revision?: number) => KubeObject | undefined;
  /** A change could not be looked at. */
  readonly onDefect?: (key: string, error: unknown) => void;
  /** In which schedules are written; the present one unless it is given. */
  readonly cronGrammar?: CronGrammar;
  readonly observers?: readonly HistoryObserver[];
  /** How many rows are kept; living objects are never forgotten. Default 50,000. */
  readonly rowsMax?: number;
}
