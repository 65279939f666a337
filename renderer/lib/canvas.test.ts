import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { prepareCanvas, prepareLayer } from './canvas.ts';

/** A canvas that counts how often its pixels are asked for, and remembers what was cleared last. */
class Pixels {
  readonly style = { width: '', height: '', left: '' };
  readonly dataset: Record<string, string> = {};
  asked = 0;
  cleared: readonly number[] = [];
  /** By how much what is painted stands further to the right. */
  movedBy = 0;
  #size: readonly [number, number] = [300, 150];

  get width(): number {
    return this.#size[0];
  }

  set width(width: number) {
    this.asked++;
    this.#size = [width, this.height];
  }

  get height(): number {
    return this.#size[1];
  }

  set height(height: number) {
    this.#size = [this.width, height];
  }

  getContext(): object {
    return {
      setTransform: () => (this.movedBy = 0),
      translate: (x: number) => (this.movedBy += x),
      clearRect: (...box: readonly number[]) => (this.cleared = box),
    };
  }
}

function aCanvas(): { readonly pixels: Pixels; readonly canvas: HTMLCanvasElement } {
  const pixels = new Pixels();
  return { pixels, canvas: pixels as unknown as HTMLCanvasElement };
}

describe('a canvas', () => {
  beforeEach(() => vi.stubGlobal('devicePixelRatio', 2));
  afterEach(() => vi.unstubAllGlobals());

  it('has the size that is asked for', () => {
    const { pixels, canvas } = aCanvas();
    prepareCanvas(canvas, 400, 200);
    prepareCanvas(canvas, 300, 200);
    expect([pixels.width, pixels.height, pixels.style.width, pixels.asked]).toEqual([600, 400, '300px', 2]);
  });

  it('that is a layer keeps its pixels while less is needed, is cleared whole, and grows', () => {
    const { pixels, canvas } = aCanvas();
    prepareLayer(canvas, 400, 200);
    prepareLayer(canvas, 250, 200);
    prepareLayer(canvas, 400, 120);
    expect(pixels.asked).toBe(1);
    expect(pixels.cleared).toEqual([0, 0, 400, 200]);
    prepareLayer(canvas, 300, 260);
    expect([pixels.width, pixels.height, pixels.style.height, pixels.asked]).toEqual([800, 520, '260px', 2]);
    vi.stubGlobal('devicePixelRatio', 1);
    prepareLayer(canvas, 300, 260);
    expect([pixels.width, pixels.height]).toEqual([300, 260]);
  });

  it('that is a layer reaches beside what it lies in while it is to be moved, and is painted where it was', () => {
    const { pixels, canvas } = aCanvas();
    prepareLayer(canvas, 400, 200, 60);
    expect([pixels.width, pixels.style.left, pixels.dataset['margin'], pixels.movedBy]).toEqual([1040, '-60px', '60', 60]);
    prepareLayer(canvas, 400, 200);
    expect([pixels.style.left, pixels.dataset['margin'], pixels.movedBy, pixels.asked]).toEqual(['', '0', 0, 1]);
  });
});
