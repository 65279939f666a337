/** Over rows of a time of which history was cut: what is missing there is said, and led away from. */
import { formatWhen } from '../../lib/format.ts';
import { useClock } from '../../state/clock.ts';
import { texts } from '../../texts/texts.ts';
import type { Range } from '../../timeline/viewport.ts';

const words = texts.timeline;

/** Whether rows may be missing somewhere in the range. */
export function isCut(untilMs: number | undefined, range: Range): untilMs is number {
  return untilMs !== undefined && range.fromMs < untilMs;
}

interface ForgottenProps {
  readonly range: Range;
  /** Rows of what was deleted before are no longer known; undefined where all are. */
  readonly untilMs: number | undefined;
  readonly onRange: (range: Range) => void;
}

export function Forgotten({ range, untilMs, onRange }: ForgottenProps) {
  const nowMs = useClock((state) => state.nowMs);
  if (!isCut(untilMs, range)) return null;
  return (
    <div className="map-note row" role="note">
      {words.forgotten(formatWhen(untilMs, nowMs))}
      <button type="button" className="button" onClick={() => onRange({ fromMs: untilMs, toMs: Math.max(range.toMs, nowMs) })}>
        {words.showAfter}
      </button>
    </div>
  );
}
