/**
 * Objects, lists and watch events as bytes, in the form the client accepts. A stored object is encoded once per revision and form;
 * lists and watches join what is there. Mirrors apiserver pkg/endpoints/handlers/response.go and watch.go.
 */
import { type KubeList, type KubeObject, type ListMeta, parseGroupVersion } from '../apimachinery/object.ts';
import type { MessageSchema, SchemaRegistry } from '../apimachinery/schema.ts';
import { cborDocument, cborEvent } from '../apimachinery/serializer/cbor/writer.ts';
import { encodeWatchEvent, frame, wrapEnvelope } from '../apimachinery/serializer/envelope.ts';
import type { Status } from '../apimachinery/status.ts';
import { flat } from '../base/text.ts';
import { isCustom, type KindDefinition } from '../contracts/kind.ts';
import type { Item, ListAnswer, ObjectBody, RestStorage, ServedEvent, WireForms } from '../contracts/rest-storage.ts';
import type { Core } from '../registry/core.ts';
import { partialMetadata, TableMaker, type IncludeObject } from '../registry/table.ts';
import type { Codec } from './codec.ts';
import { type FieldView, linked } from './field-view.ts';
import type { Chunk } from './http-types.ts';
import { listPieces, type ListDocument, oneOrMany } from './list-encoder.ts';
import type { OutputForm } from './negotiation.ts';
import { schemaOf } from './schema-names.ts';

export interface Encoded {
  readonly contentType: string;
  readonly body: Chunk | Iterable<Chunk>;
}

/** What a column of the tables of a kind is for; empty where nobody says. */
export type DescribeColumn = (kind: string, column: string) => string;

/** Upstream's: what is longer is compressed for clients that take it so. */
const gzipOverBytes = 128 * 1024;

const listMetaSchema = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta';

/** The frame that was made last in one form; watches of one collection are told of a change one after the other. */
interface LastFrame {
  stored?: WireForms;
  type?: string;
  variant?: string | undefined;
  chunk: Chunk;
}

type Typed = { readonly kind: string; readonly apiVersion: string };

/** What a list is of, and where it was asked for. */
export interface ListPlace {
  readonly form: OutputForm;
  readonly storage: RestStorage;
  readonly include: IncludeObject;
  readonly path: string;
}

export class Encoder {
  readonly #codec: Codec;
  readonly #core: Core;
  readonly #schemas: SchemaRegistry;
  readonly #view: FieldView | undefined;
  readonly #describeColumn: DescribeColumn;
  readonly #lastFrames = new Map<string, LastFrame>();

  /** `schemas` are those of the view, where there is one. */
  constructor(codec: Codec, core: Core, schemas: SchemaRegistry, view?: FieldView, describeColumn: DescribeColumn = () => '') {
    this.#describeColumn = describeColumn;
    this.#view = view;
    this.#codec = codec;
    this.#core = core;
    this.#schemas = schemas;
  }

  /** From how many bytes on answers are compressed; undefined where none is. */
  get gzipOver(): number | undefined {
    return this.#core.featureEnabled('APIResponseCompression') ? gzipOverBytes : undefined;
  }

  /** Any object that names its kind, as it is. */
  plain(object: object, form: OutputForm, part?: RestStorage): Encoded {
    const seen = this.#shown(withoutZeroCode(object as Typed));
    const typed = part === undefined ? seen : linked(seen, part.kind, part.subresource);
    if (form.mediaType === 'application/yaml') return { contentType: form.mediaType, body: this.#codec.toYaml(typed) };
    if (form.mediaType === 'application/json') {
      return { contentType: form.mediaType, body: form.pretty ? this.#codec.toPrettyJson(typed) : `${this.#codec.toJson(typed)}\n` };
    }
    if (form.mediaType === 'application/cbor') return { contentType: form.mediaType, body: cborDocument(this.#cbor(typed)) };
    return { contentType: form.mediaType, body: this.#protobuf(typed) };
  }

  /** What no schema describes, in a form that needs none. */
  untyped(object: object, form: OutputForm): Encoded {
    if (form.mediaType !== 'application/cbor') return this.plain(object, form);
    return { contentType: form.mediaType, body: cborDocument(this.#codec.toCbor(object)) };
  }

  /** The answer of an operation: an object of the storage, or a Status. */
  object(object: object, form: OutputForm, storage: RestStorage, include: IncludeObject): Encoded {
    const typed = object as Typed;
    if (typed.kind !== storage.body.kind || typed.apiVersion !== storage.body.apiVersion) return this.plain(object, form);
    // Where objects carry their path, it is the one by which this was asked for.
    if (this.#view?.selfLinks === true && storage.subresource !== '' && form.transform === undefined) return this.plain(object, form, storage);
    if (form.transform !== undefined) return this.plain(this.#transformed(object as KubeObject, form, storage, include), form);
    const forms = form.mediaType === 'application/json' && !form.pretty ? this.#formsOf(object as KubeObject, storage) : undefined;
    if (forms === undefined) return this.plain(object, form);
    return { contentType: form.mediaType, body: `${this.#json({ object: object as KubeObject, forms }, storage.body)}\n` };
  }

  /** `path` is where it was asked for. */
  list(
    { metadata: given, items }: ListAnswer,
    form: OutputForm,
    storage: RestStorage,
    include: IncludeObject,
    path: string,
    isNullWhenEmpty = false,
  ): Encoded {
    // Tables and lists of metadata do not say which part they are.
    const { shardInfo, ...rest } = given;
    const told = shardInfo === undefined || form.transform === undefined ? given : rest;
    const metadata = this.#view?.selfLinks === true ? { selfLink: path, ...told } : told;
    const document = this.#document(metadata, items, form, storage, include);
    const pieces = listPieces(isNullWhenEmpty ? { ...document, isNullWhenEmpty } : document, form, this.#codec, () =>
      this.#codec.toProtobuf(metadata, this.#schemas.mustGet(listMetaSchema)),
    );
    return { contentType: form.mediaType, body: oneOrMany(pieces) };
  }

  /** A list that is not stored as such: the answer of deletecollection. */
  objectList({ metadata, items }: KubeList, { form, storage, include, path }: ListPlace, isNullWhenEmpty: boolean): Encoded {
    return this.list({ metadata, items: items.map((object) => ({ object })) }, form, storage, include, path, isNullWhenEmpty);
  }

  /** Makes the frames of one watch. */
  watchFrames(form: OutputForm, storage: RestStorage, include: IncludeObject): (event: ServedEvent) => Chunk {
    const { transform } = form;
    if (transform === undefined) {
      const last = this.#lastFrame(`${form.mediaType} ${jsonKey(storage.body)}`);
      return (event) => this.#plainFrame(event, form, storage.body, last);
    }
    let first = true;
    return (event) => {
      if (event.type === 'ERROR') return this.#frame(event.type, event.object, form);
      const object = event.object as KubeObject;
      if (transform !== 'Table')
        return this.#frame(
          event.type,
          partialMetadata(this.#typed(object, storage.kind), `meta.k8s.io/${form.transformVersion}`, storage.kind),
          form,
        );
      const table = this.#tableMaker(form, storage, include).table(revisionIn(object), [object], first);
      first = false;
      return this.#frame(event.type, table, form);
    };
  }

  /** The message that describes an object of any kind served here. */
  schemaOf(object: Typed): MessageSchema {
    return schemaOf(object, this.#core.table, this.#schemas);
  }

  #lastFrame(key: string): LastFrame {
    let last = this.#lastFrames.get(key);
    if (last === undefined) this.#lastFrames.set(key, (last = { chunk: '' }));
    return last;
  }

  #plainFrame(event: ServedEvent, form: OutputForm, body: ObjectBody, last: LastFrame): Chunk {
    const { stored, type, variant } = event;
    if (stored === undefined) return this.#frame(type, event.object, form, body);
    if (last.stored === stored && last.type === type && last.variant === variant) return last.chunk;
    last.chunk = this.#storedFrame(event, stored, form, body);
    last.stored = stored;
    last.type = type;
    last.variant = variant;
    return last.chunk;
  }

  /** From what is kept of the object; the frame itself is not kept. */
  #storedFrame({ type, object, variant }: ServedEvent, stored: WireForms, form: OutputForm, body: ObjectBody): Chunk {
    const asStored = variant === '';
    if (form.mediaType === 'application/json') {
      const json = asStored ? this.#json({ object: object as KubeObject, forms: stored }, body) : this.#codec.toJson(this.#shown(object as Typed));
      return `{"type":"${type}","object":${json}}\n`;
    }
    if (!asStored || form.mediaType === 'application/cbor') return this.#frame(type, object, form, body);
    const message = this.#message({ object: object as KubeObject, forms: stored }, body);
    return frame(encodeWatchEvent(type, wrapEnvelope(body.apiVersion, body.kind, message)));
  }

  #frame(type: string, object: object, form: OutputForm, body?: ObjectBody): Chunk {
    if (form.mediaType === 'application/json') return `{"type":"${type}","object":${this.#codec.toJson(this.#shown(object as Typed))}}\n`;
    if (form.mediaType === 'application/cbor') return cborEvent(type, this.#cbor(this.#shown(object as Typed), body));
    return frame(encodeWatchEvent(type, this.#protobuf(this.#shown(object as Typed), body)));
  }

  #transformed(object: KubeObject, form: OutputForm, storage: RestStorage, include: IncludeObject): Typed {
    if (form.transform !== 'Table') return partialMetadata(this.#typed(object, storage.kind), `meta.k8s.io/${form.transformVersion}`, storage.kind);
    const table = this.#tableMaker(form, storage, include).table(revisionIn(object), [object]);
    const { selfLink } = this.#shown(object).metadata;
    return selfLink === undefined ? table : withPath(table, selfLink);
  }

  #tableMaker(form: OutputForm, storage: RestStorage, include: IncludeObject): TableMaker {
    const { kind, body, printed = {} } = storage;
    const told = body.foreign ? body : kind;
    const shown = (object: KubeObject): KubeObject => (include === 'Object' ? this.#shown(object) : this.#typed(object, kind));
    const describe = (column: string): string => this.#describeColumn(told.group === '' ? told.kind : `${told.kind}.${told.group}`, column);
    return new TableMaker({ kind: printed }, include, form.transformVersion, this.#core.nowMs(), shown, describe);
  }

  #document(metadata: ListMeta, items: readonly Item[], form: OutputForm, storage: RestStorage, include: IncludeObject): ListDocument {
    const { length } = items;
    const item = (index: number): Item => items[index] as Item;
    const made = (value: (index: number) => object, kind: string, apiVersion: string): Omit<ListDocument, 'itemsKey' | 'columnDefinitions'> => ({
      kind,
      apiVersion,
      metadata,
      length,
      value,
      json: (index) => this.#codec.toJson(value(index)),
      protobuf: (index) => this.#codec.toProtobuf(value(index), this.schemaOf({ kind: 'PartialObjectMetadata', apiVersion })),
      cbor: (index) => this.#codec.toCbor(value(index), this.schemaOf({ kind: 'PartialObjectMetadata', apiVersion })),
    });
    const apiVersion = `meta.k8s.io/${form.transformVersion}`;
    if (form.transform === 'Table') {
      const maker = this.#tableMaker(form, storage, include);
      const order = storage.printed?.rowOrder;
      const ordered = order === undefined ? items : items.toSorted((a, b) => order(a.object, b.object));
      const rows = made((index) => maker.row((ordered[index] as Item).object), 'Table', apiVersion);
      // Upstream's printers make a list of rows, those of objects without a printer are added to what is not there.
      return { ...rows, itemsKey: 'rows', columnDefinitions: maker.columns(), isNullWhenEmpty: storage.printed?.columns === undefined };
    }
    if (form.transform !== undefined) {
      const { metadata: place, ...partial } = made(
        (index) => partialMetadata(this.#typed(item(index).object, storage.kind), apiVersion, storage.kind),
        'PartialObjectMetadataList',
        apiVersion,
      );
      const isPlaced = place !== undefined && this.#core.ratcheted('PlacedPartialLists');
      return { ...partial, ...(isPlaced ? { metadata: place } : undefined), itemsKey: 'items', isNullWhenEmpty: true };
    }
    return this.#objects(metadata, items, storage.body);
  }

  /** Lists of custom resources repeat kind and apiVersion in every item, lists of built-in kinds do not. */
  #objects(metadata: ListMeta, items: readonly Item[], body: ObjectBody): ListDocument {
    const item = (index: number): Item => items[index] as Item;
    const key = jsonKey(body);
    const value = (index: number): object => {
      const shown = this.#shown(item(index).object);
      return body.hasProtobuf ? withoutType(shown) : shown;
    };
    return {
      kind: body.listKind,
      apiVersion: body.apiVersion,
      // Go writes an empty one in lists of what it has no types for.
      metadata: body.schema.custom === undefined ? metadata : { continue: '', ...metadata },
      itemsKey: 'items',
      length: items.length,
      value,
      json: (index) => this.#itemJson(item(index), body, key),
      protobuf: (index) => this.#message(item(index), body),
      cbor: (index) => this.#codec.toCbor(value(index), this.#seen(body.schema)),
    };
  }

  /** As the reader may see it. Who has no kind of his own here (a Table, a list of groups) is made of what may be seen. */
  #shown<T extends { readonly kind?: string; readonly apiVersion?: string }>(object: T): T {
    if (this.#view === undefined) return object;
    const { group, version } = parseGroupVersion(object.apiVersion ?? '') ?? { group: '', version: '' };
    const registered = this.#core.table.findKind(group, version, object.kind ?? '');
    return registered === undefined ? object : this.#view.shown(object, registered.schema, registered.kind);
  }

  /** With metadata as built-in kinds have it: of a custom object it is a map until nothing else is shown. */
  #typed(object: KubeObject, kind: KindDefinition): KubeObject {
    const shown = this.#shown(object);
    return this.#view === undefined || !isCustom(kind) ? shown : { ...shown, metadata: this.#view.metadata(shown.metadata) };
  }

  #seen(schema: MessageSchema): MessageSchema {
    return this.#view?.schemaOf(schema) ?? schema;
  }

  #protobuf(object: Typed, body?: ObjectBody): Uint8Array {
    const { apiVersion = '' } = object as Partial<Typed>;
    return wrapEnvelope(apiVersion, object.kind, this.#codec.toProtobuf(object, this.#typeOf(object, body)));
  }

  #cbor(object: Typed, body?: ObjectBody): Uint8Array {
    return this.#codec.toCbor(object, this.#typeOf(object, body));
  }

  /** Discovery of what was there first says no version of its own, in its envelope neither. */
  #typeOf(object: Typed, body: ObjectBody | undefined): MessageSchema {
    const { apiVersion = '' } = object as Partial<Typed>;
    const schema =
      body !== undefined && object.kind === body.kind ? body.schema : this.schemaOf(apiVersion === '' ? { ...object, apiVersion: 'v1' } : object);
    return this.#seen(schema);
  }

  /** The bare message. An item's object may be made when it is looked at: only where no bytes are there. */
  #message(item: Item, body: ObjectBody): Uint8Array {
    const make = (): Uint8Array => this.#codec.toProtobuf(this.#shown(item.object), this.#seen(body.schema));
    return item.forms === undefined ? make() : item.forms.getEncoding(`protobuf ${body.apiVersion}`, make);
  }

  #json(item: Pick<Item, 'object' | 'forms'>, body: ObjectBody): string {
    const json = this.#itemJson(item, body);
    if (!body.hasProtobuf) return json;
    return `${typeStart(body)}${json === '{}' ? '' : ','}${json.slice(1)}`;
  }

  /** As it stands in a list, which is what is kept: lists write many of them, and a text that is a part of another is slow to write. */
  #itemJson(item: Pick<Item, 'object' | 'forms'>, body: ObjectBody, key = jsonKey(body)): string {
    const make = (): string => {
      const shown = this.#shown(item.object);
      if (!body.hasProtobuf) return this.#codec.toJson(shown);
      // The whole is what may be known already.
      const [whole, start] = [this.#codec.toJson(shown), typeStart(body)];
      if (!whole.startsWith(start)) return this.#codec.toJson(withoutType(shown));
      return flat(['{', whole.slice(start.length + (whole.startsWith(',', start.length) ? 1 : 0))]);
    };
    return item.forms === undefined ? make() : item.forms.getEncoding<string>(key, make);
  }

  /** Where the wire forms are kept, if this very object is what the store holds now. */
  #formsOf(object: KubeObject, storage: RestStorage): WireForms | undefined {
    const { metadata } = object;
    const { kind } = storage;
    if (storage.body.foreign || metadata?.name === undefined || metadata.resourceVersion === undefined || kind.storage !== undefined)
      return undefined;
    const resource = this.#core.table.find(kind.group, kind.version, kind.plural);
    const stored = resource === undefined ? undefined : this.#core.read(resource, metadata.namespace, metadata.name);
    return stored?.value === object ? stored : undefined;
  }
}

function withPath<T extends { readonly metadata: ListMeta }>(table: T, selfLink: string): T {
  return { ...table, metadata: { selfLink, ...table.metadata } };
}

/** Go leaves out a code of zero, which the Status of a deletion has. */
function withoutZeroCode(object: Typed): Typed {
  if (object.kind !== 'Status' || (object as Partial<Status>).code !== 0) return object;
  const { code: _, ...rest } = object as Status;
  return rest;
}

/** In lists of custom kinds each names what it is. */

/** Where the JSON of a stored object is kept. */
function jsonKey({ apiVersion, edition }: ObjectBody): string {
  return edition === undefined ? `json ${apiVersion}` : `json ${apiVersion} ${edition}`;
}

/** How the JSON of an object begins whose type stands in it. */
function typeStart({ kind, apiVersion }: ObjectBody): string {
  return `{"kind":"${kind}","apiVersion":"${apiVersion}"`;
}

function withoutType(object: KubeObject): object {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
  return rest;
}

/** What is not stored has none. */
function revisionIn({ metadata: { resourceVersion } }: KubeObject): ListMeta {
  return resourceVersion === undefined ? {} : { resourceVersion };
}
