/** What a pod looks like: a shape for each look in a box of 16, so that nobody needs colours to tell them apart, and a colour. */
import type { PodLook } from '../../engine/api/sim/v1alpha1/cluster-map.ts';

export interface Shape {
  /** Path data. */
  readonly fill?: string;
  readonly stroke?: string;
  /** Name of a state's colour. */
  readonly token: 'pending' | 'running' | 'succeeded' | 'failed' | 'unknown' | 'terminating';
}

/** Side of the box that paths are in. */
export const shapeBox = 16;

const paths = new Map<string, Path2D>();

/** For a canvas. */
export function pathOf(data: string): Path2D {
  let path = paths.get(data);
  if (!path) paths.set(data, (path = new Path2D(data)));
  return path;
}

const box = 'M1.5 1.5H14.5V14.5H1.5Z';
const square = 'M1 1H15V15H1Z';

export const shapes: { readonly [L in PodLook]: Shape } = {
  Ready: { fill: square, token: 'running' },
  Starting: { stroke: box, fill: 'M1 8H15V15H1Z', token: 'running' },
  NotReady: { stroke: box, fill: 'M1 6H15V10H1Z', token: 'failed' },
  Creating: { stroke: box, token: 'pending' },
  Pulling: { stroke: `${box}M8 4V12M4.5 8.5L8 12L11.5 8.5`, token: 'pending' },
  Volume: { stroke: `${box}M1.5 10.5H14.5`, fill: 'M4 11.8H7V13.4H4Z', token: 'pending' },
  CrashLoop: { fill: 'M8 1L15.5 15H0.5Z', token: 'failed' },
  PullFailed: { fill: 'M0.5 1H15.5L8 15Z', token: 'failed' },
  Error: { fill: 'M8 0.5L15.5 8L8 15.5L0.5 8Z', token: 'failed' },
  Terminating: { stroke: `${box}M1.5 8L8 1.5M1.5 14.5L14.5 1.5M8 14.5L14.5 8`, token: 'terminating' },
  Lost: {
    stroke: `${box}M1.5 6L6 1.5M1.5 10L10 1.5M1.5 14L14 1.5M6 14.5L14.5 6M10 14.5L14.5 10M1.5 2L14 14.5M1.5 8L8 14.5M8 1.5L14.5 8`,
    token: 'unknown',
  },
  Succeeded: { stroke: 'M2 8.5L6.5 13L14 3.5', token: 'succeeded' },
  Failed: { stroke: 'M2.5 2.5L13.5 13.5M13.5 2.5L2.5 13.5', token: 'failed' },
  Gated: { stroke: 'M8 1.5A6.5 6.5 0 1 0 8 14.5A6.5 6.5 0 1 0 8 1.5M4 8H12', token: 'pending' },
  Waiting: { stroke: 'M8 1.5A6.5 6.5 0 1 0 8 14.5A6.5 6.5 0 1 0 8 1.5', token: 'pending' },
  Unschedulable: { stroke: 'M8 1L15 8L8 15L1 8ZM8 5V8.6M8 10.4V11.6', token: 'failed' },
};
