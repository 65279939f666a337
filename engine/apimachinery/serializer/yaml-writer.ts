/** Lays out YAML as sigs.k8s.io/yaml does: keys in go-yaml's order, lists as deep as their key. Linear in what is written. */
import { compareKeys, type TextPlace, writeKey, writeNumber, writeText } from './yaml-text.ts';

/** Writes values one after the other; what it finds out of the keys of one serves for the next. */
export class YamlWriter {
  readonly #layouts = new Layouts();
  #text = '';

  /** A document. */
  write(value: unknown): string {
    this.#text = '';
    if (!this.#collection(value, 0, false, '')) this.#text = `${scalar(value, { column: 0, indent: 2 })}\n`;
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
      if (!this.#collection(element, level + 1, true, '')) this.#text += `${scalar(element, { column: start.length, indent: start.length })}\n`;
      isBegun = false;
    }
  }

  #map(map: Readonly<Record<string, unknown>>, fields: readonly Field[], level: number, isInline: boolean): void {
    let isBegun = isInline;
    for (const field of fields) {
      const inner = map[field.name];
      const indent = 2 * level;
      this.#text += field.lead(level, isBegun);
      isBegun = false;
      if (field.width === undefined) this.#longKeyed(inner, level);
      else if (!this.#collection(inner, level, false, '\n'))
        this.#text += ` ${scalar(inner, { column: indent + field.width + 2, indent: indent + 2 })}\n`;
    }
  }

  /** What a key that does not fit into a line names stands on a line of its own. */
  #longKeyed(value: unknown, level: number): void {
    this.#text += `\n${indentOf(level)}: `;
    const indent = 2 * level + 2;
    if (!this.#collection(value, level + 1, true, '')) this.#text += `${scalar(value, { column: indent, indent })}\n`;
  }
}

function scalar(value: unknown, place: TextPlace): string {
  if (typeof value === 'string') return writeText(value, place);
  if (typeof value === 'number' || typeof value === 'bigint') return writeNumber(value);
  if (Array.isArray(value)) return '[]';
  return typeof value === 'object' && value !== null ? '{}' : String(value);
}

function indentOf(level: number): string {
  return '  '.repeat(level);
}

/** A key as it stands in its map. */
class Field {
  readonly name: string;
  /** In characters; undefined where what it names begins a line of its own. */
  readonly width: number | undefined;
  readonly #written: string | undefined;
  /** With what stands in front, by level. */
  readonly #leads: string[] = [];

  constructor(name: string) {
    this.name = name;
    this.#written = writeKey(name);
    this.width = this.#written === undefined ? undefined : [...this.#written].length;
  }

  /** Inline, it stands on a line that has begun, as far in. */
  lead(level: number, isInline: boolean): string {
    const lead = (this.#leads[level] ??= indentOf(level) + this.#after(2 * level));
    return isInline ? lead.slice(2 * level) : lead;
  }

  #after(indent: number): string {
    if (this.#written !== undefined) return `${this.#written}:`;
    return `? ${writeText(this.name, { column: indent + 2, indent: indent + 2 })}`;
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
  readonly #first = new Shape();
  readonly #fields = new Map<string, Field>();
  #shapes = 0;

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
    return present.sort(compareKeys).map((name) => this.#field(name));
  }

  #field(name: string): Field {
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    const field = new Field(name);
    if (this.#fields.size < shapesMax) this.#fields.set(name, field);
    return field;
  }
}

const shapesMax = 4096;
