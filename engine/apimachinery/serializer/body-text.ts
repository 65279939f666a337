/**
 * Bodies as text. JSON takes bytes that are no UTF-8 within its strings, each as U+FFFD, and is told of by byte anywhere else; YAML takes
 * none, as the reader of go.yaml.in/yaml/v2 (readerc.go) has it.
 */
import { textOfBytes } from '../../base/byte-text.ts';
import { decodeJson } from './json.ts';
import type { DecodedJson } from './json-reader.ts';
import { DecodeError } from './scalars.ts';

/** @throws DecodeError for what is no JSON, in which a byte that is no character is told of as that byte. */
export function decodeJsonBody(body: Uint8Array, struct?: Parameters<typeof decodeJson>[1]): DecodedJson {
  const text = textOfBytes(body);
  if (text.isWellFormed()) return decodeJson(text, struct);
  decodeJson(text);
  return decodeJson(text.toWellFormed(), struct);
}

/** As it can be shown and stored. */
export function shownText(body: Uint8Array): string {
  return textOfBytes(body).toWellFormed();
}

export function yamlText(body: Uint8Array): string {
  const wide = wideForm(body);
  if (wide !== undefined) return new TextDecoder(wide).decode(body);
  const text = textOfBytes(body);
  if (text.isWellFormed()) return text;
  throw new DecodeError(`yaml: ${octetFault(body)}`);
}

/** What begins with the mark of UTF-16 is that. */
function wideForm([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** The least that a character of so many bytes stands for. */
const least = [0, 0, 0x80, 0x800, 0x10000] as const;

function octetFault(bytes: Uint8Array): string {
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] as number;
    if (first < 0x20 && first !== 0x09 && first !== 0x0a && first !== 0x0d) return 'control characters are not allowed';
    const width = widthOf(first);
    if (width === 0) return 'invalid leading UTF-8 octet';
    if (at + width > bytes.length) return 'incomplete UTF-8 octet sequence';
    let code = width === 1 ? first : first & (0xff >> (width + 1));
    for (const octet of bytes.subarray(at + 1, at + width)) {
      if ((octet & 0xc0) !== 0x80) return 'invalid trailing UTF-8 octet';
      code = (code << 6) | (octet & 0x3f);
    }
    if (code < (least[width] ?? 0)) return 'invalid length of a UTF-8 sequence';
    if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return 'invalid Unicode character';
    at += width;
  }
  return 'invalid Unicode character';
}

/** 0 where no character begins so. */
function widthOf(octet: number): number {
  if (octet < 0x80) return 1;
  if (octet >= 0xc0 && octet < 0xe0) return 2;
  if (octet >= 0xe0 && octet < 0xf0) return 3;
  return octet >= 0xf0 && octet < 0xf8 ? 4 : 0;
}
