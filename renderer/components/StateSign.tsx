/** A phase as colour, shape and word. */
import {
  Ban,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleHelp,
  CircleOff,
  CircleX,
  CloudOff,
  HardDrive,
  Hourglass,
  LoaderCircle,
  Replace,
  RotateCcw,
  TriangleAlert,
} from 'lucide-react';
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

/** What is broken differs in shape by why: it ends again and again, cannot be pulled, finds no place, waits for a volume, or is merely not well. */
const troubles: readonly (readonly [RegExp, typeof CircleDot])[] = [
  [/^(CrashLoop|Error$|OOMKilled|ContainerCannotRun|RunContainerError)/, RotateCcw],
  [/Image|Registry/, CloudOff],
  [/^(Unschedulable|Stuck)$/, Ban],
  [/Volume|Provisioning|Claim/, HardDrive],
  [/^(Troubled|ShortOfPods)$/, CircleAlert],
];

function signOf(state: string, look: Look): typeof CircleDot {
  return (look === 'Broken' ? troubles.find(([pattern]) => pattern.test(state))?.[1] : undefined) ?? looks[look][0];
}

export function StateSign({ state, wordless }: { readonly state: string; readonly wordless?: boolean }) {
  const look = lookOf(state);
  const [Sign, token] = [signOf(state, look), looks[look][1]];
  return (
    <span className="badge" style={{ color: `var(--state-${token})`, ...(wordless ? { padding: 0, background: 'none' } : {}) }}>
      <Sign size={13} aria-hidden />
      {wordless ? <span className="sr-only">{state}</span> : state}
    </span>
  );
}
