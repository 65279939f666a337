/** Groups of other servers in this server's discovery. Mirrors kube-aggregator pkg/apiserver/{handler_apis,handler_discovery}.go. */
import type { APIService } from '../../api/apiregistration/v1/types.gen.ts';
import { byKubeVersion } from '../../apimachinery/kube-version.ts';
import type { JsonObject } from '../../base/json.ts';
import { isAvailable } from './backend.ts';

/** `/apis`: groups with the highest priority first, behind those that are served here. */
export function withGroups(document: JsonObject, services: readonly APIService[]): JsonObject {
  const groups = groupsOf(services);
  if (groups.length === 0) return document;
  const own = document['groups'] as readonly JsonObject[];
  return {
    ...document,
    groups: [...own, ...groups.filter(([name]) => !own.some((one) => one['name'] === name)).map(([, inner]) => describe(inner))],
  };
}

/** `/apis/GROUP`, where nothing of the group is served here. */
export function groupOf(name: string, services: readonly APIService[]): JsonObject | undefined {
  const found = groupsOf(services).find(([group]) => group === name);
  return found === undefined ? undefined : { kind: 'APIGroup', apiVersion: 'v1', ...describe(found[1]) };
}

/** Those that answer, the preferred one first; undefined for a group that is not there. */
export function versionsOf(name: string, services: readonly APIService[]): readonly string[] | undefined {
  const [found] = groupsOf(services.filter(({ spec }) => spec?.group === name));
  return found?.[1].filter(isAvailable).map(({ spec }) => spec?.version ?? '');
}

/** `resourcesOf` gives what a server says of its group and version; undefined where it cannot be asked. */
export function withAggregated(document: JsonObject, services: readonly APIService[], resourcesOf: (service: APIService) => unknown): JsonObject {
  const groups = groupsOf(services);
  if (groups.length === 0) return document;
  const items = groups.map(([name, inner]): JsonObject => {
    const versions = inner.map((service): JsonObject => {
      const version = service.spec?.version ?? '';
      const listed = resourcesIn(resourcesOf(service));
      return listed === undefined ? { version, freshness: 'Stale' } : { version, resources: aggregatedResources(listed), freshness: 'Current' };
    });
    return { metadata: { name }, versions };
  });
  return { ...document, items: [...ownItems(document['items'] as readonly JsonObject[], services), ...items] };
}

/** Without the versions that others serve in the place of this server. */
function ownItems(items: readonly JsonObject[], services: readonly APIService[]): readonly JsonObject[] {
  return items.flatMap((item) => {
    const name = (item['metadata'] as JsonObject)['name'];
    const gone = services.filter(({ spec }) => spec?.group === name).map(({ spec }) => spec?.version);
    if (gone.length === 0) return [item];
    const versions = (item['versions'] as readonly JsonObject[]).filter(({ version }) => !gone.includes(version as string));
    return versions.length === 0 ? [] : [{ ...item, versions }];
  });
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

function describe(services: readonly APIService[]): JsonObject {
  const name = services[0]?.spec?.group ?? '';
  const versions = services.map(({ spec }) => ({ groupVersion: `${name}/${spec?.version ?? ''}`, version: spec?.version ?? '' }));
  return { name, versions, preferredVersion: versions[0] ?? {} };
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
