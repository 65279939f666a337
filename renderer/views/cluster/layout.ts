/**
 * Where everything stands: zones as blocks beside each other, nodes in them. Three ways, whichever is the largest that fits the window:
 * pods by name, pods as cells, and, where the engine only counted them, nodes as cells.
 */
import type { ClusterMapStatus, MapNode, MapPod } from '../../../engine/api/sim/v1alpha1/cluster-map.ts';

export type MapMode = 'names' | 'cells' | 'counts';

export interface Rack {
  readonly node: MapNode;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Pods beside each other, and from one to the next. */
  readonly columns: number;
  readonly stepX: number;
}
export interface ZoneBlock {
  readonly zone: string;
  readonly nodes: number;
  readonly x: number;
  readonly width: number;
}
export interface MapLayout {
  readonly mode: MapMode;
  readonly zones: readonly ZoneBlock[];
  readonly racks: readonly Rack[];
  readonly height: number;
  /** Of a pod: its shape, and from one to the one beneath it. */
  readonly cell: number;
  readonly stepY: number;
}

export const rackHead = 38;
export const rackInset = 8;
const zoneHead = 26;
const gap = 8;
const padding = 16;
const nameWidth = 210;
/** Wide enough for a name and what is to be said of it. */
const nameWhole = 330;
const nameHeight = 20;
/** Pods further apart than this no longer read as a list. */
const nameHeightMax = 48;
/** From this height on a second line says what is known of a pod. */
export const twoLines = 36;
const cellSizes = [34, 28, 24, 20, 17, 14, 12, 10, 8] as const;
const countSizes = { most: 120, least: 8 } as const;
const rackWidthMin = 132;

interface Zone {
  readonly name: string;
  readonly nodes: readonly MapNode[];
  readonly x: number;
  readonly width: number;
}

export function layoutMap({ zones, nodes }: Pick<ClusterMapStatus, 'zones' | 'nodes'>, width: number, height: number): MapLayout {
  const blocks = placeZones(zones, nodes, width);
  const room = height - zoneHead - padding;
  if (nodes.every(({ pods }) => pods !== undefined)) {
    const named = placeAll(blocks, room, { mode: 'names', cell: 12, stepX: nameWidth, stepY: nameHeight });
    if (named) return spread(named);
    for (const cell of cellSizes) {
      const step = cell + (cell > 12 ? 4 : 2);
      const found = placeAll(blocks, cell === cellSizes.at(-1) ? Infinity : room, { mode: 'cells', cell, stepX: step, stepY: step });
      if (found) return found;
    }
  }
  return placeCounts(blocks, room);
}

/** As wide as they have nodes, but none so narrow that its name cannot be read. */
function placeZones(zones: ClusterMapStatus['zones'], nodes: readonly MapNode[], width: number): readonly Zone[] {
  const inner = Math.max(0, width - padding * 2 - gap * 2 * Math.max(0, zones.length - 1));
  const least = Math.min(inner / Math.max(1, zones.length), rackWidthMin);
  const free = inner - least * zones.length;
  let x = padding;
  return zones.map(({ name }, place) => {
    const own = nodes.filter((node) => node.zone === place);
    const zone = { name, nodes: own, x, width: least + (free * own.length) / Math.max(1, nodes.length) };
    x += zone.width + gap * 2;
    return zone;
  });
}

interface Sizes extends Pick<MapLayout, 'mode' | 'cell' | 'stepY'> {
  /** At least. */
  readonly stepX: number;
}

/** Undefined where it does not fit. */
function placeAll(zones: readonly Zone[], room: number, sizes: Sizes): MapLayout | undefined {
  const racks: Rack[] = [];
  for (const zone of zones) {
    const found = placeZone(zone, room, sizes);
    if (!found) return undefined;
    racks.push(...found);
  }
  return whole(zones, racks, sizes);
}

function placeZone({ nodes, x, width }: Zone, room: number, sizes: Sizes): readonly Rack[] | undefined {
  const best = arrangements(nodes, width, sizes)
    .filter(({ total }) => total <= room)
    .reduce<Arrangement | undefined>((found, one) => (found === undefined || isBetter(one, found) ? one : found), undefined);
  if (best === undefined) return undefined;
  // What is left of the window is shared out, so that few nodes fill it.
  const spare = Number.isFinite(room) ? (room - best.total) / Math.max(1, best.heights.length) : 0;
  const { across, columns, rackWidth, step: stepX } = best;
  const racks: Rack[] = [];
  let y = zoneHead;
  best.heights.forEach((least, line) => {
    const height = least + spare;
    nodes
      .slice(line * across, (line + 1) * across)
      .forEach((node, at) => racks.push({ node, x: x + at * (rackWidth + gap), y, width: rackWidth, height, columns, stepX }));
    y += height + gap;
  });
  return racks;
}

interface Arrangement {
  readonly across: number;
  readonly columns: number;
  readonly rackWidth: number;
  readonly step: number;
  readonly heights: readonly number[];
  readonly total: number;
}

/** Nodes beside each other, and in each of them pods beside each other: names also in fewer columns than there is room for. */
function arrangements(nodes: readonly MapNode[], width: number, { mode, stepX, stepY }: Sizes): readonly Arrangement[] {
  const isNamed = mode === 'names';
  const narrowest = isNamed ? nameWidth + rackInset * 2 : Math.min(rackWidthMin, width);
  const acrossMax = Math.max(1, Math.min(nodes.length, Math.floor((width + gap) / (narrowest + gap))));
  const found: Arrangement[] = [];
  for (let across = 1; across <= acrossMax; across++) {
    const rackWidth = (width - gap * (across - 1)) / across;
    const most = Math.floor((rackWidth - rackInset * 2 + 4) / stepX);
    for (let columns = isNamed ? 1 : Math.max(1, most); columns <= most; columns++) {
      const heights = lineHeights(nodes, across, columns, stepY);
      const step = isNamed ? Math.floor((rackWidth - rackInset * 2) / columns) : stepX;
      found.push({ across, columns, rackWidth, step, heights, total: heights.reduce((sum, one) => sum + one + gap, -gap) });
    }
  }
  return found;
}

/** The more of a name can be read the better, then the fewer columns, as a list is read downwards, and then the lower. */
function isBetter(a: Arrangement, b: Arrangement): boolean {
  const read = ({ step }: Arrangement): number => Math.min(step, nameWhole);
  if (read(a) !== read(b)) return read(a) > read(b);
  return a.columns === b.columns ? a.total < b.total : a.columns < b.columns;
}

/** Few names stand further apart and larger, all of them alike: the room below is theirs. */
function spread(layout: MapLayout): MapLayout {
  const roomOf = ({ node, height, columns }: Rack): number =>
    (height - rackHead - rackInset) / Math.max(1, Math.ceil((node.pods?.length ?? 0) / columns));
  const stepY = Math.max(nameHeight, Math.min(nameHeightMax, Math.floor(Math.min(...layout.racks.map(roomOf)))));
  return { ...layout, stepY, cell: stepY >= twoLines ? 22 : stepY >= 28 ? 16 : 12 };
}

function lineHeights(nodes: readonly MapNode[], across: number, columns: number, stepY: number): readonly number[] {
  const heights: number[] = [];
  for (let start = 0; start < nodes.length; start += across) {
    const most = Math.max(...nodes.slice(start, start + across).map(({ pods }) => pods?.length ?? 0));
    heights.push(rackHead + Math.max(1, Math.ceil(most / columns)) * stepY + rackInset);
  }
  return heights;
}

function placeCounts(zones: readonly Zone[], room: number): MapLayout {
  const fits = (size: number): boolean => zones.every(({ nodes, width }) => Math.ceil(nodes.length / acrossOf(width, size)) * (size + 2) <= room);
  let size: number = countSizes.most;
  while (size > countSizes.least && !fits(size)) size--;
  const racks = zones.flatMap(({ nodes, x, width }) => {
    const across = acrossOf(width, size);
    return nodes.map((node, at) => ({
      ...{ node, columns: 1, stepX: size, width: size, height: size },
      x: x + (at % across) * (size + 2),
      y: zoneHead + Math.floor(at / across) * (size + 2),
    }));
  });
  return whole(zones, racks, { mode: 'counts', cell: size, stepY: size });
}

function acrossOf(width: number, size: number): number {
  return Math.max(1, Math.floor((width + 2) / (size + 2)));
}

function whole(zones: readonly Zone[], racks: readonly Rack[], { mode, cell, stepY }: Pick<MapLayout, 'mode' | 'cell' | 'stepY'>): MapLayout {
  const height = racks.reduce((most, rack) => Math.max(most, rack.y + rack.height), 0) + padding;
  return { mode, cell, stepY, racks, height, zones: zones.map(({ name, nodes, x, width }) => ({ zone: name, nodes: nodes.length, x, width })) };
}

export function rackAt(racks: readonly Rack[], x: number, y: number): Rack | undefined {
  return racks.find((rack) => x >= rack.x && x < rack.x + rack.width && y >= rack.y && y < rack.y + rack.height);
}

export function placeOfPod({ stepY }: MapLayout, { x, y, columns, stepX }: Rack, index: number): readonly [number, number] {
  return [x + rackInset + (index % columns) * stepX, y + rackHead + Math.floor(index / columns) * stepY];
}

export function podAt({ stepY, mode }: MapLayout, rack: Rack, x: number, y: number): MapPod | undefined {
  if (mode === 'counts') return undefined;
  const column = Math.floor((x - rack.x - rackInset) / rack.stepX);
  const line = Math.floor((y - rack.y - rackHead) / stepY);
  return column < 0 || column >= rack.columns || line < 0 ? undefined : rack.node.pods?.[line * rack.columns + column];
}
