/**
 * YAML as sigs.k8s.io/yaml reads and writes it: the same values as JSON, plain scalars as in YAML 1.1 (yes, no, on, off are
 * booleans), timestamps stay text, keys in byte order.
 */
import {
  boolYaml11Tag,
  defineMappingTag,
  defineScalarTag,
  defineSequenceTag,
  load,
  mapTag,
  mergeTag,
  NOT_RESOLVED,
  nullYaml11Tag,
  Schema,
  seqTag,
  strTag,
  YAMLException,
} from 'js-yaml';
import type { JsonValue } from '../../base/json.ts';
import { decodeBase64Text } from '../../base/base64.ts';
import { setOwn } from '../../base/dictionary.ts';
import { ownText } from '../../base/text.ts';
import { isBase64 } from './base64-fault.ts';
import { decodeJson, jsonDepthMax } from './json.ts';
import { withSortedKeys } from './key-order.ts';
import type { DecodedJson } from './json-reader.ts';
import { DecodeError } from './scalars.ts';
import { duplicateKeys, mergesMaps } from './yaml-duplicates.ts';
import { directiveFault, faultBehind, selfContained, yamlFault, yamlSyntax } from './yaml-faults.ts';
import { Layout, withLastBreakLeft } from './yaml-layout.ts';
import { YamlWriter } from './yaml-writer.ts';

const firstOfNumber = ['-', '+', '.', ...'0123456789'];
const numberForm = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
/** Base by prefix as Go reads literals: 0x, 0b, 0o, and 0 alone for octal. */
const integerForm = /^([-+]?)(?:(0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+)|0([0-7]+)|(0|[1-9]\d*))$/;

/** As `load` counts it. */
const depthMax = jsonDepthMax + 2;

/** Longer than any 64-bit integer in any base, underscores included; what is longer is floating point or text. */
const integerCharsMax = 256;

/** Integers stay exact; `1:30` is text, for Go knows no sexagesimal numbers. */
const intTag = defineScalarTag<number | bigint>('tag:yaml.org,2002:int', {
  implicit: true,
  implicitFirstChars: firstOfNumber,
  resolve: readInteger,
  identify: () => false,
});
const floatTag = defineScalarTag<number>('tag:yaml.org,2002:float', {
  implicit: true,
  implicitFirstChars: firstOfNumber,
  resolve: readFloat,
  identify: () => false,
});
/** As go-yaml keeps maps whose keys become names in JSON. */
const namedTag = defineMappingTag('tag:yaml.org,2002:map', {
  ...mapTag,
  addPair: (map: Record<string, unknown>, key, value) => {
    if (typeof key === 'object' && key !== null) return `invalid map key: ${yamlSyntax(key)}`;
    if (key === null) return `unsupported map key of type: %!s(<nil>), key: <nil>, value: ${yamlSyntax(value)}`;
    return mapTag.addPair(map, key, value);
  },
});
/** Bytes stand for the text that they are. */
const bytesTag = defineScalarTag<string>('tag:yaml.org,2002:binary', {
  resolve: (source) => {
    const packed = source.replace(/[\r\n]/g, '');
    return isBase64(packed) ? decodeBase64Text(packed) : NOT_RESOLVED;
  },
  identify: () => false,
});
/** Tags that nobody knows are passed over: a text is text then. */
const anyTags = [
  defineScalarTag<string>('', { matchByTagPrefix: true, resolve: (source) => source, identify: () => false }),
  defineMappingTag('', { ...namedTag, matchByTagPrefix: true, identify: () => false }),
  defineSequenceTag('', { ...seqTag, matchByTagPrefix: true, identify: () => false }),
];
const tags = [strTag, namedTag, seqTag, nullYaml11Tag, boolYaml11Tag, intTag, floatTag, mergeTag];
const oldIntTag = { ...intTag, resolve: (source: string) => (/^[-+]?0[oO]/.test(source.replaceAll('_', '')) ? NOT_RESOLVED : readInteger(source)) };
const oldTags = tags.map((tag) => (tag === intTag ? oldIntTag : tag));
/** Go before 1.13 knew no `0o17`: it is a text. */
export type YamlDialect = 'present' | 'old';
const schemas: { readonly [dialect in YamlDialect]: Schema } = {
  present: new Schema([...tags, bytesTag, ...anyTags]),
  old: new Schema([...oldTags, bytesTag, ...anyTags]),
};
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

/** Reads one document, as YAMLToJSON. Duplicate keys are named and the last one counts; throws DecodeError for what is not YAML. */
export function decodeYaml(text: string, dialect: YamlDialect = 'present'): DecodedJson {
  return decodeAsJson(text) ?? laidOut(text, (readable) => decodeDocument(readable, schemas[dialect]));
}

/** Reads the first document of a text and looks at nothing behind it, as go-yaml unmarshals: into maps, whose keys have no order but their own. */
export function decodeFirstYaml(text: string, dialect: YamlDialect = 'present'): DecodedJson {
  const { value, duplicates } = firstAsWritten(text, dialect);
  return { value: withSortedKeys(value), duplicates };
}

function firstAsWritten(text: string, dialect: YamlDialect): DecodedJson {
  const fault = directiveFault(text);
  if (fault !== undefined) throw new DecodeError(`yaml: ${fault}`);
  const first = firstDocument(text);
  return decodeAsJson(first) ?? laidOut(first, (document) => decodeUpToItsEnd(document, schemas[dialect]));
}

function decodeUpToItsEnd(document: string, schema: Schema): DecodedJson {
  try {
    return decodeDocument(document, schema);
  } catch (error) {
    const end = error instanceof DecodeError ? endOfDocument(error) : undefined;
    if (end === undefined) throw error;
    const behind = faultBehind(document, end);
    if (behind !== undefined) throw new DecodeError(`yaml: ${behind}`);
    return decodeDocument(document.slice(0, end), schema);
  }
}

/** Reads the text in the layout that the reader wants. */
function laidOut(text: string, read: (text: string) => DecodedJson): DecodedJson {
  const layout = new Layout(text);
  const slash = layout.lineOfEscapedSlash;
  try {
    const value = read(layout.withColonsKept);
    if (slash === undefined) return value;
    throw new DecodeError(`yaml: line ${slash}: found unknown escape character`);
  } catch (error) {
    const isTooFarLeft = error instanceof DecodeError && error.cause instanceof YAMLException && error.cause.reason === 'deficient indentation';
    const readable = isTooFarLeft ? layout.withFlowIndents : undefined;
    if (readable === undefined) throw error;
    return read(readable);
  }
}

/** `decodeYaml` in the words of what reads the document's JSON after it. */
export function unmarshalYaml(text: string): DecodedJson {
  try {
    return decodeYaml(text);
  } catch (error) {
    if (error instanceof DecodeError) throw new DecodeError(`${unconverted}${error.message}`);
    throw error;
  }
}

/** Before the fault of a text that could not be made JSON. */
export const unconverted = 'error converting YAML to JSON: ';

/** Where a document is over and something else begins, which only who asks for the next document would see. */
function endOfDocument({ cause }: DecodeError): number | undefined {
  if (!(cause instanceof YAMLException) || !cause.reason.startsWith('end of the stream or a document separator')) return undefined;
  return cause.mark === undefined || cause.mark.position === 0 ? undefined : cause.mark.position;
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

function decodeDocument(written: string, schema: Schema): DecodedJson {
  const text = withLastBreakLeft(written, depthMax);
  try {
    const value = toJson(load(text, { schema, maxDepth: depthMax }), text);
    return { value, duplicates: mergesMaps(text) ? duplicatesOf(text) : [] };
  } catch (error) {
    if (!(error instanceof YAMLException && error.reason === 'duplicated mapping key')) return emptyOrThrow(error, text);
    return decodeLastOfEach(text, schema);
  }
}

/** A text without a document is null. */
function emptyOrThrow(error: unknown, text: string): DecodedJson {
  if (error instanceof DecodeError) throw error;
  if (error instanceof YAMLException && error.reason === 'expected a document, but the input is empty') return { value: null, duplicates: [] };
  throw new DecodeError(yamlFault(error, text), undefined, { cause: error });
}

/** As one fault, if there are any. */
function duplicatesOf(text: string): readonly string[] {
  const found = duplicateKeys(text, depthMax);
  return found.length === 0 ? [] : [['yaml: unmarshal errors:', ...found].join('\n  ')];
}

/** Of a key given twice the last one counts. */
function decodeLastOfEach(text: string, schema: Schema): DecodedJson {
  try {
    const value = toJson(load(text, { schema, maxDepth: depthMax, json: true }), text);
    return { value, duplicates: duplicatesOf(text) };
  } catch (error) {
    return emptyOrThrow(error, text);
  }
}

export function encodeYaml(value: unknown): string {
  return new YamlWriter().write(value);
}

/** Encodes many values that are alike, such as the items of a list: how their keys are laid out is found out once. */
export function createYamlEncoder(): (value: unknown) => string {
  const writer = new YamlWriter();
  return (value) => writer.write(value);
}

/** JSON has text keys and no NaN. */
function toJson(value: unknown, text: string): JsonValue {
  return new Expansion(text).expand(value);
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
  readonly #source: string;
  readonly #met = new Set<object>();
  readonly #open = new Set<object>();
  #values = 0;
  #fromAliases = 0;
  #chars = 0;
  #aliasDepth = 0;

  constructor(source: string) {
    this.#source = source;
  }

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
    if (this.#open.has(value)) throw new DecodeError(`yaml: ${selfContained(this.#source)}`);
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
