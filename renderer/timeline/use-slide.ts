/**
 * What somebody sees while they pan and zoom: the picture that was painted last, moved and stretched in each frame. It is painted again, with a margin on
 * both sides, and the page is told of the range, a few times a second and where more comes into sight than was painted; exactly, and without a margin, as
 * soon as the gesture rests.
 */
import { useEffect, useMemo, useRef, useState } from 'react';
import { covers, marginOf, slideOf, transformOf } from './slide.ts';
import type { Range } from './viewport.ts';

/** Between two times that it is painted while it moves. */
export const paceMs = 160;
/** A wheel that turns on says so sooner. */
export const restMs = 100;
/** An element that the picture consists of; `data-margin` has the pixels that it reaches beside the window. */
export type Part = Pick<HTMLElement, 'dataset'> & { readonly style: Pick<CSSStyleDeclaration, 'transform'> };

export interface SlideOptions {
  readonly parts: () => Iterable<Part>;
  /** As it is painted. */
  readonly range: Range;
  readonly width: number;
  /** The page is told. */
  readonly onRange: (range: Range) => void;
  /** What is painted anew in each frame, because it costs nothing. */
  readonly paint: (shown: Range) => void;
}

export interface Sliding {
  /** What is seen, which may be further than what is painted. */
  readonly shown: () => Range;
  readonly move: (to: Range) => void;
  /** To be told whenever anything was painted: what is seen is where it was. */
  readonly painted: (range: Range) => void;
  readonly isMoving: boolean;
  /** Pixels to be painted beside the window. */
  readonly margin: number;
}

export function useSlide(options: SlideOptions): Sliding {
  const [isMoving, setMoving] = useState(false);
  const margin = isMoving ? marginOf(options.width) : 0;
  const latest = useRef({ ...options, margin });
  latest.current = { ...options, margin };
  const sliding = useMemo(() => new Gesture(() => latest.current, setMoving), []);
  useEffect(() => () => sliding.stop(), [sliding]);
  const { shown, move, painted } = sliding;
  return { shown, move, painted, isMoving, margin };
}

export class Gesture {
  readonly #latest: () => SlideOptions & { readonly margin: number };
  readonly #setMoving: (isMoving: boolean) => void;
  /** Further than what the page was told last. */
  #ahead: Range | undefined;
  /** What the page was told, until it comes back as what is painted. */
  #told: Range | undefined;
  #painted: Range | undefined;
  #toldAt = -Infinity;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #isSlid = false;

  constructor(latest: () => SlideOptions & { readonly margin: number }, setMoving: (isMoving: boolean) => void) {
    this.#latest = latest;
    this.#setMoving = setMoving;
  }

  readonly shown = (): Range => this.#ahead ?? this.#latest().range;

  readonly move = (to: Range): void => {
    const { range, width, margin } = this.#latest();
    if (this.#rest === undefined) this.#setMoving(true);
    clearTimeout(this.#rest);
    this.#rest = setTimeout(this.#settle, restMs);
    this.#ahead = to;
    const isFresh = performance.now() - this.#toldAt < paceMs;
    if (isFresh && this.#told === undefined && covers(range, to, width, margin)) this.#slide();
    else this.#tell();
  };

  /** What is painted now; somebody may have gone elsewhere meanwhile. */
  readonly painted = (range: Range): void => {
    if (this.#painted !== range && range !== this.#told && this.#rest !== undefined && this.#painted !== undefined) this.#drop();
    this.#painted = range;
    if (range === this.#told) this.#told = undefined;
    if (this.#ahead === range) this.#ahead = undefined;
    this.#slide();
  };

  stop(): void {
    clearTimeout(this.#rest);
    this.#rest = undefined;
  }

  #tell(): void {
    const to = this.#ahead;
    if (to === undefined) return;
    this.#told = to;
    this.#toldAt = performance.now();
    this.#latest().onRange(to);
  }

  readonly #settle = (): void => {
    this.stop();
    this.#setMoving(false);
    this.#tell();
  };

  #drop(): void {
    this.stop();
    this.#ahead = undefined;
    this.#told = undefined;
    this.#setMoving(false);
  }

  #slide(): void {
    const { parts, range, width, paint } = this.#latest();
    const shown = this.shown();
    if (shown === range && !this.#isSlid) return;
    this.#isSlid = shown !== range;
    paint(shown);
    const slide = slideOf(range, shown, width);
    for (const part of parts()) part.style.transform = transformOf(slide, Number(part.dataset['margin'] ?? 0), devicePixelRatio || 1);
  }
}
