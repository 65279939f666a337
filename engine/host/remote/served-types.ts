/** In which versions a server has what components ask for: an older one may have it in an older version, or not at all. */
import type { ResourceType } from '../../client/client.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import type { Connection } from './connection.ts';
import { unlessUnavailable } from './discovery.ts';

interface GroupList {
  readonly groups: readonly { readonly versions: readonly { readonly groupVersion: string }[] }[];
}

export class ServedTypes {
  /** Versions by group and resource, the preferred one first; undefined where nobody has asked, and all is taken to be there. */
  readonly #versions: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(versions?: ReadonlyMap<string, readonly string[]>) {
    this.#versions = versions;
  }

  /** The type in a version that the server has: its own, if there, else the preferred one. Undefined when there is none. */
  of<T extends KubeObject>(type: ResourceType<T>): ResourceType<T> | undefined {
    if (this.#versions === undefined) return type;
    const versions = this.#versions.get(`${type.group}/${type.resource}`) ?? [];
    const [preferred] = versions;
    if (preferred === undefined || versions.includes(type.version)) return preferred === undefined ? undefined : type;
    return { ...type, version: preferred };
  }

  /** The same, and the type as it stands where the server has none: its refusal says so. */
  nearest<T extends KubeObject>(type: ResourceType<T>): ResourceType<T> {
    return this.of(type) ?? type;
  }
}

/** Asks the server. Rejects with a StatusError when it cannot be reached. */
export async function discoverServedTypes(connection: Pick<Connection, 'call'>): Promise<ServedTypes> {
  const { groups } = await connection.call<GroupList>('GET', '/apis');
  const others = groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion));
  const groupVersions = ['v1', ...others];
  const lists = await Promise.all([
    resourcesOf(connection, 'v1'),
    ...others.map((name) => unlessUnavailable(resourcesOf(connection, name), (): readonly string[] => [])),
  ]);
  const served = new Map<string, string[]>();
  for (const [index, names] of lists.entries()) {
    const groupVersion = groupVersions[index] ?? '';
    const [group = '', version = ''] = groupVersion.includes('/') ? groupVersion.split('/') : ['', groupVersion];
    for (const name of names) {
      const key = `${group}/${name}`;
      served.set(key, [...(served.get(key) ?? []), version]);
    }
  }
  return new ServedTypes(served);
}

async function resourcesOf(connection: Pick<Connection, 'call'>, groupVersion: string): Promise<readonly string[]> {
  const path = groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`;
  const { resources } = await connection.call<{ readonly resources: readonly { readonly name: string }[] }>('GET', path);
  return resources.map(({ name }) => name).filter((name) => !name.includes('/'));
}
