/** Over rows of a time in which there is no cluster, or not yet. */
import { formatInstant } from '../../lib/format.ts';
import { useClock } from '../../state/clock.ts';
import { backToNow } from '../../state/past.ts';
import { texts } from '../../texts/texts.ts';
import type { Range } from '../../timeline/viewport.ts';

const words = texts.timeline;

export function OutOfTime({ range }: { readonly range: Range }) {
  const nowMs = useClock((state) => state.nowMs);
  const startMs = useClock((state) => state.startMs);
  if (nowMs === 0 || (range.toMs >= startMs && range.fromMs <= nowMs)) return null;
  return (
    <div className="map-note row" role="note">
      {range.toMs < startMs ? words.beforeStart(formatInstant(startMs)) : words.notYet(formatInstant(nowMs))}
      <button type="button" className="button" onClick={backToNow}>
        {texts.frame.ofNow.backToNow}
      </button>
    </div>
  );
}
