/**
 * YAML as sigs.k8s.io/yaml reads and writes it: the same values as JSON, plain scalars as in YAML 1.1 (yes, no, on, off are
 * booleans), timestamps stay text, keys in byte order.
 */
import {
  boolYaml11Tag,
  defineScalarTag,
  dump,
  load,
  mapTag,
  mergeTag,
  NOT_RESOLVED,
  nullYaml11Tag,
  Schema,
  seqTag,
  strTag,
  timestampTag,
  YAMLException,
} from 'js-yaml';
import type { JsonValue } from '../../base/json.ts';
import { setOwn } from '../../base/dictionary.ts';
import { ownText } from '../../base/text.ts';
import { type DecodedJson, decodeJson, jsonDepthMax } from './json.ts';
import { DecodeError } from './scalars.ts';
import { YamlWriter } from './yaml-writer.ts';

const firstOfNumber = ['-', '+', '.', ...'0123456789'];
const numberForm = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
/** Base by prefix as Go reads literals: 0x, 0b, 0o, and 0 alone for octal. */
const integerForm = /^([-+]?)(?:(0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+)|0([0-7]+)|(0|[1-9]\d*))$/;

/** Longer than any 64-bit integer in any base, underscores included; what is longer is floating point or text. */
const integerCharsMax = 256;

/** Integers stay exact; `1:30` is text, for Go knows no sexagesimal numbers. */
const intTag = defineScalarTag<number | bigint>('tag:yaml.org,2002:int', {
  implicit: true,
  implicitFirstChars: firstOfNumber,
  resolve: readInteger,
  identify: (value) => typeof value === 'bigint' || (Number.isInteger(value) && Math.abs(value as number) < 1e21),
  represent: String,
});
const floatTag = defineScalarTag<number>('tag:yaml.org,2002:float', {
  implicit: true,
  implicitFirstChars: firstOfNumber,
  resolve: readFloat,
  identify: (value) => typeof value === 'number',
  represent: (value) => String(value).replace(/e([-+])(\d)$/, 'e$10$2'),
});
const tags = [strTag, mapTag, seqTag, nullYaml11Tag, boolYaml11Tag, intTag, floatTag, mergeTag];
const schema = new Schema(tags);
/** Never met on reading; a text that old readers would take for a number of base 60 stands in quotes. */
const base60Tag = defineScalarTag<string>('tag:wavetank,2026:base60', {
  implicit: true,
  implicitFirstChars: firstOfNumber,
  resolve: (source) => (/^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/.test(source) ? source : NOT_RESOLVED),
  identify: () => false,
});
/** Knows timestamps as well, for texts that look like one stand in quotes. */
const dumpSchema = new Schema([...tags, timestampTag, base60Tag]);

function readInteger(source: string): number | bigint | typeof NOT_RESOLVED {
  if (source.length > integerCharsMax) return NOT_RESOLVED;
  const match = integerForm.exec(source.replaceAll('_', ''));
  if (match === null) return NOT_RESOLVED;
  const [, sign, prefixed, octal, decimal] = match;
  const size = BigInt(prefixed?.toLowerCase() ?? (octal === undefined ? (decimal as string) : `0o${octal}`));
  const value = sign === '-' ? -size : size;
  if (value >= 1n << 64n || value < -(1n << 63n)) return NOT_RESOLVED;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function readFloat(source: string): number | typeof NOT_RESOLVED {
  const special = /^([-+]?)\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/.exec(source);
  if (special !== null) return special[1] === undefined ? Number.NaN : special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const plain = source.replaceAll('_', '');
  const value = Number(plain);
  return numberForm.test(plain) && Number.isFinite(value) ? value : NOT_RESOLVED;
}

/** Reads one document. Duplicate keys are named and the last one counts; throws DecodeError for what is not YAML. */
export function decodeYaml(text: string): DecodedJson {
  return decodeAsJson(text) ?? decodeDocument(text);
}

/** Reads the first document of a text and looks at nothing behind it, as go-yaml unmarshals. */
export function decodeFirstYaml(text: string): DecodedJson {
  return decodeYaml(firstDocument(text));
}

/** Markers at the beginning of a line bound a document wherever they stand, block texts included. */
function firstDocument(text: string): string {
  const marker = /(?:^|[\r\n])(?:---|\.\.\.)(?=[ \t\r\n]|$)/g;
  const first = marker.exec(text);
  if (first === null) return text;
  const begins = first[0].endsWith('---') && isPreamble(text.slice(0, first.index));
  const end = begins ? marker.exec(text)?.index : first.index;
  return end === undefined || end === 0 ? text : text.slice(0, end + 1);
}

/** Blank lines, comments and directives: what may stand before a document begins. */
function isPreamble(text: string): boolean {
  return text.split(/[\r\n]/).every((line) => /^\ufeff?(?:\s*(?:#.*)?|%.*)$/.test(line));
}

/** JSON is YAML, and programs that apply send it; whatever is amiss is for the YAML reader to say. */
function decodeAsJson(text: string): DecodedJson | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const decoded = decodeJson(text);
    return decoded.duplicates.length === 0 ? decoded : undefined;
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

function decodeDocument(text: string): DecodedJson {
  try {
    return { value: toJson(load(text, { schema, maxDepth: jsonDepthMax + 2 })), duplicates: [] };
  } catch (error) {
    if (error instanceof DecodeError) throw error;
    if (!(error instanceof YAMLException && error.reason === 'duplicated mapping key'))
      throw new DecodeError(`error converting YAML to JSON: yaml: ${describe(error)}`);
    return decodeLastOfEach(text, describeDuplicate(error, text));
  }
}

/** Of a key given twice the last one counts. */
function decodeLastOfEach(text: string, duplicate: string): DecodedJson {
  try {
    return { value: toJson(load(text, { schema, maxDepth: jsonDepthMax + 2, json: true })), duplicates: [duplicate] };
  } catch (error) {
    if (error instanceof DecodeError) throw error;
    throw new DecodeError(`error converting YAML to JSON: yaml: ${describe(error)}`);
  }
}

/** How the library writes one text or key; lists and maps are laid out by `YamlWriter`. */
function dumpOne(value: unknown): string {
  return dump(value, { schema: dumpSchema, lineWidth: -1, quoteStyle: 'double' });
}

export function encodeYaml(value: unknown): string {
  return new YamlWriter(dumpOne).write(value);
}

const rememberedMax = 4096;
const rememberedCharsMax = 256;

/** Encodes many values that are alike, such as the items of a list: how a text is quoted is found out once. */
export function createYamlEncoder(): (value: unknown) => string {
  const remembered = new Map<string, string>();
  const dumpRemembering = (value: unknown): string => {
    // A text, or the key of a map of one key, which the writer asks for with a value of 0.
    const id = typeof value === 'string' ? `s${value}` : typeof value === 'object' && value !== null ? `k${Object.keys(value)[0]}` : undefined;
    if (id === undefined || id.length > rememberedCharsMax) return dumpOne(value);
    const known = remembered.get(id);
    if (known !== undefined) return known;
    const dumped = dumpOne(value);
    if (remembered.size < rememberedMax) remembered.set(id, dumped);
    return dumped;
  };
  const writer = new YamlWriter(dumpRemembering);
  return (value) => writer.write(value);
}

/** JSON has text keys and no NaN. */
function toJson(value: unknown): JsonValue {
  return new Expansion().expand(value);
}

/** Text that aliases may unfold to: as much as a body may hold. */
const expandedCharsMax = 3 * 1024 * 1024;
/** Where go-yaml begins to ask how many of the values come from aliases, and where it asks for less and less of them. */
const aliasesMin = 100;
const valuesMin = 1_000;
const shareFallsFrom = 400_000;
const shareFallsTo = 4_000_000;

/** Copies what was read, aliases unfolded, and stops as go-yaml does when most of a document is aliases of aliases. */
class Expansion {
  readonly #met = new Set<object>();
  readonly #open = new Set<object>();
  #values = 0;
  #fromAliases = 0;
  #chars = 0;
  #aliasDepth = 0;

  expand(value: unknown): JsonValue {
    this.#values++;
    if (this.#aliasDepth > 0) this.#fromAliases++;
    if (this.#fromAliases > aliasesMin && this.#values > valuesMin && this.#fromAliases / this.#values > allowedShare(this.#values))
      throw excessive();
    if (value === undefined) return null;
    if (typeof value === 'string') return this.#text(value);
    if (typeof value === 'number' && !Number.isFinite(value))
      throw new DecodeError(`json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`);
    if (typeof value !== 'object' || value === null) return value as JsonValue;
    if (this.#open.has(value)) throw new DecodeError('yaml: an anchor value contains itself');
    const isAlias = this.#met.has(value);
    this.#met.add(value);
    this.#open.add(value);
    if (isAlias) this.#aliasDepth++;
    const copy = Array.isArray(value) ? value.map((element) => this.expand(element)) : this.#map(value);
    if (isAlias) this.#aliasDepth--;
    this.#open.delete(value);
    return copy;
  }

  #map(map: object): JsonValue {
    const copy: { [key: string]: JsonValue } = {};
    for (const [key, inner] of Object.entries(map)) setOwn(copy, this.#text(key), this.expand(inner));
    return copy;
  }

  /** What is kept is no longer part of the document, which may be much longer. */
  #text(text: string): string {
    this.#chars += text.length;
    if (this.#chars > expandedCharsMax) throw excessive();
    return ownText(text);
  }
}

function allowedShare(values: number): number {
  if (values <= shareFallsFrom) return 0.99;
  if (values >= shareFallsTo) return 0.1;
  return 0.99 - 0.89 * ((values - shareFallsFrom) / (shareFallsTo - shareFallsFrom));
}

function excessive(): DecodeError {
  return new DecodeError('yaml: document contains excessive aliasing');
}

/** The first key given twice, as upstream's strict reader words it. */
function describeDuplicate(error: YAMLException, text: string): string {
  const line = error.mark?.line ?? 0;
  const key = /^[\s-]*["']?(.*?)["']?\s*:(?:\s|$)/.exec(text.split('\n')[line] ?? '')?.[1] ?? '';
  return `yaml: unmarshal errors:\n  line ${line + 1}: key ${JSON.stringify(key)} already set in map`;
}

function describe(error: unknown): string {
  if (!(error instanceof YAMLException)) return error instanceof Error ? error.message : String(error);
  const line = error.mark === undefined ? '' : `line ${error.mark.line + 1}: `;
  return `${line}${error.reason}`;
}
