/** The same entries as on the canvas, as text: for screen readers and for copying. */
import { memo, useMemo } from 'react';
import type { TimelineMark, TimelineRow } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { formatActor } from '../lib/format.ts';
import { shorten } from '../lib/shorten.ts';
import { useNavigation } from '../state/navigation.ts';
import { useWhen } from '../state/use-when.ts';
import { texts } from '../texts/texts.ts';
import { usePacedRange } from './use-paced-range.ts';
import type { Range } from './viewport.ts';

const words = texts.entries;
const textMax = 600;

export const EntryTable = memo(function EntryTable({ rows, max }: { readonly rows: readonly TimelineRow[]; readonly max: number }) {
  const range = usePacedRange();
  const when = useWhen();
  const select = useNavigation((state) => state.select);
  const entries = useMemo(() => {
    if (!range) return [];
    const all = rows.flatMap((row) => lastMarks(row.marks, range, max).map((mark) => ({ row, mark })));
    return all.sort((a, b) => b.mark.ms - a.mark.ms).slice(0, max);
  }, [rows, range, max]);
  return (
    <table className="table">
      <thead>
        <tr>
          <th>{words.time}</th>
          <th>{words.object}</th>
          <th>{words.type}</th>
          <th>{words.what}</th>
          <th>{words.by}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ row, mark }, index) => (
          <tr key={index}>
            <td className="tight mono">{when(mark.ms, true)}</td>
            <td className="tight">
              <button type="button" tabIndex={max > 100 ? 0 : -1} className="link mono" onClick={() => select(row.id)}>
                {shorten(row.name, textMax)}
              </button>
            </td>
            <td className="tight">{mark.type}</td>
            <td className={mark.level === 'Warning' ? 'warn' : ''}>{shorten(mark.text, textMax)}</td>
            <td className="muted tight">{mark.by ? formatActor(mark.by) : ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
});

/** Of marks in order of time, so many at most. */
function lastMarks(marks: readonly TimelineMark[], { fromMs, toMs }: Range, max: number): readonly TimelineMark[] {
  const end = marks.findLastIndex(({ ms }) => ms <= toMs) + 1;
  let start = end;
  while (start > 0 && end - start < max && (marks[start - 1]?.ms ?? 0) >= fromMs) start--;
  return marks.slice(start, end);
}
