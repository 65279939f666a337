/** What we answer to a case, in the form of the recorded answers: faults sorted, since upstream's order is that of Go's maps. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { createSchemaRegistry } from '../../../engine/api/schemas.ts';
import { errorText, type FieldErrorList, root } from '../../../engine/apimachinery/field-errors.ts';
import { decodeJson, encodeJson } from '../../../engine/apimachinery/serializer/json.ts';
import { applyDefaults, pruneNulls } from '../../../engine/apiextensions/schema/defaulting.ts';
import { printerColumnsOf } from '../../../engine/apiextensions/schema/json-path.ts';
import { validateListTypes } from '../../../engine/apiextensions/schema/list-types.ts';
import { coerceMeta, MetaReader, validateEmbedded } from '../../../engine/apiextensions/schema/object-meta.ts';
import { pruneNaming } from '../../../engine/apiextensions/schema/prune.ts';
import { structuralOf } from '../../../engine/apiextensions/schema/structural.ts';
import { validateValue } from '../../../engine/apiextensions/schema/validate.ts';
import type { JsonObject } from '../../../engine/base/json.ts';
import type { Case } from './cases.ts';

const reader = new MetaReader(createSchemaRegistry());
const withinRoot = { isResourceRoot: false, dropsMalformed: false };

export function readFacts(): readonly JsonObject[] {
  const text = gunzipSync(readFileSync(new URL('facts.jsonl.gz', import.meta.url))).toString();
  return text
    .trim()
    .split('\n')
    .map((line) => decodeJson(line).value as JsonObject);
}

const sorted = (faults: FieldErrorList): readonly string[] => faults.map(errorText).sort();

/** Through JSON text, as the answers came: numbers have the form that our decoder gives them. */
export function answer(one: Case): JsonObject {
  return decodeJson(encodeJson(judge(decodeJson(encodeJson(one)).value as unknown as Case))).value as JsonObject;
}

function judge({ schema, value, old, columns }: Case): object {
  const s = structuralOf(schema);
  const pruned = pruneNaming(value, s, { isResourceRoot: true });
  const coerced = coerceMeta(value, s, undefined, reader, withinRoot);
  return {
    unknown: pruned.unknownFields.length === 0 ? null : pruned.unknownFields,
    pruned: pruned.value,
    defaulted: applyDefaults(pruneNulls(pruned.value, s), s),
    ...(coerced.fault
      ? { coerceFault: errorText(coerced.fault) }
      : { coerced: coerced.value, coerceUnknown: coerced.unknownFields.length === 0 ? null : coerced.unknownFields }),
    dropped: coerceMeta(value, s, undefined, reader, { ...withinRoot, dropsMalformed: true }).value,
    embedded: sorted(validateEmbedded(value, s, undefined, reader, withinRoot)),
    lists: sorted(validateListTypes(value, s, undefined)),
    faults: sorted(validateValue(value, s, undefined)),
    defaultFaults: sorted(validateValue(value, s, root('default'), { asDefault: true })),
    ...(old !== undefined && { updateFaults: sorted(validateValue(value, s, undefined, { old, ratcheting: true })) }),
    ...(columns && cellsOf(columns, value)),
  };
}

function cellsOf(definitions: NonNullable<Case['columns']>, value: Case['value']): object {
  const columns = printerColumnsOf(definitions);
  const bad = definitions[columns.length];
  return {
    ...(bad && { columnsFault: `unrecognized column definition ${JSON.stringify(bad.jsonPath)}` }),
    cells: ['x', ...columns.map((column) => column.cell(value, Date.UTC(2026, 0, 1)))],
  };
}
