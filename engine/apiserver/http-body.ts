/**
 * Bodies of outside requests: size, media type, strictness. Mirrors apiserver pkg/endpoints/handlers/rest.go (transformDecodeError,
 * limitedReadBody) and pkg/runtime strict decoding.
 */
import { newBadRequest, newRequestEntityTooLarge } from '../apimachinery/errors.ts';
import { StatusError } from '../apimachinery/status.ts';
import { type KubeObject, withoutEmptyGroup } from '../apimachinery/object.ts';
import { goQuote } from '../apimachinery/quote.ts';
import type { DeleteOptions } from '../contracts/request.ts';
import type { ObjectBody } from '../contracts/rest-storage.ts';
import type { MessageSchema } from '../apimachinery/schema.ts';
import { toldApart } from '../apimachinery/serializer/yaml-faults.ts';
import { type Codec, type Decoded, NamesError } from './codec.ts';
import { type KnownKinds, misnamed, type Named } from '../registry/body-kinds.ts';
import type { MediaType } from './negotiation.ts';

const bodyBytesMax = 3 * 1024 * 1024;
const summaryMax = 30;

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export type Expected = Pick<ObjectBody, 'apiVersion' | 'kind' | 'group' | 'schema' | 'alsoTakes' | 'foreign' | 'misfitText' | 'misreads'>;

export interface DecodedBody {
  readonly object: KubeObject;
  readonly warnings: readonly string[];
  /** What an object of a user's own kind calls itself, where that is another. */
  readonly otherKind?: string;
}

export function checkSize(body: Uint8Array): void {
  if (body.length > bodyBytesMax) throw newRequestEntityTooLarge(`limit is ${bodyBytesMax}`);
}

/**
 * Says all that can be said of such a body, where that is the same each time. `kinds`: those that are known, where what a body calls itself
 * is looked up; `namelessOnly`: where it names no kind alone.
 */
export function decodeObject(...given: Parameters<typeof readObject>): DecodedBody {
  const [, , , { misfitText }] = given;
  if (misfitText === undefined) return readObject(...given);
  try {
    return readObject(...given);
  } catch (error) {
    if (error instanceof StatusError && error.status.code === 400) throw newBadRequest(misfitText);
    throw error;
  }
}

function readObject(
  codec: Codec,
  body: Uint8Array,
  mediaType: MediaType,
  expected: Expected,
  validation: FieldValidation,
  kinds?: KnownKinds,
  { namelessOnly = false }: { readonly namelessOnly?: boolean } = {},
): DecodedBody {
  checkSize(body);
  const lookUp = (named: Named): void => {
    const isLookedUp = expected.schema.custom === undefined && (!namelessOnly || named.kind === '');
    if (kinds !== undefined && isLookedUp) mustBeExpected(codec, mediaType, body, named, expected, kinds);
  };
  const decoded = ungrouped(decode(codec, mediaType, body, expected, lookUp));
  lookUp(decoded);
  const { strictErrors } = decoded;
  const otherKind = expected.schema.custom === undefined ? undefined : checkCustom(decoded, expected, body, () => codec.show(mediaType, body));
  if (strictErrors.length > 0 && validation === 'Strict')
    throw newBadRequest(cannotHandle(decoded, expected, `strict decoding error: ${strictErrors.join(', ')}`));
  const object = typed(otherKind === undefined ? decoded : { ...decoded, kind: expected.kind }, expected);
  const why = expected.misreads?.(object);
  if (why !== undefined) throw newBadRequest(cannotHandle(decoded, expected, why));
  return { object, warnings: validation === 'Warn' ? strictErrors.flatMap(toldApart) : [], ...(otherKind === undefined ? undefined : { otherKind }) };
}

/** Throws for what calls itself something else. */
function mustBeExpected(codec: Codec, mediaType: MediaType, body: Uint8Array, named: Named, expected: Expected, kinds: KnownKinds): void {
  const fault = misnamed(named, expected, kinds);
  if (fault === undefined) return;
  const { why, isWhole, schema } = fault;
  const text = schema === undefined ? undefined : faultOf(() => codec.decode(mediaType, body, schema));
  throw newBadRequest(isWhole === true && text === undefined ? why : cannotHandle(named, expected, text ?? why));
}

function ungrouped<T extends Named>(named: T): T {
  return named.apiVersion.startsWith('/') ? { ...named, apiVersion: withoutEmptyGroup(named.apiVersion) } : named;
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
    if (error instanceof NamesError) throw unrecognized(expected, text, body);
    const named = peek(codec, mediaType, body);
    // Who names no kind means the one that is expected; users' own kinds are not guessed.
    const isNamed = typeof named === 'object' && (named.kind !== '' || expected.schema.custom === undefined);
    if (isNamed && (named.kind !== '' || named.apiVersion !== '')) lookUp(named);
    if (isNamed) throw newBadRequest(cannotHandle(named, expected, text));
    const why = typeof named === 'string' ? named : text;
    throw unrecognized(expected, why, body);
  }
}

function unrecognized({ kind }: Expected, why: string, body: Uint8Array): Error {
  return newBadRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${summarize(body)})`);
}

/** What stands before the fault of a body that does not even say what it is; protobuf's faults speak for themselves. */
const unnamed: { readonly [type in MediaType]?: string } = {
  'application/json': "couldn't get version/kind; json parse error: ",
  'application/yaml': '',
  'application/cbor': 'unable to determine group/version/kind: ',
};

/** What a body that does not fit calls itself, or why that cannot be told; undefined where it is not looked for. */
function peek(codec: Codec, mediaType: MediaType, body: Uint8Array): Named | string | undefined {
  const start = unnamed[mediaType];
  if (start === undefined) return undefined;
  try {
    return ungrouped(codec.names(mediaType, body));
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

function otherVersion(apiVersion: string, expected: Expected): Error {
  return newBadRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${expected.apiVersion})`);
}

function typed(decoded: Decoded, expected: Expected): KubeObject {
  const { value, apiVersion, kind } = decoded;
  if (apiVersion !== '' && apiVersion !== expected.apiVersion && expected.alsoTakes?.includes(apiVersion) !== true) {
    throw otherVersion(apiVersion, expected);
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

/** Custom objects must say of what version and kind they are; gives the kind where it is another than is expected. */
function checkCustom({ apiVersion, kind, isVersionNull }: Decoded, expected: Expected, body: Uint8Array, show: () => string): string | undefined {
  if (kind === '') throw unrecognized(expected, `Object 'Kind' is missing in '${show()}'`, body);
  if (isVersionNull === true)
    throw newBadRequest(
      `${kind} in version "" cannot be handled as a ${expected.kind}: .apiVersion accessor error: <nil> is of the type <nil>, expected string`,
    );
  if (apiVersion === '') throw otherVersion('', expected);
  return kind === expected.kind ? undefined : kind;
}

function summarize(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const cut = body.subarray(0, summaryMax);
  const text = body[0] === 0x7b ? new TextDecoder().decode(cut) : [...cut].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return body.length > summaryMax ? `${text} ...` : text;
}

export function decodeDeleteOptions(codec: Codec, body: Uint8Array, mediaTypeOf: () => MediaType, schema: MessageSchema): DeleteOptions {
  checkSize(body);
  const mediaType = mediaTypeOf();
  let decoded: Decoded;
  try {
    decoded = codec.decode(mediaType, body, schema);
  } catch (error) {
    if (error instanceof Error && error.name === 'StatusError') throw error;
    const named = peek(codec, mediaType, body);
    throw newBadRequest(typeof named === 'string' ? named : error instanceof Error ? error.message : String(error));
  }
  if (decoded.kind !== '' && decoded.kind !== 'DeleteOptions') {
    const version = decoded.apiVersion === '' ? 'meta.k8s.io/v1' : decoded.apiVersion;
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
