/** The documents of Swagger 1.2, by the path that each is about: of releases that have them. Each is made when first asked for. */
import type { FieldSchema } from '../../apimachinery/schema.ts';
import { getOwn } from '../../base/dictionary.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ReleaseSwagger } from '../../contracts/release-documents.ts';
import type { Catalog } from '../openapi/catalog.ts';
import { flatten } from '../openapi/definitions.ts';
import { basePath, indented } from '../openapi/names.ts';
import { api, declaration, listing, plainOperation, resourceApis } from './declaration.ts';
import { type Definitions, Models } from './models.ts';

export interface SwaggerSource {
  readonly catalog: Catalog;
  readonly told: ReleaseSwagger;
  /** `127.0.0.1:6443`, where the server is found. */
  readonly address: string;
  readonly definitions: () => Definitions;
  /** What definitions were renamed to: now → then. */
  readonly renamed: { readonly [name: string]: string };
}

interface SwaggerDocument {
  /** What it is about. */
  readonly path: string;
  readonly description: string;
  make(): JsonObject;
}

/** Documents as they are sent. */
export class SwaggerTexts {
  readonly #documents: readonly SwaggerDocument[];
  readonly #texts = new Map<string, string>();

  constructor(source: SwaggerSource) {
    this.#documents = documentsOf(source);
  }

  /** About a path, or the listing of all for an empty one. */
  text(about: string): string | undefined {
    let found = this.#texts.get(about);
    if (found === undefined) {
      const document = about === '' ? listing(this.#documents) : this.#documents.find(({ path }) => path === about)?.make();
      if (document === undefined) return undefined;
      found = indented(document);
      this.#texts.set(about, found);
    }
    return found;
  }
}

/** All that there are, in the order in which they are listed. */
function documentsOf(source: SwaggerSource): readonly SwaggerDocument[] {
  const { told } = source;
  const groups = [...new Set(told.versions.map((version) => version.split('/', 1)[0] ?? ''))];
  return [
    ...plain(source, '/version/', 'getCodeVersion', told.ofVersion),
    ...plain(source, '/apis/', 'getAPIVersions'),
    logs(source),
    ...versioned(source, '/v1'),
    ...plain(source, '/api/', 'getAPIVersions'),
    ...groups.flatMap((group) => [
      ...told.versions.filter((version) => version.startsWith(`${group}/`)).flatMap((version) => versioned(source, version)),
      ...plain(source, `/apis/${group}/`, 'getAPIGroup'),
    ]),
  ];
}

/** Of a version, where it is served. */
function versioned(source: SwaggerSource, name: string): readonly SwaggerDocument[] {
  const version = source.catalog.versions.find((one) => `${one.group}/${one.version}` === name);
  if (version === undefined) return [];
  const path = basePath(version);
  const description = `API at ${path}`;
  const make = (): JsonObject => {
    const models = modelsOf(source);
    const apis = resourceApis(version, version.paths, description, models);
    return declaration({ version: name.replace(/^\//, ''), address: source.address, root: path, apis, models });
  };
  return [{ path, description, make }];
}

/** What tells what is served. */
function plain(source: SwaggerSource, path: string, nickname: string, described?: string): readonly SwaggerDocument[] {
  const operation = source.catalog.discovery.find((one) => one.path === path)?.operations[0];
  if (operation === undefined) return [];
  const root = path.replace(/\/$/, '');
  const description = described ?? operation.description;
  const make = (): JsonObject => {
    const models = modelsOf(source);
    const apis = [api(path, description, [plainOperation(nickname, operation, models)])];
    return declaration({ version: '', address: source.address, root, apis, models });
  };
  return [{ path: root, description, make }];
}

function logs(source: SwaggerSource): SwaggerDocument {
  const { ofLogs, ofLogPath } = source.told;
  const operation = (nickname: string, parameters: readonly JsonObject[]): JsonObject => ({ type: 'void', method: 'GET', nickname, parameters });
  const path = { type: 'string', paramType: 'path', name: 'logpath', description: ofLogPath, required: true, allowMultiple: false };
  const apis = [api('/logs/{logpath}', ofLogs, [operation('logFileHandler', [path])]), api('/logs/', ofLogs, [operation('logFileListHandler', [])])];
  const make = (): JsonObject => declaration({ version: '', address: source.address, root: '/logs', apis, models: modelsOf(source) });
  return { path: '/logs', description: ofLogs, make };
}

function modelsOf({ catalog, definitions, renamed, told }: SwaggerSource): Models {
  return new Models(definitions(), (name) => ({
    fields: fieldsOf(catalog, name, renamed),
    required: getOwn(told.required, name),
    moved: getOwn(told.moved, name),
  }));
}

function fieldsOf({ lookup }: Catalog, name: string, renamed: SwaggerSource['renamed']): readonly FieldSchema[] | undefined {
  const names = [name, ...Object.keys(renamed).filter((now) => renamed[now] === name)];
  const message = names.map(lookup).find((one) => one !== undefined);
  if (message === undefined) return undefined;
  const [now, then] = [`${versionOf(message.name)}.`, `${versionOf(name)}.`];
  // Types that a definition brought along have their names in its version.
  return flatten(message, lookup).map((field) => (field.goType === undefined ? field : { ...field, goType: field.goType.replace(now, then) }));
}

function versionOf(definition: string): string {
  return definition.split('.').at(-2) ?? '';
}
