/** What can be said against a YAML text before anybody is asked: bad YAML with its line, and fields that the kind's schema does not have. */
import { isMap, isScalar, isSeq, type Document, type Node as YamlNode, type Pair } from 'yaml';
import { isObject, type JsonObject } from '../../engine/base/json.ts';
import { parseGroupVersion } from '../../engine/apimachinery/object.ts';
import { texts } from '../texts/texts.ts';
import { type FieldPath, formatPath } from './changes.ts';
import { type Gvk, isOpen, type KindSchema, type Schema, typeWords } from './schema.ts';
import { readYaml, valueOf, type YamlText } from './yaml-text.ts';

export interface Finding {
  readonly level: 'error' | 'warning';
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** Characters of the text. */
  readonly from: number;
  readonly to: number;
}

/** One document of a text. */
export interface Manifest {
  readonly object: JsonObject | undefined;
  readonly gvk: Gvk | undefined;
  readonly name: string;
  readonly namespace: string;
  /** Where it begins, from 1. */
  readonly line: number;
  /** Where `text` begins, in characters. */
  readonly from: number;
  readonly text: string;
}

export interface CheckedText {
  readonly manifests: readonly Manifest[];
  readonly findings: readonly Finding[];
}

const words = texts.editor;
const findingsMax = 100;
/** What the reader of YAML says when it catches that itself. */
const stackIsOver = /call stack/;

/** Schemas by `group/version/kind`; kinds without one are not looked into. */
export type Schemas = ReadonlyMap<string, KindSchema>;

export function keyOf({ group, version, kind }: Gvk): string {
  return `${group}/${version}/${kind}`;
}

export function checkText(text: string, schemas: Schemas): CheckedText {
  try {
    return checkDocuments(text, schemas);
  } catch (error) {
    // Who reads what is nested without end has no stack left.
    if (!(error instanceof RangeError)) throw error;
    return { manifests: [], findings: [{ level: 'error', text: words.tooDeep, line: 1, from: 0, to: Math.min(1, text.length) }] };
  }
}

function checkDocuments(text: string, schemas: Schemas): CheckedText {
  const read = readYaml(text);
  const findings: Finding[] = [];
  const manifests = read.documents.map((document) => checkDocument(document, read, text, schemas, findings));
  return { manifests, findings: findings.slice(0, findingsMax) };
}

function checkDocument(document: Document.Parsed, { lines }: YamlText, text: string, schemas: Schemas, findings: Finding[]): Manifest {
  const place = ([from, to]: readonly [number, number]) => ({ line: lines.linePos(from).line, from, to: Math.max(from, Math.min(to, text.length)) });
  // What else it says follows from where it gave up.
  const end = document.errors.find(({ message }) => stackIsOver.test(message));
  if (end !== undefined) findings.push({ level: 'error', text: words.tooDeep, ...place(end.pos) });
  else for (const { message, pos } of document.errors) findings.push({ level: 'error', text: words.badYaml(message), ...place(pos) });
  const range: readonly [number, number, number] = document.contents?.range ?? [document.range[0], document.range[0], document.range[1]];
  const at = { line: lines.linePos(range[0]).line, from: document.range[0], text: text.slice(document.range[0], document.range[2]) };
  const nobody: Manifest = { object: undefined, gvk: undefined, name: '', namespace: '', ...at };
  if (document.errors.length > 0) return nobody;
  const say = (level: Finding['level'], node: YamlNode | undefined, said: string): void => {
    if (findings.length < findingsMax)
      findings.push({ level, text: said, ...place([node?.range?.[0] ?? range[0], node?.range?.[1] ?? range[0] + 1]) });
  };
  const object = valueOf(document);
  if (object === undefined) say('error', undefined, words.tooManyAliases);
  else if (!isObject(object)) say('error', undefined, words.noObject);
  if (!isObject(object)) return nobody;
  const { apiVersion, kind, metadata } = object;
  if (typeof apiVersion !== 'string' || apiVersion === '') say('error', undefined, words.lacks('apiVersion'));
  if (typeof kind !== 'string' || kind === '') say('error', undefined, words.lacks('kind'));
  const version = typeof apiVersion === 'string' ? parseGroupVersion(apiVersion) : undefined;
  const gvk = version && typeof kind === 'string' ? { group: version.group, version: version.version, kind } : undefined;
  const named = isObject(metadata) ? metadata : {};
  const schema = gvk && schemas.get(keyOf(gvk));
  if (schema) new Checker(schema, say).check(document.contents ?? undefined, schema.root, []);
  return { object, gvk, name: textOf(named['name']), namespace: textOf(named['namespace']), ...at };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

type Say = (level: Finding['level'], node: YamlNode | undefined, text: string) => void;

class Checker {
  readonly #kind: KindSchema;
  readonly #say: Say;

  constructor(kind: KindSchema, say: Say) {
    this.#kind = kind;
    this.#say = say;
  }

  check(node: YamlNode | undefined, schema: Schema, path: FieldPath): void {
    if (isMap<YamlNode, YamlNode | null>(node)) {
      if (!this.#allows(schema, 'object')) this.#wrongType(node, schema, path);
      else this.#checkMap(node.items, node, schema, path);
    } else if (isSeq<YamlNode>(node)) {
      if (!this.#allows(schema, 'array')) this.#wrongType(node, schema, path);
      else if (schema.items) for (const [index, item] of node.items.entries()) this.check(item, this.#kind.resolve(schema.items), [...path, index]);
    } else if (isScalar(node)) this.#checkScalar(node, node.value, schema, path);
  }

  #checkMap(pairs: readonly Pair<YamlNode, YamlNode | null>[], map: YamlNode, schema: Schema, path: FieldPath): void {
    const names = new Set<string>();
    for (const { key, value } of pairs) {
      const name = isScalar(key) ? String(key.value) : '';
      names.add(name);
      // A merge key brings fields from elsewhere in the document.
      if (name === '<<') return;
      const field = this.#kind.field(schema, name);
      if (field !== undefined) this.check(value ?? undefined, field, [...path, name]);
      else if (!isOpen(schema)) this.#say('error', key, words.unknownField(formatPath([...path, name]), nearest(name, schema)));
    }
    for (const name of schema.required ?? []) if (!names.has(name)) this.#say('warning', map, words.lacksField(formatPath(path), name));
  }

  #checkScalar(node: YamlNode, value: unknown, schema: Schema, path: FieldPath): void {
    if (value === null || value === undefined) return;
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) this.#say('error', node, words.tooLarge);
    const type = typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value;
    if (!this.#allows(schema, type)) this.#wrongType(node, schema, path);
    else if (schema.enum && value !== '' && !schema.enum.includes(value))
      this.#say('error', node, words.noneOf(formatPath(path), schema.enum.map(String)));
  }

  #wrongType(node: YamlNode, schema: Schema, path: FieldPath): void {
    this.#say('error', node, words.wrongType(formatPath(path), typeWords(this.#kind, schema)));
  }

  #allows(schema: Schema, type: string): boolean {
    const isScalarType = type !== 'object' && type !== 'array';
    if (schema['x-kubernetes-int-or-string'] || schema.format === 'int-or-string') return type === 'integer' || type === 'string';
    if (schema.oneOf) return schema.oneOf.some((one) => this.#allows(one, type));
    if (schema.type === undefined) return schema.properties === undefined || !isScalarType;
    return schema.type === type || (schema.type === 'number' && type === 'integer');
  }
}

const nearEnough = 3;

/** The field that was probably meant. */
function nearest(name: string, { properties = {} }: Schema): string {
  const scored = Object.keys(properties).map((one) => [distance(name.toLowerCase().slice(0, 64), one.toLowerCase()), one] as const);
  const [best] = scored.toSorted((a, b) => a[0] - b[0]);
  return best && best[0] < nearEnough ? best[1] : '';
}

/** Letters to put in, take out or exchange. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= b.length; at++)
      next.push(Math.min((next[at - 1] ?? 0) + 1, (row[at] ?? 0) + 1, (row[at - 1] ?? 0) + (letter === b[at - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length] ?? 0;
}
