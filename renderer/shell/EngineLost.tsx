/** The engine is not heard: since when, what that means for what is shown, and what to do. A badge in the time bar, and a line across the frame. */
import { Unplug } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Hearing } from '../api/watch-messages.ts';
import { engineIsHeard, useClock, useHeard } from '../state/clock.ts';
import { useWhen } from '../state/use-when.ts';
import { texts } from '../texts/texts.ts';

const words = texts.engine;

export function EngineLost({ hearing }: { readonly hearing: Exclude<Hearing, 'heard'> }) {
  const forMs = useSecondsSince(useHeard(({ atMs }) => atMs));
  return (
    <span className="badge engine-lost">
      <Unplug size={13} aria-hidden />
      {words.lostFor(words.hearing[hearing][0], forMs)}
    </span>
  );
}

export function EngineBanner() {
  const when = useWhen();
  const hearing = useClock((state) => state.hearing);
  // Asked for where it is told alone: what is well here does not follow the clock.
  const nowMs = useClock((state) => (engineIsHeard(state) ? 0 : state.nowMs));
  if (hearing === 'heard' || hearing === 'opening') return null;
  const [word, what] = words.hearing[hearing];
  return (
    <div className="engine-banner" role="status">
      <Unplug size={14} aria-hidden />
      <span>
        <strong>{texts.frame.errorTitle(word)}</strong> {what} {nowMs > 0 ? words.lastKnown(when(nowMs)) : words.nothingKnown}
      </span>
    </div>
  );
}

/** Wall milliseconds since then, in whole seconds. */
function useSecondsSince(ms: number): number {
  const [nowMs, setNowMs] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(1000, Math.floor((nowMs - ms) / 1000) * 1000);
}
