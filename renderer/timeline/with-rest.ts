/** An answer about the rows in sight, with those beyond them as they were known: who looks along time asks for what is seen first, and labels and arrows beyond it stay. */
import type { Timeline } from '../../engine/api/sim/v1alpha1/timeline.ts';

/** The same answer where other rows may stand beyond: there are more or fewer of them, or the last in sight is another. */
export function withRest(seen: Timeline, before: Timeline | undefined): Timeline {
  const { rows, total } = seen;
  const last = rows.length - 1;
  const isSame = before !== undefined && before.total === total && last >= 0 && before.rows[last]?.id === rows[last]?.id;
  if (!isSame || before.rows.length <= rows.length) return seen;
  const rest = before.rows.slice(rows.length);
  const ids = new Set(rest.map(({ id }) => id));
  const { groups = [] } = seen;
  for (const { key } of groups) ids.delete(key);
  return { ...seen, rows: [...rows, ...rest], groups: [...groups, ...(before.groups ?? []).filter(({ key }) => ids.has(key))] };
}
