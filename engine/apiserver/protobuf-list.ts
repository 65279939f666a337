/**
 * A protobuf list put together from the messages of its items, so that each is encoded once per revision. Mirrors the layout of
 * runtime.Unknown around a list message: metadata is field 1, items are field 2.
 */
const encoder = new TextEncoder();
const magic = [0x6b, 0x38, 0x73, 0] as const;
const end = [0x1a, 0, 0x22, 0];

/** In pieces: what stands in front, then two for each item. */
export function* envelopeList(apiVersion: string, kind: string, metadata: Uint8Array, items: readonly Uint8Array[]): Iterable<Uint8Array> {
  const typeMeta = [...textField(1, apiVersion), ...textField(2, kind)];
  const metaHead = tag(1, metadata.length);
  let length = metaHead.length + metadata.length;
  for (const item of items) length += 1 + varintLength(item.length) + item.length;
  yield Uint8Array.from([...magic, ...tag(1, typeMeta.length), ...typeMeta, ...tag(2, length), ...metaHead]);
  yield metadata;
  for (const item of items) {
    yield Uint8Array.from(tag(2, item.length));
    yield item;
  }
  yield Uint8Array.from(end);
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

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) length++;
  return length;
}
