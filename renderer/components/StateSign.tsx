/** A phase as colour, shape and word. */
import { CircleCheck, CircleDashed, CircleDot, CircleHelp, CircleX, Hourglass } from 'lucide-react';

const signs = {
  Pending: CircleDashed,
  Running: CircleDot,
  Ready: CircleDot,
  Succeeded: CircleCheck,
  Complete: CircleCheck,
  Failed: CircleX,
  NotReady: CircleX,
  Unknown: CircleHelp,
  Terminating: Hourglass,
} as const;
const tokens: Readonly<Record<string, string>> = { Ready: 'running', Complete: 'succeeded', NotReady: 'failed' };

export function StateSign({ state, wordless }: { readonly state: string; readonly wordless?: boolean }) {
  const Sign = signs[state as keyof typeof signs] ?? CircleDot;
  const token = tokens[state] ?? (state in signs ? state.toLowerCase() : 'terminating');
  return (
    <span className="badge" style={{ color: `var(--state-${token})`, ...(wordless ? { padding: 0, background: 'none' } : {}) }}>
      <Sign size={13} aria-hidden />
      {wordless ? <span className="sr-only">{state}</span> : state}
    </span>
  );
}
