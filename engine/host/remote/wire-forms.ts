/**
 * The forms that requests and answers take on their way: JSON, or protobuf for kinds that have it where `--kube-api-content-type` says so.
 * A server may answer in either; one that takes no protobuf of a resource gets JSON of it from then on. Mirrors client-go
 * rest/request.go (negotiation by Accept, decoding by the content type of the answer).
 */
import { knownKinds } from '../../api/kinds.gen.ts';
import { createSchemaRegistry } from '../../api/schemas.ts';
import { formatGroupVersion, type KubeObject } from '../../apimachinery/object.ts';
import { errorOfAnswer, UnreadableAnswer } from '../../apimachinery/response-error.ts';
import type { MessageSchema, SchemaRegistry } from '../../apimachinery/schema.ts';
import { type Codec, createCodec, unwrapEnvelope } from '../../apimachinery/serializer/codec.ts';
import { splitList } from '../../apimachinery/serializer/envelope.ts';
import { DecodeError } from '../../apimachinery/serializer/scalars.ts';
import { type Status, StatusError } from '../../apimachinery/status.ts';
import type { ResourceType } from '../../client/client.ts';

export const protobufType = 'application/vnd.kubernetes.protobuf';
const jsonType = 'application/json';
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
/** Of every version. */
const metaKinds: readonly string[] = ['Status', 'DeleteOptions'];

export interface Body {
  readonly contentType: string;
  readonly bytes: string | Uint8Array;
}

export interface Answered {
  readonly code: number;
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly retryAfterSeconds?: number;
}

/** What was asked, as messages name it. */
export interface AskedFor {
  readonly method: string;
  readonly group: string;
  readonly resource: string;
  readonly name?: string | undefined;
}

export class WireForms {
  readonly #isProtobuf: boolean;
  readonly #schemas: SchemaRegistry = createSchemaRegistry();
  readonly #codec: Codec = createCodec(this.#schemas);
  /** Names of messages by `apiVersion/kind`. */
  readonly #messages: ReadonlyMap<string, string>;
  /** Resources of which the server takes JSON alone. */
  readonly #plain = new Set<string>();

  /** Another type than protobuf's is JSON. */
  constructor(contentType = jsonType) {
    this.#isProtobuf = contentType === protobufType;
    const own = knownKinds.map(({ group, version, kind, schema }) => [`${formatGroupVersion({ group, version })}/${kind}`, schema] as const);
    const others = knownKinds.flatMap(({ subresources = [] }) =>
      subresources.flatMap(({ group, version, kind }) => (group === undefined || version === undefined ? [] : [{ group, version, kind }])),
    );
    const bodies = others.map(
      ({ group, version, kind }) => [`${formatGroupVersion({ group, version })}/${kind}`, messageOf(group, version, kind)] as const,
    );
    this.#messages = new Map([...bodies, ...own, ...metaKinds.map((kind) => [`v1/${kind}`, `${meta}.${kind}`] as const)]);
  }

  /** What an answer about the type may be written in. */
  accepts({ group, version, kind }: ResourceType): string {
    const isKnown = this.#isProtobuf && this.#messages.has(`${formatGroupVersion({ group, version })}/${kind}`);
    return isKnown ? `${protobufType},${jsonType}` : jsonType;
  }

  /** The body of a request about the type. */
  write(type: ResourceType, object: object): Body {
    const { apiVersion = '', kind = '' } = object as Partial<KubeObject>;
    const schema = this.#isProtobuf && !this.#plain.has(idOf(type)) ? this.#schemaOf(apiVersion, kind) : undefined;
    if (schema === undefined) return { contentType: jsonType, bytes: JSON.stringify(object) };
    return { contentType: protobufType, bytes: this.#codec.encodeProtobuf(this.#codec.canonicalize(object, schema), schema) };
  }

  /** The server takes no protobuf of the type. */
  refused(type: ResourceType): void {
    this.#plain.add(idOf(type));
  }

  /** The object or list that was answered. Throws a StatusError for what is none, and for a refusal. */
  read<R>(answer: Answered, asked: AskedFor): R {
    const isGood = answer.code >= 200 && answer.code <= 206;
    if (!isGood) throw this.refusal(answer, asked);
    return this.decode(answer.contentType, answer.bytes);
  }

  refusal({ code, contentType, bytes, retryAfterSeconds }: Answered, asked: AskedFor): StatusError {
    if (contentType.startsWith(protobufType)) {
      const status = this.decode<Status>(contentType, bytes);
      return new StatusError({ ...status, code: status.code ?? code });
    }
    const more = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    return errorOfAnswer({ code, contentType, text: bytes.toString('utf8'), ...asked, ...more });
  }

  /** Throws a StatusError for bytes that say nothing. */
  decode<R>(contentType: string, bytes: Buffer): R {
    try {
      return contentType.startsWith(protobufType) ? (this.unwrap(bytes) as R) : (JSON.parse(bytes.toString('utf8')) as R);
    } catch (error) {
      if (!(error instanceof SyntaxError) && !(error instanceof DecodeError)) throw error;
      throw new UnreadableAnswer(contentType, contentType.startsWith(protobufType) ? '' : bytes.toString('utf8'));
    }
  }

  /** An object, or list, in its envelope. Throws a DecodeError. */
  unwrap(bytes: Uint8Array): object {
    const { apiVersion, kind, raw } = unwrapEnvelope(bytes);
    const schema = this.#schemaOf(apiVersion, kind);
    if (schema !== undefined) return this.#codec.decodeProtobuf<object>(raw, schema, { apiVersion, kind });
    const itemKind = kind.endsWith('List') ? kind.slice(0, -'List'.length) : '';
    const itemSchema = this.#schemaOf(apiVersion, itemKind);
    if (itemSchema === undefined) throw new DecodeError(`no kind ${JSON.stringify(kind)} is known of version ${JSON.stringify(apiVersion)}`);
    const { metadata, items } = splitList(raw);
    const {
      kind: _kind,
      apiVersion: _version,
      ...listMeta
    } = this.#codec.decodeProtobuf<{ kind?: string; apiVersion?: string }>(metadata, this.#schemas.mustGet(`${meta}.ListMeta`), {
      apiVersion: '',
      kind: '',
    });
    const type = { apiVersion, kind: itemKind };
    return { kind, apiVersion, metadata: listMeta, items: items.map((item) => this.#codec.decodeProtobuf(item, itemSchema, type)) };
  }

  #schemaOf(apiVersion: string, kind: string): MessageSchema | undefined {
    const name = this.#messages.get(`${apiVersion}/${kind}`);
    return name === undefined ? undefined : this.#schemas.get(name);
  }
}

function idOf({ group, resource }: ResourceType): string {
  return `${group}/${resource}`;
}

/** Of bodies of subresources: they are of upstream's own groups. */
function messageOf(group: string, version: string, kind: string): string {
  return `io.k8s.api.${group === '' ? 'core' : (group.split('.')[0] ?? '')}.${version}.${kind}`;
}
