/** Values as CEL writes them (cel-go common/types/format.go). */
import { goQuote } from '../apimachinery/quote.ts';
import { CelOptional } from './libraries/optionals.ts';
import { CelDuration, CelTimestamp } from './libraries/times.ts';
import { type CelValue, isList, isMap, Unsigned } from './values.ts';

export function valueText(value: CelValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return doubleLiteral(value);
  if (value instanceof Unsigned) return `${value.value}u`;
  if (value instanceof Uint8Array) return `b"${[...value].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}"`;
  if (isList(value)) return `[${value.map(valueText).join(', ')}]`;
  if (isMap(value)) {
    const entries = value.keys().map((key) => `${valueText(key)}: ${valueText(value.get(key) as CelValue)}`);
    return `{${entries.toSorted().join(', ')}}`;
  }
  if (value instanceof CelOptional) return value.value === undefined ? 'optional.none()' : `optional.of(${valueText(value.value)})`;
  if (value instanceof CelTimestamp) return `timestamp(${JSON.stringify(value.toString())})`;
  if (value instanceof CelDuration) return `duration(${JSON.stringify(value.toString())})`;
  return String(value);
}

function doubleLiteral(value: number): string {
  if (!Number.isFinite(value)) return `double("${Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity'}")`;
  const text = Object.is(value, -0) ? '-0' : plainDouble(value);
  return text.includes('.') ? text : `${text}.0`;
}

/** Without an exponent. */
function plainDouble(value: number): string {
  const [mantissa = '', power = '0'] = value.toExponential().split('e');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  const point = Number(power) + 1;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return point >= digits.length ? sign + digits.padEnd(point, '0') : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
