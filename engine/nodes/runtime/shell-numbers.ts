/** `seq` and `expr`: numbers of scripts. */
import type { SimpleCommand } from './shell-commands.ts';

export const seq: SimpleCommand = (args, _context, { out }) => {
  const numbers = args.map(Number);
  const from = numbers.length > 1 ? (numbers[0] ?? 1) : 1;
  const by = numbers.length > 2 ? (numbers[1] ?? 1) : 1;
  const to = numbers.at(-1) ?? 0;
  const lines: string[] = [];
  for (let value = from; by > 0 ? value <= to : by < 0 && value >= to; value += by) if (lines.push(String(value)) >= 10_000) break;
  out(lines.map((line) => `${line}\n`).join(''));
  return { status: 0 };
};

export const expr: SimpleCommand = (args, _context, { out }) => {
  const [a, operator, b] = [Number(args[0] ?? 0), args[1], Number(args[2] ?? 0)];
  const value =
    operator === '+'
      ? a + b
      : operator === '-'
        ? a - b
        : operator === '*'
          ? a * b
          : operator === '/'
            ? Math.trunc(a / b)
            : operator === '%'
              ? a % b
              : a;
  out(`${value}\n`);
  return { status: value === 0 ? 1 : 0 };
};
