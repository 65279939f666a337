/**
 * What release 1.13 said of a body that does not fit its Go type. Each decoder reads as its Go type did, faults included. Mirrors
 * json-iterator of mid 2018 (reflect_struct_decoder.go, reflect_map.go, reflect_slice.go, reflect_native.go).
 */
import { getOwn } from '../../../base/dictionary.ts';
import type { JsonValue } from '../../../base/json.ts';
import type { ScalarType } from '../../../apimachinery/schema.ts';
import { DecodeError, readScalar } from '../../../apimachinery/serializer/scalars.ts';
import { BodyReader, shown } from './body-reader.ts';

/** How many bytes must follow a digit for it to read the next seven at once. */
const restOfLong = 10;
const digitsAtOnce = 7;

/** Go types by package and name, as `core/v1.Pod`. */
export interface BodyForms {
  /** Each field: its JSON name (`-` for an embedded struct, whose fields lie in its owner), Go name and Go type. */
  readonly structs: { readonly [type: string]: readonly string[] };
  /** What a named type that is no struct stands for. */
  readonly named: { readonly [type: string]: string };
}

/** Types that read themselves, and as what. */
const readsItself: ReadonlyMap<string, ScalarType | undefined> = new Map<string, ScalarType | undefined>([
  ['resource.Quantity', 'quantity'],
  ['intstr.IntOrString', 'intOrString'],
  ['meta/v1.Time', 'time'],
  ['meta/v1.MicroTime', 'microTime'],
  ['meta/v1.Duration', 'duration'],
  ['runtime.RawExtension', undefined],
  ['runtime.Object', undefined],
]);

/** Structs of so many fields and fewer are read by a decoder of their own, which ends otherwise. */
const fewFields = 10;
/** Nothing is told of what lies deeper. */
const depthMax = 1000;

interface Field {
  /** The Go names on the way to it, the innermost first. */
  readonly names: readonly string[];
  readonly type: string;
}

/** The fault of a body that is to be of a type; undefined when it fits, or the type is unknown. */
export function bodyFault(forms: BodyForms, type: string, body: Uint8Array): string | undefined {
  if (getOwn(forms.structs, type) === undefined) return undefined;
  const decoder = new BodyDecoder(forms, new BodyReader(body));
  return decoder.read(type);
}

class BodyDecoder {
  readonly #forms: BodyForms;
  readonly #reader: BodyReader;
  readonly #fields = new Map<string, ReadonlyMap<string, Field>>();
  #depth = 0;

  constructor(forms: BodyForms, reader: BodyReader) {
    this.#forms = forms;
    this.#reader = reader;
  }

  read(type: string): string | undefined {
    this.#value(type);
    if (this.#reader.next() !== 0) this.#reader.report('Unmarshal', 'there are bytes left after unmarshal');
    return this.#reader.fault;
  }

  #value(type: string): void {
    this.#depth++;
    if (this.#depth > depthMax) this.#reader.skip();
    else this.#read(type);
    this.#depth--;
  }

  #read(type: string): void {
    const reader = this.#reader;
    if (type.startsWith('*')) {
      if (!reader.readNull()) this.#value(type.slice(1));
    } else if (type === '[]byte' || type === '[]uint8') this.#bytes();
    else if (type.startsWith('[]')) this.#list(type);
    else if (type.startsWith('map[')) this.#map(type.slice(type.indexOf(']') + 1));
    else if (type === 'string') reader.readString();
    else if (type === 'bool') this.#bool();
    else if (type === 'float64') this.#double();
    else if (/^u?int\d*$/.test(type)) this.#integer(type === 'int' ? 'int64' : type);
    else if (getOwn(this.#forms.structs, type) !== undefined) this.#struct(type);
    else if (readsItself.has(type)) this.#itself(readsItself.get(type));
    else {
      const target = getOwn(this.#forms.named, type);
      if (target === undefined) reader.skip();
      else if (/^\[\](?!byte$|uint8$)/.test(target)) this.#list(target, type);
      else this.#value(target);
    }
  }

  #struct(type: string): void {
    const reader = this.#reader;
    if (!reader.opens()) return;
    const fields = this.#fieldsOf(type);
    const isSmall = fields.size <= fewFields;
    let last: number;
    do {
      const field = fields.get(isSmall ? this.#shortName() : reader.readString());
      if (!isSmall) reader.colon('ReadObject');
      if (field === undefined) reader.skip();
      else {
        this.#value(field.type);
        for (const name of field.names) reader.own(`${name}: `);
      }
      last = reader.next();
    } while (last === 0x2c);
    if (isSmall && last !== 0x7d) reader.report('isObjectEnd', `object ended prematurely, unexpected char ${shown(last)}`);
    reader.own(`${printed(type)}.`);
    if (!isSmall && last !== 0x7d) reader.report('struct Decode', `expect }, but found ${shown(last)}`);
  }

  /** The name of a field and the colon behind it, for structs of few fields. */
  #shortName(): string {
    const reader = this.#reader;
    const first = reader.next();
    if (first !== 0x22) {
      reader.report('readFieldHash', `expect ", but found ${shown(first)}`);
      return '';
    }
    let name = '';
    for (let byte = reader.readByte(); byte !== 0x22 && byte !== 0; byte = reader.readByte()) name += String.fromCharCode(byte);
    const colon = reader.next();
    if (colon === 0x3a) return name;
    reader.report('readFieldHash', `expect :, but found ${shown(colon)}`);
    return '';
  }

  #fieldsOf(type: string): ReadonlyMap<string, Field> {
    const known = this.#fields.get(type);
    if (known !== undefined) return known;
    const fields = new Map<string, Field>();
    for (const row of getOwn(this.#forms.structs, type) ?? []) {
      const [json = '', name = '', inner = ''] = row.split(' ');
      if (json !== '-') fields.set(json, { names: [name], type: inner });
      else
        for (const [key, field] of this.#fieldsOf(inner.replace(/^\*/, '')))
          if (!fields.has(key)) fields.set(key, { ...field, names: [...field.names, name] });
    }
    this.#fields.set(type, fields);
    return fields;
  }

  /** `name`: that of its type, where it has one. */
  #list(type: string, name = type): void {
    this.#items(type.slice(2));
    this.#reader.own(`${printed(name)}: `);
  }

  #items(type: string): void {
    const reader = this.#reader;
    const first = reader.next();
    if (first === 0x6e) return reader.word('ull');
    if (first !== 0x5b) return reader.report('decode slice', `expect [ or n, but found ${shown(first)}`);
    if (reader.next() === 0x5d) return undefined;
    reader.back();
    let last: number;
    do {
      this.#value(type);
      last = reader.next();
    } while (last === 0x2c);
    return last === 0x5d ? undefined : reader.report('decode slice', `expect ], but found ${shown(last)}`);
  }

  #map(type: string): void {
    const reader = this.#reader;
    const first = reader.next();
    if (first === 0x6e) return reader.word('ull');
    if (first !== 0x7b) return reader.report('ReadMapCB', `expect { or n, but found ${shown(first)}`);
    const second = reader.next();
    if (second === 0x7d) return undefined;
    if (second !== 0x22) return reader.report('ReadMapCB', `expect " after }, but found ${shown(second)}`);
    reader.back();
    let last: number;
    do {
      reader.readString();
      if (!reader.colon('ReadMapCB')) return undefined;
      this.#value(type);
      last = reader.next();
    } while (last === 0x2c);
    return last === 0x7d ? undefined : reader.report('ReadMapCB', `expect }, but found ${shown(last)}`);
  }

  #bool(): void {
    const reader = this.#reader;
    if (reader.readNull()) return;
    const first = reader.next();
    if (first === 0x74) reader.word('rue');
    else if (first === 0x66) reader.word('alse');
    else reader.report('ReadBool', `expect t or f, but found ${shown(first)}`);
  }

  #double(): void {
    const reader = this.#reader;
    if (reader.readNull()) return;
    const first = reader.next();
    reader.back();
    if (first === 0x2d || (first >= 0x30 && first <= 0x39)) reader.skipDigits();
    else reader.report('readNumberAsString', 'invalid number');
  }

  #integer(type: string): void {
    const reader = this.#reader;
    if (reader.readNull()) return;
    const bits = BigInt(type.replace(/\D/g, ''));
    const name = `Int${bits}`;
    let first = reader.next();
    const isNegative = first === 0x2d;
    if (isNegative) first = reader.readByte();
    const value = this.#digits(first, bits);
    const most = (1n << (bits - 1n)) - (isNegative ? 0n : 1n);
    if (value > most) reader.report(`Read${name}`, `overflow: ${value}`);
  }

  #digits(first: number, bits: bigint): bigint {
    const reader = this.#reader;
    // Bytes are read as those are.
    const operation = `readUint${bits < 32n ? 32n : bits}`;
    if (first < 0x30 || first > 0x39) {
      // It shows its own mark for what is no digit.
      reader.report(operation, 'unexpected character: \ufffd');
      return 0n;
    }
    let value = BigInt(first - 0x30);
    const isLong = reader.left > restOfLong;
    const from = reader.head;
    while (value !== 0n && reader.peek() >= 0x30 && reader.peek() <= 0x39) {
      const more = BigInt.asUintN(Number(bits), value * 10n + BigInt(reader.readByte() - 0x30));
      if (more < value) {
        // It steps on only when a number is read to its end, but past eight digits at once where more follows.
        reader.returnTo(isLong ? from + digitsAtOnce : from);
        reader.report(operation, 'overflow');
        return 0n;
      }
      value = more;
    }
    if (reader.peek() === 0x2e) reader.report('assertInteger', 'can not decode float as int');
    return value;
  }

  #bytes(): void {
    const reader = this.#reader;
    if (reader.readNull()) return;
    const first = reader.next();
    reader.back();
    if (first === 0x22) {
      const said = faultOf(reader.readString(), 'bytes');
      if (said !== undefined) reader.report('decode base64', said);
    } else if (first === 0x5b) this.#list('[]uint8');
    else reader.report('base64Codec', 'invalid input');
  }

  #itself(scalar: ScalarType | undefined): void {
    const reader = this.#reader;
    reader.next();
    reader.back();
    const from = reader.head;
    reader.skip();
    if (scalar === undefined || reader.fault !== undefined) return;
    const said = faultOf(JSON.parse(reader.slice(from)) as JsonValue, scalar);
    if (said !== undefined) reader.report('unmarshalerDecoder', said);
  }
}

function faultOf(value: JsonValue, scalar: ScalarType): string | undefined {
  if (value === null) return undefined;
  try {
    readScalar(value, scalar, '', () => '');
    return undefined;
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

/** As Go prints the type: the package without its group. */
function printed(type: string): string {
  return type.replace(/[\w.]+\//g, '');
}
