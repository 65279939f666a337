/**
 * A picture of one stretch of time moved to where it is in another one of the same length: what somebody sees while they pan, between two times that it is
 * painted. It knows nothing of what is in it. One that is stretched besides, for who zooms, costs the browser more in each frame than painting it anew.
 */
import { isSameScale, type Range } from './viewport.ts';

/** Of the window's width, so much is painted beside it on both sides while it moves. */
const marginShare = 1 / 6;
/** Hatches are the same with a margin and without where it holds whole steps of them. */
const marginStep = 30;

export function marginOf(width: number): number {
  return Math.floor((width * marginShare) / marginStep) * marginStep;
}

export function isAsLong(one: Range, other: Range): boolean {
  return isSameScale(one.toMs - one.fromMs, other.toMs - other.fromMs);
}

/** Pixels that what was painted of one stretch stands further to the right in another. */
export function slideOf(painted: Range, shown: Range, width: number): number {
  return ((painted.fromMs - shown.fromMs) / (shown.toMs - shown.fromMs)) * width;
}

/** Whether all of the window is in the picture, which reaches `margin` pixels further on both sides. */
export function covers(painted: Range, shown: Range, width: number, margin: number): boolean {
  return isAsLong(painted, shown) && Math.abs(slideOf(painted, shown, width)) <= margin;
}

/** It stays sharp: by whole pixels of the screen. */
export function transformOf(byPx: number, ratio: number): string {
  const by = Math.round(byPx * ratio) / ratio;
  return by === 0 ? '' : `translateX(${by}px)`;
}
