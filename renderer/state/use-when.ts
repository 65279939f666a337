/** Instants in words, as short as the clock's day allows: what is of another day says so. */
import { useCallback } from 'react';
import { formatWhen } from '../lib/format.ts';
import { useClock } from './clock.ts';

const dayMs = 86_400_000;

/** `precise` says milliseconds too. What is no instant is ''. */
export function useWhen(): (ms: number, precise?: boolean) => string {
  const day = useClock(({ nowMs }) => Math.floor(nowMs / dayMs));
  return useCallback((ms, precise = false) => formatWhen(ms, day * dayMs, precise), [day]);
}
