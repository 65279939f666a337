import { describe, expect, it } from 'vitest';
import { PixelBoxes } from './pixel-boxes.ts';

const red = '#ff0000';
const blue = '#0000ff';

function boxesOf(width: number, height: number, ratio = 1): PixelBoxes {
  const boxes = new PixelBoxes();
  boxes.begin(width, height, ratio);
  return boxes;
}

function fill(boxes: PixelBoxes, style: string, alpha: number, ...box: readonly [x: number, y: number, width: number, height: number]): void {
  boxes.fillStyle = style;
  boxes.globalAlpha = alpha;
  boxes.fillRect(...box);
}

/** One line of pixels as alpha, so that what is covered can be seen. */
function alphas(boxes: PixelBoxes, y: number, width: number): readonly number[] {
  return Array.from({ length: width }, (_none, x) => boxes.at(x, y)[3]);
}

describe('boxes in pixels', () => {
  it('colour what they cover and nothing beside it', () => {
    const boxes = boxesOf(6, 4);
    fill(boxes, red, 1, 1, 1, 2, 2);
    expect([0, 1, 2, 3].map((y) => alphas(boxes, y, 6))).toEqual([
      [0, 0, 0, 0, 0, 0],
      [0, 255, 255, 0, 0, 0],
      [0, 255, 255, 0, 0, 0],
      [0, 0, 0, 0, 0, 0],
    ]);
    expect(boxes.at(1, 1)).toEqual([255, 0, 0, 255]);
  });

  it('are gone when another picture begins, be it smaller or as large as one before', () => {
    const boxes = boxesOf(6, 4);
    fill(boxes, red, 1, 0, 0, 6, 4);
    boxes.begin(4, 4, 1);
    expect(alphas(boxes, 0, 4)).toEqual([0, 0, 0, 0]);
    fill(boxes, red, 1, 0, 0, 1, 4);
    boxes.begin(6, 4, 1);
    expect([0, 1, 2, 3].flatMap((y) => alphas(boxes, y, 6))).toEqual(new Array<number>(24).fill(0));
  });

  it('colour a pixel by the part that they cover of it', () => {
    const boxes = boxesOf(6, 3);
    fill(boxes, red, 1, 0.5, 0, 2, 0.5);
    expect(alphas(boxes, 0, 6)).toEqual([64, 128, 64, 0, 0, 0]);
    fill(boxes, red, 1, 4.25, 2, 0.5, 1);
    expect(alphas(boxes, 2, 6)).toEqual([0, 0, 0, 0, 128, 0]);
  });

  it('let through what lies below them as far as they are faint', () => {
    const boxes = boxesOf(2, 1);
    fill(boxes, red, 1, 0, 0, 1, 1);
    fill(boxes, blue, 0.25, 0, 0, 2, 1);
    expect([boxes.at(0, 0), boxes.at(1, 0)]).toEqual([
      [191, 0, 64, 255],
      [0, 0, 255, 64],
    ]);
    fill(boxes, red, 0.5, 1, 0, 1, 1);
    expect(boxes.at(1, 0)).toEqual([204, 0, 51, 160]);
  });

  it('reach over the edge without harm', () => {
    const boxes = boxesOf(3, 2);
    fill(boxes, red, 1, -5, -5, 6, 6);
    fill(boxes, red, 1, 2, 1, 400, 400);
    fill(boxes, red, 1, 40, 0, 5, 5);
    expect([0, 1].map((y) => alphas(boxes, y, 3))).toEqual([
      [255, 0, 0],
      [0, 0, 255],
    ]);
  });

  it('are as sharp as the screen', () => {
    const boxes = boxesOf(2, 1, 2);
    fill(boxes, red, 1, 0.5, 0, 1, 0.5);
    expect([0, 1].map((y) => alphas(boxes, y, 4))).toEqual([
      [0, 255, 255, 0],
      [0, 0, 0, 0],
    ]);
  });

  it('are gone with the next picture', () => {
    const boxes = boxesOf(2, 1);
    fill(boxes, red, 1, 0, 0, 2, 1);
    boxes.begin(2, 1, 1);
    expect(alphas(boxes, 0, 2)).toEqual([0, 0]);
  });

  it('are hatched by lines that go on in the box beside', () => {
    const [one, two] = [boxesOf(20, 6), boxesOf(20, 6)];
    for (const boxes of [one, two]) boxes.fillStyle = red;
    one.fillHatched(0, 0, 20, 6);
    two.fillHatched(0, 0, 7, 6);
    two.fillHatched(7, 0, 13, 6);
    const shown = [0, 1, 5].map((y) => alphas(one, y, 20));
    expect(shown).toEqual([0, 1, 5].map((y) => alphas(two, y, 20)));
    expect(shown[0]?.slice(0, 10)).toEqual([143, 0, 0, 143, 255, 143, 0, 0, 143, 255]);
    expect(shown[1]?.slice(0, 9)).toEqual(shown[0]?.slice(1, 10));
  });

  it('of an unknown colour are refused', () => {
    const boxes = boxesOf(1, 1);
    boxes.fillStyle = 'tomato';
    expect(() => boxes.fillRect(0, 0, 1, 1)).toThrow('“tomato” is no colour of six digits');
  });
});
