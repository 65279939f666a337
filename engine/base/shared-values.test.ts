import { expect, test } from 'vitest';
import { SharedValues } from './shared-values.ts';

test('equal keys have one value, as long as it is full by no more than was allowed', () => {
  const shared = new SharedValues<{ readonly name: string }>(2);
  const make = (name: string) => shared.under(name, () => ({ name }));
  const first = make('a');
  expect(make('a')).toBe(first);
  make('b');
  expect(make('a')).toBe(first);
  make('c');
  expect(make('a')).not.toBe(first);
  expect(make('a')).toEqual(first);
});
