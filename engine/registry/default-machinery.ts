/** The machinery of a real cluster: schemas, canonical form, patches and managed fields of `apimachinery`. */
import { newInvalid } from '../apimachinery/errors.ts';
import { invalid, root } from '../apimachinery/field-errors.ts';
import { createFieldManager } from '../apimachinery/managed-fields/field-manager.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { applyJsonPatch } from '../apimachinery/patch/json-patch.ts';
import { mergePatch } from '../apimachinery/patch/merge-patch.ts';
import { strategicMergePatch } from '../apimachinery/patch/strategic-merge.ts';
import { goJson } from '../apimachinery/quote.ts';
import type { SchemaRegistry } from '../apimachinery/schema.ts';
import { canonicalizerOf, DecodeError } from '../apimachinery/serializer/canonicalize.ts';
import { withMeta } from './meta.ts';
import type { FieldValidation, Machinery, PatchDocument } from './machinery.ts';

export function createMachinery(schemas: SchemaRegistry): Machinery {
  const canonicalizer = canonicalizerOf(schemas);
  const manager = createFieldManager(schemas);

  /** Reads a patched document as its type; unknown fields warn or refuse. */
  const read = (
    document: JsonValue,
    schema: PatchDocument['schema'],
    validation: FieldValidation,
    warn: (text: string) => void,
    refuse = (error: DecodeError): Error => unreadable(document, error.message),
  ): KubeObject => {
    try {
      const { object, unknownFields } = canonicalizer.decodeInto<KubeObject>(document, schema);
      if (unknownFields.length > 0 && validation === 'Strict') throw unreadable(document, `strict decoding error: ${unknownFields.join(', ')}`);
      if (validation === 'Warn') for (const text of unknownFields) warn(text);
      return object;
    } catch (error) {
      if (error instanceof DecodeError) throw refuse(error);
      throw error;
    }
  };

  return {
    canonicalize: (object, schema, known) => canonicalizer.canonicalize<KubeObject>(object, schema, known),
    wasRead: (object, schema) => canonicalizer.wasRead(object, schema),
    recordUpdate: (live, next, ownership) => {
      const { manager: name, subresource, apiVersion, schema, resetFields, nowText } = ownership;
      const managedFields = manager.updateManagedFields({ live, next, manager: name, subresource, apiVersion, schema, resetFields, now: nowText });
      if (managedFields === next.metadata.managedFields) return next;
      return withMeta(next, { ...next.metadata, managedFields });
    },
    applyDocument: (live, document, options) => {
      const { manager: name, subresource, apiVersion, schema, resetFields, nowText, kind, force, fieldValidation } = options;
      const patch = document as JsonObject;
      if (fieldValidation === 'Warn') for (const text of canonicalizer.decodeInto(patch, schema).unknownFields) options.warn(text);
      const applied = manager.applyPatch({ live, patch, force, kind, manager: name, subresource, apiVersion, schema, resetFields, now: nowText });
      return withMeta(applied.object, { ...applied.object.metadata, managedFields: applied.managedFields });
    },
    patch: (live, { type, document, schema, fieldValidation, warn }) => {
      const original = live as unknown as JsonObject;
      const patched =
        type === 'json'
          ? applyJsonPatch(original, document)
          : type === 'merge'
            ? mergePatch(original, document)
            : strategicMergePatch(original, document, schema, schemas);
      if (type !== 'strategic') return read(patched, schema, fieldValidation, warn);
      // A strategic merge converts values, it does not decode text: other words, and the patch is what is shown.
      return read(patched, schema, fieldValidation, warn, ({ message, mismatch }) =>
        notConvertible(document, mismatch === undefined ? message : conversionText(mismatch)),
      );
    },
  };
}

function notConvertible(patch: JsonValue, why: string): Error {
  return newInvalid({ group: '', kind: '' }, '', [invalid(root('patch'), goPrint(patch), why)]);
}

/** In the words of runtime.DefaultUnstructuredConverter. */
function conversionText({ value, goType }: { readonly value: JsonValue; readonly goType: string }): string {
  const kind = Array.isArray(value)
    ? 'slice'
    : typeof value === 'object'
      ? 'map'
      : typeof value === 'string'
        ? 'string'
        : typeof value === 'boolean'
          ? 'bool'
          : Number.isInteger(Number(value))
            ? 'int64'
            : 'float64';
  if (goType.startsWith('[]')) return `cannot restore slice from ${kind}`;
  if (goType.startsWith('map[')) return `cannot restore map from ${kind}`;
  if (goType.includes('.')) return `cannot restore struct from: ${kind}`;
  return goType === 'string' && kind === 'int64' ? 'cannot convert int64 to string' : `unrecognized type: ${goType}`;
}

/** As Go's %v prints what a document was read into. */
function goPrint(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goPrint).join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, inner]) => `${key}:${goPrint(inner)}`).join(' ')}]`;
}

function unreadable(document: JsonValue, why: string): Error {
  return newInvalid({ group: '', kind: '' }, '', [invalid(root('patch'), goJson(document), why)]);
}
