import { expect, it } from 'vitest';
import { SameAnswer } from './same-answer.ts';

const pods = { subject: 'kind=Pod', offset: 0 };

function reader(): {
  readonly same: SameAnswer<{ readonly rows: string }>;
  readonly said: (text: string, asked?: typeof pods) => object;
  readonly read: string[];
} {
  const same = new SameAnswer<{ readonly rows: string }>();
  const read: string[] = [];
  const said = (text: string, asked = pods): object =>
    same.take(asked, text, (rows) => {
      read.push(rows);
      return { rows };
    });
  return { same, said, read };
}

it('an answer that says the same again is the one that is shown, and is not read', () => {
  const { said, read } = reader();
  const shown = said('a');
  expect([said('a'), said('a')].every((answer) => answer === shown)).toBe(true);
  expect(read).toEqual(['a']);
});

it('one that says something else is read, and takes its place', () => {
  const { said, read } = reader();
  const before = said('a');
  const after = said('b');
  expect(after).toEqual({ rows: 'b' });
  expect(said('b')).toBe(after);
  expect(said('a')).not.toBe(before);
  expect(read).toEqual(['a', 'b', 'a']);
});

it('the same words in answer to another question are another answer', () => {
  const { said, read } = reader();
  const shown = said('a');
  expect(said('a', { ...pods, subject: 'kind=Job' })).not.toBe(shown);
  expect(said('a')).not.toBe(shown);
  expect(said('a', { ...pods, offset: 40 })).not.toBe(shown);
  expect(read).toEqual(['a', 'a', 'a', 'a']);
});

it('an answer that cannot be read is not taken for the one that is shown', () => {
  const { same, said } = reader();
  const shown = said('a');
  const fail = (): never => {
    throw new SyntaxError('cut off');
  };
  expect(() => same.take(pods, '{"rows', fail)).toThrow('cut off');
  expect(() => same.take(pods, '{"rows', fail)).toThrow('cut off');
  expect(said('a')).toBe(shown);
});
