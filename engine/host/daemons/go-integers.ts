/** Whole numbers as strconv reads them. */
import type { FlagDialect } from './go-values.ts';
import { ValueError } from './value-error.ts';

/** How a text is read: as flags are (any base; underlines and `0o` in Go of now alone), or in decimal, and by which function. */
export type IntegerForm = FlagDialect | 'decimal' | 'Atoi' | 'ParseUint';

/** A number so many bits wide. Throws a ValueError. */
export function goInteger(text: string, bits: number, form: IntegerForm): bigint {
  const parser = form === 'Atoi' || form === 'ParseUint' ? form : 'ParseInt';
  const digits = integerText(text, form);
  if (digits === undefined) throw new ValueError(`strconv.${parser}: parsing ${JSON.stringify(text)}: invalid syntax`);
  const size = BigInt(digits);
  const value = text.startsWith('-') ? -size : size;
  // Flags of verbosity are 32 bits with a sign, though read as if they had none.
  const limit = 2n ** BigInt(bits - 1);
  if (value >= limit || value < -limit) throw new ValueError(`strconv.${parser}: parsing ${JSON.stringify(text)}: value out of range`);
  return value;
}

/** The number without its sign, as BigInt reads it. */
function integerText(text: string, form: IntegerForm): string | undefined {
  const size = text.replace(/^[+-]/, '');
  if (form === 'decimal' || form === 'Atoi' || form === 'ParseUint') return /^\d+$/.test(size) ? size : undefined;
  if (/^0[xX][\da-fA-F]+$/.test(size)) return size;
  if (/^0[0-7]+$/.test(size)) return `0o${size.slice(1)}`;
  if (/^(0|[1-9]\d*)$/.test(size)) return size;
  if (form === 'old') return undefined;
  if (/^0[bBoO]/.test(size) || size.includes('_')) return presentForm(size);
  return undefined;
}

/** `1_000`, `0b1`, `0o7`: underlines stand between digits, or behind what says the base. */
function presentForm(size: string): string | undefined {
  const valid = /^(0[bB](_?[01])+|0[oO]?(_?[0-7])+|0[xX](_?[\da-fA-F])+|[1-9](_?\d)*)$/;
  if (!valid.test(size)) return undefined;
  const plain = size.replaceAll('_', '');
  return /^0[0-7]/.test(plain) ? `0o${plain.slice(1)}` : plain;
}
