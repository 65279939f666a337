/**
 * What Swagger 1.2 says of one root of paths: operations in the order in which upstream registers its routes, and their models. Mirrors
 * swagger_webservice.go of go-restful-swagger12 and registerResourceHandlers of apiserver pkg/endpoints/installer.go.
 */
import type { GroupVersion } from '../../apimachinery/object.ts';
import type { JsonObject } from '../../base/json.ts';
import { basePath, operationName } from '../openapi/names.ts';
import type { Operation, Parameter, PathEntry } from '../openapi/operation.ts';
import { type Models, shortName } from './models.ts';

const codeTexts: { readonly [code: number]: string } = { 200: 'OK', 201: 'Created', 202: 'Accepted' };
const info = { title: '', description: '' };

export interface Declaration {
  /** Of the version that it is about; empty else. */
  readonly version: string;
  readonly address: string;
  readonly root: string;
  readonly apis: readonly JsonObject[];
  readonly models: Models;
}

export function declaration({ version, address, root, apis, models }: Declaration): JsonObject {
  return {
    swaggerVersion: '1.2',
    apiVersion: version,
    basePath: `https://${address}`,
    resourcePath: root,
    info,
    apis,
    models: models.all(),
  };
}

export function listing(apis: readonly { readonly path: string; readonly description: string }[]): JsonObject {
  return { swaggerVersion: '1.2', apis: apis.map(({ path, description }) => ({ path, description })), apiVersion: '', info };
}

/** All paths of a version, each once. */
export function resourceApis(gv: GroupVersion, paths: readonly PathEntry[], description: string, models: Models): readonly JsonObject[] {
  const base = basePath(gv);
  const routes = paths
    .flatMap(({ path, operations }) => operations.map((operation) => ({ path, operation, place: placeOf(path.slice(base.length + 1), operation) })))
    .sort((a, b) => (a.place.resource === b.place.resource ? a.place.rank - b.place.rank : a.place.resource < b.place.resource ? -1 : 1));
  const apis = new Map<string, JsonObject[]>();
  for (const { path, operation } of routes) {
    const written = apis.get(path) ?? [];
    apis.set(path, written);
    written.push(resourceOperation(gv, operation, models));
  }
  return [...apis].map(([path, operations]) => api(path, description, operations));
}

export function api(path: string, description: string, operations: readonly JsonObject[]): JsonObject {
  return { path: path.replace(/\/$/, ''), description, operations };
}

/** One that tells what is served. */
export function plainOperation(nickname: string, { description, consumes, produces, response }: Operation, models: Models): JsonObject {
  models.add(response);
  return { type: shortName(response), method: 'GET', summary: description, nickname, parameters: [], produces, consumes };
}

function resourceOperation(gv: GroupVersion, operation: Operation, models: Models): JsonObject {
  const { id, method, description, action, body, codes, response, produces, consumes } = operation;
  const type = response === 'string' ? response : shortName(response);
  // Resources themselves are listed by a route of another form.
  if (action === undefined) return plainOperation('getAPIResources', operation, models);
  for (const one of [response, body?.definition]) if (one !== undefined && one !== 'string') models.add(one);
  const answers = codes.map((code) => ({ code, message: codeTexts[code] ?? '', responseModel: type }));
  return {
    type,
    method: method.toUpperCase(),
    summary: description,
    nickname: nicknameOf(id, gv, action),
    parameters: parametersOf(operation),
    ...(action === 'connect' ? undefined : { responseMessages: answers }),
    produces,
    consumes,
  };
}

/** Ids of operations without the version, which came later. */
function nicknameOf(id: string, gv: GroupVersion, action: string): string {
  const nickname = id.replace(operationName(gv), '');
  return action === 'deletecollection' ? nickname.replace('deleteCollection', 'deletecollection') : nickname;
}

/** In the order of the routes' options, as their structs have them. */
const optionOrder = [
  'labelSelector',
  'fieldSelector',
  'gracePeriodSeconds',
  'orphanDependents',
  'propagationPolicy',
  'dryRun',
  'includeUninitialized',
  'watch',
  'resourceVersion',
  'timeoutSeconds',
  'limit',
  'continue',
  'export',
  'exact',
];

function parametersOf({ parameters, body }: Operation): readonly JsonObject[] {
  const queries = parameters.filter((one) => one.in === 'query');
  const isPretty = ({ name }: Parameter): boolean => name === 'pretty';
  const options = queries.filter((one) => !isPretty(one)).sort((a, b) => optionOrder.indexOf(a.name) - optionOrder.indexOf(b.name));
  return [
    ...queries.filter(isPretty).map(parameter),
    ...(body === undefined ? [] : [written({ type: shortName(body.definition), place: 'body', name: 'body', required: body.required })]),
    ...options.map(parameter),
    ...parameters.filter((one) => one.in === 'path').map(parameter),
  ];
}

function parameter({ type, in: place, name, description = '' }: Parameter): JsonObject {
  return written({ type, place, name, description, required: place === 'path' });
}

interface Written {
  readonly type: string;
  readonly place: string;
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
}

function written({ type, place, name, description = '', required }: Written): JsonObject {
  return { type, paramType: place, name, description, required, allowMultiple: false };
}

const actions = ['list', 'post', 'deletecollection', 'watchlist', 'get', 'put', 'patch', 'delete', 'watch', 'connect'];
const connectMethods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];

/** By resource and subresource, and there by action: of all namespaces after all others, what is no resource last. */
function placeOf(path: string, { id, action, method }: Operation): { readonly resource: string; readonly rank: number } {
  if (action === undefined) return { resource: '~', rank: 0 };
  const [resource = '', ...below] = path
    .replace(/^watch\//, '')
    .replace(/^namespaces\/\{namespace\}\//, '')
    .split('/');
  const subresource = below.find((segment) => !segment.startsWith('{'));
  const later = id.endsWith('ForAllNamespaces') ? 100 : action === 'connect' && id.endsWith('WithPath') ? 50 : 0;
  const rank = actions.indexOf(action) * 2 + later + (action === 'connect' ? connectMethods.indexOf(method) : 0);
  return { resource: subresource === undefined ? resource : `${resource}/${subresource}`, rank };
}
