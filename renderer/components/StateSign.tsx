/** A phase as colour, shape and word. */
import { CircleAlert, CircleCheck, CircleDashed, CircleDot, CircleHelp, CircleOff, CircleX, Hourglass, LoaderCircle, Replace } from 'lucide-react';
import { ShapeSign } from './ShapeSign.tsx';
import { type Look, lookOf, shapeOf } from './states.ts';

const looks: { readonly [L in Look]: readonly [typeof CircleDot, string] } = {
  Pending: [CircleDashed, 'pending'],
  Starting: [LoaderCircle, 'running'],
  Running: [CircleDot, 'running'],
  Ready: [CircleDot, 'running'],
  NotReady: [CircleOff, 'failed'],
  Broken: [CircleAlert, 'failed'],
  Succeeded: [CircleCheck, 'succeeded'],
  Complete: [CircleCheck, 'succeeded'],
  Failed: [CircleX, 'failed'],
  Replaced: [Replace, 'terminating'],
  Unknown: [CircleHelp, 'unknown'],
  Terminating: [Hourglass, 'terminating'],
  Suspended: [CircleDashed, 'terminating'],
  Exists: [CircleDot, 'exists'],
};

/** `word` is said instead of the state. */
export function StateSign({ state, word = state, wordless }: { readonly state: string; readonly word?: string; readonly wordless?: boolean }) {
  const look = lookOf(state);
  const [Sign, token] = looks[look];
  const shape = shapeOf(state);
  return (
    <span className="badge" style={{ color: `var(--state-${token})`, ...(wordless ? { padding: 0, background: 'none' } : {}) }}>
      {shape ? <ShapeSign look={shape} colour="currentColor" /> : <Sign size={13} aria-hidden />}
      {wordless ? <span className="sr-only">{word}</span> : word}
    </span>
  );
}
