/** Draws the racks that are on screen. A pod's state is its colour and its shape; readiness is how full the cell is. */
import type { LeaseRow, NodeRow, PodRow } from '../../../engine/component-helpers/page-rows.ts';
import type { Palette } from '../../timeline/palette.ts';
import { type Look, lookOf } from '../../components/states.ts';
import { rackHead, type ClusterLayout, type Rack } from './layout.ts';

export interface Countdown {
  readonly share: number;
  readonly text: string;
}
export interface ClusterFrame {
  readonly layout: ClusterLayout;
  readonly scrollTop: number;
  readonly height: number;
  readonly selected: string;
  readonly hovered: string;
  readonly palette: Palette;
  readonly nowMs: number;
  readonly leases: ReadonlyMap<string, LeaseRow>;
  readonly countdownOf: (node: NodeRow) => Countdown | undefined;
}

export function paintCluster(context: CanvasRenderingContext2D, frame: ClusterFrame): void {
  const { layout, scrollTop, height, palette } = frame;
  context.textBaseline = 'middle';
  for (const rack of layout.racks)
    if (rack.y + rack.height >= scrollTop && rack.y <= scrollTop + height) paintRack(context, rack, rack.y - scrollTop, frame);
  for (const { zone, x, racks } of layout.zones) {
    const top = -scrollTop;
    if (top < -40) continue;
    context.font = `600 12px ${palette.font}`;
    context.fillStyle = palette.text;
    context.fillText(zone, x, top + 17);
    const offset = context.measureText(zone).width + 8;
    context.font = `12px ${palette.font}`;
    context.fillStyle = palette.muted;
    context.fillText(`${racks.length} ${racks.length === 1 ? 'node' : 'nodes'}`, x + offset, top + 17);
  }
}

function paintRack(context: CanvasRenderingContext2D, rack: Rack, top: number, frame: ClusterFrame): void {
  const { node, x, width, height, pods, columns } = rack;
  if (!node) return;
  const {
    palette,
    selected,
    hovered,
    layout: { step },
  } = frame;
  const broken = node.ready !== 'True';
  context.fillStyle = palette.stripe;
  context.fillRect(x, top, width, height);
  context.lineWidth = selected === node.id ? 2 : 1;
  context.strokeStyle = selected === node.id ? palette.accent : hovered === node.id ? palette.muted : broken ? palette.danger : palette.gridStrong;
  context.strokeRect(x + 0.5, top + 0.5, width - 1, height - 1);
  paintHeart(context, node, x + 10, top + 10, frame);
  context.font = `11px ${palette.font}`;
  context.fillStyle = broken ? palette.danger : palette.text;
  const badge =
    node.ready === 'Unknown'
      ? 'unreachable'
      : node.ready === 'False'
        ? 'not ready'
        : (node.pressures[0]?.replace('Pressure', ' low').toLowerCase() ?? (node.cordoned ? 'cordoned' : ''));
  const badgeRoom = badge ? context.measureText(badge).width + 6 : 0;
  context.fillText(clipped(context, node.name, width - 30 - badgeRoom), x + 19, top + 11);
  if (badge) {
    context.fillStyle = broken ? palette.danger : palette.warning;
    context.fillText(badge, x + width - badgeRoom, top + 11);
  }
  for (let index = 0; index < pods.length; index++) {
    const pod = pods[index];
    if (pod) paintPod(context, pod, x + 8 + (index % columns) * step, top + rackHead + Math.floor(index / columns) * step, frame);
  }
}

/** How long a heartbeat is seen, of the ten seconds between two. */
const pulseMs = 4000;

/** A heart that pulses with each report; after a fault a ring shows how much of the grace period is left. */
function paintHeart(
  context: CanvasRenderingContext2D,
  node: NodeRow,
  x: number,
  y: number,
  { palette, nowMs, countdownOf, leases }: ClusterFrame,
): void {
  const countdown = countdownOf(node);
  const colour =
    node.ready === 'True'
      ? countdown
        ? palette.warning
        : palette.state['Running']
      : node.ready === 'False'
        ? palette.state['Failed']
        : palette.state['Unknown'];
  context.fillStyle = context.strokeStyle = colour ?? palette.muted;
  if (countdown) {
    context.lineWidth = 2.5;
    context.beginPath();
    context.arc(x, y, 5, -Math.PI / 2, -Math.PI / 2 + Math.PI * 2 * countdown.share);
    context.stroke();
    return;
  }
  const sinceMs = nowMs - (leases.get(`kube-node-lease/${node.name}`)?.renewedMs ?? node.heartbeatMs);
  if (node.ready === 'True' && sinceMs >= 0 && sinceMs < pulseMs) {
    context.globalAlpha = 0.55 * (1 - sinceMs / pulseMs);
    context.beginPath();
    context.arc(x, y, 3.5 + (sinceMs / pulseMs) * 4, 0, Math.PI * 2);
    context.fill();
  }
  context.globalAlpha = 1;
  context.beginPath();
  if (node.ready === 'True') {
    context.arc(x, y, 3.5, 0, Math.PI * 2);
    context.fill();
  } else {
    context.lineWidth = 1.6;
    context.moveTo(x - 3, y - 3);
    context.lineTo(x + 3, y + 3);
    context.moveTo(x + 3, y - 3);
    context.lineTo(x - 3, y + 3);
    context.stroke();
  }
  context.globalAlpha = 1;
}

function paintPod(
  context: CanvasRenderingContext2D,
  pod: PodRow,
  x: number,
  y: number,
  { palette, selected, hovered, layout: { cell } }: ClusterFrame,
): void {
  const look = podLook(pod);
  const colour = palette.state[look] ?? palette.muted;
  context.fillStyle = context.strokeStyle = colour;
  context.lineWidth = 1.4;
  switch (look) {
    case 'Pending':
      context.strokeRect(x + 1, y + 1, cell - 2, cell - 2);
      break;
    case 'Running':
      context.fillRect(x, y, cell, cell);
      break;
    case 'Starting':
      context.strokeRect(x + 0.7, y + 0.7, cell - 1.4, cell - 1.4);
      context.fillRect(x, y + cell / 2, cell, cell / 2);
      break;
    case 'NotReady':
      context.strokeRect(x + 0.7, y + 0.7, cell - 1.4, cell - 1.4);
      context.fillRect(x, y + cell * 0.38, cell, Math.max(2, cell * 0.24));
      break;
    case 'Broken':
      context.beginPath();
      context.moveTo(x + cell / 2, y);
      context.lineTo(x + cell, y + cell);
      context.lineTo(x, y + cell);
      context.closePath();
      context.fill();
      break;
    case 'Succeeded':
      context.beginPath();
      context.moveTo(x + cell * 0.1, y + cell * 0.55);
      context.lineTo(x + cell * 0.4, y + cell * 0.83);
      context.lineTo(x + cell * 0.9, y + cell * 0.2);
      context.stroke();
      break;
    case 'Failed':
      context.beginPath();
      context.moveTo(x + 1, y + 1);
      context.lineTo(x + cell - 1, y + cell - 1);
      context.moveTo(x + cell - 1, y + 1);
      context.lineTo(x + 1, y + cell - 1);
      context.stroke();
      break;
    default:
      context.strokeRect(x + 0.7, y + 0.7, cell - 1.4, cell - 1.4);
      context.beginPath();
      context.moveTo(x, y + cell);
      context.lineTo(x + cell, y);
      context.moveTo(x, y + cell / 2);
      context.lineTo(x + cell / 2, y);
      context.stroke();
  }
  if (pod.id === selected || pod.id === hovered) {
    context.strokeStyle = palette.text;
    context.lineWidth = 1.5;
    context.strokeRect(x - 1.5, y - 1.5, cell + 3, cell + 3);
  }
}

/** A phase says little of a pod that lives: what is wrong with it decides. */
function podLook({ state, ready, reason }: PodRow): Look {
  if (state !== 'Pending' && state !== 'Running') return state;
  if (reason !== '') return lookOf(reason);
  return state === 'Running' && !ready ? 'Starting' : state;
}

function clipped(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  let end = text.length - 1;
  while (end > 1 && context.measureText(`${text.slice(0, end)}…`).width > room) end--;
  return `${text.slice(0, end)}…`;
}
