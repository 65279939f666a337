import { parseTime } from '../apimachinery/time.ts';

/** What makes a cluster the cluster it is: part of its session, so that a replay is of the same one. */
export interface ClusterConfig {
  readonly name: string;
  readonly seed: number;
  readonly startMs: number;
  readonly nodes: number;
  readonly zones: number;
  /** Options under their flag names, where they differ from the defaults. */
  readonly options: Readonly<Record<string, string>>;
  /** ScenarioRuns that ask for a cluster of their own are left to the host. */
  readonly ownRuns?: boolean;
  /** The release it is of, by name; the newest when absent. */
  readonly release?: string;
  /** Tells this cluster from every other, of the same seed too: drawn by the host, the salt of its keys, never part of history. */
  readonly id?: string;
}

export const defaultConfig: Omit<ClusterConfig, 'startMs'> = { name: 'wavetank', seed: 1, nodes: 3, zones: 3, options: {} };
export const region = 'sim';
/** Where scenarios and tests start. */
export const documentedStartMs = Date.UTC(2026, 0, 1);
/** The task loop counts microseconds as whole numbers, which a double has up to the middle of 2255. */
const latestStartMs = Date.UTC(2250, 0, 1);

/** Undefined where a text is no time at which a cluster can begin. */
export function parseStart(text: string): number | undefined {
  const ms = parseTime(text);
  return ms === undefined || ms > latestStartMs ? undefined : ms;
}
