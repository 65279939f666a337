import { expect, it } from 'vitest';
import { tailOf } from './paint-parts.ts';

const perLetter = 6;

it.each([
  ['node-7', 'node-7'],
  ['node-104', '…de-104'],
  [`${'n'.repeat(240)}-104`, '…nn-104'],
])('of %s there is room for %s', (name, told) => expect(tailOf((text) => text.length * perLetter, name, 44)).toBe(told));
