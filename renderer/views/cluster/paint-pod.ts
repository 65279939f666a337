/** Draws one pod: its shape in the colour of its class, a ring while something runs down, and where there is room its name. */
import type { MapPod } from '../../../engine/api/sim/v1alpha1/cluster-map.ts';
import type { MapFrame } from './paint-cluster.ts';
import { clipped, ring } from './paint-parts.ts';
import { pathOf, shapeBox as box, shapes } from '../../components/shapes.ts';
import { type MapMode, twoLines } from './layout.ts';
import { podFacts, tellPod } from './tell.ts';

export function idOf({ namespace, name }: Pick<MapPod, 'namespace' | 'name'>): string {
  return `pods/${namespace}/${name}`;
}

export function paintPod(context: CanvasRenderingContext2D, pod: MapPod, colour: string, x: number, y: number, stepX: number, frame: MapFrame): void {
  const { layout, palette, selected, hovered, nowMs } = frame;
  const { cell, mode } = layout;
  const top = mode === 'names' ? y + (layout.stepY - cell) / 2 : y;
  const { fill, stroke } = shapes[pod.look];
  const runsDown = pod.countdown !== undefined && pod.countdown.untilMs > nowMs;
  // The ring goes around the shape, which makes room for it where there is none beside it.
  const { share, radius } = ringOf(mode, cell);
  const size = runsDown ? cell * share : cell;
  context.save();
  context.translate(x + (cell - size) / 2, top + (cell - size) / 2);
  context.scale(size / box, size / box);
  context.fillStyle = context.strokeStyle = colour;
  context.lineWidth = Math.max(1.4, (1.5 * box) / size);
  if (fill) context.fill(pathOf(fill));
  if (stroke) context.stroke(pathOf(stroke));
  context.restore();
  if (pod.countdown && runsDown) ring(context, x + cell / 2, top + cell / 2, radius, pod.countdown, nowMs, palette);
  if (mode === 'names') paintWords(context, pod, x + cell + 8, y + layout.stepY / 2, stepX - cell - 18, frame);
  const id = idOf(pod);
  if (id !== selected && id !== hovered) return;
  context.strokeStyle = id === selected ? palette.accent : palette.text;
  context.lineWidth = 1.5;
  if (mode === 'names') context.strokeRect(x - 2.5, y + 0.5, stepX - 6, layout.stepY - 1);
  else context.strokeRect(x - 1.5, top - 1.5, cell + 3, cell + 3);
}

/** The ring’s radius, and how much of the cell is left to the shape in it: beside names there is some room around the cell. */
function ringOf(mode: MapMode, cell: number): { readonly share: number; readonly radius: number } {
  if (mode !== 'names') return { share: 0.56, radius: Math.max(3, cell / 2 - 0.75) };
  return cell <= 12 ? { share: 1, radius: cell / 2 + 2.5 } : { share: 0.7, radius: cell / 2 + 0.5 };
}

/** Its name, and what is to be said of it: beside the name, or beneath it where rows are high enough. */
function paintWords(
  context: CanvasRenderingContext2D,
  pod: MapPod,
  left: number,
  middle: number,
  room: number,
  { layout: { stepY }, palette, nowMs }: MapFrame,
): void {
  const isTall = stepY >= twoLines;
  const told = tellPod(pod, nowMs);
  context.font = `${isTall ? 13 : 12}px ${palette.font}`;
  context.fillStyle = palette.text;
  const name = clipped(context, pod.name, isTall || told === '' ? room : room * 0.58);
  context.fillText(name, left, isTall ? middle - 8 : middle);
  const used = isTall ? 0 : context.measureText(name).width + 8;
  context.font = `${isTall ? 12 : 11}px ${palette.font}`;
  context.fillStyle = palette.muted;
  const said = isTall ? podFacts(pod, nowMs) : told;
  if (said !== '') context.fillText(clipped(context, said, room - used), left + used, isTall ? middle + 9 : middle);
}
