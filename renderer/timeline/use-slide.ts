/**
 * What somebody sees while they pan: the picture that was painted last, moved in each frame. It is painted again, with a margin on both sides, and the page
 * is told of the range, a few times a second and where more comes into sight than was painted; exactly, and without a margin, as soon as the gesture rests.
 * Who zooms sees it painted in each frame.
 */
import { useEffect, useMemo, useRef, useState } from 'react';
import { covers, isAsLong, marginOf, slideOf, transformOf } from './slide.ts';
import type { Range } from './viewport.ts';

/** Between two times that it is painted while it moves. */
export const paceMs = 160;
/** Who zoomed pans when so many steps did nothing else. */
const stepsToTurn = 3;
/** A wheel that turns on says so sooner. */
export const restMs = 100;
/** An element that the picture consists of; `data-margin` has the pixels that it reaches beside the window. */
export type Part = Pick<HTMLElement, 'dataset'> & { readonly style: Pick<CSSStyleDeclaration, 'transform'> };

/** Along time, or to more or less of it. */
export type Movement = 'none' | 'along' | 'zoom';

export interface SlideOptions {
  readonly parts: () => Iterable<Part>;
  /** The part that takes longest to paint. */
  readonly picture: () => Part | undefined;
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
  /** Of parts that are painted after the page was told: what they show now. */
  readonly pictured: (parts: readonly Part[], range: Range) => void;
  /** Whether what was pictured last is enough for one frame more, so that the page is looked at again in this one and painted in the next. */
  readonly canWait: () => boolean;
  readonly isMoving: boolean;
  /** Pixels to be painted beside the window. */
  readonly margin: number;
}

export function useSlide(options: SlideOptions): Sliding {
  const [movement, setMovement] = useState<Movement>('none');
  const margin = movement === 'along' ? marginOf(options.width) : 0;
  const latest = useRef(options);
  latest.current = options;
  const sliding = useMemo(() => new Gesture(() => latest.current, setMovement), []);
  useEffect(() => () => sliding.stop(), [sliding]);
  const { shown, move, painted, pictured, canWait } = sliding;
  return { shown, move, painted, pictured, canWait, isMoving: movement !== 'none', margin };
}

export class Gesture {
  readonly #latest: () => SlideOptions;
  readonly #setMovement: (movement: Movement) => void;
  /** Further than what the page was told last. */
  #ahead: Range | undefined;
  /** What the page was told, until it comes back as what is painted. */
  #told: Range | undefined;
  #painted: Range | undefined;
  #toldAt = -Infinity;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #isSlid = false;
  #stepsAlong = 0;
  /** Of parts that are not painted with all others. */
  readonly #pictures = new WeakMap<Part, Range>();

  constructor(latest: () => SlideOptions, setMovement: (movement: Movement) => void) {
    this.#latest = latest;
    this.#setMovement = setMovement;
  }

  readonly shown = (): Range => this.#ahead ?? this.#latest().range;

  readonly move = (to: Range): void => {
    this.#stepsAlong = isAsLong(to, this.shown()) ? this.#stepsAlong + 1 : 0;
    // A margin that came and went with every other step would cost more than it saves.
    if (this.#stepsAlong === 0) this.#setMovement('zoom');
    else if (this.#rest === undefined || this.#stepsAlong >= stepsToTurn) this.#setMovement('along');
    clearTimeout(this.#rest);
    this.#rest = setTimeout(this.#settle, restMs);
    this.#ahead = to;
    const isFresh = performance.now() - this.#toldAt < paceMs;
    if (isFresh && this.#told === undefined && this.canWait()) this.#slide();
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

  readonly pictured = (parts: readonly Part[], range: Range): void => {
    for (const part of parts) this.#pictures.set(part, range);
    this.#slide();
  };

  readonly canWait = (): boolean => {
    const { picture, width } = this.#latest();
    const part = picture();
    const range = part && this.#pictures.get(part);
    return range !== undefined && covers(range, this.shown(), width, marginIn(part));
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
    this.#setMovement('none');
    this.#tell();
  };

  #drop(): void {
    this.stop();
    this.#ahead = undefined;
    this.#told = undefined;
    this.#setMovement('none');
  }

  #slide(): void {
    const { parts, range, width, paint } = this.#latest();
    const shown = this.shown();
    if (this.#rest === undefined && shown === range && !this.#isSlid) return;
    if (shown !== range || this.#isSlid) paint(shown);
    this.#isSlid = shown !== range;
    for (const part of parts()) {
      const pictured = this.#pictures.get(part) ?? range;
      // Of another length it is painted in this frame.
      part.style.transform = isAsLong(pictured, shown) ? transformOf(slideOf(pictured, shown, width), devicePixelRatio || 1) : '';
    }
  }
}

function marginIn(part: Part | undefined): number {
  return Number(part?.dataset['margin'] ?? 0);
}
