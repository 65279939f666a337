/**
 * What etcd takes in one request, and its client sends: an object is written in one. Mirrors the defaults of etcd (`--max-request-bytes`) and of its client, as a
 * real API server passes on what they say.
 */
import { newNoSpace, newStatusError } from '../apimachinery/errors.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { SchemaRegistry } from '../apimachinery/schema.ts';
import { createCodec } from '../apimachinery/serializer/codec.ts';
import { encodeJson } from '../apimachinery/serializer/json.ts';
import type { StatusError } from '../apimachinery/status.ts';
import type { JsonValue } from '../base/json.ts';
import { isCustom, type KindDefinition } from '../contracts/kind.ts';
import type { DoorAttempt } from '../registry/attempt.ts';

const tooLarge = 'etcdserver: request is too large';
const beyondClient = 'rpc error: code = ResourceExhausted desc = trying to send message larger than max';
const requestMax = 1.5 * 1024 * 1024;
const sentMax = 2 * 1024 * 1024;

/** What weighs less in memory is no large request. */
const largeWeight = 512 * 1024;

interface LargeWrite {
  readonly key: string;
  readonly value: KubeObject;
}

export interface RequestSizeOptions {
  readonly schemas: SchemaRegistry;
  /** What kind a stored object is; undefined where nobody knows any more. */
  kindOf(object: KubeObject): KindDefinition | undefined;
}

/** Says why a write cannot be made; undefined when it can. */
export class RequestSize {
  readonly #options: RequestSizeOptions;

  constructor(options: RequestSizeOptions) {
    this.#options = options;
  }

  /** Why what an attempt wrote cannot be kept. */
  refusal(made: Pick<DoorAttempt, 'fits' | 'heavyWrites'>): StatusError | undefined {
    if (!made.fits) return newNoSpace();
    for (const write of made.heavyWrites(largeWeight)) {
      const fault = this.#fault(write);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  #fault({ key, value }: LargeWrite): StatusError | undefined {
    const json = encodeJson(value as unknown as JsonValue);
    // JSON is the longer form, and a character at most three bytes of it.
    if (json.length <= requestMax / 3) return undefined;
    const size = requestBytes(key.length, storedBytes(this.#options.schemas, this.#options.kindOf(value), value, json));
    if (size > sentMax) return refusal(`${beyondClient} (${size} vs. ${sentMax})`);
    return size > requestMax ? refusal(tooLarge) : undefined;
  }
}

/**
 * True where a write that was refused is to be tried again without what is noted of its fields' owners; else throws the refusal. Mirrors isTooLargeError of
 * apiserver pkg/endpoints/handlers.
 */
export function mayFitWithoutOwners(refusal: StatusError, isWithoutThem: boolean): true {
  const { message = '' } = refusal.status;
  if (!isWithoutThem && (message === tooLarge || message.startsWith(beyondClient))) return true;
  throw refusal;
}

/** As it is stored: built-in kinds as protobuf, custom ones as JSON, which may be at hand. */
export function storedBytes(
  schemas: SchemaRegistry,
  kind: KindDefinition | undefined,
  value: KubeObject,
  json = encodeJson(value as unknown as JsonValue),
): number {
  const schema = kind === undefined || isCustom(kind) ? undefined : typeof kind.schema === 'string' ? schemas.get(kind.schema) : kind.schema;
  return schema === undefined ? new TextEncoder().encode(json).length : createCodec(schemas).encodeProtobuf(value, schema).length;
}

function refusal(message: string): StatusError {
  return newStatusError(500, '', message);
}

/** A transaction that compares the revision of a key and puts a value there. */
function requestBytes(key: number, value: number): number {
  const put = field(key) + field(value);
  return field(field(put)) + field(4 + field(key));
}

/** A field of so many bytes: its tag, its length, itself. */
function field(bytes: number): number {
  let length = 1;
  for (let left = bytes; left >= 128; left = Math.floor(left / 128)) length++;
  return 1 + length + bytes;
}
