/** What Go's own decoder said of JSON in a text that does not fit its type: the first fault, whatever follows. Mirrors encoding/json of Go 1.11 (decode.go). */
import { goKind } from '../../../apimachinery/serializer/go-names.ts';
import { StrictReader } from '../../../apimachinery/serializer/json-reader.ts';
import { DecodeError, readScalar } from '../../../apimachinery/serializer/scalars.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { isList, isObject, type JsonValue } from '../../../base/json.ts';
import type { BodyForms } from './body-values.ts';

/** What stands before a number that JavaScript writes otherwise. */
const asWritten = '\u0000';
const integer = /^-?\d+$/;
const int32Most = 2 ** 31;

/** Undefined where it fits. */
export function noteFault(forms: BodyForms, type: string, text: string): string | undefined {
  try {
    const { value } = new StrictReader(text, undefined, (raw) => asWritten + raw).read();
    return new NoteReader(forms).read(type, value);
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

class NoteReader {
  readonly #forms: BodyForms;
  #fault: string | undefined;
  /** The field whose value is read, with its struct; none behind a value that was a struct itself. */
  #place: string | undefined;

  constructor(forms: BodyForms) {
    this.#forms = forms;
  }

  read(type: string, value: JsonValue): string | undefined {
    this.#value(type, value);
    return this.#fault;
  }

  #value(given: string, value: JsonValue): void {
    const type = given.replace(/^\*/, '');
    if (value === null) return;
    if (type === 'resource.Quantity' || type === 'meta/v1.Time') return this.#itself(type, value);
    const fields = getOwn(this.#forms.structs, type);
    const base = getOwn(this.#forms.named, type) ?? type;
    if (fields !== undefined) {
      if (!isObject(value)) return this.#misfit(type, value);
      for (const [key, inner] of Object.entries(value)) this.#member(type, fields, key, inner);
    } else if (base.startsWith('[]')) {
      if (!isList(value)) return this.#misfit(type, value);
      for (const inner of value) this.#value(base.slice(2), inner);
    } else if (base.startsWith('map[')) {
      if (!isObject(value)) return this.#misfit(type, value);
      for (const inner of Object.values(value)) {
        this.#value(base.slice(base.indexOf(']') + 1), inner);
        this.#place = undefined;
      }
    } else if (base === 'string' ? typeof value !== 'string' || isWritten(value) : !isInt32(value)) this.#misfit(type, value);
  }

  /** Names are found whatever their capitals are. */
  #member(type: string, fields: readonly string[], key: string, value: JsonValue): void {
    const rows = fields.map((row) => row.split(' '));
    const [name, , inner] = rows.find(([json]) => json === key) ?? rows.find(([json = '']) => json.toLowerCase() === key.toLowerCase()) ?? [];
    if (name !== undefined && inner !== undefined) {
      this.#place = `${type.replace(/^.*\./, '')}.${name}`;
      this.#value(inner, value);
    }
    this.#place = undefined;
  }

  /** What reads itself: a time is a text first. */
  #itself(type: string, value: JsonValue): void {
    if (type === 'meta/v1.Time' && (typeof value !== 'string' || isWritten(value))) return this.#misfit('string', value);
    try {
      const text = isWritten(value) ? value.slice(asWritten.length) : value;
      readScalar(text, type === 'meta/v1.Time' ? 'time' : 'quantity', '', () => '');
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      this.#fault ??= error.message;
    }
  }

  #misfit(type: string, value: JsonValue): void {
    // An integer that does not fit is shown.
    const raw = isWritten(value) ? value.slice(asWritten.length) : typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined;
    const shown = raw === undefined ? goKind(value) : type === 'int32' ? `number ${raw}` : 'number';
    const into = this.#place === undefined ? 'Go value' : `Go struct field ${this.#place}`;
    this.#fault ??= `json: cannot unmarshal ${shown} into ${into} of type ${type.replace(/[\w.]+\//g, '')}`;
  }
}

function isWritten(value: JsonValue): value is string {
  return typeof value === 'string' && value.startsWith(asWritten);
}

function isInt32(value: JsonValue): boolean {
  return typeof value === 'number' && integer.test(String(value)) && value >= -int32Most && value < int32Most;
}
