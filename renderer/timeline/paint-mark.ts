/** Marks on a row: one shape per type, so that colour is never the only difference. */
import type { TimelineMark } from '../../engine/api/sim/v1alpha1/timeline.ts';
import type { Palette } from './palette.ts';
import type { BoxPainter } from './pixel-boxes.ts';

export function paintMark(
  context: CanvasRenderingContext2D,
  mark: TimelineMark,
  x: number,
  middle: number,
  rowHeight: number,
  palette: Palette,
  boxes: BoxPainter = context,
): void {
  const warning = mark.level === 'Warning';
  const half = rowHeight / 2;
  if (isLine(mark)) return paintLine(boxes, mark, x, middle, half, palette);
  context.lineWidth = 1.5;
  context.fillStyle = context.strokeStyle = palette.mark;
  switch (mark.type) {
    case 'create':
      triangle(context, x, middle, 4);
      break;
    case 'delete':
      line(context, x, middle - half + 2, middle + half - 2, 1.5);
      line(context, x + 2.5, middle - half + 2, middle + half - 2, 1.5);
      break;
    case 'event':
      if (warning) {
        context.fillStyle = palette.warning;
        diamond(context, x, middle, 4.5, palette);
      } else dot(context, x, middle, 3, palette);
      break;
    case 'restart':
      context.fillStyle = palette.background;
      context.beginPath();
      context.arc(x, middle, 6, 0, Math.PI * 2);
      context.fill();
      context.strokeStyle = palette.danger;
      chevrons(context, x, middle);
      break;
    case 'scheduled':
      context.strokeStyle = palette.muted;
      openTick(context, x, middle - half + 2, middle + half - 2);
      break;
    case 'started':
      dot(context, x, middle, 3.5, palette);
      break;
    case 'finished':
      context.fillStyle = warning ? palette.danger : palette.mark;
      context.fillRect(x - 3, middle - 3, 6, 6);
      break;
    case 'missed':
      context.strokeStyle = palette.danger;
      context.lineWidth = 2;
      cross(context, x, middle, 5);
      break;
    case 'skipped':
      context.strokeStyle = palette.warning;
      context.lineWidth = 2;
      ring(context, x, middle, 4);
      break;
    case 'replaced':
      context.fillStyle = palette.warning;
      diamond(context, x, middle, 4.5, palette);
      break;
  }
}

function triangle(context: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  context.beginPath();
  context.moveTo(x, y - r);
  context.lineTo(x + r, y);
  context.lineTo(x, y + r);
  context.closePath();
  context.fill();
}
function diamond(context: CanvasRenderingContext2D, x: number, y: number, r: number, palette: Palette): void {
  context.beginPath();
  context.moveTo(x, y - r);
  context.lineTo(x + r, y);
  context.lineTo(x, y + r);
  context.lineTo(x - r, y);
  context.closePath();
  context.fill();
  context.strokeStyle = palette.background;
  context.lineWidth = 1;
  context.stroke();
}
function dot(context: CanvasRenderingContext2D, x: number, y: number, r: number, palette: Palette): void {
  context.beginPath();
  context.arc(x, y, r, 0, Math.PI * 2);
  context.fill();
  context.strokeStyle = palette.background;
  context.lineWidth = 1;
  context.stroke();
}
function ring(context: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  context.beginPath();
  context.arc(x, y, r, 0, Math.PI * 2);
  context.moveTo(x - r, y + r);
  context.lineTo(x + r, y - r);
  context.stroke();
}
function isLine({ type }: TimelineMark): boolean {
  return type === 'update' || type === 'status' || type === 'condition';
}

/** A thousand stand on a busy screen: as boxes they cost a fraction of what strokes do. */
function paintLine(boxes: BoxPainter, { type }: TimelineMark, x: number, middle: number, half: number, palette: Palette): void {
  boxes.fillStyle = palette.mark;
  if (type === 'condition') return line(boxes, x, middle - half + 1, middle - 1, 1.5);
  boxes.globalAlpha = 0.55;
  line(boxes, x, middle - half + 3, middle + half - 3, 1);
  boxes.globalAlpha = 1;
}

function line(painter: BoxPainter, x: number, top: number, bottom: number, width: number): void {
  painter.fillRect(Math.round(x) + 0.5 - width / 2, top, width, bottom - top);
}
function openTick(context: CanvasRenderingContext2D, x: number, top: number, bottom: number): void {
  context.lineWidth = 1;
  context.strokeRect(Math.round(x) - 1.5, top, 3, bottom - top);
}
function cross(context: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  context.beginPath();
  context.moveTo(x - r, y - r);
  context.lineTo(x + r, y + r);
  context.moveTo(x + r, y - r);
  context.lineTo(x - r, y + r);
  context.stroke();
}
function chevrons(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.beginPath();
  for (const dx of [-2, 2]) {
    context.moveTo(x + dx - 1.5, y - 4);
    context.lineTo(x + dx + 1.5, y);
    context.lineTo(x + dx - 1.5, y + 4);
  }
  context.stroke();
}
