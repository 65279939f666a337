/** Lines on screen: rows, with a head line over each group. By owner there are no heads, because owners are rows themselves. */
import { countWhile } from '../lib/bisect.ts';
import type { TimelineGroup } from '../../engine/api/sim/v1alpha1/timeline.ts';

export interface Line {
  readonly group: TimelineGroup;
  readonly isHead: boolean;
  readonly row: number;
}
export interface Lines {
  readonly total: number;
  /** undefined where lines are plain rows. */
  lineAt(index: number): Line | undefined;
  rowAt(index: number): number | undefined;
  indexOf(row: number): number;
}

/** After `*` the others are exceptions. */
export function isCollapsed(collapsed: ReadonlySet<string>, key: string): boolean {
  return collapsed.has('*') !== collapsed.has(key);
}

export function plainLines(total: number): Lines {
  return { total, lineAt: () => undefined, rowAt: (index) => index, indexOf: (row) => row };
}

export function groupedLines(groups: readonly TimelineGroup[], collapsed: ReadonlySet<string>): Lines {
  const starts: { readonly group: TimelineGroup; readonly line: number; readonly row: number }[] = [];
  let line = 0;
  let row = 0;
  for (const group of groups) {
    starts.push({ group, line, row });
    const open = isCollapsed(collapsed, group.key) ? 0 : group.count;
    line += 1 + open;
    row += open;
  }
  const find = (value: number, by: 'line' | 'row') => {
    return starts[countWhile(starts.length, (index) => (starts[index]?.[by] ?? 0) <= value) - 1];
  };
  const lineAt = (index: number): Line | undefined => {
    const start = index < line ? find(index, 'line') : undefined;
    return start && { group: start.group, isHead: index === start.line, row: start.row + index - start.line - 1 };
  };
  return {
    total: line,
    lineAt,
    rowAt: (index) => {
      const at = lineAt(index);
      return at && !at.isHead ? at.row : undefined;
    },
    indexOf: (wanted) => {
      const start = find(wanted, 'row');
      return start ? start.line + 1 + wanted - start.row : wanted;
    },
  };
}
