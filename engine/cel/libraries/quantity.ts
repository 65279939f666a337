/** Kubernetes' quantities in CEL (apiserver pkg/cel/library/quantity.go). */
import {
  addQuantity,
  compareQuantity,
  formatQuantity,
  newQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  quantitySign,
  quantityToFloat,
  subQuantity,
} from '../../apimachinery/quantity.ts';
import { global, member, type Overload, traversalCost, traversed } from '../functions.ts';
import { bool, type CelType, double, int, string } from '../types.ts';
import { CelError, type CelObject, type CelValue } from '../values.ts';

export const quantityType: CelType = { kind: 'opaque', name: 'kubernetes.Quantity' };

export class CelQuantity implements CelObject {
  readonly celType = 'kubernetes.Quantity';
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    this.quantity = quantity;
  }

  toString(): string {
    return formatQuantity(this.quantity);
  }

  equals(other: CelValue): boolean {
    return other instanceof CelQuantity && compareQuantity(this.quantity, other.quantity) === 0;
  }
}

/** A text that is no quantity gives its fault. */
function parsed(text: string): Quantity | QuantityError {
  try {
    return parseQuantity(text);
  } catch (error) {
    if (error instanceof QuantityError) return error;
    throw error;
  }
}

function quantityOf(text: string): CelQuantity {
  const quantity = parsed(text);
  if (quantity instanceof QuantityError) throw new CelError(quantity.message);
  return new CelQuantity(quantity);
}

const int64Max = (1n << 63n) - 1n;

/** Undefined for one that is not whole, or too large. */
function wholeOf({ mantissa, scale }: Quantity): bigint | undefined {
  let value = BigInt(mantissa);
  for (let i = 0; i < scale; i++) value *= 10n;
  for (let i = scale; i < 0; i++) {
    if (value % 10n !== 0n) return undefined;
    value /= 10n;
  }
  return value > int64Max || value < -int64Max - 1n ? undefined : value;
}

function integerOf({ quantity }: CelQuantity): bigint {
  const whole = wholeOf(quantity);
  if (whole === undefined) throw new CelError('cannot convert value to integer');
  return whole;
}

const traversal = { cost: ([size = 0]: readonly number[]) => Math.ceil(size * traversalCost), spendByName: traversed() };
const q = quantityType;

export const quantityFunctions: readonly Overload[] = [
  global('quantity', [string], q, quantityOf, traversal),
  global('isQuantity', [string], bool, (text: string) => !(parsed(text) instanceof QuantityError), traversal),
  global('sign', [q], int, ({ quantity }: CelQuantity) => BigInt(quantitySign(quantity))),
  member('isGreaterThan', [q, q], bool, (x: CelQuantity, y: CelQuantity) => compareQuantity(x.quantity, y.quantity) > 0),
  member('isLessThan', [q, q], bool, (x: CelQuantity, y: CelQuantity) => compareQuantity(x.quantity, y.quantity) < 0),
  member('compareTo', [q, q], int, (x: CelQuantity, y: CelQuantity) => BigInt(compareQuantity(x.quantity, y.quantity))),
  member('asApproximateFloat', [q], double, ({ quantity }: CelQuantity) => quantityToFloat(quantity)),
  member('asInteger', [q], int, integerOf),
  member('isInteger', [q], bool, ({ quantity }: CelQuantity) => wholeOf(quantity) !== undefined),
  member('add', [q, q], q, (x: CelQuantity, y: CelQuantity) => new CelQuantity(addQuantity(x.quantity, y.quantity))),
  member('add', [q, int], q, (x: CelQuantity, y: bigint) => new CelQuantity(addQuantity(x.quantity, newQuantity(Number(y))))),
  member('sub', [q, q], q, (x: CelQuantity, y: CelQuantity) => new CelQuantity(subQuantity(x.quantity, y.quantity))),
  member('sub', [q, int], q, (x: CelQuantity, y: bigint) => new CelQuantity(subQuantity(x.quantity, newQuantity(Number(y))))),
];
