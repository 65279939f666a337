import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodeBase64 } from '../base/base64.ts';
import { KeyMaterial } from './key-material.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const line = (salt: number, length = 64): string => Array.from({ length }, (_, i) => letters[(i * 7 + i * i * 3 + salt * 11) % 64]).join('');
const lines = [line(1), line(2), line(3), `${line(4, 18)}==`];
const pem = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
const forms = [pem, pem.trimEnd(), JSON.stringify(pem).slice(1, -1), encodeBase64(new TextEncoder().encode(pem)), ...lines];
const around = fc.string({ maxLength: 100 });

it('hides every form of a key wherever it stands, once and twice, and nothing else', () => {
  const keys = new KeyMaterial([pem]);
  fc.assert(
    fc.property(around, fc.constantFrom(...forms), around, fc.boolean(), (before, form, after, twice) => {
      const text = twice ? before + form + after + form : before + form + after;
      const hidden = keys.hide(text);
      expect([keys.mayBeIn(text), keys.mayBeIn(`0123456789abcdef${text}`)]).toEqual([true, true]);
      for (const one of forms) expect(hidden).not.toContain(one);
      expect(hidden).toContain('<key 0>');
      expect(hidden.startsWith(before)).toBe(true);
    }),
  );
  fc.assert(
    fc.property(fc.string({ maxLength: 500 }), (text) => {
      expect(keys.hide(text)).toBe(text);
    }),
  );
});

it('lets through what only looks like a key', () => {
  const text = `${line(1).slice(0, 40)} ${lines[1]?.slice(1)}`;
  expect(new KeyMaterial([pem]).hide(text)).toBe(text);
});
