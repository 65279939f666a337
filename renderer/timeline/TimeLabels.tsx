/** Names beside the rows that are seen, and the heads of their groups, of which the last one that went by stays. They do not move with time. */
import { memo, type ReactNode } from 'react';
import type { TimelineRow } from '../../engine/api/sim/v1alpha1/timeline.ts';
import type { Line, Lines } from './lines.ts';

export interface TimeLabelsProps {
  readonly first: number;
  readonly count: number;
  readonly rowAt: (index: number) => TimelineRow | undefined;
  readonly lines: Lines | undefined;
  readonly rowHeight: number;
  readonly scrollTop: number;
  readonly selected: string;
  readonly renderLabel: (row: TimelineRow, index: number) => ReactNode;
  readonly renderHead: ((line: Line) => ReactNode) | undefined;
}

export const TimeLabels = memo(function TimeLabels(props: TimeLabelsProps) {
  const { first, count, rowAt, lines, rowHeight, scrollTop, selected, renderLabel, renderHead } = props;
  const labels: ReactNode[] = [];
  for (let index = first; index < first + count; index++) {
    const row = rowAt(index);
    const line = lines?.lineAt(index);
    if (line?.isHead) {
      labels.push(
        <div key={index} className="tl-label is-head" style={{ top: Math.max(0, index * rowHeight - scrollTop), height: rowHeight }}>
          {renderHead?.(line)}
        </div>,
      );
      continue;
    }
    labels.push(
      <div
        key={index}
        className={`tl-label ${row && row.id === selected ? 'is-selected' : ''}`}
        style={{ top: index * rowHeight - scrollTop, height: rowHeight }}
      >
        {row ? renderLabel(row, index) : <span className="skeleton" />}
      </div>,
    );
  }
  const governing = lines?.lineAt(first);
  if (governing && !governing.isHead)
    labels.push(
      <div
        key="sticky"
        className="tl-label is-head is-sticky"
        style={{ top: Math.min(0, nextHead(lines, first, rowHeight) - scrollTop - rowHeight), height: rowHeight }}
      >
        {renderHead?.(governing)}
      </div>,
    );
  return (
    <div className="tl-labels" data-rows=".tl-label:not(.is-sticky)">
      {labels}
    </div>
  );
});

/** A sticky head gives way to the one below it. */
function nextHead(lines: Lines | undefined, first: number, rowHeight: number): number {
  return lines?.lineAt(first + 1)?.isHead ? (first + 1) * rowHeight : (first + 2) * rowHeight;
}
