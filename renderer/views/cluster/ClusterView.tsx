/** Zones, nodes and their pods, and what happens to them. */
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Fault } from '../../../engine/api/sim/v1alpha1/fault.ts';
import { useCollection } from '../../api/watches.ts';
import { Empty } from '../../components/Empty.tsx';
import { ErrorBox } from '../../components/ErrorBox.tsx';
import { prepareCanvas } from '../../lib/canvas.ts';
import { plural } from '../../lib/format.ts';
import { useKeys } from '../../lib/keys.ts';
import { useSize } from '../../lib/use-size.ts';
import { useClock } from '../../state/clock.ts';
import { useNavigation } from '../../state/navigation.ts';
import { useTheme } from '../../state/theme.ts';
import { readPalette } from '../../timeline/palette.ts';
import { useGracePeriods } from './grace-periods.ts';
import { layoutCluster, podAt, rackAt } from './layout.ts';
import { NodeCard } from './NodeCard.tsx';
import { PodLegend } from './PodLegend.tsx';
import { paintCluster } from './paint-cluster.ts';

const faultsPath = '/apis/sim.wavetank.dev/v1alpha1/faults';

export function ClusterView() {
  const nodes = useCollection('/api/v1/nodes', 'node');
  const pods = useCollection('/api/v1/pods', 'pod');
  const faults = useCollection(faultsPath, 'full');
  const leases = useCollection('/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases', 'lease');
  const { selected, select } = useNavigation();
  const nowMs = useClock((state) => Math.floor(state.nowMs / 250) * 250);
  const theme = useTheme(({ shown }) => shown);
  const palette = useMemo(() => {
    void theme;
    return readPalette();
  }, [theme]);
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = useSize(scroller);
  const [scrollTop, setScrollTop] = useState(0);
  const [hovered, setHovered] = useState<{ id: string; text: string }>({ id: '', text: '' });
  const layout = useMemo(
    () => layoutCluster(nodes.rows.values(), pods.rows.values(), width),
    [nodes.version, pods.version, nodes.rows, pods.rows, width],
  );
  const active = useMemo(() => [...faults.rows.values()] as Fault[], [faults.version, faults.rows]);
  const { graceMs, evictionMs, countdownOf } = useGracePeriods(active, nowMs);
  useLayoutEffect(() => {
    const context = canvas.current && width > 0 ? prepareCanvas(canvas.current, width, height) : undefined;
    if (context)
      paintCluster(context, { layout, scrollTop, height, selected, hovered: hovered.id, palette, nowMs, countdownOf, leases: leases.rows });
  }, [leases.version, leases.rows, layout, scrollTop, width, height, selected, hovered, palette, nowMs, countdownOf]);

  const selectedNode = selected.startsWith('nodes/') ? nodes.rows.get(`/${selected.slice(6)}`) : undefined;
  useArrowKeys(layout.racks, selected, select, scroller, height);
  const targetAt = (event: { readonly clientX: number; readonly clientY: number; readonly currentTarget: HTMLElement }) => {
    const box = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top + scrollTop];
    const rack = rackAt(layout.racks, x, y);
    return { rack, pod: rack && podAt(layout, rack, x, y) };
  };
  const down = useMemo(() => [...nodes.rows.values()].filter(({ ready }) => ready !== 'True').length, [nodes.version, nodes.rows]);
  return (
    <div className="cluster">
      <div className="view-head">
        <h1>Cluster</h1>
        {nodes.synced ? <span className="badge">{plural(nodes.rows.size, 'node')}</span> : null}
        {pods.synced ? <span className="badge">{plural(pods.rows.size, 'pod')}</span> : null}
        {down > 0 ? <span className="badge bad">{down} not ready</span> : null}
        {layout.unscheduled.length > 0 ? <span className="badge warn">{layout.unscheduled.length} unscheduled</span> : null}
        <div className="grow" />
        <span className="muted dense ellipsis" role="status">
          {hovered.text || 'Select a node to see and break it'}
        </span>
        {hovered.text ? null : <PodLegend />}
      </div>
      {nodes.error ? <ErrorBox title="The nodes cannot be watched" detail={nodes.error} /> : null}
      <div
        className="cluster-plot"
        ref={scroller}
        tabIndex={0}
        role="group"
        aria-label={`${nodes.rows.size} nodes with ${pods.rows.size} pods; arrow keys select a node`}
        onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
        onPointerMove={(event) => {
          const { rack, pod } = targetAt(event);
          const id = pod?.id ?? rack?.node?.id ?? '';
          if (id !== hovered.id)
            setHovered({
              id,
              text: pod
                ? `${pod.name} · ${pod.state}${pod.ready ? ', ready' : ''}${pod.reason ? ` · ${pod.reason}` : ''}`
                : rack?.node
                  ? `${rack.node.name} · ${plural(rack.pods.length, 'pod')}`
                  : '',
            });
        }}
        onPointerLeave={() => setHovered({ id: '', text: '' })}
        onClick={(event) => {
          const { rack, pod } = targetAt(event);
          const id = pod?.id ?? rack?.node?.id;
          if (id) select(id);
        }}
      >
        {nodes.synced && nodes.rows.size === 0 ? (
          <Empty title="No nodes">
            Create a NodePool with kubectl, or start with <code>wavetank up --nodes 3</code>, and its machines appear here.
          </Empty>
        ) : (
          <canvas ref={canvas} aria-hidden />
        )}
        <div style={{ height: Math.max(0, layout.height - height) }} />
      </div>
      {selectedNode ? (
        <NodeCard
          key={selectedNode.id}
          node={selectedNode}
          pods={layout.racks.find((rack) => rack.node?.id === selectedNode.id)?.pods ?? []}
          faults={active}
          graceMs={graceMs}
          evictionMs={evictionMs}
          countdown={countdownOf(selectedNode)}
          renewedMs={leases.rows.get(`kube-node-lease/${selectedNode.name}`)?.renewedMs}
        />
      ) : null}
    </div>
  );
}

function useArrowKeys(
  racks: ReturnType<typeof layoutCluster>['racks'],
  selected: string,
  select: (id: string) => void,
  scroller: React.RefObject<HTMLDivElement | null>,
  height: number,
): void {
  const move = (test: (dx: number, dy: number) => boolean) => {
    const from = racks.find((rack) => rack.node?.id === selected) ?? { x: -1, y: -1, node: undefined };
    const distance = (rack: (typeof racks)[number]) => Math.abs(rack.x - from.x) + Math.abs(rack.y - from.y) * 2;
    const next = from.node
      ? racks.filter((rack) => rack.node && test(rack.x - from.x, rack.y - from.y)).sort((a, b) => distance(a) - distance(b))[0]
      : racks[0];
    if (!next?.node) return;
    select(next.node.id);
    const top = scroller.current?.scrollTop ?? 0;
    if (scroller.current && (next.y < top || next.y + next.height > top + height)) scroller.current.scrollTop = next.y - height / 2;
  };
  useKeys({
    ArrowLeft: () => move((dx, dy) => dx < 0 && dy === 0),
    ArrowRight: () => move((dx, dy) => dx > 0 && dy === 0),
    ArrowUp: () => move((_, dy) => dy < 0),
    ArrowDown: () => move((_, dy) => dy > 0),
  });
}
