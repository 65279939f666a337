/** `awk '{print $1}'` and `hexdump`: what scripts make of columns, and of bytes that are no text. */
import type { ShellBudget } from './shell-budget.ts';

export interface AwkArguments {
  readonly program: string;
  /** Undefined: runs of blanks. */
  readonly separator: string | undefined;
  readonly paths: readonly string[];
}

export function awkArguments(args: readonly string[]): AwkArguments {
  const [first = '', ...rest] = args;
  if (first === '-F') return { ...awkArguments(rest.slice(1)), separator: rest[0] ?? ' ' };
  if (first.startsWith('-F')) return { ...awkArguments(rest), separator: first.slice(2) };
  return { program: first, separator: undefined, paths: rest };
}

/** Undefined for programs that do more than print columns and texts of each line. */
export function awkOutput(program: string, separator: string | undefined, text: string, budget: ShellBudget): string | undefined {
  const list = /^\s*\{\s*print\b([^;{}]*);?\s*\}\s*$/.exec(program)?.[1]?.trim();
  if (list === undefined) return undefined;
  const items = (list === '' ? '$0' : list).split(',').map((item) => item.trim());
  if (!items.every((item) => /^(?:\$(?:\d{1,3}|NF)|"[^"]*"|NF)$/.test(item))) return undefined;
  let made = '';
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    const columns = separator === undefined ? line.split(/\s+/).filter((word) => word !== '') : line.split(separator);
    made += `${items.map((item) => valueOf(item, line, columns)).join(' ')}\n`;
    budget.text(made.length);
  }
  return made;
}

function valueOf(item: string, line: string, columns: readonly string[]): string {
  if (item.startsWith('"')) return item.slice(1, -1);
  if (item === 'NF') return String(columns.length);
  if (item === '$0') return line;
  const at = item === '$NF' ? columns.length : Number(item.slice(1));
  return columns[at - 1] ?? '';
}

const perLine = 16;

/** `isCanonical`: byte by byte with their characters (`-C`), else as pairs of two bytes each. */
export function hexText(bytes: Uint8Array, isCanonical: boolean, budget: ShellBudget): string {
  budget.text(bytes.length * 5);
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += perLine) {
    const part = bytes.subarray(at, at + perLine);
    lines.push(isCanonical ? canonicalLine(at, part) : `${address(at, 7)} ${pairs(part).padEnd(39)}`);
  }
  if (bytes.length > 0) lines.push(address(bytes.length, isCanonical ? 8 : 7));
  return lines.map((line) => `${line}\n`).join('');
}

function canonicalLine(at: number, part: Uint8Array): string {
  const shown = [...part].map((byte) => address(byte, 2));
  const cells = Array.from({ length: perLine }, (_none, index) => shown[index] ?? '  ');
  const text = [...part].map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
  return `${address(at, 8)}  ${cells.slice(0, 8).join(' ')}  ${cells.slice(8).join(' ')}  |${text}|`;
}

function pairs(part: Uint8Array): string {
  const words: string[] = [];
  for (let at = 0; at < part.length; at += 2) words.push(address((part[at] ?? 0) + ((part[at + 1] ?? 0) << 8), 4));
  return words.join(' ');
}

function address(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
