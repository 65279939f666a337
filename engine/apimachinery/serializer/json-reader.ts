/** JSON read character by character, where the engine's own parser says too little or reads otherwise than Go. Mirrors encoding/json as sigs.k8s.io/json keeps it. */
import { byteEscape } from '../../base/byte-text.ts';
import type { JsonValue } from '../../base/json.ts';
import { setOwn } from '../../base/dictionary.ts';
import { goQuote } from '../quote.ts';
import type { CompiledField, CompiledMessage } from './compile.ts';
import { givenAgain, messageIn } from './given-again.ts';
import { shortName } from './go-names.ts';
import { DecodeError, typeError } from './scalars.ts';
import { strictErrorsMax } from './walk.ts';

export interface DecodedJson {
  readonly value: JsonValue;
  /** `duplicate field "spec.replicas"`, in the order met. */
  readonly duplicates: readonly string[];
  /** Paths of all keys in the order met, where there are duplicates. */
  readonly met?: readonly string[];
}

const words = ['true', 'false', 'null'] as const;
/** Longer integers are none that any field could hold: they count as floating point, and reading them costs no more than their length. */
const exactDigitsMax = 64;
/** What of a text could be a number, or begin one. */
const numberStart = /^-?(?:0|[1-9]\d*)(?:\.\d+(?:[eE][-+]?\d*)?|\.|[eE][-+]?\d*)?|^-/;
const wholeNumbers: ReadonlySet<string> = new Set(['int32', 'int64', 'uint32', 'uint64', 'intOrString']);

export function parseFast(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The place of the quotation mark that ends the text which begins at `start`. */
export function endOfText(text: string, start: number): number {
  for (let end = start + 1; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === 0x5c) end++;
    else if (code === 0x22) return end;
  }
  return text.length;
}

/** What a value is read into. */
interface Target {
  readonly struct: CompiledMessage | undefined;
  /** The field whose value this is, or one of its elements, and the struct that has it. */
  readonly field?: CompiledField | undefined;
  readonly owner?: CompiledMessage | undefined;
}

const anything: Target = { struct: undefined };

/** Exact integers, duplicate keys, and where a fault is. */
export class StrictReader {
  readonly #text: string;
  readonly #struct: CompiledMessage | undefined;
  readonly #written: ((raw: string) => string) | undefined;
  readonly #duplicates: string[] = [];
  readonly #met: string[] = [];
  #misfit: DecodeError | undefined;
  #position = 0;

  /** `struct`: what the document is read into, where that is no map. `written` says what stands for numbers that JavaScript writes otherwise. */
  constructor(text: string, struct?: CompiledMessage, written?: (raw: string) => string) {
    this.#text = text;
    this.#struct = struct;
    this.#written = written;
  }

  read(): DecodedJson {
    const value = this.#value('', { struct: this.#struct });
    this.#space();
    if (this.#position < this.#text.length) throw this.#unexpected('after top-level value');
    if (this.#misfit !== undefined) throw this.#misfit;
    return this.#duplicates.length === 0 ? { value, duplicates: [] } : { value, duplicates: this.#duplicates, met: this.#met };
  }

  #value(path: string, target: Target): JsonValue {
    this.#space();
    const character = this.#text[this.#position];
    if (character === '{') return this.#object(path, target);
    if (character === '[') return this.#array(path, target);
    if (character === '"') return this.#string();
    if (character === undefined) throw new DecodeError('unexpected end of JSON input');
    return this.#literal(path, target);
  }

  #object(path: string, target: Target): JsonValue {
    const object: { [key: string]: JsonValue } = {};
    let repeated: Set<string> | undefined;
    this.#position++;
    this.#space();
    if (this.#take('}')) return object;
    for (;;) {
      this.#space();
      if (this.#text[this.#position] !== '"') throw this.#unexpected('looking for beginning of object key string');
      const key = this.#string();
      const inner = path === '' ? key : `${path}.${key}`;
      this.#space();
      if (!this.#take(':')) throw this.#unexpected('after object key');
      this.#met.push(inner);
      const value = this.#value(inner, memberOf(target, key));
      const isRepeated = Object.hasOwn(object, key);
      if (isRepeated && repeated?.has(key) !== true) {
        repeated = (repeated ?? new Set()).add(key);
        this.#duplicate(inner);
      }
      setOwn(object, key, isRepeated ? givenAgain(object[key] as JsonValue, value, target.struct?.byName.get(key)) : value);
      this.#space();
      if (this.#take('}')) return object;
      if (!this.#take(',')) throw this.#unexpected('after object key:value pair');
    }
  }

  #duplicate(path: string): void {
    if (this.#duplicates.length < strictErrorsMax) this.#duplicates.push(`duplicate field ${JSON.stringify(path)}`);
  }

  #array(path: string, target: Target): JsonValue {
    const array: JsonValue[] = [];
    const element = elementOf(target);
    this.#position++;
    this.#space();
    if (this.#take(']')) return array;
    for (;;) {
      array.push(this.#value(`${path}[${array.length}]`, element));
      this.#space();
      if (this.#take(']')) return array;
      if (!this.#take(',')) throw this.#unexpected('after array element');
    }
  }

  #string(): string {
    const end = endOfText(this.#text, this.#position);
    const value = end < this.#text.length ? parseFast(this.#text.slice(this.#position, end + 1)) : undefined;
    if (typeof value !== 'string') throw this.#textFault(end);
    this.#position = end + 1;
    // Half of a character is none in UTF-8.
    return value.toWellFormed();
  }

  /** What of a text cannot stand in one. */
  #textFault(end: number): DecodeError {
    for (this.#position++; this.#position < end; this.#position++) {
      if (this.#text.charCodeAt(this.#position) < 0x20) return this.#unexpected('in string literal');
      if (this.#text[this.#position] !== '\\') continue;
      this.#position++;
      const escaped = this.#text[this.#position];
      if (escaped !== 'u') {
        if (escaped === undefined || !'bfnrt\\/"'.includes(escaped)) return this.#unexpected('in string escape code');
        continue;
      }
      for (let digits = 0; digits < 4; digits++) {
        this.#position++;
        if (!/[\da-fA-F]/.test(this.#text[this.#position] ?? '')) return this.#unexpected(String.raw`in \u hexadecimal character escape`);
      }
    }
    return new DecodeError('unexpected end of JSON input');
  }

  #literal(path: string, target: Target): JsonValue {
    const match = startsWithZero(this.#text, this.#position) ? /-?0/y : /[-+.\w]+/y;
    match.lastIndex = this.#position;
    let raw = match.exec(this.#text)?.[0];
    let value = raw === undefined ? undefined : parseFast(raw);
    const number = value === undefined ? numberStart.exec(raw ?? '')?.[0] : undefined;
    if (number !== undefined) {
      if (!/\d$/.test(number)) throw this.#brokenNumber(number);
      // It has ended, and what follows it is told of by what holds it.
      raw = number;
      value = parseFast(raw);
    }
    if (raw === undefined || value === undefined) throw this.#misspelt() ?? this.#unexpected('looking for beginning of value');
    this.#position += raw.length;
    if (typeof value !== 'number') return value;
    if (this.#written !== undefined && /[-.eE]/.test(raw) && raw !== String(value) && !/^-[1-9]\d*$/.test(raw)) return this.#written(raw);
    // A quantity reads its own text, which says in which form it is kept.
    if (target.field?.scalar === 'quantity' && raw !== String(value)) return raw;
    this.#misfit ??= misfitOf(raw, value, path, target);
    if (Number.isSafeInteger(value)) return value;
    if (raw.length <= exactDigitsMax && /^-?\d+$/.test(raw)) return BigInt(raw);
    if (!Number.isFinite(value) && this.#misfit === undefined)
      throw new DecodeError(`json: cannot unmarshal number ${raw} into Go value of type float64`);
    return value;
  }

  /** What goes on as a number cannot. */
  #brokenNumber(number: string): DecodeError {
    this.#position += number.length;
    const where = `${number === '-' ? 'in' : number.endsWith('.') ? 'after decimal point in' : 'in exponent of'} numeric literal`;
    return this.#position < this.#text.length ? this.#unexpected(where) : new DecodeError(`invalid character ' ' ${where}`);
  }

  /** What begins as one of the three words of JSON. */
  #misspelt(): DecodeError | undefined {
    const word = words.find((one) => one.charAt(0) === this.#text[this.#position]);
    if (word === undefined) return undefined;
    let at = 0;
    while (at < word.length && this.#text[this.#position + at] === word.charAt(at)) at++;
    if (at === word.length) return undefined;
    this.#position += at;
    // Go reads a space where the text ends.
    const where = `in literal ${word} (expecting '${word.charAt(at)}')`;
    return this.#position < this.#text.length ? this.#unexpected(where) : new DecodeError(`invalid character ' ' ${where}`);
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#position);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#position++;
    }
  }

  #take(character: string): boolean {
    if (this.#text[this.#position] !== character) return false;
    this.#position++;
    return true;
  }

  #unexpected(where: string): DecodeError {
    const character = this.#text[this.#position];
    if (character === undefined) return new DecodeError('unexpected end of JSON input');
    return new DecodeError(`invalid character ${quoteCharacter(character)} ${where}`);
  }
}

/** Whether a digit follows a zero that stands first: Go's number ends there. */
function startsWithZero(text: string, at: number): boolean {
  const first = text[at] === '-' ? at + 1 : at;
  const next = text.charCodeAt(first + 1);
  return text[first] === '0' && next >= 0x30 && next <= 0x39;
}

/** Go reads bytes: of a character of several the first one is shown, as if it were a letter. */
function quoteCharacter(character: string): string {
  if (character === "'") return "'\\''";
  if (character === '"') return `'"'`;
  const code = character.charCodeAt(0);
  const byte = (code & ~0xff) === byteEscape ? code & 0xff : (new TextEncoder().encode(character)[0] ?? 0);
  return `'${goQuote(String.fromCharCode(byte)).slice(1, -1)}'`;
}

function memberOf({ struct, field, owner }: Target, key: string): Target {
  if (struct !== undefined) {
    const member = struct.byName.get(key);
    return member === undefined ? anything : { struct: messageIn(member, false), field: member, owner: struct };
  }
  return field === undefined || field.card === 'one' || field.card === 'list' ? anything : { struct: messageIn(field, true), field, owner };
}

function elementOf({ field, owner }: Target): Target {
  return field?.card === 'list' ? { struct: messageIn(field, true), field, owner } : anything;
}

/** Go reads no fraction into an integer, whatever its value is. */
function misfitOf(raw: string, value: number, path: string, { field, owner }: Target): DecodeError | undefined {
  if (field?.scalar === undefined || !wholeNumbers.has(field.scalar) || !(Number.isInteger(value) || !Number.isFinite(value)) || !/[.eE]/.test(raw))
    return undefined;
  const goType = field.scalar === 'intOrString' ? 'int32' : field.scalar;
  const { message } = typeError(0, shortName(owner as CompiledMessage), path, goType);
  return new DecodeError(message.replace('number 0', () => `number ${raw}`));
}
