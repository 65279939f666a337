/** Reads DER against shapes, and says what is wrong in the words of Go's encoding/asn1.Unmarshal, whose rules these are. */

/** What a value is to be; `name` as Go's type is called, for messages. */
export type Shape =
  | { readonly kind: 'integer' | 'oid' | 'bits' | 'bytes' | 'boolean' | 'raw' | 'any' }
  | { readonly kind: 'struct'; readonly name: string; readonly fields: readonly Field[] }
  | { readonly kind: 'list'; readonly name: string; readonly isSet?: true; readonly item: Shape };

export interface Field {
  readonly shape: Shape;
  readonly isOptional?: true;
  /** Of the class that belongs to the context, in place of the value's own. */
  readonly tag?: number;
  readonly isSet?: true;
}

export interface DerValue {
  readonly tag: number;
  /** With its head. */
  readonly whole: Buffer;
  readonly body: Buffer;
  /** Fields of a struct, absent ones undefined; items of a list. */
  readonly parts: readonly (DerValue | undefined)[];
}

interface Head {
  readonly class: number;
  readonly tag: number;
  readonly length: number;
  readonly isCompound: boolean;
}

interface Found {
  readonly value: DerValue | undefined;
  readonly next: number;
}

const contextClass = 2;
const sequenceTag = 16;
const setTag = 17;
const plainTags = { boolean: 1, integer: 2, bits: 3, bytes: 4, oid: 6 } as const;
const names = { boolean: 'bool', integer: 'int', bits: 'BitString', bytes: '', oid: 'ObjectIdentifier', raw: 'RawValue', any: '' } as const;

function syntax(text: string): Error {
  return new Error(`asn1: syntax error: ${text}`);
}

function structure(text: string): Error {
  return new Error(`asn1: structure error: ${text}`);
}

/** The one value of `bytes`, and where it ends. Throws an Error in Go's words. */
export function readDer(bytes: Buffer, shape: Shape): { readonly value: DerValue; readonly next: number } {
  const { value, next } = readField(bytes, 0, { shape });
  if (value === undefined) throw syntax('sequence truncated');
  return { value, next };
}

/** Throws where something stands behind the value. */
export function readWholeDer(bytes: Buffer, shape: Shape): DerValue {
  const { value, next } = readDer(bytes, shape);
  if (next !== bytes.length) throw syntax('trailing data');
  return value;
}

function readField(bytes: Buffer, from: number, field: Field): Found {
  const { shape, isOptional = false, tag, isSet = false } = field;
  if (from === bytes.length) {
    if (isOptional) return { value: undefined, next: from };
    throw syntax('sequence truncated');
  }
  const { head, at } = headAt(bytes, from);
  const wanted = tag ?? (isSet ? setTag : tagOf(shape));
  const wantedClass = tag === undefined ? 0 : contextClass;
  const isCompound = shape.kind === 'struct' || shape.kind === 'list';
  const fits = shape.kind === 'any' || shape.kind === 'raw' || (head.class === wantedClass && head.tag === wanted && head.isCompound === isCompound);
  if (!fits) {
    if (isOptional) return { value: undefined, next: from };
    throw structure(`tags don't match (${wanted} vs ${headText(head)}) ${fieldText(field)} ${nameOf(shape)} @${at}`);
  }
  const next = at + head.length;
  if (next > bytes.length) throw syntax('data truncated');
  const body = bytes.subarray(at, next);
  return { value: { tag: head.tag, whole: bytes.subarray(from, next), body, parts: partsOf(body, shape, head) }, next };
}

function partsOf(body: Buffer, shape: Shape, head: Head): readonly (DerValue | undefined)[] {
  switch (shape.kind) {
    case 'struct': {
      let at = 0;
      // What stands behind the last field is allowed.
      return shape.fields.map((field) => {
        const { value, next } = readField(body, at, field);
        at = next;
        return value;
      });
    }
    case 'list':
      return itemsOf(body, shape.item);
    case 'any':
      if (head.class === 0 && !head.isCompound) checkAny(body, head.tag);
      return [];
    default:
      checkPlain(body, shape.kind);
      return [];
  }
}

function itemsOf(body: Buffer, item: Shape): readonly (DerValue | undefined)[] {
  const isAny = item.kind === 'raw' || item.kind === 'any';
  const isCompound = item.kind === 'struct' || item.kind === 'list';
  for (let at = 0; at < body.length; ) {
    const { head, at: start } = headAt(body, at);
    if (!isAny && (head.class !== 0 || head.isCompound !== isCompound || head.tag !== tagOf(item))) throw structure('sequence tag mismatch');
    if (start + head.length > body.length) throw syntax('truncated sequence');
    at = start + head.length;
  }
  const items: (DerValue | undefined)[] = [];
  for (let at = 0; at < body.length; ) {
    const { value, next } = readField(body, at, { shape: item });
    items.push(value);
    at = next;
  }
  return items;
}

function headAt(bytes: Buffer, from: number): { readonly head: Head; readonly at: number } {
  const first = bytes[from] ?? 0;
  let [tag, at] = [first & 0x1f, from + 1];
  if (tag === 0x1f) {
    [tag, at] = base128At(bytes, at);
    if (tag < 0x1f) throw syntax('non-minimal tag');
  }
  if (at >= bytes.length) throw syntax('truncated tag or length');
  const lead = bytes[at++] ?? 0;
  const found = lead < 0x80 ? { length: lead, at } : longLengthAt(bytes, at, lead & 0x7f);
  return { head: { class: first >> 6, tag, length: found.length, isCompound: (first & 0x20) !== 0 }, at: found.at };
}

function longLengthAt(bytes: Buffer, from: number, count: number): { readonly length: number; readonly at: number } {
  if (count === 0) throw syntax('indefinite length found (not DER)');
  let [length, at] = [0, from];
  for (let read = 0; read < count; read++) {
    if (at >= bytes.length) throw syntax('truncated tag or length');
    if (length >= 2 ** 23) throw structure('length too large');
    length = length * 256 + (bytes[at++] ?? 0);
    if (length === 0) throw structure('superfluous leading zeros in length');
  }
  if (length < 0x80) throw structure('non-minimal length');
  return { length, at };
}

function base128At(bytes: Buffer, from: number): [value: number, next: number] {
  let value = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (at - from === 5) throw structure('base 128 integer too large');
    if (at === from && byte === 0x80) throw syntax('integer is not minimally encoded');
    value = value * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    if (value > 0x7fffffff) throw structure('base 128 integer too large');
    return [value, at + 1];
  }
  throw syntax('truncated base 128 integer');
}

function checkPlain(body: Buffer, kind: 'integer' | 'oid' | 'bits' | 'bytes' | 'boolean' | 'raw'): void {
  if (kind === 'integer') checkInteger(body);
  else if (kind === 'oid') readOid(body);
  else if (kind === 'bits') checkBits(body);
  else if (kind === 'boolean' && (body.length !== 1 || (body[0] !== 0 && body[0] !== 255))) throw syntax('invalid boolean');
}

function checkInteger(body: Buffer): void {
  const [first = 0, second = 0] = body;
  if (body.length === 0) throw structure('empty integer');
  if (body.length > 1 && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80))) throw structure('integer not minimally-encoded');
  if (body.length > 8) throw structure('integer too large');
}

function checkBits(body: Buffer): void {
  const padding = body[0];
  if (padding === undefined) throw syntax('zero length BIT STRING');
  if (padding > 7 || (body.length === 1 && padding > 0) || ((body.at(-1) ?? 0) & ((1 << padding) - 1)) !== 0)
    throw syntax('invalid padding bits in BIT STRING');
}

/** As numbers with dots between. */
export function readOid(body: Buffer): string {
  if (body.length === 0) throw syntax('zero length OBJECT IDENTIFIER');
  const numbers: number[] = [];
  for (let at = 0; at < body.length; ) {
    const [value, next] = base128At(body, at);
    if (at > 0) numbers.push(value);
    else numbers.push(...(value < 80 ? [Math.floor(value / 40), value % 40] : [2, value - 80]));
    at = next;
  }
  return numbers.join('.');
}

/** Values that names hold. */
function checkAny(body: Buffer, tag: number): void {
  const text = body.toString('latin1');
  if (tag === 19 && !/^[A-Za-z0-9 '()+,\-./:=?*&]*$/.test(text)) throw syntax('PrintableString contains invalid character');
  if (tag === 18 && !/^[0-9 ]*$/.test(text)) throw syntax('NumericString contains invalid character');
  if (tag === 22 && body.some((byte) => byte > 0x7f)) throw syntax('IA5String contains invalid character');
  if (tag === 12 && !isUtf8(body)) throw new Error('asn1: invalid UTF-8 string');
  if (tag === 2) checkInteger(body);
  if (tag === 6) readOid(body);
  if (tag === 3) checkBits(body);
}

function isUtf8(body: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body);
    return true;
  } catch {
    // The decoder's own way of saying no.
    return false;
  }
}

function tagOf(shape: Shape): number {
  if (shape.kind === 'list') return shape.isSet === true ? setTag : sequenceTag;
  if (shape.kind === 'struct') return sequenceTag;
  return shape.kind === 'raw' || shape.kind === 'any' ? -1 : plainTags[shape.kind];
}

function nameOf(shape: Shape): string {
  return shape.kind === 'struct' || shape.kind === 'list' ? shape.name : names[shape.kind];
}

function headText({ class: itsClass, tag, length, isCompound }: Head): string {
  return `{class:${itsClass} tag:${tag} length:${length} isCompound:${String(isCompound)}}`;
}

function fieldText({ isOptional, isSet, tag }: Field): string {
  const shown = tag === undefined ? '<nil>' : String(tag);
  return `{optional:${String(isOptional === true)} explicit:false application:false private:false defaultValue:<nil> tag:${shown} stringType:0 timeType:0 set:${String(isSet === true)} omitEmpty:false}`;
}
