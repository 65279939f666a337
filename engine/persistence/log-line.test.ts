/** Lines of a log: made in one step or in many, found one by one or as places in a block. */
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../base/random.ts';
import type { JsonValue } from '../base/json.ts';
import { decodeLine, encodeLine, encodeLongLine, isWhole, type LogRecord } from './log-line.ts';
import { readLines, scanLines } from './log-reader.ts';

describe('a long line', () => {
  const record = { t: 'part', p: ['state', 'a "quoted" name'] };
  const cases: readonly { readonly name: string; readonly items: readonly JsonValue[] }[] = [
    { name: 'no item', items: [] },
    { name: 'one step', items: [1, 'zwei', null] },
    { name: 'many steps', items: Array.from({ length: 25 }, (_, index) => ['ü', { index }]) },
    { name: 'steps that end with the list', items: Array.from({ length: 20 }, (_, index) => index) },
    { name: 'whole numbers beyond 2^53', items: [...Array.from({ length: 15 }, (_, index) => index), 2n ** 60n] },
  ];
  it.each(cases)('is the same as one that is made at once: $name', ({ items }) => {
    const steps = [...encodeLongLine(record, 'v', items, 10)];
    const line = steps.pop();
    expect(steps.every((step) => step === undefined)).toBe(true);
    expect(line?.toString()).toBe(encodeLine({ ...record, v: items } as LogRecord).toString());
    expect(decodeLine((line as Buffer).subarray(0, -1))).toEqual({ ...record, v: items });
  });
});

it('is whole as a part of a block as it is alone', () => {
  const [one, two] = [encodeLine({ t: 'mark' }), encodeLine({ t: 'end' })];
  const block = Buffer.concat([one, two]);
  expect(isWhole(block, one.length, block.length - 1)).toBe(true);
  expect(isWhole(block, one.length, block.length)).toBe(false);
  expect(isWhole(block, 0, one.length - 1)).toBe(true);
  for (let length = 0; length < two.length - 1; length++) expect(isWhole(block, one.length, one.length + length)).toBe(false);
});

describe('lines of a file', () => {
  let folder = '';
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'wavetank-lines-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are the same whether told as lines or as places in a block, also where they are longer than one', () => {
    const random = new Random(7).stream('lines');
    const lines = Array.from({ length: 400 }, (_, index) => 'x'.repeat(index % 97 === 0 ? 2_500_000 : random.integer(9_000)));
    const path = join(folder, 'lines');
    writeFileSync(path, `${lines.join('\n')}\nno end`);
    const file = openSync(path, 'r');
    try {
      for (const from of [0, (lines[0] as string).length + 1]) {
        const told = [...readLines(file, from, 1e9)].map(({ offset, bytes }) => [offset, bytes.length]);
        const places: number[][] = [];
        scanLines(file, from, 1e9, ({ start, end }, offset) => places.push([offset, end - start]) > 0);
        expect(places).toEqual(told);
        expect(places).toHaveLength(from === 0 ? lines.length : lines.length - 1);
      }
      let count = 0;
      scanLines(file, 0, 1e9, () => ++count < 3);
      expect(count).toBe(3);
    } finally {
      closeSync(file);
    }
  });
});
