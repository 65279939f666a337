/** Whole documents in either dialect, as values. */
import type { GroupVersion, GroupVersionKind } from '../../apimachinery/object.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Catalog } from './catalog.ts';
import { closure, type Definition } from './definitions.ts';
import { dialectV2, dialectV3, refTo, type Dialect } from './dialect.ts';
import { inOrder, membersInOrder } from './member-order.ts';
import { ownParameters, sharedParameters, type Operation, type Parameter, type PathEntry } from './operation.ts';
import { SharedParameters } from './shared-parameters.ts';

const bearer = { description: 'Bearer Token authentication' };
const header = { name: 'authorization', in: 'header' };
const securityV2 = { BearerToken: { ...bearer, type: 'apiKey', ...header } };
const securityV3 = { BearerToken: { type: 'apiKey', ...bearer, ...header } };
const infoOfCustom = { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' };
const groupOfJoiner = 'apiregistration.k8s.io';
/** As upstream's types have them. */
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;
const codeTexts: { readonly [code: number]: string } = { 200: 'OK', 201: 'Created', 202: 'Accepted', 401: 'Unauthorized' };

/** Writes documents of one dialect; definitions are made once and shared. */
export class DocumentWriter {
  readonly #catalog: Catalog;
  readonly #dialect: Dialect;
  readonly #definitions = new Map<string, Definition>();
  /** Of version 2 alone, where a release has them. */
  readonly #shared: SharedParameters | undefined;

  constructor(catalog: Catalog, version: 'v2' | 'v3', sharesParameters = false) {
    this.#catalog = catalog;
    this.#shared = version === 'v2' && sharesParameters ? new SharedParameters() : undefined;
    this.#dialect = version === 'v2' ? dialectV2 : dialectV3;
  }

  /** `isCustom`: of custom resources alone. */
  write(entries: readonly PathEntry[], versions: readonly GroupVersion[], isCustom = false): JsonObject {
    const info = isCustom ? infoOfCustom : { title: 'Kubernetes', version: this.#catalog.productVersion };
    const paths = Object.fromEntries([...entries].sort((a, b) => (a.path < b.path ? -1 : 1)).map((entry) => [entry.path, this.#path(entry)]));
    const definitions = this.#schemas(entries, versions);
    if (this.#dialect.version === 'v2') {
      const parameters = this.#shared === undefined ? undefined : { parameters: this.#shared.all() };
      return {
        swagger: '2.0',
        info,
        paths,
        definitions,
        ...parameters,
        securityDefinitions: securityV2,
        security: [{ BearerToken: [] }],
      };
    }
    const schemas = Object.keys(definitions).length === 0 ? undefined : { schemas: definitions };
    return { openapi: '3.0.0', info, paths, components: { ...schemas, ...(isCustom ? undefined : { securitySchemes: securityV3 }) } };
  }

  #schemas(entries: readonly PathEntry[], versions: readonly GroupVersion[]): JsonObject {
    const roots = new Set<string>();
    for (const { operations } of entries) {
      for (const { body, response } of operations) {
        if (body !== undefined) roots.add(body.definition);
        if (response !== 'string') roots.add(response);
      }
    }
    const names = closure(roots, (name) => this.#definition(name).refs);
    return Object.fromEntries(names.map((name) => [name, this.#withKinds(name, versions)]));
  }

  #withKinds(name: string, versions: readonly GroupVersion[]): JsonObject {
    const { schema } = this.#definition(name);
    const kinds = this.#catalog.kindsOf(name, versions);
    const selectable = this.#catalog.selectableOf(name);
    const fields = selectable.length === 0 ? undefined : { 'x-kubernetes-selectable-fields': selectable };
    return kinds.length === 0 ? schema : membersInOrder({ ...schema, 'x-kubernetes-group-version-kind': kinds, ...fields });
  }

  #definition(name: string): Definition {
    let definition = this.#definitions.get(name);
    if (definition === undefined) {
      const { schema, refs } = this.#catalog.define(name, this.#dialect);
      definition = { schema: inOrder(schema), refs };
      this.#definitions.set(name, definition);
    }
    return definition;
  }

  #path({ operations }: PathEntry): JsonObject {
    const shared = sharedParameters(operations);
    const ordered = methods.flatMap((method) => operations.filter((operation) => operation.method === method));
    const written = ordered.map((operation) => [operation.method, this.#operation(operation, ownParameters(operation, shared))]);
    return {
      ...Object.fromEntries(written),
      ...(shared.length === 0 ? undefined : { parameters: shared.map((parameter) => this.#parameter(parameter)) }),
    };
  }

  #operation(operation: Operation, own: readonly Parameter[]): JsonObject {
    const extensions = {
      ...(operation.action === undefined ? undefined : { 'x-kubernetes-action': operation.action }),
      ...(operation.gvk === undefined ? undefined : { 'x-kubernetes-group-version-kind': this.#kind(operation.gvk) }),
    };
    return { ...(this.#dialect.version === 'v2' ? this.#exchangeV2(operation, own) : this.#exchangeV3(operation, own)), ...extensions };
  }

  #exchangeV2({ id, tag, description, body, consumes, produces, codes, response }: Operation, own: readonly Parameter[]): JsonObject {
    const parameters = own.map((parameter) => this.#parameter(parameter));
    if (body !== undefined) {
      const required = body.required ? { required: true } : undefined;
      parameters.unshift(this.#sharedOrNot({ name: 'body', in: 'body', ...required, schema: refTo(this.#dialect, body.definition) }));
    }
    const answers = codes.map((code) => [String(code), { description: codeTexts[code] ?? '', schema: this.#response(response) }]);
    return {
      description,
      ...(consumes.length === 0 ? undefined : { consumes }),
      produces,
      schemes: ['https'],
      tags: [tag],
      operationId: id,
      ...(parameters.length === 0 ? undefined : { parameters }),
      responses: { ...Object.fromEntries(answers), 401: { description: 'Unauthorized' } },
    };
  }

  #exchangeV3({ id, tag, description, body, consumes, produces, codes, response }: Operation, own: readonly Parameter[]): JsonObject {
    const content = (types: readonly string[], schema: JsonObject): JsonObject =>
      Object.fromEntries([...types].sort().map((type) => [type, { schema }]));
    const answers = codes.map((code) => [String(code), { description: codeTexts[code] ?? '', content: content(produces, this.#response(response)) }]);
    return {
      tags: [tag],
      description,
      operationId: id,
      ...(own.length === 0 ? undefined : { parameters: own.map((parameter) => this.#parameter(parameter)) }),
      ...(body === undefined
        ? undefined
        : {
            requestBody: { content: content(consumes, refTo(this.#dialect, body.definition)), ...(body.required ? { required: true } : undefined) },
          }),
      responses: { ...Object.fromEntries(answers), 401: { description: 'Unauthorized' } },
    };
  }

  /** As the type in Go has it, but by name in what version 2 takes from other servers than the one that joins them, or from all where it shares nothing. */
  #kind({ group, kind, version }: GroupVersionKind): JsonObject {
    const isRead = this.#dialect.version === 'v2' && (group !== groupOfJoiner || this.#shared === undefined);
    return isRead ? { group, kind, version } : { group, version, kind };
  }

  #response(response: string): JsonObject {
    return response === 'string' ? { type: 'string' } : refTo(this.#dialect, response);
  }

  #parameter({ name, in: place, type, description }: Parameter): JsonObject {
    const said = description === undefined ? undefined : { description };
    const required = place === 'path' ? { required: true } : undefined;
    if (this.#dialect.version === 'v2') return this.#sharedOrNot({ uniqueItems: true, type, ...said, name, in: place, ...required });
    return { name, in: place, ...said, ...required, schema: { type, uniqueItems: true } };
  }

  #sharedOrNot(parameter: JsonObject): JsonObject {
    return this.#shared?.shared(parameter) ?? parameter;
  }
}
