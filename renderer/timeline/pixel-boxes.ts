/**
 * Boxes painted into pixels and shown as one picture. A busy screen has six thousand of them, most a pixel or two wide: a canvas keeps each as a
 * command and paints it when the page's work is done, which takes five times as long and is counted to no script.
 */
import { hatchReach, hatchStep } from './hatch.ts';

/** What plain boxes are painted on: a canvas, or pixels. */
export interface BoxPainter extends Pick<CanvasRenderingContext2D, 'fillStyle' | 'globalAlpha' | 'fillRect'> {
  /** Lines upwards to the right, within a box; absent where they are to be drawn as lines. */
  fillHatched?(x: number, y: number, width: number, height: number): void;
}

const most = 255;
/** What covers so much of a pixel lets nothing through that a byte could tell. */
const solidFrom = 0.998;

export class PixelBoxes implements BoxPainter {
  fillStyle: CanvasRenderingContext2D['fillStyle'] = '#000000';
  globalAlpha = 1;
  #width = 0;
  #height = 0;
  #ratio = 1;
  #margin = 0;
  /** As many as a picture ever had: those of a margin that comes and goes are not asked for each time. */
  #room = new Uint32Array(0);
  #pixels = this.#room;
  #image: ImageData | undefined;
  #isClear = true;
  /** How much of a pixel lines of a hatch cover, by the sum of its coordinates. */
  #hatch: readonly number[] = [];
  readonly #colours = new Map<string, number>();

  /** A clear picture of so many CSS pixels, of which each is `ratio` of the screen's wide; so many of them lie left of where boxes are reckoned from. */
  begin(width: number, height: number, ratio: number, margin = 0): void {
    this.#margin = margin;
    const [wide, tall] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (ratio !== this.#ratio || this.#hatch.length === 0) this.#hatch = hatchShares(ratio);
    this.#ratio = ratio;
    if (wide !== this.#width || tall !== this.#height) {
      this.#width = wide;
      this.#height = tall;
      if (this.#room.length < wide * tall) this.#room = new Uint32Array(wide * tall);
      else if (!this.#isClear) this.#pixels.fill(0);
      this.#pixels = this.#room.subarray(0, wide * tall);
      this.#image = undefined;
    } else if (!this.#isClear) this.#pixels.fill(0);
    this.#isClear = true;
  }

  /** Takes the place of all that was painted there. */
  showOn(context: CanvasRenderingContext2D): void {
    if (this.#isClear) return;
    this.#image ??= new ImageData(new Uint8ClampedArray(this.#room.buffer, 0, this.#pixels.byteLength), this.#width, this.#height);
    context.putImageData(this.#image, 0, 0);
  }

  /** Red, green, blue and alpha, each up to 255, of a pixel of the screen. */
  at(x: number, y: number): readonly [red: number, green: number, blue: number, alpha: number] {
    const pixel = this.#pixels[y * this.#width + x] ?? 0;
    return [pixel & most, (pixel >>> 8) & most, (pixel >>> 16) & most, pixel >>> 24];
  }

  /** What covers a part of a pixel colours it by as much. */
  fillRect(x: number, y: number, width: number, height: number): void {
    const ratio = this.#ratio;
    const from = x + this.#margin;
    const left = Math.max(0, from * ratio);
    const right = Math.min(this.#width, (from + width) * ratio);
    const top = Math.max(0, y * ratio);
    const bottom = Math.min(this.#height, (y + height) * ratio);
    if (!(right > left && bottom > top)) return;
    // Along the longer side, so that there are few runs.
    if (bottom - top > right - left) this.#fillRuns(left, right, 1, top, bottom, this.#width);
    else this.#fillRuns(top, bottom, this.#width, left, right, 1);
    this.#isClear = false;
  }

  /** Where a line is depends on the sum of both coordinates alone: lines of neighbouring boxes meet. */
  fillHatched(x: number, y: number, width: number, height: number): void {
    const ratio = this.#ratio;
    const from = x + this.#margin;
    const left = Math.max(0, Math.round(from * ratio));
    const right = Math.min(this.#width, Math.round((from + width) * ratio));
    const top = Math.max(0, Math.round(y * ratio));
    const bottom = Math.min(this.#height, Math.round((y + height) * ratio));
    if (!(right > left && bottom > top)) return;
    const colour = this.#colour();
    const period = this.#hatch.length;
    for (let line = top; line < bottom; line++)
      for (let column = left; column < Math.min(right, left + period); column++) {
        const share = this.#hatch[(column + line) % period] as number;
        if (share > 0) this.#fillRun(line * this.#width + column, Math.ceil((right - column) / period), period, share * this.globalAlpha, colour);
      }
    this.#isClear = false;
  }

  #fillRuns(acrossFrom: number, acrossTo: number, acrossStep: number, from: number, to: number, step: number): void {
    const colour = this.#colour();
    const alpha = this.globalAlpha;
    const first = Math.ceil(from);
    const last = Math.floor(to);
    for (let across = Math.floor(acrossFrom); across < acrossTo; across++) {
      const share = (Math.min(across + 1, acrossTo) - Math.max(across, acrossFrom)) * alpha;
      const start = across * acrossStep;
      if (first > last) this.#fillRun(start + last * step, 1, step, share * (to - from), colour);
      else {
        if (first > from) this.#fillRun(start + (first - 1) * step, 1, step, share * (first - from), colour);
        this.#fillRun(start + first * step, last - first, step, share, colour);
        if (to > last) this.#fillRun(start + last * step, 1, step, share * (to - last), colour);
      }
    }
  }

  /** Most pixels of a run lie over what the one before lay over, and become the same. */
  #fillRun(start: number, count: number, step: number, alpha: number, colour: number): void {
    const pixels = this.#pixels;
    const end = start + count * step;
    if (step === 1 && alpha > solidFrom) {
      pixels.fill((most << 24) | colour, start, end);
      return;
    }
    let under = -1;
    let becomes = 0;
    for (let at = start; at < end; at += step) {
      const now = pixels[at] as number;
      if (now !== under) {
        under = now;
        becomes = blended(now, alpha, colour);
      }
      pixels[at] = becomes;
    }
  }

  /** As a pixel has it, without alpha. Throws for what is no colour of six digits, which all tokens are. */
  #colour(): number {
    const style = String(this.fillStyle);
    let colour = this.#colours.get(style);
    if (colour === undefined) {
      const digits = /^#([0-9a-f]{6})$/i.exec(style)?.[1];
      if (digits === undefined) throw new Error(`“${style}” is no colour of six digits`);
      const part = (from: number): number => Number.parseInt(digits.slice(from, from + 2), 16);
      this.#colours.set(style, (colour = (part(4) << 16) | (part(2) << 8) | part(0)));
    }
    return colour;
  }
}

function blended(under: number, alpha: number, colour: number): number {
  if (under === 0 || alpha > solidFrom) return (Math.round(Math.min(1, alpha) * most) << 24) | colour;
  const keep = ((under >>> 24) / most) * (1 - alpha);
  const all = alpha + keep;
  const red = ((colour & most) * alpha + (under & most) * keep) / all;
  const green = (((colour >>> 8) & most) * alpha + ((under >>> 8) & most) * keep) / all;
  const blue = (((colour >>> 16) & most) * alpha + ((under >>> 16) & most) * keep) / all;
  return (Math.round(all * most) << 24) | (Math.round(blue) << 16) | (Math.round(green) << 8) | Math.round(red);
}

function hatchShares(ratio: number): readonly number[] {
  const period = Math.max(1, Math.round(hatchStep * ratio));
  return Array.from({ length: period }, (_none, sum) => {
    const away = Math.min(sum + 1, period - sum - 1);
    return Math.max(0, Math.min(1, hatchReach * ratio - away + 0.5));
  });
}
