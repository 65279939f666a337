/** Over a view that can only tell of now, while the page looks at an instant that has passed. */
import { formatInstant } from '../lib/format.ts';
import { useNavigation, type ViewName } from '../state/navigation.ts';
import { backToNow, usePast } from '../state/past.ts';
import { texts } from '../texts/texts.ts';

const words = texts.frame.ofNow;
const views: ReadonlySet<ViewName> = new Set(['problems', 'objects', 'scenarios', 'faults']);

export function OfNow() {
  const view = useNavigation((state) => state.view);
  const ms = usePast();
  if (ms === undefined || !views.has(view)) return null;
  return (
    <div className="map-note row" role="note">
      {words.text(texts.frame.views[view], formatInstant(ms))}
      <button type="button" className="button" onClick={() => useNavigation.getState().go({ view: 'timeline' })}>
        {words.timeline}
      </button>
      <button type="button" className="button" onClick={backToNow}>
        {words.backToNow}
      </button>
    </div>
  );
}

/** The same in short, beside what else is of now. */
export function NowBadge() {
  if (usePast() === undefined) return null;
  return (
    <span className="badge" title={texts.overview.nowTitle}>
      {texts.overview.nowNote}
    </span>
  );
}
