import { describe, expect, it } from 'vitest';
import { shorten } from './shorten.ts';

describe('text that others wrote', () => {
  it('stays as it is when it is short and plain', () => expect(shorten('ImagePullBackOff: nginx:1', 80)).toBe('ImagePullBackOff: nginx:1'));
  it('is cut in the middle', () => {
    const cut = shorten(`begin ${'x'.repeat(256 * 1024)} end`, 100);
    expect(cut.length).toBeLessThan(110);
    expect(cut).toMatch(/^begin x+ … x+ end$/);
  });
  it('shows what would turn or hide the rest', () => expect(shorten('a\u202eb\u0000c\u200bd', 80)).toBe('a�b�c�d'));
  it('stands on one line', () => expect(shorten('a\r\n\tb', 80)).toBe('a b'));
});
