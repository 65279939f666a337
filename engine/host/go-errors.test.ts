import { expect, it } from 'vitest';
import { inGo } from './go-errors.ts';

const refused = (address?: string): Error => Object.assign(new Error('connect'), { code: 'ECONNREFUSED', ...(address && { address }) });

it('who refuses is told by the address that was tried, which a name stood for', () => {
  expect(inGo(refused('127.0.0.1'), 'localhost', 443)).toBe('dial tcp 127.0.0.1:443: connect: connection refused');
  expect(inGo(refused('::1'), 'localhost', 443)).toBe('dial tcp [::1]:443: connect: connection refused');
  expect(inGo(refused(), '10.0.0.1', 443)).toBe('dial tcp 10.0.0.1:443: connect: connection refused');
  const all = Object.assign(new AggregateError([refused('::1'), refused('127.0.0.1')]), { code: 'ECONNREFUSED' });
  expect(inGo(all, 'localhost', 443)).toBe('dial tcp 127.0.0.1:443: connect: connection refused');
});
