/**
 * Bytes as text that gives them back byte by byte: UTF-8 where they are that, and U+DC80 to U+DCFF, which no text has alone, for every
 * byte that is part of no character.
 */
import { assert } from './assert.ts';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();
/** What stands for a byte that is part of no character is this and its value. */
export const byteEscape = 0xdc00;
const charsAtOnce = 8_192;

export function textOfBytes(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return loose(bytes);
  }
}

export function bytesOfText(text: string): Uint8Array {
  if (text.isWellFormed()) return encoder.encode(text);
  const bytes = new Uint8Array(3 * text.length);
  let size = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) bytes[size++] = unit;
    else if (unit >= byteEscape + 0x80 && unit <= byteEscape + 0xff) bytes[size++] = unit - byteEscape;
    else {
      const code = text.codePointAt(at) ?? 0;
      if (code > 0xffff) at++;
      size = put(bytes, size, code);
    }
  }
  assert(size <= bytes.length, 'no unit of a text takes more than three bytes');
  return bytes.slice(0, size);
}

/** Half of a character, which nobody can send, is U+FFFD, as `TextEncoder` has it. */
function put(bytes: Uint8Array, from: number, given: number): number {
  const code = given >= 0xd800 && given < 0xe000 ? 0xfffd : given;
  let at = from;
  if (code < 0x800) bytes[at++] = 0xc0 | (code >> 6);
  else {
    if (code > 0xffff) {
      bytes[at++] = 0xf0 | (code >> 18);
      bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
    } else bytes[at++] = 0xe0 | (code >> 12);
    bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
  }
  bytes[at++] = 0x80 | (code & 0x3f);
  return at;
}

/** A character may have come in two pieces. */
export function joinTexts(before: string, after: string): string {
  const [head = ''] = /[\udc80-\udcff]{0,3}$/u.exec(before.slice(-3)) ?? [];
  const [tail = ''] = /^[\udc80-\udcff]{0,3}/u.exec(after.slice(0, 3)) ?? [];
  if (head === '' || tail === '') return before + after;
  return before.slice(0, before.length - head.length) + textOfBytes(bytesOfText(head + tail)) + after.slice(tail.length);
}

function loose(bytes: Uint8Array): string {
  const parts: string[] = [];
  let units: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = characterAt(bytes, at);
    if (length === 0) units.push(byteEscape + (bytes[at] as number));
    else {
      const code = codePoint(bytes, at, length);
      if (code > 0xffff) units.push(0xd800 + ((code - 0x10000) >> 10), 0xdc00 + ((code - 0x10000) & 0x3ff));
      else units.push(code);
    }
    at += length || 1;
    if (units.length >= charsAtOnce) {
      parts.push(String.fromCharCode(...units));
      units = [];
    }
  }
  parts.push(String.fromCharCode(...units));
  return parts.join('');
}

/** How many bytes the character here takes; 0 where there is none. */
function characterAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  const length = first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  for (let i = 1; i < length; i++) if (((bytes[at + i] as number) & 0xc0) !== 0x80) return 0;
  const code = codePoint(bytes, at, length);
  const isTooShort = (length === 3 && code < 0x800) || (length === 4 && code < 0x10000);
  return isTooShort || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : length;
}

function codePoint(bytes: Uint8Array, at: number, length: number): number {
  let code = (bytes[at] as number) & (length === 1 ? 0x7f : 0xff >> (length + 1));
  for (let i = 1; i < length; i++) code = code * 64 + ((bytes[at + i] as number) & 0x3f);
  return code;
}
