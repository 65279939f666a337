/** A value that others hear of once it has not changed for a while; the first one at once. */
import { useEffect, useState } from 'react';

export function useRested(value: number, restMs: number): number {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs);
    return () => clearTimeout(timer);
  }, [value, restMs]);
  return rested <= 0 ? value : rested;
}
