/** Where everything stands in the cluster view: zones as columns, nodes as racks in each, pods as cells in the rack. */
import type { NodeRow, PodRow } from '../../../engine/component-helpers/page-rows.ts';

export interface Rack {
  readonly node: NodeRow | undefined;
  readonly pods: readonly PodRow[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly columns: number;
}
export interface ZoneColumn {
  readonly zone: string;
  readonly x: number;
  readonly width: number;
  readonly racks: readonly Rack[];
}
export interface ClusterLayout {
  readonly zones: readonly ZoneColumn[];
  readonly racks: readonly Rack[];
  readonly height: number;
  readonly unscheduled: readonly PodRow[];
  readonly cell: number;
  readonly step: number;
}

export const rackHead = 20;
export const zoneHead = 30;
const gap = 8;
const padding = 16;
const rackWidthMin = 128;
/** Few nodes have large cells. */
const sizes = [
  { nodesMax: 12, cell: 18, rackWidth: 220 },
  { nodesMax: 60, cell: 13, rackWidth: 168 },
  { nodesMax: Infinity, cell: 9, rackWidth: rackWidthMin },
] as const;

export function layoutCluster(nodes: Iterable<NodeRow>, pods: Iterable<PodRow>, width: number): ClusterLayout {
  const podsOf = new Map<string, PodRow[]>();
  for (const pod of pods) {
    const list = podsOf.get(pod.node);
    if (list) list.push(pod);
    else podsOf.set(pod.node, [pod]);
  }
  const zones = new Map<string, NodeRow[]>();
  let nodeCount = 0;
  for (const node of nodes) {
    nodeCount++;
    const list = zones.get(node.zone);
    if (list) list.push(node);
    else zones.set(node.zone, [node]);
  }
  const { cell, rackWidth } = sizes.find(({ nodesMax }) => nodeCount <= nodesMax) ?? sizes[2];
  const step = cell + (cell > 12 ? 3 : 2);
  const names = [...zones.keys()].sort(byText);
  const zoneWidth = names.length === 0 ? width : (width - padding * 2 - gap * 2 * (names.length - 1)) / names.length;
  const columns: ZoneColumn[] = names.map((zone, index) => {
    const x = padding + index * (zoneWidth + gap * 2);
    return { zone, x, width: zoneWidth, racks: layoutZone((zones.get(zone) ?? []).sort(byName), podsOf, x, zoneWidth, rackWidth, step) };
  });
  const racks = columns.flatMap((column) => column.racks);
  const height = racks.reduce((most, rack) => Math.max(most, rack.y + rack.height), 0) + padding;
  return { zones: columns, racks, height, unscheduled: podsOf.get('') ?? [], cell, step };
}

function layoutZone(
  nodes: readonly NodeRow[],
  podsOf: ReadonlyMap<string, PodRow[]>,
  left: number,
  width: number,
  rackWidthLeast: number,
  step: number,
): Rack[] {
  const across = Math.max(1, Math.floor((width + gap) / (rackWidthLeast + gap)));
  const rackWidth = (width - gap * (across - 1)) / across;
  const columns = Math.max(1, Math.floor((rackWidth - 14) / step));
  const racks: Rack[] = [];
  let top = zoneHead;
  for (let start = 0; start < nodes.length; start += across) {
    const line = nodes.slice(start, start + across).map((node) => ({ node, pods: (podsOf.get(node.name) ?? noPods).toSorted(byName) }));
    const lines = Math.max(1, ...line.map(({ pods }) => Math.ceil(pods.length / columns)));
    const height = rackHead + lines * step + 8;
    line.forEach(({ node, pods }, index) =>
      racks.push({ node, pods, x: left + index * (rackWidth + gap), y: top, width: rackWidth, height, columns }),
    );
    top += height + gap;
  }
  return racks;
}

const noPods: PodRow[] = [];

/** `pool-2` before `pool-10`. */
function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name.length - b.name.length || byText(a.name, b.name);
}
function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function rackAt(racks: readonly Rack[], x: number, y: number): Rack | undefined {
  return racks.find((rack) => x >= rack.x && x < rack.x + rack.width && y >= rack.y && y < rack.y + rack.height);
}
export function podAt({ step }: Pick<ClusterLayout, 'step'>, rack: Rack, x: number, y: number): PodRow | undefined {
  const column = Math.floor((x - rack.x - 8) / step);
  const line = Math.floor((y - rack.y - rackHead) / step);
  return column < 0 || column >= rack.columns || line < 0 ? undefined : rack.pods[line * rack.columns + column];
}
