/**
 * Lays out YAML as sigs.k8s.io/yaml does: keys in byte order, lists as deep as their key. Linear in what is written; how a text is
 * quoted is for the library to say, where it is none of the plain ones that objects mostly hold.
 */

/** How the library writes one value as a document, or a key as a document of that key with 0. */
type DumpOne = (value: unknown) => string;

/** Begins with a letter or as a path does, and holds nothing that YAML gives a meaning there; the words that are no text stand below. */
const plain = /^[A-Za-z/](?:[!-9;-~]|:(?=[!-~])| (?=[!"$-~]))*$/;
/** Digits that are no number: UIDs, addresses. */
const otherPlain = /^(?:[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;
const quoted = /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|0|[1-9]\d{0,14})$/;
const word = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
const wordLengthMax = 5;
/** Longer ones may not stand as a key in one line. */
const plainKeyLengthMax = 100;

/** Writes values one after the other; what it finds out of the keys and texts of one serves for the next. */
export class YamlWriter {
  readonly #dumpOne: DumpOne;
  readonly #layouts = new Layouts((name) => this.#key(name));
  #text = '';

  constructor(dumpOne: DumpOne) {
    this.#dumpOne = dumpOne;
  }

  /** A document. */
  write(value: unknown): string {
    this.#text = '';
    if (!this.#collection(value, 0, false, '')) this.#text = `${this.#scalar(value, 0)}\n`;
    return this.#text;
  }

  /** What is no collection, or holds nothing, is not written: false. `behind` ends the line on which it stands, if it stands behind something. */
  #collection(value: unknown, level: number, isInline: boolean, behind: string): boolean {
    if (typeof value !== 'object' || value === null) return false;
    if (Array.isArray(value)) {
      if (value.length === 0) return false;
      this.#text += behind;
      this.#list(value, level, isInline);
      return true;
    }
    const fields = this.#layouts.of(value);
    if (fields.length === 0) return false;
    this.#text += behind;
    // The list that a key names is no deeper than the key.
    this.#map(value as Readonly<Record<string, unknown>>, fields, behind === '' ? level : level + 1, isInline);
    return true;
  }

  /** Inline, its first element stands on a line that has begun. */
  #list(list: readonly unknown[], level: number, isInline: boolean): void {
    const start = `${indentOf(level)}- `;
    let isBegun = isInline;
    for (const given of list) {
      const element = given === undefined ? null : given;
      this.#text += isBegun ? '- ' : start;
      if (!this.#collection(element, level + 1, true, '')) this.#text += `${this.#scalar(element, level + 1)}\n`;
      isBegun = false;
    }
  }

  #map(map: Readonly<Record<string, unknown>>, fields: readonly Field[], level: number, isInline: boolean): void {
    let isBegun = isInline;
    for (const field of fields) {
      const inner = map[field.name];
      this.#text += field.lead(isBegun ? 0 : level);
      if (!this.#collection(inner, level, false, '\n')) this.#text += ` ${this.#scalar(inner, level + 1)}\n`;
      isBegun = false;
    }
  }

  #key(key: string): string {
    if (key.length <= plainKeyLengthMax && isPlain(key)) return key;
    const dumped = this.#dumpOne({ [key]: 0 });
    // Keys of several lines, or longer than YAML lets a simple key be: quoted they are still read everywhere.
    return dumped.startsWith('? ') ? JSON.stringify(key) : dumped.slice(0, -4);
  }

  #scalar(value: unknown, level: number): string {
    if (typeof value === 'string') {
      if (isPlain(value) || otherPlain.test(value)) return value;
      if (quoted.test(value)) return `"${value}"`;
    } else {
      if (Array.isArray(value)) return '[]';
      if (typeof value === 'object' && value !== null) return '{}';
      if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value);
    }
    const document = this.#dumpOne(value);
    // The library ends a document whose last text keeps its empty lines.
    const dumped = document.slice(0, /^[|>][0-9]*\+/.test(document) && document.endsWith('\n...\n') ? -5 : -1);
    if (!dumped.includes('\n')) return dumped;
    // A block that begins with spaces has to name its indentation, and readers differ on what that counts from.
    if (/^[|>][0-9]/.test(dumped)) return JSON.stringify(value);
    if (level <= 1) return dumped;
    // The lines of a block stand two deeper than what holds it.
    const indent = indentOf(level - 1);
    return dumped.replaceAll(/\n(?=[^\n])/g, `\n${indent}`);
  }
}

function isPlain(text: string): boolean {
  return plain.test(text) && (text.length > wordLengthMax || !word.test(text));
}

function indentOf(level: number): string {
  return '  '.repeat(level);
}

/** A key as it stands in its map. */
class Field {
  readonly name: string;
  readonly #written: string;
  /** With what stands in front, by level. */
  readonly #leads: string[] = [];

  constructor(name: string, written: string) {
    this.name = name;
    this.#written = written;
  }

  lead(level: number): string {
    return (this.#leads[level] ??= `${indentOf(level)}${this.#written}:`);
  }
}

/** Maps with the same keys up to here, in the order in which they hold them. */
class Shape {
  fields: readonly Field[] | undefined;
  readonly #next = new Map<string, Shape>();
  #likely: Shape | undefined;
  #likelyKey: string | undefined;

  after(key: string): Shape | undefined {
    if (key === this.#likelyKey) return this.#likely;
    const next = this.#next.get(key);
    if (next === undefined) return undefined;
    this.#likelyKey = key;
    this.#likely = next;
    return next;
  }

  add(key: string): Shape {
    const shape = new Shape();
    this.#next.set(key, shape);
    return shape;
  }
}

/** Keys of maps in their order. Objects of one kind have few sets of keys, which are sorted and written once. */
class Layouts {
  readonly #write: (name: string) => string;
  readonly #first = new Shape();
  readonly #fields = new Map<string, Field>();
  #shapes = 0;

  constructor(write: (name: string) => string) {
    this.#write = write;
  }

  /** As with JSON, what is undefined is not there. */
  of(map: object): readonly Field[] {
    const names = Object.keys(map);
    let shape: Shape | undefined = this.#first;
    for (const name of names) {
      if ((map as Readonly<Record<string, unknown>>)[name] === undefined) continue;
      shape = shape.after(name) ?? this.#grown(shape, name);
      if (shape === undefined) return this.#sorted(map, names);
    }
    return (shape.fields ??= this.#sorted(map, names));
  }

  #grown(shape: Shape, name: string): Shape | undefined {
    return this.#shapes++ < shapesMax ? shape.add(name) : undefined;
  }

  #sorted(map: object, names: readonly string[]): readonly Field[] {
    const present = names.filter((name) => (map as Readonly<Record<string, unknown>>)[name] !== undefined);
    return present.sort(byCodeUnits).map((name) => this.#field(name));
  }

  #field(name: string): Field {
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    const field = new Field(name, this.#write(name));
    if (this.#fields.size < shapesMax) this.#fields.set(name, field);
    return field;
  }
}

const shapesMax = 4096;

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
