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
import { type DecodedJson, decodeJson } from './json.ts';
import { DecodeError } from './scalars.ts';

const firstOfNumber = ['-', '+', '.', ...'0123456789'];
const numberForm = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
/** Base by prefix as Go reads literals: 0x, 0b, 0o, and 0 alone for octal. */
const integerForm = /^([-+]?)(?:(0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+)|0([0-7]+)|(0|[1-9]\d*))$/;

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
    return { value: toJson(load(text, { schema })), duplicates: [] };
  } catch (error) {
    if (error instanceof DecodeError) throw error;
    if (!(error instanceof YAMLException && error.reason === 'duplicated mapping key'))
      throw new DecodeError(`error converting YAML to JSON: yaml: ${describe(error)}`);
    return { value: toJson(load(text, { schema, json: true })), duplicates: [describeDuplicate(error, text)] };
  }
}

export function encodeYaml(value: unknown): string {
  return dump(value, { schema: dumpSchema, sortKeys: true, seqNoIndent: true, lineWidth: -1, noRefs: true, skipInvalid: true, quoteStyle: 'double' });
}

/** JSON has text keys and no NaN. */
function toJson(value: unknown): JsonValue {
  if (value === undefined) return null;
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new DecodeError(`json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`);
  if (typeof value !== 'object' || value === null) return value as JsonValue;
  if (Array.isArray(value)) return value.map(toJson);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toJson(inner)]));
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
