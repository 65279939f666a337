/**
 * Of a long table the rows that the window has room for, and the others once the page rests or somebody turns to it: to lay out hundreds of rows that nobody
 * sees takes longer than all else that another view needs.
 */
import { startTransition, useEffect, useState } from 'react';

/** No row of a table is lower (`base.css`). */
const rowLeastPx = 28;
/** Bars above and below a view, its head and that of its table take as much of the window at least. */
const frameLeastPx = 160;
const restMs = 900;
/** With these somebody turns to what is not seen. A key or a press may as well leave the view. */
const turns = ['wheel', 'scroll', 'touchmove'] as const;

/** `subject` is what the table is of: of another one the first rows are shown first again. `height` is what its rows have of the window at most. */
export function useFirstRows<T>(rows: readonly T[], subject: string, height = window.innerHeight - frameLeastPx): readonly T[] {
  const [whole, setWhole] = useState('');
  const first = Math.max(1, Math.ceil(height / rowLeastPx));
  const isCut = rows.length > first && whole !== subject;
  useEffect(() => {
    if (!isCut) return undefined;
    const rest = setTimeout(() => startTransition(() => setWhole(subject)), restMs);
    const turn = (): void => setWhole(subject);
    for (const type of turns) addEventListener(type, turn, { capture: true, passive: true });
    return () => {
      clearTimeout(rest);
      for (const type of turns) removeEventListener(type, turn, { capture: true });
    };
  }, [isCut, subject]);
  return isCut ? rows.slice(0, first) : rows;
}
