/**
 * A picture of one stretch of time shown for another one, moved and stretched: what somebody sees while they pan and zoom, between two times that it is
 * painted. It knows nothing of what is in it.
 */
import type { Range } from './viewport.ts';

/** Of the window's width, so much is painted beside it on both sides while it moves. */
const marginShare = 1 / 6;
/** Hatches are the same with a margin and without where it holds whole steps of them. */
const marginStep = 30;
/** Words that are stretched by more than this are no longer read. */
const stretchMost = 1.5;

export function marginOf(width: number): number {
  return Math.floor((width * marginShare) / marginStep) * marginStep;
}

export interface Slide {
  /** Pixels that the left edge of the window's part of the picture moves by. */
  readonly byPx: number;
  readonly scale: number;
}

/** How what was painted of one stretch is shown for another. */
export function slideOf(painted: Range, shown: Range, width: number): Slide {
  const span = shown.toMs - shown.fromMs;
  return { byPx: ((painted.fromMs - shown.fromMs) / span) * width, scale: (painted.toMs - painted.fromMs) / span };
}

/** Whether all of the window is in the picture, which reaches `margin` pixels further on both sides, and is still well seen. */
export function covers(painted: Range, shown: Range, width: number, margin: number): boolean {
  const { byPx, scale } = slideOf(painted, shown, width);
  if (scale > stretchMost || scale < 1 / stretchMost) return false;
  return byPx - margin * scale <= 0 && byPx + (width + margin) * scale >= width;
}

/** For an element that begins `margin` pixels left of the window, around its own left edge. Moved alone it stays sharp: by whole pixels of the screen. */
export function transformOf({ byPx, scale }: Slide, margin: number, ratio: number): string {
  if (Math.abs(scale - 1) < 1e-6) {
    const by = Math.round(byPx * ratio) / ratio;
    return by === 0 ? '' : `translateX(${by}px)`;
  }
  return `translateX(${byPx - margin * (scale - 1)}px) scaleX(${scale})`;
}
