/** Which of two values comes first. */
import { CelDuration, CelTimestamp } from './libraries/times.ts';
import { type CelValue, compareNumbers, numeric } from './values.ts';

/** Undefined for values that have no order. */
export function compareValues(x: CelValue, y: CelValue): -1 | 0 | 1 | undefined {
  const [m, n] = [numeric(x), numeric(y)];
  if (m !== undefined && n !== undefined) return compareNumbers(m, n);
  if (typeof x === 'string' && typeof y === 'string') return sign(compareTexts(x, y));
  if (typeof x === 'boolean' && typeof y === 'boolean') return sign(Number(x) - Number(y));
  if (x instanceof Uint8Array && y instanceof Uint8Array) return sign(compareBytes(x, y));
  const isTimed = (value: CelValue): value is CelDuration | CelTimestamp => value instanceof CelDuration || value instanceof CelTimestamp;
  return isTimed(x) && isTimed(y) ? compareNumbers(x.nanos, y.nanos) : undefined;
}

function sign(difference: number): -1 | 0 | 1 {
  return difference < 0 ? -1 : difference > 0 ? 1 : 0;
}

/** By code points, as Go compares UTF-8. */
export function compareTexts(x: string, y: string): number {
  const encoder = new TextEncoder();
  return compareBytes(encoder.encode(x), encoder.encode(y));
}

export function compareBytes(x: Uint8Array, y: Uint8Array): number {
  for (let i = 0; i < x.length && i < y.length; i++) if (x[i] !== y[i]) return (x[i] as number) - (y[i] as number);
  return x.length - y.length;
}
