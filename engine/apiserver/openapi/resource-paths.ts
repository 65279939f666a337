/** The paths of one resource and of its subresources. Mirrors registerResourceHandlers of apiserver pkg/endpoints/installer.go. */
import type { GroupVersion, GroupVersionKind } from '../../apimachinery/object.ts';
import { anyType, customPatchTypes, customTypes, listTypes, objectTypes, patchTypes, plainPatchTypes } from './media-types.ts';
import { basePath, operationName, tagName, withArticle } from './names.ts';
import type { ReleaseRequests } from '../../contracts/release-documents.ts';
import { pathParameters, queryParameters, type Describe, type Method, type Operation, type PathEntry } from './operation.ts';
import type { ParameterWords, WordedRequest } from './parameter-words.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
export const statusDefinition = `${meta}.Status`;

const writeQuery = ['dryRun', 'fieldManager', 'fieldValidation'];
const deleteQuery = ['dryRun', 'gracePeriodSeconds', 'ignoreStoreReadErrorWithClusterBreakingPotential', 'orphanDependents', 'propagationPolicy'];
const pageQuery = [
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'shardSelector',
  'timeoutSeconds',
];
const listQuery = ['allowWatchBookmarks', ...pageQuery, 'watch'];

export interface BodyKind extends GroupVersion {
  readonly kind: string;
  readonly definition: string;
}

export interface PathSubject extends BodyKind {
  readonly plural: string;
  readonly namespaced: boolean;
  readonly listDefinition: string;
  /** What deleting one answers. */
  readonly deletedDefinition: string;
  readonly verbs: readonly string[];
  readonly isCustom: boolean;
  readonly words: ParameterWords;
  /** Of a release whose requests are others than now. */
  readonly told: ReleaseRequests | undefined;
  /** Whether patches may be what is applied. */
  readonly isApplied: boolean;
}

interface Target {
  /** Middle of an operation's id: `CoreV1`. */
  readonly version: string;
  /** End of an operation's id: `NamespacedPod`. */
  readonly name: string;
  readonly tag: string;
  readonly body: BodyKind;
  /** What operations are about: `Pod`, and of it the subresource. */
  readonly kind: string;
  readonly subresource: string;
  readonly isCustom: boolean;
  /** Of the resource itself, also where the body is of another kind. */
  readonly own: GroupVersionKind;
  readonly resource: string;
  readonly words: ParameterWords;
  readonly told: ReleaseRequests | undefined;
  readonly isApplied: boolean;
}

export function resourcePaths(subject: PathSubject): readonly PathEntry[] {
  const { namespaced, plural, kind } = subject;
  const base = basePath(subject);
  const verbs = new Set(subject.verbs);
  const space = namespaced ? '/namespaces/{namespace}' : '';
  const target = targetOf(subject, subject, namespaced ? `Namespaced${kind}` : kind, '');
  const all = { ...target, name: `${kind}ForAllNamespaces` };
  // Custom resources are watched like others, which their server does not say.
  const watches = verbs.has('watch') && !subject.isCustom;
  return [
    entry(`${base}${space}/${plural}`, [
      ...when(verbs.has('deletecollection'), (path) => removal(path, target, 'Collection', statusDefinition)),
      ...when(verbs.has('list'), (path) => list(path, target, subject.listDefinition, watches)),
      ...when(verbs.has('create'), (path) => write(path, target, 'post')),
    ]),
    entry(`${base}${space}/${plural}/{name}`, itemOperations(verbs, target, subject.deletedDefinition)),
    entry(
      `${base}/${plural}`,
      when(namespaced && verbs.has('list'), (path) => list(path, all, subject.listDefinition, watches)),
    ),
    entry(
      `${base}/watch${space}/${plural}`,
      when(watches, (path) => watch(path, target, `${target.name}List`, 'watchlist')),
    ),
    entry(
      `${base}/watch${space}/${plural}/{name}`,
      when(watches, (path) => watch(path, target, target.name, 'watch')),
    ),
    entry(
      `${base}/watch/${plural}`,
      when(namespaced && watches, (path) => watch(path, target, `${kind}ListForAllNamespaces`, 'watchlist')),
    ),
  ].filter((path) => path.operations.length > 0);
}

/** A subresource whose body is an object: `status`, `scale`, `eviction`. */
export function objectSubresourcePath(subject: PathSubject, name: string, verbs: readonly string[], body: BodyKind): PathEntry {
  const target = targetOf(
    subject,
    body,
    `${subject.namespaced ? 'Namespaced' : ''}${subject.kind}${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
    name,
  );
  const served = new Set(verbs);
  return entry(itemPath(subject, name), [...itemOperations(served, target), ...when(served.has('create'), (path) => write(path, target, 'post'))]);
}

export function itemPath(subject: PathSubject, subresource: string): string {
  return `${basePath(subject)}${subject.namespaced ? '/namespaces/{namespace}' : ''}/${subject.plural}/{name}/${subresource}`;
}

type Make = (path: string) => Operation;

function entry(path: string, operations: readonly Make[]): PathEntry {
  return { path, operations: operations.map((make) => make(path)) };
}

function when(condition: boolean, make: Make): readonly Make[] {
  return condition ? [make] : [];
}

function targetOf(subject: PathSubject, body: BodyKind, name: string, subresource: string): Target {
  const { group, version, kind, plural, isCustom, words, told, isApplied } = subject;
  return {
    version: operationName(subject),
    tag: tagName(subject),
    name,
    body,
    kind,
    subresource,
    isCustom,
    own: { group, version, kind },
    resource: group === '' ? plural : `${plural}.${group}`,
    words,
    told,
    isApplied,
  };
}

/** `the specified Pod`, `status of the specified Pod`. */
function specified({ kind, subresource }: Target): string {
  return `${subresource === '' ? '' : `${subresource} of `}the specified ${kind}`;
}

/** `a Pod`, `eviction of a Pod`. */
function anyOf({ kind, subresource }: Target): string {
  return `${subresource === '' ? '' : `${subresource} of `}${withArticle(kind)}`;
}

/** What parameters of a path are for; of those in a query, what the request says. */
export function describeFor({ words, told }: Pick<PathSubject, 'words' | 'told'>, kind: string, request: WordedRequest): Describe {
  return (name) => {
    if (name === 'name') return `name of the ${kind}`;
    const said = words.of(request, name);
    const end = told?.endsBefore[name];
    return end === undefined ? said : said?.split(end, 1)[0];
  };
}

function itemOperations(verbs: ReadonlySet<string>, target: Target, deleted = statusDefinition): readonly Make[] {
  return [
    ...when(verbs.has('delete'), (path) => removal(path, target, '', deleted)),
    ...when(verbs.has('get'), (path) =>
      operation(path, target, {
        method: 'get',
        action: 'get',
        verb: 'read',
        description: `read ${specified(target)}`,
        said: 'ListNamespacedPod',
        query: target.isCustom ? ['resourceVersion'] : readQueryOf(target),
        codes: [200],
        produces: objectTypes,
      }),
    ),
    ...when(verbs.has('patch'), (path) => ({
      ...operation(path, target, {
        method: 'patch',
        action: 'patch',
        verb: 'patch',
        description: `partially update ${specified(target)}`,
        said: 'PatchNamespacedPod',
        query: [...writeQuery, 'force'],
        codes: target.isCustom || target.told?.patchesWhatIs === true ? [200] : [200, 201],
        produces: objectTypes,
      }),
      consumes: patchTypesOf(target),
      body: { definition: `${meta}.Patch`, required: true },
    })),
    ...when(verbs.has('update'), (path) => write(path, target, 'put')),
  ];
}

function patchTypesOf({ isCustom, isApplied }: Target): readonly string[] {
  if (isCustom) return customPatchTypes;
  return isApplied ? patchTypes : plainPatchTypes;
}

function readQueryOf({ told, resource, subresource }: Target): readonly string[] {
  return told === undefined || subresource !== '' || told.withoutReadQuery.includes(resource) ? [] : told.readQuery;
}

function listQueryOf({ told }: Target): readonly string[] {
  return [...listQuery, ...(told?.listQuery ?? [])];
}

/** One that lists may not watch. */
function list(path: string, target: Target, listDefinition: string, watches: boolean): Operation {
  const how: How = {
    method: 'get',
    action: 'list',
    verb: 'list',
    description: `list ${watches ? 'or watch ' : ''}objects of kind ${target.kind}`,
    said: 'ListNamespacedPod',
    query: listQueryOf(target),
    codes: [200],
    produces: listTypes,
  };
  return { ...operation(path, target, how), response: listDefinition };
}

const insteadOfWatch = "deprecated: use the 'watch' parameter with a list operation instead";

function watch(path: string, target: Target, name: string, action: 'watch' | 'watchlist'): Operation {
  const description =
    action === 'watch'
      ? `watch changes to an object of kind ${target.kind}. ${insteadOfWatch}, filtered to a single item with the 'fieldSelector' parameter.`
      : `watch individual changes to a list of ${target.kind}. ${insteadOfWatch}.`;
  const how: How = {
    method: 'get',
    action,
    verb: 'watch',
    description,
    said: 'ListNamespacedPod',
    query: listQueryOf(target),
    codes: [200],
    produces: listTypes,
  };
  return { ...operation(path, { ...target, name }, how), response: `${meta}.WatchEvent` };
}

function write(path: string, target: Target, method: 'post' | 'put'): Operation {
  const creates = method === 'post';
  const how: How = {
    method,
    action: method,
    verb: creates ? 'create' : 'replace',
    description: creates ? `create ${anyOf(target)}` : `replace ${specified(target)}`,
    said: 'CreateNamespacedPod',
    query: [...writeQuery, ...((creates ? target.told?.createQuery : undefined) ?? [])],
    codes: creates ? [200, 201, 202] : [200, 201],
    produces: objectTypes,
  };
  const { definition } = target.body;
  const written = { ...operation(path, target, how), body: { definition, required: true } };
  return target.told?.answersStatus.includes(definition) === true ? { ...written, response: statusDefinition } : written;
}

function removal(path: string, target: Target, collection: '' | 'Collection', response: string): Operation {
  const whole = collection !== '';
  const how: How = {
    method: 'delete',
    action: whole ? 'deletecollection' : 'delete',
    verb: 'delete',
    description: whole ? `delete collection of ${target.kind}` : `delete ${anyOf(target)}`,
    said: whole ? 'DeleteCollectionNamespacedPod' : 'DeleteNamespacedPod',
    query: whole ? [...deleteQuery, ...pageQuery] : deleteQuery,
    codes: whole ? [200] : [200, 202],
    produces: objectTypes,
  };
  const named = { ...target, name: `${collection}${target.name}` };
  if (whole && (target.isCustom || target.told?.deletesAsListed === true))
    return { ...operation(path, named, { ...how, said: 'ListNamespacedPod', query: listQueryOf(target) }), response };
  return { ...operation(path, named, how), response, body: { definition: `${meta}.DeleteOptions`, required: false } };
}

interface How {
  readonly method: Method;
  readonly action: string;
  readonly verb: string;
  readonly description: string;
  /** Which request has words for the parameters. */
  readonly said: WordedRequest;
  readonly query: readonly string[];
  readonly codes: readonly number[];
  readonly produces: readonly string[];
}

function operation(path: string, target: Target, how: How): Operation {
  const { group, version, kind, definition } = target.body;
  const describe = describeFor(target, target.isCustom ? target.own.kind : kind, how.said);
  return {
    method: how.method,
    id: `${how.verb}${target.version}${target.name}`,
    tag: target.tag,
    description: how.description,
    action: how.action,
    gvk: target.isCustom ? target.own : { group, kind, version },
    parameters: [...pathParameters(path, describe), ...queryParameters([...how.query, 'pretty'], describe)],
    consumes: target.isCustom ? customTypes : anyType,
    produces: target.isCustom ? customTypes : how.produces,
    codes: how.codes,
    response: definition,
  };
}
