/** CBOR by hand, for tests alone: it shares nothing with what it is held against. */

/** Of major type `major`: a head and its argument. */
export function head(major: number, argument: number): readonly number[] {
  if (argument < 24) return [(major << 5) | argument];
  if (argument < 0x100) return [(major << 5) | 24, argument];
  return [(major << 5) | 25, argument >> 8, argument & 0xff];
}

const bytesOf = (text: string): readonly number[] => [...new TextEncoder().encode(text)];
export const byteText = (text: string): readonly number[] => [...head(2, bytesOf(text).length), ...bytesOf(text)];
export const utf8Text = (text: string): readonly number[] => [...head(3, bytesOf(text).length), ...bytesOf(text)];

/** Bytes in a document that are an item already. */
export class Raw {
  readonly bytes: readonly number[];

  constructor(...bytes: readonly number[]) {
    this.bytes = bytes;
  }
}

/** One item; texts are byte strings, as upstream's clients write them. */
export function item(value: unknown): readonly number[] {
  if (value instanceof Raw) return value.bytes;
  if (typeof value === 'string') return byteText(value);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'boolean') return [value ? 0xf5 : 0xf4];
  if (value === null) return [0xf6];
  if (Array.isArray(value)) return [...head(4, value.length), ...value.flatMap((element) => [...item(element)])];
  const entries = Object.entries(value as object);
  return [...head(5, entries.length), ...entries.flatMap(([name, part]) => [...byteText(name), ...item(part)])];
}

/** A whole document, with the tag that says what it is. */
export const documentOf = (value: unknown): readonly number[] => [0xd9, 0xd9, 0xf7, ...item(value)];

export interface Shown {
  readonly text: string;
  readonly end: number;
}

/** One item as text that tells types and widths apart; maps have their keys in order, whatever order they came in, and values of `hidden` keys are left out. */
export function show(bytes: Uint8Array, hidden: ReadonlySet<string>, at = 0): Shown {
  const first = bytes[at] ?? 0;
  const [major, info] = [first >> 5, first & 31];
  const size = info < 24 ? 0 : 1 << (info - 24);
  let argument = info < 24 ? info : 0;
  for (let i = 1; i <= size; i++) argument = argument * 256 + (bytes[at + i] ?? 0);
  const start = at + 1 + size;
  if (major === 2 || major === 3) {
    const content = Buffer.from(bytes.subarray(start, start + argument));
    return { text: `${major === 2 ? 'h' : 't'}${JSON.stringify(content.toString('latin1'))}`, end: start + argument };
  }
  if (major === 6) {
    const { text, end } = show(bytes, hidden, start);
    return { text: `${argument}(${text})`, end };
  }
  if (major === 7 && size > 0) return { text: `f${size}:${Buffer.from(bytes.subarray(at + 1, start)).toString('hex')}`, end: start };
  if (major < 2 || major === 7) return { text: `${['', '-1-'][major] ?? 'simple '}${argument}`, end: start };
  const parts: string[] = [];
  let end = start;
  for (let i = 0; i < argument; i++) {
    const key = show(bytes, hidden, end);
    const value = major === 5 ? show(bytes, hidden, key.end) : undefined;
    const isHidden = /^[ht]"/.test(key.text) && hidden.has(JSON.parse(key.text.slice(1)) as string);
    parts.push(value === undefined ? key.text : `${key.text}:${isHidden ? '…' : value.text}`);
    end = (value ?? key).end;
  }
  return { text: major === 4 ? `[${parts.join()}]` : `{${parts.sort().join()}}`, end };
}
