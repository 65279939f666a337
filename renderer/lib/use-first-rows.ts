/**
 * Of a long table the rows that the window has room for, and the others once the page rests or somebody turns to it: to lay out hundreds of rows that nobody
 * sees takes longer than all else that another view needs.
 */
import { startTransition, useEffect, useState } from 'react';

/** No row of a table is lower. */
const rowLeastPx = 24;
const restMs = 900;
/** With these somebody turns to what is not seen. A key or a press may as well leave the view. */
const turns = ['wheel', 'scroll', 'touchmove'] as const;

/** `subject` is what the table is of: of another one the first rows are shown first again. `share` is how much of the window's height the table has. */
export function useFirstRows<T>(rows: readonly T[], subject: string, share = 1): readonly T[] {
  const [whole, setWhole] = useState('');
  const first = Math.ceil((window.innerHeight * share) / rowLeastPx);
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
