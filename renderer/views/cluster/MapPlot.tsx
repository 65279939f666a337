/** The drawing, and what pointer and keys do in it. */
import { type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ClusterMapStatus } from '../../../engine/api/sim/v1alpha1/cluster-map.ts';
import { prepareCanvas } from '../../lib/canvas.ts';
import { plural } from '../../lib/format.ts';
import { useKeys } from '../../lib/keys.ts';
import { useNavigation } from '../../state/navigation.ts';
import { token, useTheme } from '../../state/theme.ts';
import { texts } from '../../texts/texts.ts';
import { readPalette } from '../../timeline/palette.ts';
import { readClassColours } from './colours.ts';
import { type MapLayout, placeOfPod, podAt, rackAt } from './layout.ts';
import { paintCluster } from './paint-cluster.ts';
import { idOf } from './paint-pod.ts';
import { describeNode, describePod } from './tell.ts';

interface MapPlotProps {
  readonly map: ClusterMapStatus | undefined;
  readonly layout: MapLayout | undefined;
  readonly nowMs: number;
  readonly height: number;
  readonly plot: RefObject<HTMLDivElement | null>;
  readonly onSay: (text: string) => void;
  readonly onZoom: (node: string) => void;
  readonly children: ReactNode;
}

export function MapPlot({ map, layout, nowMs, height, plot, onSay, onZoom, children }: MapPlotProps) {
  const { selected, select } = useNavigation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const [hovered, setHovered] = useState('');
  const theme = useTheme(({ shown }) => shown);
  const [palette, colours] = useMemo(() => {
    void theme;
    return [readPalette(token), readClassColours(token)] as const;
  }, [theme]);
  useLayoutEffect(() => {
    const box = plot.current;
    const context = canvas.current && box ? prepareCanvas(canvas.current, box.clientWidth, box.clientHeight) : undefined;
    if (context && map && layout) paintCluster(context, { map, layout, scrollTop, height, selected, hovered, palette, colours, nowMs });
  }, [map, layout, scrollTop, height, selected, hovered, palette, colours, nowMs, plot]);
  useMapKeys(layout, plot, onZoom);
  const targetAt = (event: { readonly clientX: number; readonly clientY: number; readonly currentTarget: HTMLElement }) => {
    const box = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top + scrollTop];
    const rack = layout && rackAt(layout.racks, x, y);
    const pod = layout && rack && podAt(layout, rack, x, y);
    return { rack, pod, id: pod ? idOf(pod) : rack ? `nodes/${rack.node.name}` : '' };
  };
  return (
    <div
      className="cluster-plot"
      ref={plot}
      tabIndex={0}
      role="group"
      aria-label={texts.cluster.plot(plural(map?.nodes.length ?? 0, 'node'), plural(map?.podCount ?? 0, 'pod'))}
      onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      onPointerMove={(event) => {
        const { rack, pod, id } = targetAt(event);
        if (id === hovered) return;
        setHovered(id);
        onSay(pod ? describePod(pod, nowMs) : rack ? describeNode(rack.node, nowMs) : '');
      }}
      onPointerLeave={() => {
        setHovered('');
        onSay('');
      }}
      onClick={(event) => {
        const { id } = targetAt(event);
        if (id) select(id);
      }}
      onDoubleClick={(event) => {
        const { rack } = targetAt(event);
        if (rack) onZoom(rack.node.name);
      }}
    >
      {children ?? <canvas ref={canvas} aria-hidden />}
      <div style={{ height: Math.max(0, (layout?.height ?? 0) - height) }} />
    </div>
  );
}

interface Spot {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

/** Arrow keys go from node to node, and in a node that is alone from pod to pod. */
function useMapKeys(layout: MapLayout | undefined, plot: RefObject<HTMLDivElement | null>, onZoom: (node: string) => void): void {
  const { selected, select } = useNavigation();
  const move = (test: (dx: number, dy: number) => boolean) => {
    const spots = layout ? spotsOf(layout) : [];
    const from = spots.find(({ id }) => id === selected);
    const distance = ({ x, y }: Spot) => Math.abs(x - (from?.x ?? 0)) + Math.abs(y - (from?.y ?? 0)) * 2;
    const next = from ? spots.filter(({ x, y }) => test(x - from.x, y - from.y)).sort((a, b) => distance(a) - distance(b))[0] : spots[0];
    if (!next) return;
    select(next.id);
    const box = plot.current;
    if (box && (next.y < box.scrollTop || next.y + next.height > box.scrollTop + box.clientHeight)) box.scrollTop = next.y - box.clientHeight / 2;
  };
  useKeys({
    ArrowLeft: () => move((dx, dy) => dx < 0 && Math.abs(dy) < 1),
    ArrowRight: () => move((dx, dy) => dx > 0 && Math.abs(dy) < 1),
    ArrowUp: () => move((_, dy) => dy < 0),
    ArrowDown: () => move((_, dy) => dy > 0),
    Enter: () => {
      if (document.activeElement === plot.current && selected.startsWith('nodes/')) onZoom(selected.slice('nodes/'.length));
    },
  });
}

function spotsOf(layout: MapLayout): readonly Spot[] {
  const [only] = layout.racks;
  if (layout.racks.length !== 1 || !only?.node.pods?.length || layout.mode === 'counts')
    return layout.racks.map(({ node, x, y, height }) => ({ id: `nodes/${node.name}`, x, y, height }));
  return only.node.pods.map((pod, index) => {
    const [x, y] = placeOfPod(layout, only, index);
    return { id: idOf(pod), x, y, height: layout.stepY };
  });
}
