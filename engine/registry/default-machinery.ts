/** The machinery of a real cluster: schemas, canonical form, patches and managed fields of `apimachinery`. */
import { newInvalid, newStatusError } from '../apimachinery/errors.ts';
import { invalid, root } from '../apimachinery/field-errors.ts';
import { createFieldManager } from '../apimachinery/managed-fields/field-manager.ts';
import { keepLowestBits } from '../apimachinery/managed-fields/whole-numbers.ts';
import { type KubeObject, parseGroupVersion } from '../apimachinery/object.ts';
import { deepEqual } from '../base/equal.ts';
import { isObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { applyJsonPatch } from '../apimachinery/patch/json-patch.ts';
import { mergePatch } from '../apimachinery/patch/merge-patch.ts';
import { noTypeMeta, typeMetaOfGo } from '../apimachinery/serializer/go-names.ts';
import { shownPatched } from '../apimachinery/patch/shown.ts';
import { RawSorter } from '../apimachinery/patch/sorted-raw.ts';
import { strategicMergePatch } from '../apimachinery/patch/strategic-merge.ts';
import { goPrint, goTypeOf, wholeText } from '../apimachinery/go-value.ts';
import { goJson } from '../apimachinery/quote.ts';
import type { MessageSchema, SchemaRegistry } from '../apimachinery/schema.ts';
import { withSortedKeys } from '../apimachinery/serializer/key-order.ts';
import { Compiler } from '../apimachinery/serializer/compile.ts';
import { encodeJson } from '../apimachinery/serializer/json.ts';
import { hasWrittenNumbers, readWritten, withWrittenNumbers } from '../apimachinery/serializer/written-numbers.ts';
import { canonicalizerOf, type Decoded, DecodeError } from '../apimachinery/serializer/canonicalize.ts';
import type { Mismatch } from '../apimachinery/serializer/scalars.ts';
import type { Tells } from '../apimachinery/serializer/walk.ts';
import { withMeta } from './meta.ts';
import type { ApplyOptions, FieldValidation, Machinery, PatchDocument } from './machinery.ts';

export function createMachinery(schemas: SchemaRegistry): Machinery {
  const canonicalizer = canonicalizerOf(schemas);
  const compiler = new Compiler(schemas);
  const manager = createFieldManager(schemas);
  const raws = new RawSorter(schemas);

  /** Of whole numbers that are too large what fits is kept. */
  const converted = (document: JsonValue, schema: MessageSchema): Decoded<KubeObject> => {
    try {
      return canonicalizer.decodeInto<KubeObject>(document, schema, 'all', 'firstOfType');
    } catch (error) {
      if (!(error instanceof DecodeError) || error.mismatch?.readsItself === true || !isWhole(error.mismatch?.value)) throw error;
      return canonicalizer.decodeInto<KubeObject>(keepLowestBits(document as JsonObject, schema, schemas), schema, 'all', 'firstOfType');
    }
  };

  /** Reads a patched document as its type; unknown fields warn or refuse. `isText`: upstream decodes a text, where else it converts values. */
  const read = (
    document: JsonValue,
    schema: PatchDocument['schema'],
    { fieldValidation: validation, strictErrors = [], warn }: Pick<PatchDocument, 'fieldValidation' | 'strictErrors' | 'warn'>,
    refuse: (error: DecodeError) => Error,
    isText: boolean,
  ): KubeObject => {
    try {
      const { object, unknownFields: found } = isText
        ? canonicalizer.decodeInto<KubeObject>(document, schema, 'all', 'firstOfType')
        : converted(document, schema);
      // Where values are converted, and no text is read, upstream sorts what it does not know.
      const unknownFields = [...strictErrors, ...(isText ? found : [...found].sort())];
      if (unknownFields.length > 0 && validation === 'Strict') throw new DecodeError(`strict decoding error: ${unknownFields.join(', ')}`);
      if (validation === 'Warn') for (const text of unknownFields) warn(text);
      return object;
    } catch (error) {
      throw error instanceof DecodeError ? refuse(error) : error;
    }
  };

  /** Why a document does not fit another type. */
  const misfit = (document: JsonValue, schema: MessageSchema, tells: Tells = 'firstSorted'): string | undefined => {
    try {
      canonicalizer.decodeInto<KubeObject>(document, schema, 'all', tells);
      return undefined;
    } catch (error) {
      if (error instanceof DecodeError) return error.message;
      throw error;
    }
  };

  /** What a patch made of numbers that it wrote in its own way, which decide whether they are read at all. */
  const written = (changed: JsonObject, schema: PatchDocument['schema'], shown: () => JsonValue): JsonValue => {
    try {
      return readWritten(changed, schema.custom === undefined ? compiler.get(schema) : undefined, encodeJson);
    } catch (error) {
      if (error instanceof DecodeError) throw unreadable(shown(), error.message);
      throw error;
    }
  };

  /** Most numbers fit, and nobody looks at them twice. */
  const typed = (object: KubeObject, schema: MessageSchema): KubeObject => {
    try {
      return canonicalizer.canonicalize<KubeObject>(object, schema, undefined, 'all');
    } catch (error) {
      if (!(error instanceof DecodeError) || !isWhole(error.mismatch?.value)) throw error;
      const kept = keepLowestBits(object as unknown as JsonObject, schema, schemas) as unknown as KubeObject;
      return canonicalizer.canonicalize<KubeObject>(kept, schema, undefined, 'all');
    }
  };

  return {
    canonicalize: (object, schema, known, keeps) => canonicalizer.canonicalize<KubeObject>(object, schema, known, keeps),
    arrange: (object, schema, known) =>
      schema.custom === undefined
        ? canonicalizer.canonicalize<KubeObject>(object, schema, known)
        : canonicalizer.arrangeCustom<KubeObject>(object, schema.custom),
    read: (document, schema, isStrict = false) => {
      const { object, unknownFields } = canonicalizer.decodeInto<KubeObject>(document, schema);
      if (isStrict && schema.custom === undefined && unknownFields.length > 0)
        throw new DecodeError(`strict decoding error: ${unknownFields.join(', ')}`);
      return object;
    },
    wasRead: (object, schema) => canonicalizer.wasRead(object, schema),
    ownersFault: (entries) => manager.ownersFault(entries),
    recordUpdate: (live, next, ownership) => {
      const { manager: name, subresource, apiVersion, schema, resetFields, nowText, versions } = ownership;
      const write = { manager: name, subresource, apiVersion, schema, resetFields, now: nowText, versions };
      const managedFields = manager.updateManagedFields({ ...write, live, next });
      if (managedFields === next.metadata.managedFields) return next;
      if (managedFields.length > 0) return withMeta(next, { ...next.metadata, managedFields });
      // An empty list would say, to whoever reads the object again, that they are to be forgotten.
      const { managedFields: _none, ...metadata } = next.metadata;
      return withMeta(next, metadata);
    },
    typeOf: (schema) => manager.rootType(schema),
    applyDocument: (live, document, options) => {
      const { manager: name, subresource, apiVersion, schema, resetFields, nowText, kind, force, versions } = options;
      const patch = document as JsonObject;
      const write = { manager: name, subresource, apiVersion, schema, resetFields, now: nowText, versions };
      const applied = manager.applyPatch({ ...write, live, patch, force, kind });
      const sorted = raws.sort(applied.object, schema);
      // What an apply leaves as it is is not written anew.
      const isLeft = sorted !== applied.object && live !== undefined && isSameBut(live, applied.object);
      const object = isLeft ? applied.object : sorted;
      const next = withMeta(object, { ...object.metadata, managedFields: applied.managedFields });
      try {
        if (schema.custom !== undefined) return canonicalizer.arrangeCustom<KubeObject>({ ...next, kind, apiVersion }, schema.custom);
        const whole = typed({ ...next, kind, apiVersion }, schema);
        const stored = canonicalizer.canonicalize<KubeObject>(whole, schema);
        if (stored !== whole) options.sent?.(whole);
        return stored;
      } catch (error) {
        // What fits the schema need not fit the Go type: `1.5` is a number and no int32.
        if (error instanceof DecodeError) throw notTyped(patch, options, error);
        throw error;
      }
    },
    patch: (live, patch) => {
      const { type, document, schema, fieldValidation, names, warn } = patch;
      const original = live as unknown as JsonObject;
      if (type !== 'strategic') {
        const change = (from: JsonObject): JsonValue => (type === 'json' ? applyJsonPatch(from, document) : mergePatch(from, document));
        const changed = change(original);
        // Users' own kinds are maps throughout.
        const text = (): JsonValue => (schema.custom === undefined ? changed : change(withSortedKeys(original) as JsonObject));
        const shown = (): JsonValue => shownPatched(text(), document);
        const patched = isObject(changed) && hasWrittenNumbers(document) ? written(changed, schema, shown) : changed;
        if (!isObject(patched)) throw unreadable(withSortedKeys(patched), `${noTypeMeta(patched)} ${typeMetaOfGo}`);
        const fault = names === undefined ? undefined : names(patched, (other) => misfit(patched, other));
        if (fault === 'internal') return readInternally(patched, fieldValidation, warn, shown);
        if (fault !== undefined && 'why' in fault) throw unreadable(shown(), fault.why);
        const named = fault?.schema ?? schema;
        // Of several faults the first is told, in the order of what is shown.
        const refuse = ({ message }: DecodeError): Error => unreadable(shown(), misfit(shownPatched(patched, document), named, 'first') ?? message);
        return read(patched, named, patch, refuse, true);
      }
      const patched = raws.sort(strategicMergePatch(original, document, schema, schemas), schema);
      // A strategic merge converts values, it does not decode text: other words, and the patch is what is shown.
      const refuse = ({ message, mismatch }: DecodeError): Error =>
        notConvertible(
          document,
          mismatch === undefined ? decodedText(message) : mismatch.readsItself === true ? withoutPlace(message) : conversionText(mismatch),
        );
      return read(patched, schema, patch, refuse, false);
    },
  };
}

/** Whatever they are called, and whoever owns their fields. */
function isSameBut(a: KubeObject, b: KubeObject): boolean {
  const bare = ({ metadata, ...rest }: KubeObject): unknown => ({ ...rest, kind: '', apiVersion: '', metadata: { ...metadata, managedFields: [] } });
  return deepEqual(bare(a), bare(b));
}

/** As upstream's internal types, whose fields have no names in JSON. */
function readInternally(document: JsonObject, validation: FieldValidation, warn: (text: string) => void, shown: () => JsonValue): KubeObject {
  const unknown = Object.keys(document)
    .filter((name) => name !== 'kind' && name !== 'apiVersion')
    .sort()
    .map((name) => `unknown field ${JSON.stringify(name)}`);
  if (unknown.length > 0 && validation === 'Strict') throw unreadable(shown(), `strict decoding error: ${unknown.join(', ')}`);
  if (validation === 'Warn') for (const text of unknown) warn(text);
  return { metadata: {} } as KubeObject;
}

function isWhole(value: JsonValue | undefined): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

function notConvertible(patch: JsonValue, why: string): Error {
  return newInvalid({ group: '', kind: '' }, '', [invalid(root('patch'), goPrint(patch), why)]);
}

/** In the words of runtime.DefaultUnstructuredConverter. */
function conversionText({ value, goType, kind }: Mismatch): string {
  const given = Array.isArray(value) ? 'slice' : typeof value === 'object' ? 'map' : goTypeOf(value);
  if (typeof value === 'number' && !Number.isInteger(value) && /^u?int|^float/.test(goType)) return `cannot convert float64 to ${goType}`;
  if (kind === 'slice' || goType.startsWith('[]')) return `cannot restore slice from ${given}`;
  if (kind === 'map') return `cannot restore map from ${given}`;
  if (kind !== 'string' && goType.includes('.')) return `cannot restore struct from: ${given}`;
  const isText = kind === 'string' || goType === 'string';
  return isText && given === 'int64' ? `cannot convert int64 to ${goType}` : `unrecognized type: ${kind ?? goType}`;
}

/** In the words of server-side apply, which converts what it has merged. */
function notTyped(patch: JsonObject, { kind, apiVersion }: ApplyOptions, { message, mismatch }: DecodeError): Error {
  const { namespace = '', name = '' } = (patch['metadata'] ?? {}) as { namespace?: string; name?: string };
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: apiVersion };
  const gvk = `${group}/${version}, Kind=${kind}`;
  const converting = `unable to convert unstructured object to ${gvk}: ${applyText(message, mismatch)}`;
  return newStatusError(500, '', `failed to convert new object (${namespace}/${name}; ${gvk}) to proper version: ${converting}`);
}

function applyText(message: string, mismatch: DecodeError['mismatch']): string {
  if (mismatch === undefined) return decodedText(message);
  const { value, goType, kind, readsItself } = mismatch;
  // Types that read themselves are given the number as JSON, and show it as a decoder does.
  if (readsItself === true) return withoutPlace(message);
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  // A whole number that is refused is one for a number or text: of others Go keeps what fits.
  if (isNumber && isWhole(value)) return `json: cannot unmarshal number ${wholeText(value)} into Go value of type ${goType}`;
  if (isNumber && kind !== 'string' && goType !== 'string') return `cannot convert float64 to ${goType}`;
  return withoutPlace(message);
}

function withoutPlace(message: string): string {
  return message.replace(/ Go struct field \S+ of type /, ' Go value of type ');
}

function decodedText(message: string): string {
  return message.startsWith('illegal base64') ? `error decoding from json: ${message}` : message;
}

/** What a patch has made, which cannot be read. */
function unreadable(document: JsonValue, why: string): Error {
  return newInvalid({ group: '', kind: '' }, '', [invalid(root('patch'), withWrittenNumbers(goJson(document)), why)]);
}
