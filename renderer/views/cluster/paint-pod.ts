/** Draws one pod: its shape in the colour of its class, a ring while something runs down, and where there is room its name. */
import type { MapPod } from '../../../engine/api/sim/v1alpha1/cluster-map.ts';
import type { MapFrame } from './paint-cluster.ts';
import { clipped, ring } from './paint-parts.ts';
import { pathOf, shapeBox as box, shapes } from '../../components/shapes.ts';
import { tellPod } from './tell.ts';

export function idOf({ namespace, name }: Pick<MapPod, 'namespace' | 'name'>): string {
  return `pods/${namespace}/${name}`;
}

export function paintPod(context: CanvasRenderingContext2D, pod: MapPod, colour: string, x: number, y: number, stepX: number, frame: MapFrame): void {
  const { layout, palette, selected, hovered, nowMs } = frame;
  const { cell, mode } = layout;
  const top = mode === 'names' ? y + 4 : y;
  const { fill, stroke } = shapes[pod.look];
  const runsDown = pod.countdown !== undefined && pod.countdown.untilMs > nowMs;
  // The ring goes around the shape, which makes room for it where there is none beside it.
  const size = runsDown && mode !== 'names' ? cell * 0.56 : cell;
  context.save();
  context.translate(x + (cell - size) / 2, top + (cell - size) / 2);
  context.scale(size / box, size / box);
  context.fillStyle = context.strokeStyle = colour;
  context.lineWidth = Math.max(1.4, (1.5 * box) / size);
  if (fill) context.fill(pathOf(fill));
  if (stroke) context.stroke(pathOf(stroke));
  context.restore();
  if (pod.countdown && runsDown)
    ring(context, x + cell / 2, top + cell / 2, mode === 'names' ? cell / 2 + 2.5 : Math.max(3, cell / 2 - 0.75), pod.countdown, nowMs, palette);
  if (mode === 'names') {
    context.font = `12px ${palette.font}`;
    context.fillStyle = palette.text;
    const room = stepX - cell - 16;
    const told = tellPod(pod, nowMs);
    const name = clipped(context, pod.name, told === '' ? room : room * 0.58);
    context.fillText(name, x + cell + 6, y + 10);
    const used = context.measureText(name).width + 8;
    context.font = `11px ${palette.font}`;
    context.fillStyle = palette.muted;
    if (told !== '') context.fillText(clipped(context, told, room - used), x + cell + 6 + used, y + 10);
  }
  const id = idOf(pod);
  if (id !== selected && id !== hovered) return;
  context.strokeStyle = id === selected ? palette.accent : palette.text;
  context.lineWidth = 1.5;
  if (mode === 'names') context.strokeRect(x - 2.5, y + 0.5, stepX - 6, layout.stepY - 1);
  else context.strokeRect(x - 1.5, top - 1.5, cell + 3, cell + 3);
}
