import { expect, it } from 'vitest';
import { base64Fault } from './base64-fault.ts';

it.each([
  ['', undefined],
  ['YWJj', undefined],
  ['YWI=', undefined],
  ['YQ==', undefined],
  ['YW\r\nJj\n', undefined],
  ['YQ=\n=\n', undefined],
  ['YW', 0],
  ['YWJjZ', 4],
  ['YWJj\nZ', 5],
  ['=', 0],
  ['Y===', 1],
  ['YQ=', 3],
  ['YQ=Q', 2],
  ['YQ==YQ==', 4],
  ['YWI=YWJj', 4],
  ['YW-j', 2],
  ['YWJjü', 4],
])('stops in %j at %s, as Go does', (text, index) => {
  expect(base64Fault(text)).toBe(index);
});
