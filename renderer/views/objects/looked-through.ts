/** Whether all pods may be looked through for a few rows of a table. */
import type { Table } from './use-table.ts';

/** Of more pods than these it is not asked which are on their way: each look goes through all of them, and would hold the engine up. */
const lookedThroughMax = 20_000;

/** As far as it is known how many there are: of lists that leave some out nobody counts what is left. */
export function mayBeLookedThrough({ rows, metadata: { remainingItemCount = 0 } }: Pick<Table, 'rows' | 'metadata'>): boolean {
  return rows.length + Number(remainingItemCount) <= lookedThroughMax;
}
