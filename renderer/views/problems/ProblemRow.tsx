/** One problem: a sentence, and under it why and what happens next. */
import { CornerDownRight, Hourglass } from 'lucide-react';
import { useState } from 'react';
import type { Problem } from '../../../engine/api/sim/v1alpha1/problem.ts';
import { StateSign } from '../../components/StateSign.tsx';
import { formatDuration, withCounts } from '../../lib/format.ts';
import { shorten } from '../../lib/shorten.ts';
import { useClock } from '../../state/clock.ts';
import { useNavigation } from '../../state/navigation.ts';
import { useWhen } from '../../state/use-when.ts';
import { texts } from '../../texts/texts.ts';

const words = texts.problems;
const textMax = 600;

export function ProblemRow({ problem, isSelected }: { readonly problem: Problem; readonly isSelected: boolean }) {
  const { subject, reason, since, summary, cause, next } = problem.status;
  const nowMs = useClock((state) => Math.floor(state.nowMs / 1000) * 1000);
  const when = useWhen();
  const { go, set } = useNavigation();
  const open = (place: { readonly selected: string; readonly revision?: number }): void => {
    go({ ...place, tab: 'why' });
    set({ inspectorOpen: true });
  };
  const sinceMs = Date.parse(since);
  return (
    // Its head is the button of it for keys; a pointer finds it anywhere, but for what leads elsewhere and words that are marked to be copied.
    <li
      className={`problem ${isSelected ? 'is-selected' : ''}`}
      onClick={({ target }) => {
        const isOwn = (target as Element).closest('button') === null && getSelection()?.isCollapsed !== false;
        if (isOwn) open({ selected: subject.row });
      }}
    >
      <button type="button" className="problem-head" id={`problem-${subject.row}`} onClick={() => open({ selected: subject.row })}>
        <StateSign state={shorten(reason, 60)} />
        <span className="subject">
          <span className="muted">{subject.kind}</span> <code>{shorten(subject.name, 120)}</code>
          {subject.namespace ? <span className="muted"> {texts.frame.inspector.inNamespace(subject.namespace)}</span> : null}
        </span>
        <span className="since">
          <span className="muted">{words.sinceTime(when(sinceMs))}</span> {words.ago(formatDuration(Math.max(0, nowMs - sinceMs)))}
        </span>
      </button>
      <p className="problem-summary">{withCounts(shorten(summary, textMax))}</p>
      {cause ? (
        <p className="problem-line">
          <CornerDownRight size={13} aria-hidden />
          <span>
            <span className="muted">{words.because}</span>{' '}
            {cause.row === undefined ? (
              shorten(cause.text, textMax)
            ) : (
              <button
                type="button"
                className="link"
                title={words.openCause}
                onClick={() => open({ selected: cause.row ?? subject.row, ...(cause.revision === undefined ? {} : { revision: cause.revision }) })}
              >
                {shorten(cause.text, textMax)}
              </button>
            )}
          </span>
        </p>
      ) : null}
      <p className="problem-line">
        <Hourglass size={13} aria-hidden />
        <span>
          <span className="muted">{words.next}</span> {nextText(next, nowMs)}
        </span>
      </p>
      <Affected problem={problem} onOpen={(selected) => open({ selected })} />
    </li>
  );
}

function nextText(next: Problem['status']['next'], nowMs: number): string {
  if (next === undefined) return words.nothingByItself;
  const text = shorten(next.text, textMax);
  if (next.at === undefined) return text;
  const left = Date.parse(next.at) - nowMs;
  return left > 0 ? words.nextIn(text, formatDuration(left)) : words.nextNow(text);
}

const rowsShown = 20;

function Affected({ problem, onOpen }: { readonly problem: Problem; readonly onOpen: (row: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  const { affected } = problem.status;
  if (!affected) return null;
  const rows = isOpen ? affected.rows.slice(0, rowsShown) : [];
  return (
    <div className="problem-affected">
      <button type="button" className="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {words.affects(affected.kinds)}
      </button>
      {isOpen ? (
        <ul>
          {rows.map((row) => (
            <li key={row}>
              <button type="button" className="link mono" onClick={() => onOpen(row)}>
                {shorten(row, 160)}
              </button>
            </li>
          ))}
          {affected.count > rows.length ? <li className="muted">{words.more(affected.count - rows.length)}</li> : null}
        </ul>
      ) : null}
    </div>
  );
}
