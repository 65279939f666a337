/** Well-formed CBOR as people read it: the diagnostic notation of RFC 8949, in which upstream shows what it cannot place. */
import { breakByte, type Head, HeadReader, indefinite } from './items.ts';

const text = new TextDecoder();

/** Of one item that was found well formed. */
export function cborNotation(bytes: Uint8Array): string {
  return shown(new HeadReader(bytes));
}

function shown(reader: HeadReader): string {
  const head = reader.head();
  switch (head.major) {
    case 0:
      return String(reader.exact(head));
    case 1:
      return String(-1n - reader.exact(head));
    case 2:
      return string(reader, head, (bytes) => quoted(bytes, "'"));
    case 3:
      return string(reader, head, (bytes) => quoted(bytes, '"'));
    case 4:
      return within('[', many(reader, head, shown), ']', head);
    case 5:
      return within(
        '{',
        many(reader, head, (one) => `${shown(one)}: ${shown(one)}`),
        '}',
        head,
      );
    case 6:
      return `${reader.exact(head)}(${shown(reader)})`;
    default:
      return primitive(reader, head);
  }
}

function many(reader: HeadReader, { info, argument }: Head, one: (reader: HeadReader) => string): readonly string[] {
  const parts: string[] = [];
  const count = info === indefinite ? Infinity : argument;
  while (parts.length < count && !(info === indefinite && reader.next === breakByte)) parts.push(one(reader));
  if (info === indefinite) reader.at++;
  return parts;
}

function within(open: string, parts: readonly string[], close: string, { info }: Head): string {
  return `${open}${info === indefinite ? '_ ' : ''}${parts.join(', ')}${close}`;
}

function string(reader: HeadReader, head: Head, show: (bytes: Uint8Array) => string): string {
  if (head.info === indefinite) return within('(', many(reader, head, shown), ')', head);
  const start = reader.at;
  reader.at += head.argument;
  return show(reader.bytes.subarray(start, reader.at));
}

function quoted(bytes: Uint8Array, mark: string): string {
  const escaped = JSON.stringify(text.decode(bytes)).slice(1, -1);
  return `${mark}${mark === '"' ? escaped : escaped.replaceAll('\\"', '"').replaceAll("'", "\\'")}${mark}`;
}

function primitive(reader: HeadReader, head: Head): string {
  if (head.info > 24) {
    const value = reader.float(head);
    return Number.isInteger(value) ? `${value}.0` : String(value);
  }
  const names: { readonly [value: string]: string } = { 20: 'false', 21: 'true', 22: 'null', 23: 'undefined' };
  return names[String(head.argument)] ?? `simple(${head.argument})`;
}
