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
import { unreadableNames } from '../apimachinery/serializer/go-names.ts';
import { toldApart } from '../apimachinery/serializer/yaml-faults.ts';
import { type Codec, type Decoded, NamesError } from './codec.ts';
import { type KnownKinds, misnamed, type Named } from '../registry/body-kinds.ts';
import { schemaNamed } from '../registry/named-shapes.ts';
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
  if (expected.schema.custom !== undefined) return readCustom(codec, body, mediaType, expected, validation, kinds);
  const lookUp = (named: Named): void => {
    if (kinds !== undefined && (!namelessOnly || named.kind === '')) mustBeExpected(codec, mediaType, body, named, expected, kinds);
  };
  const decoded = ungrouped(decode(codec, mediaType, body, expected, lookUp));
  lookUp(decoded);
  const { strictErrors } = decoded;
  if (strictErrors.length > 0 && validation === 'Strict') throw newBadRequest(cannotHandle(decoded, expected, strictly(strictErrors)));
  const object = typed(decoded, expected);
  const why = expected.misreads?.(object);
  if (why !== undefined) throw newBadRequest(cannotHandle(decoded, expected, why));
  return { object, warnings: validation === 'Warn' ? strictErrors.flatMap(toldApart) : [] };
}

function strictly(strictErrors: readonly string[]): string {
  return `strict decoding error: ${strictErrors.join(', ')}`;
}

/** An object of a user's own kind is read as what it calls itself, and then refused where that is another version or kind. */
function readCustom(
  codec: Codec,
  body: Uint8Array,
  mediaType: MediaType,
  expected: Expected,
  validation: FieldValidation,
  kinds: KnownKinds | undefined,
): DecodedBody {
  const nameless = (named: Named): Error => {
    if (validation !== 'Ignore') return unrecognized(expected, missingKind(codec.show(mediaType, body)), body);
    const { apiVersion, kind } = named;
    return newBadRequest(
      cannotHandle({ apiVersion: isVersionless(named) ? '' : apiVersion, kind }, expected, missingKind(shownRead(codec, mediaType, body))),
    );
  };
  const decoded = decodeCustom(codec, mediaType, body, expected, kinds, nameless);
  checkCustom(decoded, expected);
  const { apiVersion, kind, strictErrors } = decoded;
  if (strictErrors.length > 0 && validation === 'Strict') {
    if (isVersionless(decoded)) throw newBadRequest("Object 'apiVersion' is missing in 'object has no apiVersion field'");
    throw newBadRequest(cannotHandle(decoded, { ...expected, kind }, strictly(strictErrors)));
  }
  const warnings = validation === 'Warn' ? strictErrors.flatMap(toldApart) : [];
  if (apiVersion !== expected.apiVersion) throw warned(otherVersion(apiVersion, expected), warnings);
  const object = typed({ ...decoded, kind: expected.kind }, expected);
  return { object, warnings, ...(kind === expected.kind ? undefined : { otherKind: kind }) };
}

export function warned(error: StatusError, warnings: readonly string[]): StatusError {
  error.warnings = [...warnings, ...error.warnings];
  return error;
}

function decodeCustom(
  codec: Codec,
  mediaType: MediaType,
  body: Uint8Array,
  expected: Expected,
  kinds: KnownKinds | undefined,
  nameless: (named: Named) => Error,
): Decoded {
  const decodeAs = (as: Expected): Decoded => ungrouped(decode(codec, mediaType, body, as, () => {}));
  const isOther = ({ apiVersion, kind }: Named): boolean => kinds !== undefined && (apiVersion !== expected.apiVersion || kind !== expected.kind);
  let named: Named;
  try {
    const decoded = decodeAs(expected);
    if (decoded.kind !== '' && !isOther(decoded)) return decoded;
    named = decoded;
  } catch (error) {
    const names = peek(codec, mediaType, body);
    if (typeof names !== 'object' || (names.kind !== '' && !isOther(names)) || isMisnamed(codec, mediaType, body)) throw error;
    named = names;
  }
  if (named.kind === '') throw nameless(named);
  return kinds === undefined ? decodeAs(expected) : decodeAs({ ...expected, schema: schemaNamed(named, expected, kinds) });
}

/** What says so is told before anything else. */
function isMisnamed(codec: Codec, mediaType: MediaType, body: Uint8Array): boolean {
  return mediaType === 'application/cbor' || unreadableNames(codec.decode(mediaType, body, undefined).value) !== undefined;
}

function isVersionless({ apiVersion }: Named): boolean {
  return apiVersion === '' || apiVersion.endsWith('/');
}

function missingKind(shown: string): string {
  return `Object 'Kind' is missing in '${shown}'`;
}

/** Who is not strict reads YAML as the JSON that it is made of. */
function shownRead(codec: Codec, mediaType: MediaType, body: Uint8Array): string {
  return mediaType === 'application/yaml' ? codec.toJson(codec.decode(mediaType, body, undefined).value) : codec.show(mediaType, body);
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

function otherVersion(apiVersion: string, expected: Expected): StatusError {
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

function checkCustom({ kind, isVersionNull }: Decoded, expected: Expected): void {
  if (isVersionNull === true)
    throw newBadRequest(
      `${kind} in version "" cannot be handled as a ${expected.kind}: .apiVersion accessor error: <nil> is of the type <nil>, expected string`,
    );
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
