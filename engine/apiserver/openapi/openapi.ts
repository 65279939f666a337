/**
 * OpenAPI over HTTP: `/openapi/v2`, the index `/openapi/v3` and its documents. Everything is made when first asked for and kept
 * until the kinds change. Mirrors kube-openapi pkg/handler and pkg/handler3.
 */
import type { JsonObject } from '../../base/json.ts';
import { mergeDocuments } from '../aggregation/openapi-merge.ts';
import { parsed } from '../aggregation/proxy.ts';
import { headerOf, type Headers, type HttpPlainResponse, type HttpRequest } from '../http-types.ts';
import { type AcceptClause, parseAccept } from '../negotiation.ts';
import { Catalog, type CatalogOptions } from './catalog.ts';
import { DocumentWriter } from './document.ts';
import { asMarshalled, basePath, indented } from './names.ts';
import { asReleased } from './of-release.ts';
import { encodeV3Document } from './proto-document-v3.ts';
import { encodeDocument } from './proto-document.ts';
import { serveContent } from './serve-content.ts';
import { defaultAddress } from '../non-resource.ts';
import { answerSwagger, isSwaggerPath } from '../swagger/handler.ts';
import type { Definitions } from '../swagger/models.ts';
import { SwaggerTexts } from '../swagger/swagger.ts';
import { storedGzip } from '../../base/stored-gzip.ts';

export interface OpenApiOptions extends CatalogOptions {
  /** Where the server is found. */
  address?(): string;
  /** A strong hash in hexadecimal digits; it names contents in caches of clients. */
  hash(text: string): string;
}

/** What a server of another API says of itself: of its paths those with the prefix count. */
export interface ForeignText {
  readonly prefix: string;
  readonly text: string;
}

/** What the servers of other APIs say; asked only where it is needed. */
export interface Others {
  texts(): readonly ForeignText[];
  /** Their documents of version 3, by path. */
  paths(): JsonObject;
}

/** `others` are joined to the document of version 2 and to the index of version 3. */
export type DocumentHandler = (request: HttpRequest, path: string, others?: Others) => HttpPlainResponse | undefined;

/** For the option `documents` of the handler of paths that are no resources. */
export function createOpenApi(options: OpenApiOptions): DocumentHandler {
  const openApi = new OpenApi(options);
  return (request, path, others) => openApi.handle(request, path, others);
}

const root = '/openapi/v3';
const jsonType = 'application/json';
const protobufType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const olderProtobufType = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const v3ProtobufType = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
const olderV3ProtobufType = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';
const plainType = 'text/plain; charset=utf-8';
const bytesType = 'application/octet-stream';
const notAcceptable: HttpPlainResponse = { status: 406, headers: { vary: 'Accept' }, body: '' };

interface Text {
  readonly text: string;
  readonly hash: string;
  /** When it was made, in whole seconds. */
  readonly madeMs: number;
}

type Form = 'json' | 'protobuf' | 'gzip';

const typesAsAlways: Readonly<Record<Form, string>> = { json: jsonType, protobuf: bytesType, gzip: 'application/x-gzip' };

/** Of the older document alone, as upstream: that of its handler. */
const v2GzipOverBytes = 1400;
const yearMs = 365 * 86_400_000;

class OpenApi {
  readonly #options: OpenApiOptions;
  #generation = -1;
  #made: Documents;

  constructor(options: OpenApiOptions) {
    this.#options = options;
    this.#made = new Documents(options);
  }

  handle(request: HttpRequest, path: string, others?: Others): HttpPlainResponse | undefined {
    const more = this.#options.release?.paths?.openApi ?? {};
    if (Object.hasOwn(more, path)) return this.#asAlways(request, more[path] ?? 'json');
    if (this.#options.release?.swagger !== undefined && isSwaggerPath(path))
      return answerSwagger(request, path, (about) => this.#documents().swagger(about));
    if (!path.startsWith('/openapi/')) return undefined;
    if (path === '/openapi/v2') return this.#v2(request, others?.texts() ?? []);
    if (path === root) return this.#index(request, others?.paths());
    return path.startsWith(`${root}/`) ? this.#v3(request, path.slice(root.length + 1)) : undefined;
  }

  /** Upstream joins it anew from those of all servers for each who asks, and says so: it is as new as the question. */
  #index(request: HttpRequest, others: JsonObject = {}): HttpPlainResponse {
    const { text } = this.#documents().index();
    const joined = Object.keys(others).length === 0 ? text : withPaths(text, others);
    return this.#answer(request, { text: joined, madeMs: wholeSecond(this.#nowMs()) }, plainType, {});
  }

  #answer(
    request: HttpRequest,
    { text, hash, madeMs }: Omit<Text, 'hash'> & Partial<Text>,
    contentType: string,
    more: Headers,
    body?: () => Uint8Array,
  ): HttpPlainResponse {
    const isOlder = this.#options.release?.paths?.describesAsText === true;
    return serveContent(request, more, {
      contentType,
      tag: hash,
      madeMs,
      isTypeKnown: hash !== undefined && !isOlder,
      refusesWithTag: isOlder,
      body: body ?? ((): string => text),
      hash: this.#options.hash,
    });
  }

  #nowMs(): number {
    return this.#options.server.registry.core.nowMs();
  }

  #v2(request: HttpRequest, others: readonly ForeignText[]): HttpPlainResponse {
    const isPlain = this.#options.release?.paths?.describesAsText === true;
    const type = firstAccepted(acceptedOf(request), [jsonType, olderProtobufType, ...(isPlain ? [] : [protobufType])]);
    if (type === undefined) return notAcceptable;
    const documents = this.#documents();
    const headers = { vary: ['Accept-Encoding', 'Accept'] };
    const whole = others.length === 0 ? documents.v2() : documents.joined(others);
    if (type === jsonType) return { ...this.#answer(request, whole, isPlain ? plainType : jsonType, headers), gzipOver: v2GzipOverBytes };
    const protobuf = (): Uint8Array => (others.length === 0 ? documents.v2Protobuf() : encodeDocument(JSON.parse(whole.text) as JsonObject));
    const told = this.#inForm(whole, 'protobuf');
    return { ...this.#answer(request, told, isPlain ? bytesType : protobufType, headers, protobuf), gzipOver: v2GzipOverBytes };
  }

  /** Whatever is asked for, as it was before clients could say what they take. */
  #asAlways(request: HttpRequest, form: Form): HttpPlainResponse {
    const documents = this.#documents();
    const bodies: Readonly<Record<Form, (() => Uint8Array) | undefined>> = {
      json: undefined,
      protobuf: () => documents.v2Protobuf(),
      gzip: () => storedGzip(documents.v2Protobuf()),
    };
    const headers = { vary: 'Accept-Encoding' };
    return { ...this.#answer(request, this.#inForm(documents.v2(), form), typesAsAlways[form], headers, bodies[form]), gzipOver: v2GzipOverBytes };
  }

  /** Each form had a tag of its own, before one stood for all of them. */
  #inForm(whole: Text, form: Form): Text {
    if (form === 'json' || this.#options.release?.paths?.describesAsText !== true) return whole;
    return { ...whole, hash: this.#options.hash(`${form} ${whole.hash}`).toUpperCase() };
  }

  #v3(request: HttpRequest, name: string): HttpPlainResponse | undefined {
    const documents = this.#documents();
    const document = documents.v3(name);
    if (document === undefined) return { status: 404, headers: {}, body: '' };
    const clauses = acceptedOf(request);
    // A header that says nothing of types refuses none.
    const type = clauses.length === 0 ? jsonType : firstAccepted(clauses, [jsonType, v3ProtobufType, olderV3ProtobufType]);
    if (type === undefined) return notAcceptable;
    const contentType = type === jsonType ? jsonType : v3ProtobufType;
    const body = type === jsonType ? undefined : (): Uint8Array => documents.v3Protobuf(name);
    const wanted = new URLSearchParams(request.query).get('hash') ?? '';
    if (wanted === '') return this.#answer(request, document, contentType, { vary: 'Accept' }, body);
    if (wanted !== document.hash) {
      const headers = { location: relativeUrl(name, document.hash), vary: 'Accept', etag: `"${document.hash}"`, 'content-type': contentType };
      return { status: 301, headers, body: '' };
    }
    // Go writes this one with the name of its zone.
    const expires = new Date(this.#nowMs() + yearMs).toUTCString().replace('GMT', 'UTC');
    return this.#answer(request, document, contentType, { vary: 'Accept', 'cache-control': 'public, immutable', expires }, body);
  }

  #documents(): Documents {
    const { generation } = this.#options.server.storages;
    if (generation !== this.#generation) {
      this.#generation = generation;
      this.#made = new Documents(this.#options);
    }
    return this.#made;
  }
}

/** The documents about one set of kinds. */
class Documents {
  readonly #options: OpenApiOptions;
  readonly #texts = new Map<string, Text>();
  readonly #v3Protobufs = new Map<string, Uint8Array>();
  #catalog: Catalog | undefined;
  #makers: ReadonlyMap<string, () => JsonObject> | undefined;
  #protobuf: Uint8Array | undefined;
  #swagger: SwaggerTexts | undefined;
  /** Of what was joined last. */
  #joined: { readonly key: string; readonly text: Text } | undefined;

  constructor(options: OpenApiOptions) {
    this.#options = options;
  }

  v2(): Text {
    return this.#text('v2', () => this.#makeV2());
  }

  joined(others: readonly ForeignText[]): Text {
    const key = others.map(({ prefix, text }) => `${prefix} ${this.#options.hash(text)}`).join('\n');
    if (this.#joined?.key !== key) {
      const documents = others.map(({ prefix, text }) => ({ prefix, document: parsed(text) }));
      this.#joined = { key, text: this.#writtenV2(mergeDocuments(JSON.parse(this.v2().text) as JsonObject, documents)) };
    }
    return this.#joined.text;
  }

  v2Protobuf(): Uint8Array {
    this.#protobuf ??= encodeDocument(this.#makeV2());
    return this.#protobuf;
  }

  v3(name: string): Text | undefined {
    const make = this.#v3Makers().get(name);
    return make === undefined ? undefined : this.#text(`v3/${name}`, make);
  }

  v3Protobuf(name: string): Uint8Array {
    let found = this.#v3Protobufs.get(name);
    if (found === undefined) {
      found = encodeV3Document(JSON.parse(this.v3(name)?.text ?? '{}') as JsonObject);
      this.#v3Protobufs.set(name, found);
    }
    return found;
  }

  index(): Text {
    return this.#text('v3', () => {
      const names = [...this.#v3Makers().keys()].sort();
      return { paths: Object.fromEntries(names.map((name) => [name, { serverRelativeURL: relativeUrl(name, this.v3(name)?.hash ?? '') }])) };
    });
  }

  /** Of Swagger 1.2: the document about a path, and for none the listing of all. */
  swagger(about: string): string | undefined {
    const { release } = this.#options;
    if (release?.swagger === undefined) return undefined;
    this.#swagger ??= new SwaggerTexts({
      catalog: this.#described(),
      told: release.swagger,
      address: this.#options.address?.() ?? defaultAddress,
      definitions: () => (JSON.parse(this.v2().text) as { readonly definitions: Definitions }).definitions,
      renamed: release.openApi?.renamed ?? {},
    });
    return this.#swagger.text(about);
  }

  #makeV2(): JsonObject {
    const catalog = this.#described();
    const paths = [...catalog.discovery, ...catalog.versions.flatMap((version) => version.paths)];
    const told = this.#options.release?.openApi;
    return asReleased(new DocumentWriter(catalog, 'v2', told?.repeatsParameters !== true).write(paths, catalog.known), told);
  }

  #v3Makers(): ReadonlyMap<string, () => JsonObject> {
    if (this.#makers !== undefined) return this.#makers;
    const catalog = this.#described();
    const writer = new DocumentWriter(catalog, 'v3');
    const makers = new Map<string, () => JsonObject>();
    for (const path of catalog.discovery) makers.set(path.document, () => writer.write([path], []));
    for (const version of catalog.versions) makers.set(basePath(version).slice(1), () => writer.write(version.paths, [version], version.isCustom));
    this.#makers = makers;
    return makers;
  }

  #described(): Catalog {
    this.#catalog ??= new Catalog(this.#options);
    return this.#catalog;
  }

  #text(key: string, make: () => JsonObject): Text {
    let found = this.#texts.get(key);
    if (found === undefined) {
      found = key === 'v2' ? this.#writtenV2(make()) : this.#written(asMarshalled(JSON.stringify(make())));
      this.#texts.set(key, found);
    }
    return found;
  }

  #writtenV2(document: JsonObject): Text {
    const isIndented = this.#options.release?.openApi?.isIndented === true;
    return this.#written(isIndented ? indented(document) : JSON.stringify(document));
  }

  #written(text: string): Text {
    return { text, hash: this.#options.hash(text).toUpperCase(), madeMs: wholeSecond(this.#options.server.registry.core.nowMs()) };
  }
}

function acceptedOf(request: HttpRequest): readonly AcceptClause[] {
  return parseAccept(headerOf(request, 'accept') || '*/*');
}

function relativeUrl(name: string, hash: string): string {
  return `${root}/${name}?hash=${hash}`;
}

/** The first of `types` that the best clause of the Accept header takes. */
function firstAccepted(clauses: readonly AcceptClause[], types: readonly string[]): string | undefined {
  for (const { type, subtype } of clauses) {
    const found = types.find((candidate) => {
      const [wholeType = '', wholeSubtype = ''] = candidate.split('/');
      return (type === '*' || type === wholeType) && (subtype === '*' || subtype === wholeSubtype);
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

function withPaths(index: string, others: JsonObject): string {
  const { paths } = JSON.parse(index) as { readonly paths: JsonObject };
  const all = { ...paths, ...others };
  const names = Object.keys(all).sort();
  return JSON.stringify({ paths: Object.fromEntries(names.map((name) => [name, all[name]])) });
}

function wholeSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}
