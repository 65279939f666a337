/**
 * Objects, lists and watch events as bytes, in the form the client accepts. A stored object is encoded once per revision and form;
 * lists and watches join what is there. Mirrors apiserver pkg/endpoints/handlers/response.go and watch.go.
 */
import type { KubeList, KubeObject, ListMeta } from '../apimachinery/object.ts';
import type { KindDefinition } from '../contracts/kind.ts';
import type { MessageSchema, SchemaRegistry } from '../apimachinery/schema.ts';
import type { Status } from '../apimachinery/status.ts';
import { encodeWatchEvent, frame, wrapEnvelope } from '../apimachinery/serializer/envelope.ts';
import type { Core } from '../registry/core.ts';
import type { ListResult } from '../registry/list.ts';
import type { Resource } from '../registry/resource.ts';
import { scaleTable } from '../registry/scale.ts';
import { partialMetadata, TableMaker, type IncludeObject } from '../registry/table.ts';
import type { ResourceEvent } from '../registry/watch.ts';
import type { StoredValue } from '../store/store.ts';
import type { Codec } from './codec.ts';
import type { Chunk } from './http-types.ts';
import type { OutputForm } from './negotiation.ts';
import { envelopeList } from './protobuf-list.ts';
import { schemaOf } from './schema-names.ts';

export interface Encoded {
  readonly contentType: string;
  readonly body: Chunk | Iterable<Chunk>;
}

const listMetaSchema = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta';
const chunkLength = 1 << 16;

type Typed = { readonly kind: string; readonly apiVersion: string };

export class Encoder {
  readonly #codec: Codec;
  readonly #core: Core;
  readonly #schemas: SchemaRegistry;

  constructor(codec: Codec, core: Core, schemas: SchemaRegistry) {
    this.#codec = codec;
    this.#core = core;
    this.#schemas = schemas;
  }

  /** Any object that names its kind. `resource` lets a stored object's cached form be found, and tables be made. */
  object(object: object, form: OutputForm, resource?: Resource, include: IncludeObject = 'Metadata'): Encoded {
    const typed = withoutZeroCode(object as Typed);
    if (form.transform !== undefined && resource !== undefined && typed.kind === resource.kind.kind) {
      return this.#plain(this.#transformed(object as KubeObject, form, resource, include), form);
    }
    if (form.transform === 'Table' && typed.kind === 'Scale') {
      const scale = object as KubeObject;
      return this.#plain(
        new TableMaker({ kind: scaleTable }, include, form.transformVersion, this.#core.nowMs()).table(
          { resourceVersion: scale.metadata.resourceVersion ?? '' },
          [scale],
        ),
        form,
      );
    }
    if (form.mediaType === 'application/json' && !form.pretty) {
      const cached = resource === undefined ? undefined : this.#storedFormOf(object as KubeObject, resource);
      return { contentType: form.mediaType, body: `${cached ?? this.#codec.toJson(typed)}\n` };
    }
    return this.#plain(typed, form);
  }

  list(result: ListResult, form: OutputForm, resource: Resource, include: IncludeObject): Encoded {
    const metadata = listMeta(result);
    if (form.transform === 'Table') {
      const maker = new TableMaker(resource, include, form.transformVersion, this.#core.nowMs());
      return this.#plain(maker.table(metadata, result.items), form);
    }
    if (form.transform !== undefined) return this.#plain(this.#partialList(metadata, result.items, form), form);
    if (form.mediaType === 'application/vnd.kubernetes.protobuf') return this.#protobufList(result, metadata, resource);
    if (form.mediaType === 'application/json' && !form.pretty) {
      return { contentType: form.mediaType, body: this.#jsonList(result, metadata, resource) };
    }
    const items = keepsTypes(resource) ? result.items : result.items.map(withoutType);
    return this.#plain({ kind: resource.listKind, apiVersion: resource.apiVersion, metadata, items } as unknown as Typed, form);
  }

  /** A list that is not stored as such (the answer of deletecollection, virtual resources). */
  objectList(list: KubeList, form: OutputForm, resource: Resource, include: IncludeObject): Encoded {
    const { metadata, items } = list;
    if (form.transform === 'Table')
      return this.#plain(new TableMaker(resource, include, form.transformVersion, this.#core.nowMs()).table(metadata, items), form);
    if (form.transform !== undefined) return this.#plain(this.#partialList(metadata, items, form), form);
    return this.#plain(keepsTypes(resource) ? list : ({ ...list, items: items.map(withoutType) } as unknown as Typed), form);
  }

  /** Objects and lists of virtual resources. */
  virtual(object: object, form: OutputForm, kind: KindDefinition, include: IncludeObject): Encoded {
    if (form.transform !== 'Table') return this.#plain(object as Typed, form);
    const { metadata } = object as KubeList;
    const items = 'items' in object ? (object as KubeList).items : [object as KubeObject];
    return this.#plain(
      new TableMaker({ kind }, include, form.transformVersion, this.#core.nowMs()).table({ resourceVersion: metadata.resourceVersion ?? '0' }, items),
      form,
    );
  }

  /** Makes the frames of one watch. */
  watchFrames(form: OutputForm, resource: Resource, include: IncludeObject): (event: ResourceEvent) => Chunk {
    const { transform } = form;
    if (transform === undefined) return (event) => this.#plainFrame(event, form, resource);
    let first = true;
    return (event) => {
      if (event.type === 'ERROR') return this.#frame(event.type, event.object, form);
      const object = event.object as KubeObject;
      if (transform !== 'Table') return this.#frame(event.type, partialMetadata(object, `meta.k8s.io/${form.transformVersion}`), form);
      const maker = new TableMaker(resource, include, form.transformVersion, this.#core.nowMs());
      const table = maker.table({ resourceVersion: object.metadata.resourceVersion ?? '' }, [object], first);
      first = false;
      return this.#frame(event.type, table, form);
    };
  }

  #plainFrame(event: ResourceEvent, form: OutputForm, resource: Resource): Chunk {
    const { stored } = event;
    if (stored === undefined) return this.#frame(event.type, event.object, form, resource);
    const key = `watch ${form.mediaType} ${event.type}${event.variant ?? ''} ${resource.apiVersion}`;
    return stored.getEncoding<Chunk>(key, () => {
      if (form.mediaType !== 'application/json') return this.#frame(event.type, event.object, form, resource);
      const json = event.variant === '' ? this.#storedJson(stored, resource) : this.#codec.toJson(event.object);
      return `{"type":"${event.type}","object":${json}}\n`;
    });
  }

  #frame(type: string, object: object, form: OutputForm, resource?: Resource): Chunk {
    if (form.mediaType === 'application/json') return `{"type":"${type}","object":${this.#codec.toJson(object)}}\n`;
    return frame(encodeWatchEvent(type, this.#protobuf(object as Typed, resource)));
  }

  #transformed(object: KubeObject, form: OutputForm, resource: Resource, include: IncludeObject): Typed {
    if (form.transform !== 'Table') return partialMetadata(object, `meta.k8s.io/${form.transformVersion}`);
    const maker = new TableMaker(resource, include, form.transformVersion, this.#core.nowMs());
    return maker.table({ resourceVersion: object.metadata.resourceVersion ?? '' }, [object]);
  }

  #partialList(metadata: ListMeta, items: readonly KubeObject[], form: OutputForm): Typed {
    const apiVersion = `meta.k8s.io/${form.transformVersion}`;
    return { kind: 'PartialObjectMetadataList', apiVersion, metadata, items: items.map((item) => ({ metadata: item.metadata })) } as unknown as Typed;
  }

  #plain(object: Typed, form: OutputForm): Encoded {
    if (form.mediaType === 'application/yaml') return { contentType: form.mediaType, body: this.#codec.toYaml(object) };
    if (form.mediaType === 'application/json') {
      return { contentType: form.mediaType, body: form.pretty ? this.#codec.toPrettyJson(object) : `${this.#codec.toJson(object)}\n` };
    }
    return { contentType: form.mediaType, body: this.#protobuf(object) };
  }

  #protobuf(object: Typed, resource?: Resource): Uint8Array {
    const schema = resource !== undefined && object.kind === resource.kind.kind ? resource.schema : this.schemaOf(object);
    return wrapEnvelope(object.apiVersion, object.kind, this.#codec.toProtobuf(object, schema));
  }

  /** The message that describes an object of any kind served here. */
  schemaOf(object: Typed): MessageSchema {
    return schemaOf(object, this.#core.table, this.#schemas);
  }

  #protobufList(result: ListResult, metadata: ListMeta, resource: Resource): Encoded {
    const items = result.stored.map((stored) =>
      stored.getEncoding<Uint8Array>(`protobuf ${resource.apiVersion}`, () =>
        this.#codec.toProtobuf(this.#core.fromStorage(stored.value, resource), resource.schema),
      ),
    );
    const head = this.#codec.toProtobuf(metadata, this.#schemas.mustGet(listMetaSchema));
    return { contentType: 'application/vnd.kubernetes.protobuf', body: envelopeList(resource.apiVersion, resource.listKind, head, items) };
  }

  *#jsonList(result: ListResult, metadata: ListMeta, resource: Resource): Iterable<string> {
    const prefix = keepsTypes(resource) ? '' : `{"kind":${JSON.stringify(resource.kind.kind)},"apiVersion":${JSON.stringify(resource.apiVersion)},`;
    let text = `{"kind":"${resource.listKind}","apiVersion":"${resource.apiVersion}","metadata":${JSON.stringify(metadata)},"items":[`;
    let separator = '';
    for (const stored of result.stored) {
      const json = this.#storedJson(stored, resource);
      text += separator;
      text += prefix !== '' && json.startsWith(prefix) ? `{${json.slice(prefix.length)}` : json;
      separator = ',';
      if (text.length > chunkLength) {
        yield text;
        text = '';
      }
    }
    yield `${text}]}\n`;
  }

  #storedJson(stored: StoredValue<KubeObject>, resource: Resource): string {
    return stored.getEncoding<string>(`json ${resource.apiVersion}`, () => this.#codec.toJson(this.#core.fromStorage(stored.value, resource)));
  }

  /** The cached form, if this very object is what the store holds now. */
  #storedFormOf(object: KubeObject, resource: Resource): string | undefined {
    const { metadata } = object;
    if (metadata?.name === undefined || metadata.resourceVersion === undefined || resource.kind.storage !== undefined) return undefined;
    const stored = this.#core.read(resource, metadata.namespace, metadata.name);
    return stored?.value === object ? this.#storedJson(stored, resource) : undefined;
  }

  /** Whether objects of this resource can be protobuf. */
  hasProtobuf(resource: Resource): boolean {
    return typeof resource.kind.schema === 'string' && this.#schemas.get(resource.schemaName) !== undefined;
  }
}

function listMeta(result: ListResult): ListMeta {
  return {
    resourceVersion: String(result.revision),
    ...(result.continueToken === '' ? undefined : { continue: result.continueToken }),
    ...(result.remainingItemCount === undefined ? undefined : { remainingItemCount: result.remainingItemCount }),
  };
}

/** Lists of custom resources repeat kind and apiVersion in every item, lists of built-in kinds do not. */
function keepsTypes(resource: Resource): boolean {
  return typeof resource.kind.schema !== 'string';
}

/** Go leaves out a code of zero, which the Status of a deletion has. */
function withoutZeroCode(object: Typed): Typed {
  if (object.kind !== 'Status' || (object as Partial<Status>).code !== 0) return object;
  const { code: _, ...rest } = object as Status;
  return rest;
}

function withoutType(object: KubeObject): object {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
  return rest;
}
