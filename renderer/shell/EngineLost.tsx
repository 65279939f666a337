/** The engine is not heard: since when, what that means for what is shown, and what to do. */
import { Unplug } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Hearing } from '../api/watch-messages.ts';
import { formatDuration } from '../lib/format.ts';
import { useClock } from '../state/clock.ts';

const words = {
  lost: ['engine lost', 'The connection is gone: the engine has ended or was stopped. Start it again (npm start, or npx wavetank up).'],
  gone: [
    'cluster put away',
    'This cluster was made for a scenario run and has been put away: its run was deleted, or newer runs have ended since. Your own cluster is where it was.',
  ],
  silent: ['engine not answering', 'The connection stands, but the engine has not answered for a second: it is busy with one instant, or it hangs.'],
} as const;

export function EngineLost({ hearing }: { readonly hearing: Exclude<Hearing, 'heard'> }) {
  const heardAtMs = useClock((state) => state.heardAtMs);
  const sinceMs = useSecondsSince(heardAtMs);
  const [word, what] = words[hearing];
  return (
    <span className="badge engine-lost" role="status" title={`${what} What is shown is as it was when the engine was last heard.`}>
      <Unplug size={13} aria-hidden />
      {word} {formatDuration(sinceMs)} ago
    </span>
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
