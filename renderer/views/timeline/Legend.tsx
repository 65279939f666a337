/** What the areas and bars in sight mean: only the states that are there. In as many lines as it needs, three at most; what has no room in them is one press away. */
import { memo, useEffect, useRef, useState } from 'react';
import { ShapeSign } from '../../components/ShapeSign.tsx';
import { type Look, lookOf, shapeOf } from '../../components/states.ts';
import { useSize } from '../../lib/use-size.ts';
import { texts } from '../../texts/texts.ts';
import { type MarkLook, told } from './legend-states.ts';

const linesMax = 3;

type Bar = readonly [shape: '' | 'hollow' | 'striped', token: string, sign: string];
const bars: { readonly [L in Look]?: Bar } = {
  Pending: ['hollow', 'pending', ''],
  Starting: ['hollow', 'running', ''],
  Running: ['', 'running', ''],
  Ready: ['', 'running', ''],
  Succeeded: ['', 'succeeded', '✓ '],
  Complete: ['', 'succeeded', '✓ '],
  Failed: ['', 'failed', '✕ '],
  Unknown: ['striped', 'unknown', ''],
  Terminating: ['striped', 'terminating', ''],
  Suspended: ['striped', 'terminating', ''],
};
/** As they are painted (`paint-mark`), in the colour of the text where none is named. */
const marks: { readonly [L in MarkLook]: React.ReactNode } = {
  warning: <path d="M6 1.5 10.5 6 6 10.5 1.5 6Z" fill="var(--warning)" />,
  restart: <path d="M2.5 2 5.5 6 2.5 10M6.5 2 9.5 6 6.5 10" fill="none" stroke="var(--danger)" strokeWidth="1.5" />,
  event: <circle cx="6" cy="6" r="3" fill="var(--text)" />,
  create: <path d="M4 2 8 6 4 10Z" fill="var(--text)" />,
  delete: <path d="M5 1.5V10.5M7.5 1.5V10.5" stroke="var(--text)" strokeWidth="1.5" />,
};

/** `states` as bars say them; marks that are in sight have what room is left. */
export const Legend = memo(function Legend({ states, seen }: { readonly states: readonly string[]; readonly seen: string }) {
  const line = useRef<HTMLDivElement>(null);
  const { width } = useSize(line);
  const [{ hidden, lines }, setFit] = useState({ hidden: 0, lines: 1, at: 0 });
  const [isWhole, setWhole] = useState(false);
  // After it was painted, when where things stand is known and costs nothing. Lines that were needed once stay: rows would move with what is in sight.
  useEffect(() => {
    const [needed, hidden] = fitOf(line.current);
    setFit((before) => ({ hidden, lines: Math.max(needed, before.at === width ? before.lines : 1), at: width }));
  }, [width, states, seen]);
  const { legend, legendMore } = texts.timeline;
  const looks = seen === '' ? [] : (seen.split(' ') as MarkLook[]);
  return (
    <div className="tl-legend-line">
      <div className={`legend tl-legend lines-${lines} ${isWhole ? 'is-whole' : ''}`} aria-hidden ref={line}>
        {(['short', 'surge', 'level'] as const).map((shape) => (
          <span key={shape}>
            <i className={shape} />
            {legend[shape === 'level' ? 'ready' : shape]}
          </span>
        ))}
        {told(states)
          // A ready node looks as ready pods do, whose word stands there already.
          .filter((state) => state !== legend.ready)
          .map((state) => {
            const bar = bars[lookOf(state)];
            const look = shapeOf(state);
            return (
              <span key={state}>
                {bar ? <i className={bar[0]} style={{ '--c': `var(--state-${bar[1]})` } as React.CSSProperties} /> : null}
                {bar === undefined && look ? <ShapeSign look={look} colour="var(--state-failed)" /> : null}
                {bar?.[2]}
                {state}
              </span>
            );
          })}
        {looks.map((look) => (
          <span key={`mark ${look}`}>
            <svg viewBox="0 0 12 12" width="12" height="12">
              {marks[look]}
            </svg>
            {texts.timeline.marks[look]}
          </span>
        ))}
      </div>
      {hidden > 0 ? (
        <button
          type="button"
          className="link"
          aria-expanded={isWhole}
          title={isWhole ? legendMore.less : legendMore.name(hidden)}
          aria-label={isWhole ? legendMore.less : legendMore.name(hidden)}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? '−' : legendMore.sign(hidden)}
        </button>
      ) : null}
    </div>
  );
});

/** How many lines it needs of those that it may have, and how many of its words stand below them. */
function fitOf(line: HTMLElement | null): readonly [lines: number, hidden: number] {
  const tops = [...(line?.children ?? [])].map((child) => (child as HTMLElement).offsetTop);
  const lines = [...new Set(tops)].sort((a, b) => a - b);
  const firstHidden = lines[linesMax] ?? Number.POSITIVE_INFINITY;
  return [Math.min(linesMax, Math.max(1, lines.length)), tops.filter((top) => top >= firstHidden).length];
}
