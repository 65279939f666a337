/** Sets of characters that patterns name. Mirrors regexp/syntax/perl_groups.go and the tables of Go's unicode package. */

export type ClassTest = (point: number) => boolean;
export type Range = readonly [low: number, high: number];

export function ranges(spans: readonly Range[]): ClassTest {
  return (point) => spans.some(([low, high]) => point >= low && point <= high);
}

const digits: Range = [48, 57];
const upper: Range = [65, 90];
const lower: Range = [97, 122];
const digit = ranges([digits]);
const space = ranges([
  [9, 10],
  [12, 13],
  [32, 32],
]);
export const isWordPoint: ClassTest = ranges([digits, upper, lower, [95, 95]]);

/** `\d` and the like; undefined where it is none. */
export function perlClass(escape: string): ClassTest | undefined {
  switch (escape) {
    case '\\d':
      return digit;
    case '\\D':
      return (point) => !digit(point);
    case '\\s':
      return space;
    case '\\S':
      return (point) => !space(point);
    case '\\w':
      return isWordPoint;
    case '\\W':
      return (point) => !isWordPoint(point);
    default:
      return undefined;
  }
}

const posix: ReadonlyMap<string, readonly Range[]> = new Map<string, readonly Range[]>([
  ['alnum', [digits, upper, lower]],
  ['alpha', [upper, lower]],
  ['ascii', [[0, 127]]],
  [
    'blank',
    [
      [9, 9],
      [32, 32],
    ],
  ],
  [
    'cntrl',
    [
      [0, 31],
      [127, 127],
    ],
  ],
  ['digit', [digits]],
  ['graph', [[33, 126]]],
  ['lower', [lower]],
  ['print', [[32, 126]]],
  [
    'punct',
    [
      [33, 47],
      [58, 64],
      [91, 96],
      [123, 126],
    ],
  ],
  [
    'space',
    [
      [9, 13],
      [32, 32],
    ],
  ],
  ['upper', [upper]],
  ['word', [digits, upper, lower, [95, 95]]],
  ['xdigit', [digits, [65, 70], [97, 102]]],
]);

export function posixClass(name: string): ClassTest | undefined {
  const found = posix.get(name);
  return found === undefined ? undefined : ranges(found);
}

/** A category (`Lu`) or a script (`Greek`) of Unicode. One character at a time is looked at, so that no pattern can stall. */
export function propertyClass(name: string): ClassTest | undefined {
  if (name === 'Any') return () => true;
  if (!/^\w+$/.test(name)) return undefined;
  const property = /^[CLMNPSZ][a-z]?$/.test(name) ? name : `Script=${name}`;
  try {
    const one = new RegExp(`^\\p{${property}}$`, 'u');
    return (point) => one.test(String.fromCodePoint(point));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
