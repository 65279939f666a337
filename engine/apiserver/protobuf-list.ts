/**
 * A protobuf list put together from the messages of its items, so that each is encoded once per revision. Mirrors the layout of
 * runtime.Unknown around a list message: metadata is field 1, items are field 2.
 */
import { assert } from '../base/assert.ts';

const encoder = new TextEncoder();
const magic = [0x6b, 0x38, 0x73, 0] as const;

export function envelopeList(apiVersion: string, kind: string, metadata: Uint8Array, items: readonly Uint8Array[]): Uint8Array {
  const typeMeta = [...textField(1, apiVersion), ...textField(2, kind)];
  const heads = items.map((item) => tag(2, item.length));
  const metaHead = tag(1, metadata.length);
  let length = metaHead.length + metadata.length;
  for (const [index, item] of items.entries()) length += (heads[index] as number[]).length + item.length;
  const start = [...magic, ...tag(1, typeMeta.length), ...typeMeta, ...tag(2, length)];
  const end = [0x1a, 0, 0x22, 0];
  const out = new Uint8Array(start.length + length + end.length);
  let at = 0;
  const put = (bytes: ArrayLike<number>): void => {
    out.set(bytes, at);
    at += bytes.length;
  };
  put(start);
  put(metaHead);
  put(metadata);
  for (const [index, item] of items.entries()) {
    put(heads[index] as number[]);
    put(item);
  }
  put(end);
  assert(at === out.length, 'the list fills its bytes');
  return out;
}

function textField(number: number, text: string): number[] {
  const bytes = encoder.encode(text);
  return [...tag(number, bytes.length), ...bytes];
}

/** Key and length of a length-delimited field. */
function tag(number: number, length: number): number[] {
  const bytes = [(number << 3) | 2];
  let rest = length;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return bytes;
}
