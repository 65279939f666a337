/** Which resources the server has, and the way between row ids (`pods/default/web-1`, `jobs.batch/default/x`, `nodes/n`) and API paths. */
import { create } from 'zustand';
import { parseGroupVersion } from '../../engine/apimachinery/object.ts';
import { discoveryAccept, messageOf, request } from './request.ts';

export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespaced: boolean;
  readonly listable: boolean;
  readonly verbs: readonly string[];
}
interface GroupList {
  readonly items: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions: readonly {
      readonly version: string;
      readonly resources: readonly {
        readonly resource: string;
        readonly responseKind?: { readonly kind: string };
        readonly scope: string;
        readonly verbs: readonly string[];
      }[];
    }[];
  }[];
}
interface ResourcesState {
  readonly resources: readonly Resource[];
  readonly error: string;
  load(): Promise<void>;
}

export const useResources = create<ResourcesState>()((set) => ({
  resources: [],
  error: '',
  load: async () => {
    try {
      const lists = await Promise.all(['/api', '/apis'].map((path) => request<GroupList>(path, { accept: discoveryAccept })));
      set({ resources: lists.flatMap(flatten), error: '' });
    } catch (error) {
      set({ error: messageOf(error) });
    }
  },
}));

/** Preferred versions stand first, so the first of a resource is the one to use. */
function flatten(list: GroupList): Resource[] {
  const seen = new Set<string>();
  const found: Resource[] = [];
  for (const { metadata, versions } of list.items ?? []) {
    const group = metadata?.name ?? '';
    for (const { version, resources } of versions)
      for (const { resource, responseKind, scope, verbs } of resources) {
        if (seen.has(`${resource}.${group}`)) continue;
        seen.add(`${resource}.${group}`);
        found.push({
          group,
          version,
          kind: responseKind?.kind ?? resource,
          resource,
          namespaced: scope === 'Namespaced',
          listable: verbs.includes('list'),
          verbs,
        });
      }
  }
  return found;
}

export interface RowName {
  readonly resource: string;
  readonly group: string;
  readonly namespace: string;
  readonly name: string;
}

export function parseRowId(id: string): RowName {
  const [type = '', ...rest] = id.split('/');
  const dot = type.indexOf('.');
  const name = rest.at(-1) ?? '';
  return {
    resource: dot < 0 ? type : type.slice(0, dot),
    group: dot < 0 ? '' : type.slice(dot + 1),
    namespace: rest.length > 1 ? (rest[0] ?? '') : '',
    name,
  };
}
export function rowIdOf(resource: Pick<Resource, 'resource' | 'group'>, namespace: string | undefined, name: string): string {
  const type = resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`;
  return namespace ? `${type}/${namespace}/${name}` : `${type}/${name}`;
}
export function findResource(resources: readonly Resource[], { resource, group }: Pick<RowName, 'resource' | 'group'>): Resource | undefined {
  return resources.find((one) => one.resource === resource && one.group === group);
}
export function rowIdOfKind(
  resources: readonly Resource[],
  apiVersion: string,
  kind: string,
  namespace: string | undefined,
  name: string,
): string | undefined {
  const group = parseGroupVersion(apiVersion)?.group ?? '';
  const found = resources.find((one) => one.kind === kind && one.group === group);
  return found && rowIdOf(found, found.namespaced ? namespace : undefined, name);
}
export function collectionPath({ group, version, resource }: Resource, namespace?: string): string {
  return `${group === '' ? `/api/${version}` : `/apis/${group}/${version}`}${namespace ? `/namespaces/${namespace}` : ''}/${resource}`;
}
