/** Sizes and costs as cel-go estimates them (checker/cost.go): between a least and a greatest; infinite where nothing is known. */
export interface Size {
  readonly min: number;
  readonly max: number;
}

/** Of what a list or map holds: its keys (of lists always 1) and its values. */
export interface EntrySizes {
  readonly isList: boolean;
  readonly key: Size;
  readonly value: Size;
}

export const unknownSize: Size = { min: 0, max: Number.POSITIVE_INFINITY };
export const fixedSize = (size: number): Size => ({ min: size, max: size });

/** Nothing, however often, is nothing. */
export function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

export function timesSizes(a: Size, b: Size): Size {
  return { min: times(a.min, b.min), max: times(a.max, b.max) };
}

export function plusSizes(a: Size, b: Size): Size {
  return { min: a.min + b.min, max: a.max + b.max };
}

/** A size that holds both. */
export function unionOf(a: Size, b: Size): Size {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

export function unionOfEntries(a: EntrySizes | undefined, b: EntrySizes | undefined): EntrySizes | undefined {
  return a && b && { isList: a.isList, key: unionOf(a.key, b.key), value: unionOf(a.value, b.value) };
}

/** What so many units cost at most. */
export function priced({ max }: Size, perUnit: number): number {
  return Math.ceil(times(max, perUnit));
}
