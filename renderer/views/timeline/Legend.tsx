/** What the areas and bars in sight mean: only the states that are there. */
import { memo } from 'react';
import { ShapeSign } from '../../components/ShapeSign.tsx';
import { type Look, lookOf, shapeOf } from '../../components/states.ts';
import { texts } from '../../texts/texts.ts';
import { type MarkLook, told } from './legend-states.ts';

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
  const { legend } = texts.timeline;
  const looks = seen === '' ? [] : (seen.split(' ') as MarkLook[]);
  return (
    <div className="legend tl-legend" aria-hidden>
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
  );
});
