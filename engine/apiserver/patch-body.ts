/**
 * Bodies of patches. What is wrong with one is told once there is an object to be patched, in the words of the patcher that reads it.
 * Mirrors apiserver pkg/endpoints/handlers/patch.go (applyJSPatch, strategicPatchObject).
 */
import { newBadRequest } from '../apimachinery/errors.ts';
import { goKind, named } from '../apimachinery/serializer/go-names.ts';
import { strictErrorsMax } from '../apimachinery/serializer/walk.ts';
import { numbersAsWritten } from '../apimachinery/serializer/written-numbers.ts';
import { unconverted } from '../apimachinery/serializer/yaml.ts';
import { noMap } from '../apimachinery/serializer/cbor/typed.ts';
import type { Status } from '../apimachinery/status.ts';
import { isList, isObject, type JsonValue } from '../base/json.ts';
import type { PatchType } from '../contracts/request.ts';
import type { Codec, Decoded } from './codec.ts';
import { checkSize, type FieldValidation } from './http-body.ts';
import type { PatchForm } from './negotiation.ts';

export interface DecodedPatch {
  readonly document: JsonValue;
  /** Duplicate fields of the document itself. */
  readonly strictErrors: readonly string[];
  /** Why it is no patch; the document is nothing then. */
  readonly fault?: Status;
}

/** Throws for a patch that applies, which is read before anything else. */
export function decodePatch(codec: Codec, body: Uint8Array, { type, mediaType }: PatchForm, validation: FieldValidation): DecodedPatch {
  checkSize(body);
  const isStrict = validation !== 'Ignore';
  let decoded: Decoded;
  try {
    decoded = codec.decode(mediaType, body, undefined);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    if (type === 'apply') throw newBadRequest(`error decoding YAML: ${mediaType === 'application/yaml' ? unconverted : ''}${text}`);
    return faulty(type === 'merge' && !isStrict ? badPatch : startOf(type, isStrict) + text);
  }
  const { value, strictErrors } = decoded;
  if (type === 'apply' || mediaType === 'application/cbor') return { document: mapped(value, mediaType), strictErrors: isStrict ? strictErrors : [] };
  const fault = misfit(type, value, isStrict);
  if (fault !== undefined) return faulty(fault);
  const written = type === 'strategic' ? undefined : numbersAsWritten(codec.show(mediaType, body));
  return { document: written ?? value ?? (type === 'json' ? [] : {}), strictErrors: isStrict ? toldOf(type, value, strictErrors) : [] };
}

const textsOfOperations = ['op', 'path', 'from'] as const;
const operationFields: ReadonlySet<string> = new Set([...textsOfOperations, 'value']);

/** Operations have fields of their own. */
function toldOf(type: PatchType, value: JsonValue, strictErrors: readonly string[]): readonly string[] {
  if (type !== 'json' || !isList(value)) return strictErrors;
  const unknown = value.flatMap((operation, index) =>
    Object.keys(isObject(operation) ? operation : {})
      .filter((field) => !operationFields.has(field))
      .map((field) => `[${index}].${field}`),
  );
  // What is not known is not looked at twice.
  const twice = strictErrors.filter((text) => operationFields.has(/^duplicate field "\[\d+\]\.([^".]+)"$/.exec(text)?.[1] ?? 'value'));
  return [...twice, ...named(unknown)].slice(0, strictErrorsMax).map((text) => `json patch ${text}`);
}

const badPatch = 'Invalid JSON Patch';

function faulty(message: string): DecodedPatch {
  return { document: null, strictErrors: [], fault: newBadRequest(message).status };
}

/** Who looks at each field says that he was decoding. */
function startOf(type: PatchType, isStrict: boolean): string {
  return isStrict && type !== 'strategic' ? 'error decoding patch: ' : '';
}

/** Go reads nothing, where there is nothing, into any type. */
function misfit(type: Exclude<PatchType, 'apply'>, value: JsonValue, isStrict: boolean): string | undefined {
  const cannot = (given: JsonValue, goType: string): string =>
    `${startOf(type, isStrict)}json: cannot unmarshal ${goKind(given)} into Go value of type ${goType}`;
  if (type === 'json') {
    if (value !== null && !isList(value)) return cannot(value, isStrict ? '[]handlers.jsonPatchOp' : 'jsonpatch.Patch');
    for (const operation of value ?? []) {
      if (operation === null) continue;
      if (!isObject(operation)) return cannot(operation, isStrict ? 'handlers.jsonPatchOp' : 'jsonpatch.Operation');
      const odd = isStrict ? textsOfOperations.find((name) => !['undefined', 'string'].includes(typeof (operation[name] ?? undefined))) : undefined;
      if (odd !== undefined)
        return `${startOf(type, isStrict)}json: cannot unmarshal ${goKind(operation[odd])} into Go struct field jsonPatchOp.${odd} of type string`;
    }
    return undefined;
  }
  if (type === 'merge' && (value === null || (!isStrict && !isList(value) && !isObject(value)))) return badPatch;
  // A list takes the place of all there is, and is found out as what it makes.
  const isReadLater = value === null || isObject(value) || (type === 'merge' && !isStrict);
  return isReadLater ? undefined : cannot(value, 'map[string]interface {}');
}

/** Go reads nothing into a map that has nothing in it. Throws for what is no map, in the words of its form. */
function mapped(value: JsonValue, mediaType: PatchForm['mediaType']): JsonValue {
  if (value === null) return {};
  if (isObject(value)) return value;
  const json = 'error unmarshaling JSON: while decoding JSON: json: cannot unmarshal';
  const why = mediaType === 'application/cbor' ? noMap(value) : `${json} ${goKind(value)} into Go value of type map[string]interface {}`;
  throw newBadRequest(`error decoding YAML: ${why}`);
}
