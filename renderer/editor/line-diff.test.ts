import fc from 'fast-check';
import { expect, it } from 'vitest';
import { diffLines } from './line-diff.ts';

const told = (before: string, after: string): string[] =>
  diffLines(before, after).map(({ sign, text, count }) => (sign === 'gap' ? `…${count}` : sign + text));

it('tells what went and what came, with three lines around it', () => {
  const lines = Array.from({ length: 12 }, (_, index) => `l${index}`);
  const after = lines.with(6, 'new').toSpliced(7, 0, 'more');
  expect(told(lines.join('\n'), after.join('\n'))).toEqual(['…3', ' l3', ' l4', ' l5', '-l6', '+new', '+more', ' l7', ' l8', ' l9', '…2']);
  expect(told('a\nb', 'a\nb')).toEqual(['…2']);
});

it('of any two texts has all lines of both, in order, and takes the fewest steps', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 12 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      // Without lines that are folded away: each text is its own surroundings.
      const lines = diffLines(before, after);
      const folded = lines.some(({ sign }) => sign === 'gap');
      if (folded) return;
      const of = (sign: string): string =>
        lines
          .filter((line) => line.sign === ' ' || line.sign === sign)
          .map((line) => line.text)
          .join('\n');
      expect([of('-'), of('+')]).toEqual([before, after]);
      const common = lines.filter(({ sign }) => sign === ' ').length;
      expect(common).toBe(longestCommon(before.split('\n'), after.split('\n')));
    }),
  );
});

it('two long texts with nothing in common are told in bounded time', () => {
  const many = (prefix: string): string => Array.from({ length: 30_000 }, (_, index) => `${prefix}${index}`).join('\n');
  expect(diffLines(many('a'), many('b'))).toHaveLength(60_000);
});

function longestCommon(a: readonly string[], b: readonly string[]): number {
  const row = Array.from({ length: b.length + 1 }, () => 0);
  for (const line of a) {
    let corner = 0;
    for (const [index, other] of b.entries()) {
      const above = row[index + 1] ?? 0;
      row[index + 1] = line === other ? corner + 1 : Math.max(above, row[index] ?? 0);
      corner = above;
    }
  }
  return row.at(-1) ?? 0;
}
