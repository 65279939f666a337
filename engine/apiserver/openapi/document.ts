/** Whole documents in either dialect, as values. */
import type { GroupVersion } from '../../apimachinery/object.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Catalog } from './catalog.ts';
import { closure, type Definition } from './definitions.ts';
import { dialectV2, dialectV3, refTo, type Dialect } from './dialect.ts';
import { ownParameters, sharedParameters, type Operation, type Parameter, type PathEntry } from './operation.ts';

const bearerToken = { BearerToken: { description: 'Bearer Token authentication', in: 'header', name: 'authorization', type: 'apiKey' } };
const codeTexts: { readonly [code: number]: string } = { 200: 'OK', 201: 'Created', 202: 'Accepted', 401: 'Unauthorized' };

/** Writes documents of one dialect; definitions are made once and shared. */
export class DocumentWriter {
  readonly #catalog: Catalog;
  readonly #dialect: Dialect;
  readonly #definitions = new Map<string, Definition>();

  constructor(catalog: Catalog, version: 'v2' | 'v3') {
    this.#catalog = catalog;
    this.#dialect = version === 'v2' ? dialectV2 : dialectV3;
  }

  get #info(): JsonObject {
    return { title: 'Kubernetes', version: this.#catalog.productVersion };
  }

  write(entries: readonly PathEntry[], versions: readonly GroupVersion[]): JsonObject {
    const paths = Object.fromEntries([...entries].sort((a, b) => (a.path < b.path ? -1 : 1)).map((entry) => [entry.path, this.#path(entry)]));
    const definitions = this.#schemas(entries, versions);
    if (this.#dialect.version === 'v2')
      return { swagger: '2.0', info: this.#info, paths, definitions, securityDefinitions: bearerToken, security: [{ BearerToken: [] }] };
    return { openapi: '3.0.0', info: this.#info, paths, components: { schemas: definitions, securitySchemes: bearerToken } };
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
    return kinds.length === 0 ? schema : { ...schema, 'x-kubernetes-group-version-kind': kinds };
  }

  #definition(name: string): Definition {
    let definition = this.#definitions.get(name);
    if (definition === undefined) {
      definition = this.#catalog.define(name, this.#dialect);
      this.#definitions.set(name, definition);
    }
    return definition;
  }

  #path({ operations }: PathEntry): JsonObject {
    const shared = sharedParameters(operations);
    const written = operations.map((operation) => [operation.method, this.#operation(operation, ownParameters(operation, shared))]);
    return {
      ...Object.fromEntries(written),
      ...(shared.length === 0 ? undefined : { parameters: shared.map((parameter) => this.#parameter(parameter)) }),
    };
  }

  #operation(operation: Operation, own: readonly Parameter[]): JsonObject {
    const common = {
      operationId: operation.id,
      tags: [operation.tag],
      ...(operation.action === undefined ? undefined : { 'x-kubernetes-action': operation.action }),
      ...(operation.gvk === undefined ? undefined : { 'x-kubernetes-group-version-kind': operation.gvk }),
    };
    return this.#dialect.version === 'v2' ? { ...common, ...this.#exchangeV2(operation, own) } : { ...common, ...this.#exchangeV3(operation, own) };
  }

  #exchangeV2({ body, consumes, produces, codes, response }: Operation, own: readonly Parameter[]): JsonObject {
    const parameters = own.map((parameter) => this.#parameter(parameter));
    if (body !== undefined) {
      parameters.unshift({
        in: 'body',
        name: 'body',
        ...(body.required ? { required: true } : undefined),
        schema: refTo(this.#dialect, body.definition),
      });
    }
    const answers = codes.map((code) => [String(code), { description: codeTexts[code] ?? '', schema: this.#response(response) }]);
    return {
      consumes,
      produces,
      schemes: ['https'],
      ...(parameters.length === 0 ? undefined : { parameters }),
      responses: { ...Object.fromEntries(answers), 401: { description: 'Unauthorized' } },
    };
  }

  #exchangeV3({ body, consumes, produces, codes, response }: Operation, own: readonly Parameter[]): JsonObject {
    const content = (types: readonly string[], schema: JsonObject): JsonObject => Object.fromEntries(types.map((type) => [type, { schema }]));
    const answers = codes.map((code) => [String(code), { content: content(produces, this.#response(response)), description: codeTexts[code] ?? '' }]);
    return {
      ...(own.length === 0 ? undefined : { parameters: own.map((parameter) => this.#parameter(parameter)) }),
      ...(body === undefined
        ? undefined
        : {
            requestBody: { content: content(consumes, refTo(this.#dialect, body.definition)), ...(body.required ? { required: true } : undefined) },
          }),
      responses: { ...Object.fromEntries(answers), 401: { description: 'Unauthorized' } },
    };
  }

  #response(response: string): JsonObject {
    return response === 'string' ? { type: 'string' } : refTo(this.#dialect, response);
  }

  #parameter({ name, in: place, type }: Parameter): JsonObject {
    const required = place === 'path' ? { required: true } : undefined;
    if (this.#dialect.version === 'v2') return { in: place, name, ...required, type, uniqueItems: true };
    return { in: place, name, ...required, schema: { type, uniqueItems: true } };
  }
}
