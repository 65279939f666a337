/** Which resources the server has, and the way between row ids (`pods/default/web-1`, `jobs.batch/default/x`, `nodes/n`) and API paths. */
import { create } from 'zustand';
import { parseGroupVersion } from '../../engine/apimachinery/object.ts';
import { discover } from './discovery.ts';
import { messageOf } from './request.ts';

export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespaced: boolean;
  readonly listable: boolean;
  readonly verbs: readonly string[];
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
      set({ resources: await discover(), error: '' });
    } catch (error) {
      set({ error: messageOf(error) });
    }
  },
}));

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
