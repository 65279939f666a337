/** How fast the simulated scheduler is, in virtual milliseconds (law 7). */
/** One scheduling cycle; upstream does a few hundred to some thousand pods a second. */
export const schedulingCycleMs = 0.3;
/** How often a pod that waits for its volumes is looked at (upstream's poll). */
export const bindPollMs = 1_000;
/** How often pods that wait for a change are looked at, and how long one waits at most (upstream's constants). */
export const unschedulableFlushMs = 30_000;
export const unschedulableStayMs = 5 * 60_000;
/** Back-off times are rounded down to this, so that pods of one window sort by priority. */
export const backoffWindowMs = 1000;
