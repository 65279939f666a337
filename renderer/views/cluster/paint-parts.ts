/** Parts that several drawings of the map have. */
import type { MapCountdown } from '../../../engine/api/sim/v1alpha1/cluster-map.ts';
import type { Palette } from '../../timeline/palette.ts';

/** What is left of a time that runs down. */
export function ring(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  { fromMs, untilMs }: MapCountdown,
  nowMs: number,
  palette: Palette,
): void {
  const left = Math.min(1, Math.max(0, (untilMs - nowMs) / Math.max(1, untilMs - fromMs)));
  context.lineWidth = Math.max(1.5, Math.min(3, radius / 4.5));
  context.strokeStyle = palette.background;
  context.beginPath();
  context.arc(x, y, radius, 0, Math.PI * 2);
  context.stroke();
  context.strokeStyle = palette.warning;
  context.beginPath();
  context.arc(x, y, radius, -Math.PI / 2, -Math.PI / 2 + Math.PI * 2 * left);
  context.stroke();
}

export function clipped(context: CanvasRenderingContext2D, text: string, room: number): string {
  const short = text.slice(0, 300);
  if (short === text && context.measureText(text).width <= room) return text;
  let end = Math.min(short.length, Math.max(1, Math.floor(room / 4)));
  while (end > 1 && context.measureText(`${short.slice(0, end)}…`).width > room) end--;
  return `${short.slice(0, end)}…`;
}

/** As much of a name's end as has room: nodes of a pool differ there. */
export function tailOf(widthOf: (text: string) => number, name: string, room: number): string {
  const short = name.slice(-300);
  if (short === name && widthOf(name) <= room) return name;
  let from = Math.max(1, short.length - Math.max(1, Math.floor(room / 4)));
  while (from < short.length - 1 && widthOf(`…${short.slice(from)}`) > room) from++;
  return `…${short.slice(from)}`;
}
