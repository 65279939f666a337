import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecesOf, withoutControls } from './ansi.ts';
import { lineMax, linesMax, LogLines } from './log-lines.ts';
import { LogSearch } from './log-search.ts';

const texts = (lines: LogLines) => Array.from({ length: lines.count }, (_, index) => lines.at(lines.first + index)?.plain);

describe('lines of a log', () => {
  it('are the same however the text is cut into pieces', () =>
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\r') })), (pieces) => {
        const [cut, whole] = [new LogLines(), new LogLines()];
        for (const piece of pieces) cut.push(piece);
        whole.push(pieces.join(''));
        cut.end();
        whole.end();
        expect(texts(cut)).toEqual(texts(whole));
        const all = pieces.join('').split('\n');
        if (all.at(-1) === '') all.pop();
        expect(cut.count).toBe(all.length);
      }),
    ));

  it('are held up to a number and a size, the newest; each keeps its number', () => {
    const many = new LogLines();
    for (let at = 0; at < 3 * linesMax; at++) many.push(`${at}\n`);
    expect([many.count, many.first, many.at(2 * linesMax)?.plain, many.at(3 * linesMax - 1)?.plain]).toEqual([
      linesMax,
      2 * linesMax,
      String(2 * linesMax),
      String(3 * linesMax - 1),
    ]);
    expect([many.at(5), many.at(3 * linesMax)]).toEqual([undefined, undefined]);
    const long = new LogLines();
    for (let at = 0; at < 2000; at++) long.push(`${'x'.repeat(lineMax + 50)}\n`);
    expect(long.count).toBeLessThanOrEqual(500);
    expect([long.at(1999)?.plain.length, long.at(1999)?.lost]).toEqual([lineMax, 50]);
  });

  it('a line that never ends is held as far as a line goes', () => {
    const lines = new LogLines();
    for (let at = 0; at < 300; at++) lines.push('y'.repeat(1000));
    lines.push('\nnext\n');
    expect([lines.at(0)?.plain.length, lines.at(0)?.lost, lines.at(1)?.plain]).toEqual([lineMax, 300_000 - lineMax, 'next']);
  });

  it('have the time at which they were written, and none where none is told', () => {
    const lines = new LogLines();
    lines.push('2026-01-05T10:00:00.123456789Z one\r\n2026-01-05T10:00:01Z \n2026-99-99T10:00:01Z odd\nplain\n');
    expect(Array.from({ length: 4 }, (_, at) => [lines.at(at)?.atMs, lines.at(at)?.text])).toEqual([
      [Date.UTC(2026, 0, 5, 10, 0, 0, 123), 'one'],
      [Date.UTC(2026, 0, 5, 10, 0, 1), ''],
      [undefined, '2026-99-99T10:00:01Z odd'],
      [undefined, 'plain'],
    ]);
  });
});

it('terminals’ colours are kept, their other escapes left out, and what turns or hides text is shown as a sign', () => {
  expect(piecesOf('a\u001b[1;31mred\u001b[0m b')).toEqual([
    { text: 'a', look: '' },
    { text: 'red', look: 'bold red' },
    { text: ' b', look: '' },
  ]);
  expect(piecesOf('\u001b[38;5;196mx\u001b[48;2;1;31;32my\u001b[92mz')).toEqual([
    { text: 'x', look: '' },
    { text: 'y', look: '' },
    { text: 'z', look: 'green' },
  ]);
  expect(withoutControls('\u001b[2J\u001b]0;title\u0007go\u001b(B\b\u0000\u202eok\t\u001b')).toBe('go␈␀�ok\t');
});

it('what is searched for is found as it comes, and forgotten with the lines that go', () => {
  const lines = new LogLines();
  lines.push('One\ntwo\none more\n');
  const [any, exact] = [new LogSearch(lines, 'one'), new LogSearch(lines, 'One')];
  expect([any.hits(), exact.hits()]).toEqual([[0, 2], [0]]);
  lines.push('\u001b[31mo\u001b[0mne\n');
  expect(any.hits()).toEqual([0, 2, 3]);
  for (let at = 0; at < linesMax - 1; at++) lines.push('-\n');
  expect([any.hits(), exact.hits()]).toEqual([[3], []]);
});
