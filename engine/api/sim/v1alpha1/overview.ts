/** `overviews/cluster`: how many of what there are, counted as they change, as a computed API object. */
import type { KubeObject } from '../../../apimachinery/object.ts';

export interface OverviewStatus {
  readonly nodes: { readonly total: number; readonly ready: number };
  /**
   * By phase; besides, `Starting` (runs, never ready yet), `Troubled` (runs, and is not as it should be), `Stuck` (pending for a reason that does
   * not pass by itself) and `Terminating`.
   */
  readonly pods: { readonly [state: string]: number };
  /** All that makes pods, whoever owns it. */
  readonly workloads: number;
  readonly workloadsShort: number;
  readonly cronJobsLate: number;
  readonly faultsActive: number;
  readonly warningsPerMinute: number;
  /** Of clients outside, in the last full second of wall time. */
  readonly requestsPerSecond: number;
  /**
   * With `?from=MS&to=MS&parts=N`, or `?span=MS&ahead=MS&parts=N` for so long a range that goes along with now and reaches so far beyond it: each figure over
   * that range, the largest value of each part; `requests`: how many came in each part.
   */
  readonly curves?: { readonly [name: string]: readonly number[] };
}

export interface Overview extends KubeObject {
  readonly status: OverviewStatus;
}
