/**
 * Names of faults below the ticks of the axis, where they cover no row: the later of two that would touch stands a lane lower. One that has no room behind its instant begins before it,
 * and is hollow there: what is filled is taken for the fault itself.
 */
import type { TimelineFault } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { texts } from '../texts/texts.ts';
import type { Palette } from './palette.ts';
import { xOf, type Range } from './viewport.ts';

export interface FaultName {
  readonly text: string;
  readonly left: number;
  readonly width: number;
  /** Where the fault begins. */
  readonly at: number;
  readonly lane: number;
}

export const laneHeight = 17;
const lanesMax = 4;
/** Of what stands below a hollow name from its instant on. */
const footHeight = 2;
/** Of a character, so that places are known before anything is painted. */
const charWidth = 6.3;

export function placeFaultNames(faults: readonly TimelineFault[], range: Range, width: number, nowMs: number): readonly FaultName[] {
  const rights: number[] = [];
  return faults.flatMap((fault) => {
    const x = Math.max(0, xOf(fault.fromMs, range, width));
    if (x > width || xOf(fault.toMs ?? Math.max(fault.fromMs, nowMs), range, width) < 0) return [];
    const text = fault.fromMs > nowMs ? texts.timeline.plannedFault(fault.type) : `⚡ ${fault.type}`;
    const room = Math.ceil(text.length * charWidth) + 8;
    const left = Math.max(0, Math.min(x, width - room));
    const free = rights.findIndex((right) => right < left);
    const lane = free < 0 ? rights.length : free;
    if (lane >= lanesMax) return [];
    rights[lane] = left + room + 2;
    return [{ text, left, width: room, at: x, lane }];
  });
}

export function heightOf(names: readonly FaultName[]): number {
  return names.reduce((most, { lane }) => Math.max(most, lane + 1), 0) * laneHeight;
}

export function paintFaultNames(context: CanvasRenderingContext2D, names: readonly FaultName[], top: number, palette: Palette): void {
  context.font = `600 10px ${palette.font}`;
  context.textBaseline = 'middle';
  for (const { text, left, width, at, lane } of names) {
    const y = top + lane * laneHeight;
    const isEarly = at > left + 1;
    context.fillStyle = context.strokeStyle = palette.fault;
    if (isEarly) {
      context.strokeRect(left + 0.5, y + 0.5, width - 1, laneHeight - 3);
      context.fillRect(at, y + laneHeight - 2 - footHeight, left + width - at, footHeight);
    } else context.fillRect(left, y, width, laneHeight - 2);
    context.fillStyle = isEarly ? palette.fault : palette.onState;
    context.fillText(text, left + 4, y + laneHeight / 2 - (isEarly ? 2 : 1), width - 6);
  }
}
