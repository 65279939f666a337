/** What the areas and bars in sight mean: only the states that are there. */
import { memo } from 'react';
import { ShapeSign } from '../../components/ShapeSign.tsx';
import { type Look, lookOf, shapeOf } from '../../components/states.ts';
import { texts } from '../../texts/texts.ts';
import { told } from './legend-states.ts';

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
/** `states` as bars say them. */
export const Legend = memo(function Legend({ states }: { readonly states: readonly string[] }) {
  const { legend } = texts.timeline;
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
    </div>
  );
});
