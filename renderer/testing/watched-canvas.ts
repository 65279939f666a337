/**
 * A canvas that remembers on which ground each word is painted. Boxes are laid over one another as a browser does it; hatching, which is
 * painted within a clipped box, counts as a share of its colour. Letters are six pixels wide.
 */
export type Colour = readonly [red: number, green: number, blue: number];

export interface PaintedWord {
  readonly text: string;
  readonly colour: string;
  /** The least of those at its beginning, its middle and its end. */
  readonly contrast: number;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
interface Layer extends Box {
  readonly colour: Colour;
  readonly alpha: number;
}

const letter = 6;
const hatchShare = 0.4;

export function watchedCanvas(ground: string): { readonly context: CanvasRenderingContext2D; readonly words: readonly PaintedWord[] } {
  const words: PaintedWord[] = [];
  const layers: Layer[] = [];
  const state = { fillStyle: '#000000', strokeStyle: '#000000', globalAlpha: 1, textAlign: 'left', clip: undefined as Box | undefined };
  const saved: (typeof state)[] = [];
  let box: Box | undefined;
  const groundAt = (x: number, y: number): Colour =>
    layers
      .filter((one) => x >= one.x && x < one.x + one.width && y >= one.y && y < one.y + one.height)
      .reduce((under, { colour, alpha }) => blend(under, colour, alpha), rgb(ground));
  const told: { readonly [name: string]: unknown } = {
    save: () => saved.push({ ...state }),
    restore: () => Object.assign(state, saved.pop()),
    measureText: (text: string) => ({ width: text.length * letter }),
    fillRect: (x: number, y: number, width: number, height: number) =>
      layers.push({ x, y, width, height, colour: rgb(state.fillStyle), alpha: state.globalAlpha }),
    rect: (x: number, y: number, width: number, height: number) => (box = { x, y, width, height }),
    clip: () => (state.clip = box),
    stroke: () => {
      if (state.clip) layers.push({ ...state.clip, colour: rgb(state.strokeStyle), alpha: state.globalAlpha * hatchShare });
    },
    fillText: (text: string, x: number, y: number) => {
      const width = text.length * letter;
      const left = state.textAlign === 'right' ? x - width : x;
      const spots = [left + 1, left + width / 2, left + width - 1].map((at) => contrast(rgb(state.fillStyle), groundAt(at, y)));
      words.push({ text, colour: state.fillStyle, contrast: Math.min(...spots) });
    },
  };
  const context = new Proxy(state, {
    get: (target, name) => told[String(name)] ?? (name in target ? Reflect.get(target, name) : () => undefined),
    set: (target, name, value) => (name in target ? Reflect.set(target, name, value) : true),
  });
  return { context: context as unknown as CanvasRenderingContext2D, words };
}

/** As WCAG 2 reckons it: 1 for the same, 21 for black on white. */
export function contrast(a: Colour, b: Colour): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((one, other) => other - one);
  return (light + 0.05) / (dark + 0.05);
}

/** Of `#rrggbb`. Throws for what is none: a colour that is not understood must not pass. */
export function rgb(text: string): Colour {
  const digits = /^#([0-9a-f]{6})$/i.exec(text)?.[1];
  if (digits === undefined) throw new Error(`“${text}” is no colour of six digits`);
  const part = (at: number): number => Number.parseInt(digits.slice(at, at + 2), 16);
  return [part(0), part(2), part(4)];
}

function blend(under: Colour, over: Colour, alpha: number): Colour {
  const part = (index: 0 | 1 | 2): number => under[index] * (1 - alpha) + over[index] * alpha;
  return [part(0), part(1), part(2)];
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
