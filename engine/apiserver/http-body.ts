/**
 * Bodies of outside requests: size, media type, strictness. Mirrors apiserver pkg/endpoints/handlers/rest.go (transformDecodeError,
 * limitedReadBody) and pkg/runtime strict decoding.
 */
import { newBadRequest, newInvalid, newRequestEntityTooLarge } from '../apimachinery/errors.ts';
import { invalid, root } from '../apimachinery/field-errors.ts';
import { type KubeObject, parseGroupVersion } from '../apimachinery/object.ts';
import { isObject, type JsonValue } from '../base/json.ts';
import { goQuote } from '../apimachinery/quote.ts';
import type { DeleteOptions, PatchType } from '../contracts/request.ts';
import type { ObjectBody } from '../contracts/rest-storage.ts';
import type { MessageSchema } from '../apimachinery/schema.ts';
import { noMap } from '../apimachinery/serializer/cbor/typed.ts';
import { goKind, kindProbe } from '../apimachinery/serializer/go-names.ts';
import type { Codec, Decoded } from './codec.ts';
import { type KnownKinds, misnamed, type Named } from './body-kinds.ts';
import type { MediaType, PatchForm } from './negotiation.ts';

const bodyBytesMax = 3 * 1024 * 1024;
const summaryMax = 1024;
const customSummaryMax = 30;
const summaryLengths: { readonly [type in MediaType]?: number } = { 'application/cbor': 30 };

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export type Expected = Pick<ObjectBody, 'apiVersion' | 'kind' | 'group' | 'schema' | 'alsoTakes' | 'foreign'>;

export interface DecodedBody {
  readonly object: KubeObject;
  readonly warnings: readonly string[];
}

export function checkSize(body: Uint8Array): void {
  if (body.length > bodyBytesMax) throw newRequestEntityTooLarge(`limit is ${bodyBytesMax}`);
}

/** `kinds`: those that are known, where what a body calls itself is looked up. */
export function decodeObject(
  codec: Codec,
  body: Uint8Array,
  mediaType: MediaType,
  expected: Expected,
  validation: FieldValidation,
  kinds?: KnownKinds,
): DecodedBody {
  checkSize(body);
  const lookUp = (named: Named): void => {
    if (kinds !== undefined && expected.schema.custom === undefined) mustBeExpected(codec, mediaType, body, named, expected, kinds);
  };
  const decoded = decode(codec, mediaType, body, expected, lookUp);
  lookUp(decoded);
  const { strictErrors } = decoded;
  if (expected.schema.custom !== undefined) checkCustomKind(decoded, expected, body, () => codec.show(mediaType, body));
  if (strictErrors.length > 0 && validation === 'Strict')
    throw newBadRequest(cannotHandle(decoded, expected, `strict decoding error: ${strictErrors.join(', ')}`));
  return { object: typed(decoded, expected), warnings: validation === 'Warn' ? strictErrors : [] };
}

/** Throws for what calls itself something else. */
function mustBeExpected(codec: Codec, mediaType: MediaType, body: Uint8Array, named: Named, expected: Expected, kinds: KnownKinds): void {
  const fault = misnamed(named, expected, kinds);
  if (fault === undefined) return;
  const { why, isWhole, schema } = fault;
  const text = schema === undefined ? undefined : faultOf(() => codec.decode(mediaType, body, schema));
  throw newBadRequest(isWhole === true && text === undefined ? why : cannotHandle(named, expected, text ?? why));
}

function faultOf(step: () => unknown): string | undefined {
  try {
    step();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function decode(codec: Codec, mediaType: MediaType, body: Uint8Array, expected: Expected, lookUp: (named: Named) => void): Decoded {
  try {
    return codec.decode(mediaType, body, expected.schema, expected.foreign ? 'written' : 'all');
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const named = peek(codec, mediaType, body);
    const isNamed = typeof named === 'object' && (named.kind !== '' || namelessIsExpected.has(mediaType));
    if (isNamed && named.kind !== '') lookUp(named);
    if (isNamed) throw newBadRequest(cannotHandle(named, expected, text));
    const why = typeof named === 'string' ? named : text;
    throw newBadRequest(
      `the object provided is unrecognized (must be of type ${expected.kind}): ${why} (${summarize(body, summaryLengths[mediaType])})`,
    );
  }
}

/** What stands before the fault of a body that does not even say what it is; protobuf's faults speak for themselves. */
const unnamed: { readonly [type in MediaType]?: string } = {
  'application/json': "couldn't get version/kind; json parse error: ",
  'application/yaml': "couldn't get version/kind; json parse error: ",
  'application/cbor': 'unable to determine group/version/kind: ',
};
/** Where a body that says nothing of its kind is read as what is expected before anything is found wrong with it. */
const namelessIsExpected: ReadonlySet<MediaType> = new Set<MediaType>(['application/cbor']);

/** What a body that does not fit calls itself, or why that cannot be told; undefined where it is not looked for. */
function peek(codec: Codec, mediaType: MediaType, body: Uint8Array): Named | string | undefined {
  const start = unnamed[mediaType];
  if (start === undefined) return undefined;
  try {
    return codec.names(mediaType, body);
  } catch (error) {
    return `${start}${error instanceof Error ? error.message : String(error)}`;
  }
}

function cannotHandle(named: Pick<Decoded, 'apiVersion' | 'kind'>, expected: Expected, why: string): string {
  const kind = named.kind === '' ? expected.kind : named.kind;
  const apiVersion = named.apiVersion === '' ? expected.apiVersion : named.apiVersion;
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  return `${kind} in version ${goQuote(version)} cannot be handled as a ${expected.kind}: ${why}`;
}

function typed(decoded: Decoded, expected: Expected): KubeObject {
  const { value, apiVersion, kind } = decoded;
  if (apiVersion !== '' && apiVersion !== expected.apiVersion && expected.alsoTakes?.includes(apiVersion) !== true) {
    throw newBadRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${expected.apiVersion})`);
  }
  if (kind !== '' && kind !== expected.kind) {
    const why = `no kind ${goQuote(kind)} is registered for version ${goQuote(expected.apiVersion)} in scheme "pkg/api/legacyscheme/scheme.go:30"`;
    throw newBadRequest(cannotHandle(decoded, expected, why));
  }
  const object = value as unknown as KubeObject;
  return object.kind === expected.kind && object.apiVersion === expected.apiVersion
    ? object
    : { ...object, kind: expected.kind, apiVersion: expected.apiVersion };
}

/** Custom objects must say of what kind they are; another than is expected is a fault of the object and not of the body. */
function checkCustomKind({ value, kind }: Decoded, expected: Expected, body: Uint8Array, show: () => string): void {
  if (kind === '') {
    throw newBadRequest(
      `the object provided is unrecognized (must be of type ${expected.kind}): Object 'Kind' is missing in '${show()}' (${summarize(body, customSummaryMax)})`,
    );
  }
  if (kind === expected.kind) return;
  const { metadata } = value as unknown as KubeObject;
  const group = parseGroupVersion(expected.apiVersion)?.group ?? '';
  throw newInvalid({ group, kind }, metadata?.name ?? '', [invalid(root('kind'), kind, `must be ${expected.kind}`)]);
}

function summarize(body: Uint8Array, lengthMax = summaryMax): string {
  if (body.length === 0) return '<empty>';
  const cut = body.subarray(0, lengthMax);
  const text = body[0] === 0x7b ? new TextDecoder().decode(cut) : [...cut].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return body.length > lengthMax ? `${text} ...` : text;
}

export interface DecodedPatch {
  readonly document: JsonValue;
  /** Duplicate fields of the document itself. */
  readonly warnings: readonly string[];
}

export function decodePatch(codec: Codec, body: Uint8Array, { type, mediaType }: PatchForm, validation: FieldValidation): DecodedPatch {
  checkSize(body);
  let decoded: Decoded;
  try {
    decoded = codec.decode(mediaType, body, undefined);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw newBadRequest(type === 'apply' ? `error decoding YAML: ${text}` : type === 'strategic' ? text : `error decoding patch: ${text}`);
  }
  const { strictErrors } = decoded;
  const value = type === 'apply' || mediaType === 'application/cbor' ? mapped(decoded.value, mediaType) : decoded.value;
  if (type === 'json' ? !Array.isArray(value) : !isObject(value)) {
    throw newBadRequest(
      `error decoding patch: json: cannot unmarshal ${kindOrNull(value)} into Go value of type ${type === 'json' ? '[]handlers.jsonPatchOp' : 'map[string]interface {}'}`,
    );
  }
  return { document: value, warnings: strictWarnings(type, strictErrors, validation) };
}

function strictWarnings(type: PatchType, strictErrors: readonly string[], validation: FieldValidation): readonly string[] {
  if (strictErrors.length > 0 && validation === 'Strict')
    throw newBadRequest(`error strict decoding ${type === 'apply' ? 'YAML' : 'patch'}: ${strictErrors.join(', ')}`);
  return validation === 'Warn' ? strictErrors : [];
}

/** Go reads nothing into a map that has nothing in it. Throws for what is no map, in the words of its form. */
function mapped(value: JsonValue, mediaType: MediaType): JsonValue {
  if (value === null) return {};
  if (isObject(value)) return value;
  const json = 'error unmarshaling JSON: while decoding JSON: json: cannot unmarshal';
  const why = mediaType === 'application/cbor' ? noMap(value) : `${json} ${goKind(value)} into Go value of type map[string]interface {}`;
  throw newBadRequest(`error decoding YAML: ${why}`);
}

function kindOrNull(value: JsonValue): string {
  return value === null ? 'null' : goKind(value);
}

export function decodeDeleteOptions(codec: Codec, body: Uint8Array, mediaTypeOf: () => MediaType, schema: MessageSchema): DeleteOptions {
  checkSize(body);
  const mediaType = mediaTypeOf();
  let decoded: Decoded;
  try {
    decoded = codec.decode(mediaType, body, schema);
  } catch (error) {
    if (error instanceof Error && error.name === 'StatusError') throw error;
    const named = mediaType === 'application/cbor' ? peek(codec, mediaType, body) : undefined;
    const text = typeof named === 'string' ? named : error instanceof Error ? error.message : String(error);
    throw newBadRequest(
      text.replace(
        /^(json: cannot unmarshal \S+ into Go value of type )v1\.DeleteOptions$/,
        `couldn't get version/kind; json parse error: $1${kindProbe}`,
      ),
    );
  }
  if (decoded.kind !== '' && decoded.kind !== 'DeleteOptions') {
    const version = String((decoded.value as { readonly apiVersion?: string }).apiVersion ?? '');
    throw newBadRequest(`no kind "${decoded.kind}" is registered for version "${version}" in scheme "pkg/runtime/scheme.go:111"`);
  }
  const options = decoded.value as unknown as DeleteOptions;
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, preconditions, dryRun } = options;
  const { ignoreStoreReadErrorWithClusterBreakingPotential } = options;
  const present = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;
  return {
    ...(present(gracePeriodSeconds) ? { gracePeriodSeconds } : undefined),
    ...(present(propagationPolicy) ? { propagationPolicy } : undefined),
    ...(present(orphanDependents) ? { orphanDependents } : undefined),
    ...(present(preconditions) ? { preconditions } : undefined),
    ...(present(dryRun) ? { dryRun } : undefined),
    ...(present(ignoreStoreReadErrorWithClusterBreakingPotential) ? { ignoreStoreReadErrorWithClusterBreakingPotential } : undefined),
  };
}
