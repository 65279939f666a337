/** Draws what is on screen of the map: racks with their pods, or nodes as cells whose bars are their pods by class. */
import type { ClusterMapStatus, MapNode } from '../../../engine/api/sim/v1alpha1/cluster-map.ts';
import { plural } from '../../lib/format.ts';
import { texts } from '../../texts/texts.ts';
import type { Palette } from '../../timeline/palette.ts';
import { type ClassColours, colourOf } from './colours.ts';
import { type MapLayout, placeOfPod, type Rack, rackHead, rackInset } from './layout.ts';
import { clipped, ring, tailOf } from './paint-parts.ts';
import { nodeFacts } from './tell.ts';
import { paintPod } from './paint-pod.ts';

export interface MapFrame {
  readonly map: ClusterMapStatus;
  readonly layout: MapLayout;
  readonly scrollTop: number;
  readonly height: number;
  readonly selected: string;
  readonly hovered: string;
  readonly palette: Palette;
  readonly colours: ClassColours;
  /** Of the clock, or the past instant that is shown. */
  readonly nowMs: number;
}

export function paintCluster(context: CanvasRenderingContext2D, frame: MapFrame): void {
  const { layout, scrollTop, height } = frame;
  context.textBaseline = 'middle';
  for (const rack of layout.racks) {
    if (rack.y + rack.height < scrollTop || rack.y > scrollTop + height) continue;
    if (layout.mode === 'counts') paintCounts(context, rack, rack.y - scrollTop, frame);
    else paintRack(context, rack, rack.y - scrollTop, frame);
  }
  paintZones(context, frame);
}

function paintZones(context: CanvasRenderingContext2D, { layout, scrollTop, palette }: MapFrame): void {
  for (const { zone, x, width, nodes } of layout.zones) {
    if (scrollTop > 40) continue;
    context.font = `600 12px ${palette.font}`;
    context.fillStyle = palette.text;
    const name = clipped(context, zone, Math.max(40, width - 60));
    context.fillText(name, x, 14 - scrollTop);
    const offset = context.measureText(name).width + 8;
    context.font = `12px ${palette.font}`;
    context.fillStyle = palette.muted;
    if (offset + 50 < width) context.fillText(plural(nodes, 'node'), x + offset, 14 - scrollTop);
  }
}

function edgeOf({ name, ready }: MapNode, { palette, selected, hovered }: MapFrame): { readonly colour: string; readonly width: number } {
  if (selected === `nodes/${name}`) return { colour: palette.accent, width: 2 };
  if (hovered === `nodes/${name}`) return { colour: palette.muted, width: 1.5 };
  return ready === 'True' ? { colour: palette.gridStrong, width: 1 } : { colour: palette.danger, width: 1.5 };
}

/** What is to be said of a node beside its name, '' when it is well. */
export function wordOf({ ready, pressures, cordoned }: MapNode): string {
  const words = texts.cluster;
  if (ready === 'Gone') return words.gone;
  if (ready === 'Unknown') return words.unreachable;
  if (ready === 'False') return words.notReadyNode;
  return pressures?.[0]?.replace('Pressure', ' low').toLowerCase() ?? (cordoned ? words.cordoned : '');
}

function paintRack(context: CanvasRenderingContext2D, rack: Rack, top: number, frame: MapFrame): void {
  const { node, x, width, height } = rack;
  const { palette, layout, map } = frame;
  const edge = edgeOf(node, frame);
  context.fillStyle = palette.stripe;
  context.fillRect(x, top, width, height);
  context.strokeStyle = edge.colour;
  context.lineWidth = edge.width;
  context.strokeRect(x + 0.5, top + 0.5, width - 1, height - 1);
  paintHeart(context, node, x + 13, top + 13, frame);
  paintName(context, rack, top, frame);
  paintShare(context, rack, top, frame);
  const pods = node.pods ?? [];
  if (node.podCount === 0) {
    context.font = `12px ${palette.font}`;
    context.fillStyle = palette.muted;
    context.fillText(clipped(context, texts.cluster.noPods, width - rackInset * 2), x + rackInset, top + rackHead + 10);
  }
  for (let index = 0; index < pods.length; index++) {
    const pod = pods[index];
    if (!pod) continue;
    const [podX, podY] = placeOfPod(layout, rack, index);
    if (podY + layout.stepY > rack.y + height) break;
    paintPod(context, pod, colourOf(frame.colours, map.by, map.classes, pod.place), podX, podY - frame.scrollTop, rack.stepX, frame);
  }
}

/** The name comes first: what is to be said beside it gets what is left. */
function paintName(context: CanvasRenderingContext2D, { node, x, width }: Rack, top: number, { palette }: MapFrame): void {
  context.font = `600 12px ${palette.font}`;
  context.fillStyle = node.ready === 'True' ? palette.text : palette.danger;
  const name = clipped(context, node.name, width - 30);
  context.fillText(name, x + 24, top + 14);
  const [from, to] = [x + 24 + context.measureText(name).width + 8, x + width - rackInset];
  const word = wordOf(node);
  if (!word) {
    paintFacts(context, node, from + 8, to, top, palette);
    return;
  }
  context.font = `11px ${palette.font}`;
  context.fillStyle = node.ready === 'True' ? palette.warning : palette.danger;
  // Its colour and its sign say as much: half a word says less.
  if (context.measureText(word).width > to - from) return;
  context.textAlign = 'right';
  context.fillText(word, to, top + 14);
  context.textAlign = 'left';
}

/** What the bar beneath says, in the longest words that there is room for. */
function paintFacts(context: CanvasRenderingContext2D, node: MapNode, from: number, to: number, top: number, { font, muted }: Palette): void {
  context.font = `11px ${font}`;
  context.fillStyle = muted;
  const told = nodeFacts(node).find((text) => context.measureText(text).width <= to - from);
  if (told === undefined) return;
  context.textAlign = 'right';
  context.fillText(told, to, top + 14);
  context.textAlign = 'left';
}

/** How much of its CPU is spoken for, and beneath it how much is used. */
function paintShare(context: CanvasRenderingContext2D, { node, x, width }: Rack, top: number, { palette }: MapFrame): void {
  const { milliCpu, requestedMilliCpu, useMilliCpu } = node;
  if (!milliCpu || requestedMilliCpu === undefined) return;
  const room = width - rackInset * 2;
  const bar = (share: number, y: number, height: number, colour: string): void => {
    context.fillStyle = colour;
    context.fillRect(x + rackInset, top + y, room * Math.min(1, share), height);
  };
  bar(1, 26, 5, palette.gridStrong);
  bar(requestedMilliCpu / milliCpu, 26, 5, palette.muted);
  if (useMilliCpu !== undefined) bar(useMilliCpu / milliCpu, 32, 2, palette.accent);
}

/** Cells from this size on have the node's name at their top. */
const nameFrom = 52;
const nameHead = 17;

/** A node as a cell: its pods by class from the ground up; what is wrong with the node crosses it out. */
function paintCounts(context: CanvasRenderingContext2D, { node, x, width: size }: Rack, top: number, frame: MapFrame): void {
  const { palette, map, colours, nowMs } = frame;
  const edge = edgeOf(node, frame);
  context.fillStyle = palette.stripe;
  context.fillRect(x, top, size, size);
  let y = top + size;
  const whole = Math.max(node.podCount, node.room ?? 0, 1);
  const all = size < 22 ? Math.max(1, node.podCount) : whole;
  for (let at = 0; at < node.counts.length; at += 2) {
    const part = ((node.counts[at + 1] as number) / all) * size;
    context.fillStyle = colourOf(colours, map.by, map.classes, node.counts[at] as number);
    context.fillRect(x, y - part, size, part);
    y -= part;
  }
  context.strokeStyle = edge.colour;
  context.lineWidth = edge.width;
  context.strokeRect(x + 0.5, top + 0.5, size - 1, size - 1);
  // What is wrong stands below the name, so that both are read.
  const head = size < nameFrom ? 0 : nameHead;
  const body = size - head;
  if (node.ready !== 'True') crossOut(context, x + head / 2, top + head, body, palette);
  else if (node.cordoned || node.pressures) notch(context, x, top, size, palette.warning);
  if (node.countdown) ring(context, x + size / 2, top + head + body / 2, Math.max(3, body * 0.32), node.countdown, nowMs, palette);
  if (size < nameFrom) return;
  context.font = `11px ${palette.font}`;
  const name = tailOf((text) => context.measureText(text).width, node.name, size - 8);
  context.fillStyle = palette.stripe;
  context.fillRect(x + 1, top + 1, size - 2, nameHead - 1);
  context.fillStyle = node.ready === 'True' ? palette.text : palette.danger;
  context.fillText(name, x + 4, top + 9);
}

function crossOut(context: CanvasRenderingContext2D, x: number, y: number, size: number, { danger, background }: Palette): void {
  for (const [colour, width] of [
    [background, Math.max(2.5, size / 8)],
    [danger, Math.max(1.2, size / 14)],
  ] as const) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(x + 2, y + 2);
    context.lineTo(x + size - 2, y + size - 2);
    context.moveTo(x + size - 2, y + 2);
    context.lineTo(x + 2, y + size - 2);
    context.stroke();
  }
}

function notch(context: CanvasRenderingContext2D, x: number, y: number, size: number, colour: string): void {
  const part = Math.max(4, size * 0.4);
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(x + size, y);
  context.lineTo(x + size, y + part);
  context.lineTo(x + size - part, y);
  context.fill();
}

/** How long a heartbeat is seen, of the ten seconds between two. */
const pulseMs = 4000;

/** A heart that pulses with each report; a ring while something runs down, a cross where nobody reports. */
function paintHeart(context: CanvasRenderingContext2D, node: MapNode, x: number, y: number, { palette, nowMs }: MapFrame): void {
  if (node.countdown && node.countdown.untilMs > nowMs) {
    ring(context, x, y, 6, node.countdown, nowMs, palette);
    return;
  }
  if (node.ready !== 'True') {
    crossOut(context, x - 6, y - 6, 12, palette);
    return;
  }
  context.fillStyle = palette.state['Running'] ?? palette.muted;
  const sinceMs = nowMs - (node.renewedMs ?? 0);
  if (sinceMs >= 0 && sinceMs < pulseMs) {
    context.globalAlpha = 0.55 * (1 - sinceMs / pulseMs);
    context.beginPath();
    context.arc(x, y, 4 + (sinceMs / pulseMs) * 4, 0, Math.PI * 2);
    context.fill();
    context.globalAlpha = 1;
  }
  context.beginPath();
  context.arc(x, y, 4, 0, Math.PI * 2);
  context.fill();
}
