import { expect, it } from 'vitest';
import { AskedAhead } from './asked-ahead.ts';

it('gives an answer once, to who asks the same', async () => {
  const ahead = new AskedAhead<number>();
  ahead.keep('a', Promise.resolve(1));
  expect(await ahead.take('a')).toBe(1);
  expect(ahead.take('a')).toBeUndefined();
  ahead.keep('a', Promise.resolve(1));
  expect(ahead.take('b')).toBeUndefined();
  expect(ahead.take('a')).toBeUndefined();
});

it('tells a fault to who takes it up, and to nobody else', async () => {
  const ahead = new AskedAhead<number>();
  ahead.keep('a', Promise.reject(new Error('gone')));
  ahead.keep('b', Promise.reject(new Error('away')));
  await expect(ahead.take('b')).rejects.toThrow('away');
});
