/** Bodies whose bytes are no UTF-8: what a real 1.36.3 said to each. */
import { describe, expect, it } from 'vitest';
import { decodeJsonBody, yamlText } from './body-text.ts';
import { DecodeError } from './scalars.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe('JSON', () => {
  it.each([
    ['\x9e', String.raw`invalid character '\u009e' looking for beginning of value`],
    ['\xff{}', "invalid character 'ÿ' looking for beginning of value"],
    ['{"a":\x9e}', String.raw`invalid character '\u009e' looking for beginning of value`],
    ['{\x9e', String.raw`invalid character '\u009e' looking for beginning of object key string`],
    ['[1,\x80]', String.raw`invalid character '\u0080' looking for beginning of value`],
    ['{"a":tr\x9e}', String.raw`invalid character '\u009e' in literal true (expecting 'u')`],
    ['\xc3\xa9', "invalid character 'Ã' looking for beginning of value"],
  ])('says of %j which byte is wrong', (body, told) => expect(() => decodeJsonBody(bytes(body))).toThrow(new DecodeError(told)));

  it('has each byte of a text that is no character as one that says so', () => {
    expect(decodeJsonBody(bytes('{"a\xff":"\xe2\x82x\xff\xfe"}')).value).toEqual({ 'a\ufffd': '\ufffd\ufffdx\ufffd\ufffd' });
  });
});

describe('YAML', () => {
  it.each([
    ['a: b\nc: \x9e', 'invalid leading UTF-8 octet'],
    ['{"a":"\x9e"}', 'invalid leading UTF-8 octet'],
    ['a: "\xc3x"', 'invalid trailing UTF-8 octet'],
    ['a: "\xc0\x80"', 'invalid length of a UTF-8 sequence'],
    ['a: "\xed\xa0\x80"', 'invalid Unicode character'],
    ['a: "\xf5\x80\x80\x80"', 'invalid Unicode character'],
    ['a: "\xe2\x82', 'incomplete UTF-8 octet sequence'],
    ['a: \x01 \x9e', 'control characters are not allowed'],
    ['a: \x9e \x01', 'invalid leading UTF-8 octet'],
  ])('refuses %j', (body, told) => expect(() => yamlText(bytes(body))).toThrow(new DecodeError(`yaml: ${told}`)));

  it('may be UTF-16', () => {
    expect(yamlText(bytes('\xff\xfea\0:\0 \0\xe9\0'))).toBe('a: é');
    expect(yamlText(bytes('\xfe\xff\0a'))).toBe('a');
  });
});
