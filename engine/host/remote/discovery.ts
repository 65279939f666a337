/** Which kinds a server has that can be listed, watched and deleted, by the preferred version of each group. */
import { StatusError } from '../../apimachinery/status.ts';
import type { ResourceType } from '../../client/client.ts';
import { resourceType } from '../../client/resources.ts';
import type { Connection } from './connection.ts';

interface GroupList {
  readonly groups: readonly { readonly preferredVersion: { readonly groupVersion: string } }[];
}

interface GroupVersions {
  readonly groups?: readonly { readonly name: string; readonly versions: readonly { readonly version: string }[] }[];
  /** Of a server that answers in the newer form, which says what cannot be asked now. */
  readonly items?: readonly {
    readonly metadata: { readonly name: string };
    readonly versions: readonly { readonly version: string; readonly freshness?: string }[];
  }[];
}

const newerForm = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

/** See ControllerEnvironment. What was found is believed for `keptMs`; of a group that was not there nothing is remembered. */
export function versionsAsker(
  connection: Pick<Connection, 'call'>,
  keptMs: number,
  nowMs: () => number,
): (group: string) => Promise<readonly string[] | undefined> {
  const known = new Map<string, { readonly versions: readonly string[]; readonly untilMs: number }>();
  return async (group) => {
    const kept = known.get(group);
    if (kept !== undefined && nowMs() < kept.untilMs) return kept.versions;
    const { groups = [], items = [] } = await connection.call<GroupVersions>('GET', '/apis', undefined, newerForm);
    const found = items.find(({ metadata }) => metadata.name === group) ?? groups.find(({ name }) => name === group);
    if (found === undefined) return undefined;
    const versions = found.versions.filter((one) => !('freshness' in one) || one.freshness !== 'Stale').map(({ version }) => version);
    if (versions.length > 0) known.set(group, { versions, untilMs: nowMs() + keptMs });
    return versions;
  };
}

/** See ControllerEnvironment. */
export async function hasSubresource(
  connection: Pick<Connection, 'call'>,
  { group, version, resource }: ResourceType,
  name: string,
): Promise<boolean> {
  const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const { resources } = await connection.call<Pick<ResourceList, 'resources'>>('GET', path);
  return resources.some((one) => one.name === `${resource}/${name}`);
}

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean; readonly verbs: readonly string[] }[];
}

const needed = ['list', 'watch', 'delete'] as const;

/** `known`: what was found before, which stands for groups whose server cannot be asked now. Rejects with a StatusError when the server itself cannot. */
export async function discoverDeletable(connection: Pick<Connection, 'call'>, known: readonly ResourceType[] = []): Promise<readonly ResourceType[]> {
  const { groups } = await connection.call<GroupList>('GET', '/apis');
  const groupVersions = groups.map(({ preferredVersion }) => preferredVersion.groupVersion);
  const before = (groupVersion: string): readonly ResourceType[] => known.filter(({ group, version }) => `${group}/${version}` === groupVersion);
  const others = groupVersions.map((groupVersion) => unlessUnavailable(resourcesOf(connection, groupVersion), () => before(groupVersion)));
  const found = await Promise.all([resourcesOf(connection, 'v1'), ...others]);
  return found.flat();
}

/** Servers of other APIs may be down while the API server is not. */
export async function unlessUnavailable<T>(asked: Promise<T>, otherwise: () => T): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return otherwise();
  }
}

async function resourcesOf(connection: Pick<Connection, 'call'>, groupVersion: string): Promise<readonly ResourceType[]> {
  const [group = '', version = ''] = groupVersion.includes('/') ? groupVersion.split('/') : ['', groupVersion];
  const { resources } = await connection.call<ResourceList>('GET', group === '' ? `/api/${version}` : `/apis/${groupVersion}`);
  return resources
    .filter(({ name, verbs }) => !name.includes('/') && needed.every((verb) => verbs.includes(verb)))
    .map(({ name, kind, namespaced }) => resourceType(group, version, name, kind, namespaced));
}
