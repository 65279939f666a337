import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha1 } from './sha1.ts';

test.each(['', 'abc', 'ä', 'x'.repeat(55), 'x'.repeat(56), 'x'.repeat(64), 'x'.repeat(1000)])('SHA-1 of %j is that of everybody', (text) => {
  expect(sha1(text)).toBe(createHash('sha1').update(text).digest('hex'));
});
