/** Which kinds a server has that can be listed, watched and deleted, by the preferred version of each group. */
import type { ResourceType } from '../../client/client.ts';
import { resourceType } from '../../client/resources.ts';
import type { Connection } from './connection.ts';

interface GroupList {
  readonly groups: readonly { readonly preferredVersion: { readonly groupVersion: string } }[];
}

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean; readonly verbs: readonly string[] }[];
}

const needed = ['list', 'watch', 'delete'] as const;

export async function discoverDeletable(connection: Connection): Promise<readonly ResourceType[]> {
  const { groups } = await connection.call<GroupList>('GET', '/apis');
  const groupVersions = ['v1', ...groups.map(({ preferredVersion }) => preferredVersion.groupVersion)];
  const found = await Promise.all(groupVersions.map((groupVersion) => resourcesOf(connection, groupVersion)));
  return found.flat();
}

async function resourcesOf(connection: Connection, groupVersion: string): Promise<readonly ResourceType[]> {
  const [group = '', version = ''] = groupVersion.includes('/') ? groupVersion.split('/') : ['', groupVersion];
  const { resources } = await connection.call<ResourceList>('GET', group === '' ? `/api/${version}` : `/apis/${groupVersion}`);
  return resources
    .filter(({ name, verbs }) => !name.includes('/') && needed.every((verb) => verbs.includes(verb)))
    .map(({ name, kind, namespaced }) => resourceType(group, version, name, kind, namespaced));
}
