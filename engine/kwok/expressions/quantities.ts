/** Quantities with operators, and lists of resources. Mirrors pkg/utils/cel/{quantity,resource_list}.go of sigs.k8s.io/kwok. */
import {
  addQuantity,
  compareQuantity,
  formatQuantity,
  negateQuantity,
  newMilliQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  quantityMilliValue,
  quantityToFloat,
  subQuantity,
} from '../../apimachinery/quantity.ts';
import { getOwn } from '../../base/dictionary.ts';
import { global, member, type Overload } from '../../cel/functions.ts';
import { bool, type CelType, double, int, string, uint } from '../../cel/types.ts';
import { CelError, type CelObject, type CelValue, type Unsigned } from '../../cel/values.ts';

export const quantityType: CelType = { kind: 'opaque', name: 'kubernetes.Quantity' };
export const resourceListType: CelType = { kind: 'opaque', name: 'kubernetes.ResourceList' };

export class KwokQuantity implements CelObject {
  readonly celType = 'kubernetes.Quantity';
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    this.quantity = quantity;
  }

  equals(other: CelValue): boolean {
    return other instanceof KwokQuantity && compareQuantity(this.quantity, other.quantity) === 0;
  }

  toString(): string {
    return formatQuantity(this.quantity);
  }
}

/** Resources by name; one that is not there is none of it. */
export class ResourceList implements CelObject {
  readonly celType = 'kubernetes.ResourceList';
  readonly list: Readonly<Record<string, string>>;

  constructor(list: Readonly<Record<string, string>>) {
    this.list = list;
  }

  equals(other: CelValue): boolean {
    if (!(other instanceof ResourceList) || this.size !== other.size) return false;
    return Object.keys(this.list).every((name) => getOwn(other.list, name) !== undefined && this.at(name).equals(other.at(name)));
  }

  get size(): number {
    return Object.keys(this.list).length;
  }

  element(index: CelValue): KwokQuantity {
    return this.at(String(index));
  }

  at(name: string): KwokQuantity {
    return new KwokQuantity(parseQuantity(getOwn(this.list, name) ?? '0'));
  }

  field(name: string): CelValue {
    return this.at(name);
  }
}

function read(text: string): KwokQuantity {
  try {
    return new KwokQuantity(parseQuantity(text));
  } catch (error) {
    throw error instanceof QuantityError ? new CelError(error.message) : error;
  }
}

/** Upstream calculates in thousandths, of 64 bits. */
function ofMilli(milli: number): KwokQuantity {
  if (Number.isNaN(milli)) throw new CelError('integer overflow');
  const most = Number.MAX_SAFE_INTEGER;
  return new KwokQuantity(newMilliQuantity(Math.trunc(Math.min(Math.max(milli, -most), most))));
}

const milliOf = ({ quantity }: KwokQuantity): number => quantityMilliValue(quantity);
const floatOf = ({ quantity }: KwokQuantity): number => quantityToFloat(quantity);

function divided(quantity: KwokQuantity, by: bigint): KwokQuantity {
  if (by === 0n) throw new CelError('division by zero');
  return ofMilli(milliOf(quantity) / Number(by));
}

const q = quantityType;
const orders: readonly (readonly [name: string, holds: (order: number) => boolean])[] = [
  ['_<_', (order) => order < 0],
  ['_<=_', (order) => order <= 0],
  ['_>_', (order) => order > 0],
  ['_>=_', (order) => order >= 0],
];

export const quantityOperators: readonly Overload[] = [
  global('Quantity', [string], q, read),
  member('Quantity', [string], q, read),
  global('_+_', [q, q], q, (x: KwokQuantity, y: KwokQuantity) => new KwokQuantity(addQuantity(x.quantity, y.quantity))),
  global('_-_', [q, q], q, (x: KwokQuantity, y: KwokQuantity) => new KwokQuantity(subQuantity(x.quantity, y.quantity))),
  global('-_', [q], q, ({ quantity }: KwokQuantity) => new KwokQuantity(negateQuantity(quantity))),
  global('_*_', [q, int], q, (x: KwokQuantity, y: bigint) => ofMilli(milliOf(x) * Number(y))),
  global('_*_', [q, uint], q, (x: KwokQuantity, y: Unsigned) => ofMilli(milliOf(x) * Number(y.value))),
  global('_*_', [q, double], q, (x: KwokQuantity, y: number) => ofMilli(floatOf(x) * y * 1000)),
  global('_/_', [q, int], q, (x: KwokQuantity, y: bigint) => divided(x, y)),
  global('_/_', [q, uint], q, (x: KwokQuantity, y: Unsigned) => divided(x, y.value)),
  global('_/_', [q, double], q, (x: KwokQuantity, y: number) => ofMilli((floatOf(x) / y) * 1000)),
  ...orders.map(([name, holds]) => global(name, [q, q], bool, (x: KwokQuantity, y: KwokQuantity) => holds(compareQuantity(x.quantity, y.quantity)))),
  global('string', [q], string, (quantity: KwokQuantity) => quantity.toString()),
  global('double', [q], double, floatOf),
  global('_[_]', [resourceListType, string], q, (list: ResourceList, name: string) => list.at(name)),
  global('@in', [string, resourceListType], bool, (name: string, list: ResourceList) => getOwn(list.list, name) !== undefined),
  global('size', [resourceListType], int, (list: ResourceList) => BigInt(list.size)),
];
