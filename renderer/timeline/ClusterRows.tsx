/** The whole cluster over the rows: nodes and pods that are ready of those that are there, at the pointer or at the end of what is shown. */
import { useLayoutEffect, useRef, useState } from 'react';
import type { Timeline } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { prepareLayer } from '../lib/canvas.ts';
import { useSize } from '../lib/use-size.ts';
import { useNavigation } from '../state/navigation.ts';
import { useWhen } from '../state/use-when.ts';
import { texts } from '../texts/texts.ts';
import { areaAt } from './area-steps.ts';
import { paintArea } from './paint-area.ts';
import type { Palette } from './palette.ts';
import { msAt, xOf, type Range } from './viewport.ts';

export interface ClusterRowsProps {
  readonly cluster: Timeline['cluster'];
  readonly range: Range;
  /** As far as it can be seen to move. */
  readonly nowMs: number;
  /** To the millisecond: figures are of then, whatever a pixel is worth. */
  readonly knownMs: number;
  readonly palette: Palette;
  /** So many pixels are painted beside the window on both sides. */
  readonly margin: number;
}

const names = ['nodes', 'pods'] as const;
const rowHeight = 20;
/** To what they count. */
const leads = { nodes: { kind: 'nodes' }, pods: { kind: '', search: '', filter: 'trouble' } } as const;

export function ClusterRows({ cluster, range, nowMs, knownMs, palette, margin }: ClusterRowsProps) {
  const when = useWhen();
  const go = useNavigation((state) => state.go);
  const canvas = useRef<HTMLCanvasElement>(null);
  const plot = useRef<HTMLDivElement>(null);
  const { width } = useSize(plot);
  const [pointer, setPointer] = useState<number | undefined>();
  useLayoutEffect(() => {
    if (!canvas.current || width === 0) return;
    const context = prepareLayer(canvas.current, width, rowHeight * names.length, margin);
    if (!context) return;
    names.forEach((name, index) => {
      const x = (ms: number) => Math.max(-20 - margin, Math.min(width + margin + 20, xOf(ms, range, width)));
      const [top, height] = [index * rowHeight + 3, rowHeight - 5];
      paintArea(context, cluster[name], { top, height, width, margin, endMs: Math.min(knownMs, nowMs), x, palette, place: (left) => left });
    });
    const now = xOf(nowMs, range, width);
    context.fillStyle = palette.accent;
    if (now >= -margin && now <= width + margin) context.fillRect(Math.round(now), 0, 1.5, rowHeight * names.length);
  }, [cluster, range, nowMs, knownMs, palette, width, margin]);
  // Of the end of what is shown, which may be long past.
  const ms = Math.min(knownMs, pointer === undefined ? range.toMs : msAt(pointer, range, width));
  const isToCome = range.fromMs > knownMs;
  return (
    <div className="tl-cluster" role="group" aria-label={texts.timeline.cluster}>
      <div className="tl-cluster-names">
        {names.map((name) => {
          const step = areaAt(cluster[name], ms, knownMs);
          const { ready = 0, wished = 0 } = step ?? {};
          return (
            <button key={name} type="button" title={texts.timeline.clusterRowTitle[name](when(ms))} onClick={() => go(leads[name])}>
              {texts.timeline.clusterRows[name]}
              <strong className={ready < wished ? 'bad' : ''}>{isToCome ? texts.timeline.toCome : texts.timeline.of(ready, wished)}</strong>
            </button>
          );
        })}
      </div>
      <div
        className="tl-cluster-plot"
        ref={plot}
        onPointerMove={(event) => setPointer(event.clientX - event.currentTarget.getBoundingClientRect().left)}
        onPointerLeave={() => setPointer(undefined)}
      >
        <canvas ref={canvas} className="slides" aria-hidden />
      </div>
    </div>
  );
}
