/** A phase as colour, shape and word. */
import { CircleCheck, CircleDashed, CircleDot, CircleHelp, CircleOff, CircleX, Hourglass, LoaderCircle, Replace, TriangleAlert } from 'lucide-react';
import { type Look, lookOf } from './states.ts';

const looks: { readonly [L in Look]: readonly [typeof CircleDot, string] } = {
  Pending: [CircleDashed, 'pending'],
  Starting: [LoaderCircle, 'running'],
  Running: [CircleDot, 'running'],
  Ready: [CircleDot, 'running'],
  NotReady: [CircleOff, 'failed'],
  Broken: [TriangleAlert, 'failed'],
  Succeeded: [CircleCheck, 'succeeded'],
  Complete: [CircleCheck, 'succeeded'],
  Failed: [CircleX, 'failed'],
  Replaced: [Replace, 'terminating'],
  Unknown: [CircleHelp, 'unknown'],
  Terminating: [Hourglass, 'terminating'],
  Suspended: [CircleDashed, 'terminating'],
  Exists: [CircleDot, 'exists'],
};

export function StateSign({ state, wordless }: { readonly state: string; readonly wordless?: boolean }) {
  const [Sign, token] = looks[lookOf(state)];
  return (
    <span className="badge" style={{ color: `var(--state-${token})`, ...(wordless ? { padding: 0, background: 'none' } : {}) }}>
      <Sign size={13} aria-hidden />
      {wordless ? <span className="sr-only">{state}</span> : state}
    </span>
  );
}
