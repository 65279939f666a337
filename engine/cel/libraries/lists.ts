/** Lists and sets in CEL (apiserver pkg/cel/library/lists.go, cel-go ext/lists.go of version 3, ext/sets.go). */
import { global, member, type Overload, type Spend, traversalCost } from '../functions.ts';
import { compareValues } from '../order.ts';
import { bool, bytes, type CelType, double, duration, dyn, int, listOf, parameter, string, timestamp, uint } from '../types.ts';
import { CelError, celEqual, type CelValue, isList, isMap, sizeOf, typeOf, Unsigned } from '../values.ts';
import { type CelDuration, durationOf } from './times.ts';
import { int64, uint64 } from '../standard.ts';

type List = readonly CelValue[];

const t = parameter('T');
const comparable: readonly CelType[] = [int, uint, double, bool, duration, timestamp, string, bytes];
const newListCost = 10;
const longestRange = 1_000_000;

/** Upstream calls it for each of the types that can be compared. */
const ofComparable = (make: (type: CelType) => Overload): readonly Overload[] => comparable.map(make);

/** All that is in a value: 1 for each number and the like, a tenth for each byte of texts. */
function contentOf(value: CelValue): number {
  if (typeof value === 'string') return Math.trunc(Buffer.byteLength(value) * traversalCost);
  if (value instanceof Uint8Array) return Math.trunc(value.length * traversalCost);
  if (isList(value)) return value.reduce<number>((all, one) => all + contentOf(one), 0);
  return isMap(value) ? value.keys().reduce<number>((all, key) => all + contentOf(key) + contentOf(value.get(key) as CelValue), 0) : 1;
}

/** Upstream goes by the name, for texts too. */
export const spendContent: Spend = ([value = null]) => contentOf(value);
const linear = { cost: ([size = 0]: readonly number[]) => size, spendByName: spendContent };
const allocating = { cost: ([size = 0]: readonly number[]) => size + 1 + newListCost, size: ([size = 0]: readonly number[]) => size };
const allocated = (size: number): number => Math.trunc(size) + 1 + newListCost;
const byResult: Spend = (_, result) => allocated(sizeOf(result ?? null));
const byDepth: Spend = ([list = null, depth = 1n]) => allocated(Number(depth) * sizeOf(list));
const selfCompared =
  (place: number): Spend =>
  (values) => {
    const list = values[place];
    const [first] = list !== undefined && isList(list) ? list : [];
    const factor = typeof first === 'string' || first instanceof Uint8Array ? 2 + traversalCost : 2;
    return allocated(factor * sizeOf(list ?? null) ** 2);
  };
/** Of each with each other. */
const squared = (type: CelType): Pick<Overload, 'cost' | 'size'> => ({
  cost: ([size = 0]) => Math.trunc(size * size * (2 + (type.kind === 'string' || type.kind === 'bytes' ? traversalCost : 0))) + 1 + newListCost,
  size: ([size = 0]) => size,
});

function extreme(name: string, wanted: -1 | 1): (type: CelType) => Overload {
  return (type) =>
    member(
      name,
      [listOf(type)],
      type,
      (list: List) => {
        const [first] = list;
        if (first === undefined) throw new CelError(`${name} called on empty list`);
        return list.reduce((best, one) => (compareValues(one, best) === wanted ? one : best));
      },
      linear,
    );
}

const sums: readonly Overload[] = [
  member('sum', [listOf(int)], int, (list: List) => list.reduce<bigint>((sum, one) => int64(sum + (one as bigint)), 0n), linear),
  member(
    'sum',
    [listOf(uint)],
    uint,
    (list: List) => list.reduce<Unsigned>((sum, one) => uint64(sum.value + (one as Unsigned).value), new Unsigned(0n)),
    linear,
  ),
  member('sum', [listOf(double)], double, (list: List) => list.reduce<number>((sum, one) => sum + (one as number), 0), linear),
  member(
    'sum',
    [listOf(duration)],
    duration,
    (list: List) => durationOf(list.reduce<bigint>((sum, one) => sum + (one as CelDuration).nanos, 0n)),
    linear,
  ),
];

/** Of Kubernetes. */
export const listFunctions: readonly Overload[] = [
  ...ofComparable((type) =>
    member(
      'isSorted',
      [listOf(type)],
      bool,
      (list: List) => list.every((one, i) => i === 0 || compareValues(list[i - 1] as CelValue, one) !== 1),
      linear,
    ),
  ),
  ...sums,
  ...ofComparable(extreme('min', -1)),
  ...ofComparable(extreme('max', 1)),
  member('indexOf', [listOf(t), t], int, (list: List, wanted: CelValue) => BigInt(list.findIndex((one) => celEqual(one, wanted))), linear),
  member('lastIndexOf', [listOf(t), t], int, (list: List, wanted: CelValue) => BigInt(list.findLastIndex((one) => celEqual(one, wanted))), linear),
];

function slice(list: List, start: bigint, end: bigint): List {
  const told = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) throw new CelError(`${told}, negative indexes not supported`);
  if (start > end) throw new CelError(`${told}, start index must be less than or equal to end index`);
  if (BigInt(list.length) < end) throw new CelError(`${told}, list is length ${list.length}`);
  return list.slice(Number(start), Number(end));
}

function flattened(list: List, depth: bigint): List {
  if (depth < 0n) throw new CelError('level must be non-negative');
  return list.flatMap((one) => (isList(one) && depth > 0n ? flattened(one, depth - 1n) : [one]));
}

/** In the order of the keys. */
function sortedBy(list: List, keys: List): List {
  const [first] = keys;
  if (first !== undefined && keys.some((key) => typeOf(key) !== typeOf(first))) throw new CelError('list elements must have the same type');
  const order = keys.map((_, i) => i).toSorted((a, b) => compareValues(keys[a] as CelValue, keys[b] as CelValue) ?? 0);
  return order.map((i) => list[i] as CelValue);
}

function range(length: bigint): List {
  if (length > BigInt(longestRange)) throw new CelError(`lists.range(${length}) is longer than ${longestRange}`);
  return Array.from({ length: Math.max(0, Number(length)) }, (_, i) => BigInt(i));
}

const distinct = (list: List): List => list.filter((one, i) => list.findIndex((other) => celEqual(one, other)) === i);

/** Of cel-go's extension. */
export const listExtension: readonly Overload[] = [
  member('slice', [listOf(t), int, int], listOf(t), slice, { ...allocating, spend: byResult }),
  member('flatten', [listOf(listOf(t))], listOf(t), (list: List) => flattened(list, 1n), { ...allocating, spend: byDepth }),
  member('flatten', [listOf(dyn), int], listOf(dyn), flattened, { ...allocating, spend: byDepth }),
  ...ofComparable((type) =>
    member('sort', [listOf(type)], listOf(type), (list: List) => sortedBy(list, list), { ...squared(type), spend: selfCompared(0) }),
  ),
  ...ofComparable((type) =>
    member('@sortByAssociatedKeys', [listOf(t), listOf(type)], listOf(t), sortedBy, {
      cost: ([, keys = 0]) => squared(type).cost?.([keys]) ?? 1,
      spend: selfCompared(1),
    }),
  ),
  global('lists.range', [int], listOf(int), range, { cost: () => Number.POSITIVE_INFINITY, spend: byResult }),
  member('reverse', [listOf(t)], listOf(t), (list: List) => list.toReversed(), { ...allocating, spend: byResult }),
  member('distinct', [listOf(t)], listOf(t), distinct, { ...squared(dyn), spend: selfCompared(0) }),
];

const containsAll = (list: List, part: List): boolean => part.every((one) => list.some((other) => celEqual(one, other)));
const product = (factor: number) => ({ cost: ([x = 0, y = 0]: readonly number[]) => x * y * factor + 1 });

export const setFunctions: readonly Overload[] = [
  global('sets.contains', [listOf(t), listOf(t)], bool, containsAll, product(1)),
  global('sets.equivalent', [listOf(t), listOf(t)], bool, (x: List, y: List) => containsAll(x, y) && containsAll(y, x), product(2)),
  global('sets.intersects', [listOf(t), listOf(t)], bool, (x: List, y: List) => x.some((one) => y.some((other) => celEqual(one, other))), product(1)),
];
