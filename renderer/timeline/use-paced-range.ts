/** The shown stretch of time for what may lag behind a moving view: told at most so often, and at last where the view came to rest. */
import { useEffect, useState } from 'react';
import { useRange } from './range.ts';
import type { Range } from './viewport.ts';

const paceMs = 250;

export function usePacedRange(): Range | undefined {
  const [range, setRange] = useState(() => useRange.getState().range);
  useEffect(() => {
    let toldAt = -Infinity;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = (): void => {
      timer = undefined;
      toldAt = performance.now();
      setRange(useRange.getState().range);
    };
    const moved = (): void => {
      if (timer !== undefined) return;
      const waitMs = toldAt + paceMs - performance.now();
      if (waitMs <= 0) tell();
      else timer = setTimeout(tell, waitMs);
    };
    moved();
    const unsubscribe = useRange.subscribe(moved);
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, []);
  return range;
}
