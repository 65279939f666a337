/** Groups of other servers in this server's discovery. Mirrors kube-aggregator pkg/apiserver/{handler_apis,handler_discovery}.go. */
import type { APIService } from '../../api/apiregistration/v1/types.gen.ts';
import { byKubeVersion } from '../../apimachinery/kube-version.ts';
import type { JsonObject } from '../../base/json.ts';
import { groupPriority } from '../group-priorities.ts';
import { isAvailable } from './backend.ts';

/** What keeps servers of other APIs: nothing comes before it. */
const aggregatorGroup = 'apiregistration.k8s.io';

/** `/apis`: groups with the highest priority first, whoever serves them. `services` are those of this server too. */
export function withGroups(document: JsonObject, services: readonly APIService[]): JsonObject {
  const own = document['groups'] as readonly JsonObject[];
  const groups = ranked(
    own.map((group) => group['name'] as string),
    services,
    'service',
  );
  return {
    ...document,
    groups: groups.map((name) =>
      merged(
        name,
        own.find((group) => group['name'] === name),
        services,
      ),
    ),
  };
}

/** `/apis/GROUP`; `own` is what is served here of it. */
export function groupOf(name: string, own: JsonObject | undefined, services: readonly APIService[]): JsonObject | undefined {
  if (name === '' || (own === undefined && !services.some(({ spec }) => spec?.group === name))) return undefined;
  return { kind: 'APIGroup', apiVersion: 'v1', ...merged(name, own, services) };
}

/** A group with its versions of this server and of others, the preferred one first. */
function merged(name: string, own: JsonObject | undefined, services: readonly APIService[]): JsonObject {
  const here = (own?.['versions'] ?? []) as readonly JsonObject[];
  const there = services.filter(({ spec }) => spec?.group === name).map(({ spec }) => spec?.version ?? '');
  const added = there.filter((version) => here.every((one) => one['version'] !== version));
  if (own !== undefined && added.length === 0) return own;
  const versions = [...here, ...added.map((version) => ({ groupVersion: `${name}/${version}`, version }))].sort(byPreference(name, services));
  return { ...own, name, versions, preferredVersion: versions[0] ?? {} };
}

/** Names of groups, the highest priority first, behind what keeps servers of other APIs. Of equal ones the lists with versions go by the names of APIServices. */
function ranked(own: readonly string[], services: readonly APIService[], tie: 'service' | 'group'): readonly string[] {
  const places = new Map(own.map((name) => [name, { priority: groupPriority(name), service: `v1.${name}` }]));
  const known = new Set<string>();
  for (const { metadata, spec } of services) {
    const [name, priority, service] = [spec?.group ?? '', spec?.groupPriorityMinimum ?? 0, metadata.name ?? ''];
    const best = known.has(name) ? places.get(name) : undefined;
    if (name === '' || (best !== undefined && (best.priority - priority || (best.service < service ? 1 : -1)) > 0)) continue;
    places.set(name, { priority, service });
    known.add(name);
  }
  const isFirst = (name: string): number => (name === aggregatorGroup ? 1 : 0);
  return [...places]
    .sort(([a, left], [b, right]) => {
      const byName = tie === 'group' ? a < b : left.service < right.service;
      return isFirst(b) - isFirst(a) || right.priority - left.priority || (byName ? -1 : 1);
    })
    .map(([name]) => name);
}

/** Those that answer, the preferred one first; undefined for a group that is not there. */
export function versionsOf(name: string, services: readonly APIService[]): readonly string[] | undefined {
  const [found] = groupsOf(services.filter(({ spec }) => spec?.group === name));
  return found?.[1].filter(isAvailable).map(({ spec }) => spec?.version ?? '');
}

export interface Others {
  /** Those that Services stand behind. */
  readonly services: readonly APIService[];
  /** Of this server too. */
  readonly all: readonly APIService[];
  /** What a server says of its group and version; undefined where it cannot be asked. */
  resourcesOf(service: APIService): unknown;
}

/** Each version with what it serves; one behind a Service comes in the place of this server's own. */
export function withAggregated(document: JsonObject, { services, all, resourcesOf }: Others): JsonObject {
  if (services.length === 0) return document;
  const own = document['items'] as readonly JsonObject[];
  const nameOf = (item: JsonObject): string => (item['metadata'] as JsonObject)['name'] as string;
  const names = ranked(own.map(nameOf), [...all.filter((one) => isListed(one, own)), ...services], 'group');
  const items = names.map((name): JsonObject => {
    const item = own.find((one) => nameOf(one) === name);
    const others = services.filter(({ spec }) => spec?.group === name);
    if (item !== undefined && others.length === 0) return item;
    const gone = new Set(others.map(({ spec }) => spec?.version));
    const here = ((item?.['versions'] ?? []) as readonly JsonObject[]).filter(({ version }) => !gone.has(version as string));
    const there = others.map((service) => versionOf(service, resourcesOf(service)));
    return { ...item, metadata: { name }, versions: [...here, ...there].sort(byPreference(name, all)) };
  });
  return { ...document, items };
}

/** Local ones count for what is served here alone. */
function isListed({ spec }: APIService, own: readonly JsonObject[]): boolean {
  return own.some((item) => (item['metadata'] as JsonObject)['name'] === spec?.group);
}

function versionOf({ spec }: APIService, said: unknown): JsonObject {
  const version = spec?.version ?? '';
  const listed = resourcesIn(said);
  return listed === undefined ? { version, freshness: 'Stale' } : { version, resources: aggregatedResources(listed), freshness: 'Current' };
}

/** Versions of a group, the preferred one first. */
function byPreference(group: string, services: readonly APIService[]): (a: JsonObject, b: JsonObject) => number {
  const priorities = new Map(services.filter(({ spec }) => spec?.group === group).map(({ spec }) => [spec?.version, spec?.versionPriority ?? 0]));
  const priorityOf = ({ version }: JsonObject): number => priorities.get(version as string) ?? 0;
  return (a, b) => priorityOf(b) - priorityOf(a) || byKubeVersion(a['version'] as string, b['version'] as string);
}

function groupsOf(services: readonly APIService[]): readonly (readonly [name: string, services: readonly APIService[]])[] {
  const groups = new Map<string, APIService[]>();
  for (const service of services) {
    const name = service.spec?.group ?? '';
    groups.set(name, [...(groups.get(name) ?? []), service]);
  }
  const priority = (all: readonly APIService[]): number => Math.max(...all.map(({ spec }) => spec?.groupPriorityMinimum ?? 0));
  return [...groups]
    .map(([name, all]) => [name, all.sort(compareVersions)] as const)
    .sort(([a, left], [b, right]) => priority(right) - priority(left) || (a < b ? -1 : 1));
}

/** Of the group that comes first in discovery, its preferred version, and so on. */
export function byPriority(services: readonly APIService[]): readonly APIService[] {
  return groupsOf(services).flatMap(([, all]) => all);
}

function compareVersions({ spec: a }: APIService, { spec: b }: APIService): number {
  return (b?.versionPriority ?? 0) - (a?.versionPriority ?? 0) || byKubeVersion(a?.version ?? '', b?.version ?? '');
}

interface Listed {
  readonly name: string;
  readonly singularName: string;
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

/** Whatever another server says is read with care. */
function resourcesIn(said: unknown): readonly Listed[] | undefined {
  const resources = said !== null && typeof said === 'object' && 'resources' in said ? said.resources : undefined;
  if (!Array.isArray(resources)) return undefined;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []);
  return resources
    .filter((one): one is { readonly [name: string]: unknown } => one !== null && typeof one === 'object')
    .map((one) => ({
      name: text(one['name']),
      singularName: text(one['singularName']),
      kind: text(one['kind']),
      group: text(one['group']),
      version: text(one['version']),
      namespaced: one['namespaced'] === true,
      verbs: texts(one['verbs']),
      shortNames: texts(one['shortNames']),
      categories: texts(one['categories']),
    }));
}

function aggregatedResources(listed: readonly Listed[]): readonly JsonObject[] {
  const responseKind = ({ group, version, kind }: Listed): JsonObject => ({ group, version, kind });
  return listed
    .filter(({ name }) => name !== '' && !name.includes('/'))
    .map((one) => {
      const inner = listed.filter(({ name }) => name.startsWith(`${one.name}/`));
      const subresources = inner.map((each) => ({
        subresource: each.name.slice(one.name.length + 1),
        responseKind: responseKind(each),
        verbs: each.verbs,
      }));
      return {
        resource: one.name,
        responseKind: responseKind(one),
        scope: one.namespaced ? 'Namespaced' : 'Cluster',
        singularResource: one.singularName,
        verbs: one.verbs,
        ...(one.shortNames.length === 0 ? undefined : { shortNames: one.shortNames }),
        ...(one.categories.length === 0 ? undefined : { categories: one.categories }),
        ...(subresources.length === 0 ? undefined : { subresources }),
      };
    });
}
