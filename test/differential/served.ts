/** What a side serves, as its discovery tells. */
import type { Side } from './sides.ts';

export interface ServedResource {
  /** With the name of a subresource behind it. */
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly groupVersion: string;
  /** Of its version: `/apis/apps/v1`. */
  readonly path: string;
}

/** Each resource of each version. */
export async function discovered(side: Side): Promise<readonly ServedResource[]> {
  const get = async <T>(path: string): Promise<T> => {
    const { code, text } = await side.ask({ method: 'GET', path, query: '', type: '', accept: 'application/json' });
    // A group that an APIService has just promised may not be there.
    return (code === 200 ? JSON.parse(text) : {}) as T;
  };
  const { groups } = await get<{ groups: readonly { versions: readonly { groupVersion: string }[] }[] }>('/apis');
  const versions = ['v1', ...groups.flatMap((group) => group.versions.map(({ groupVersion }) => groupVersion))];
  const lists = await Promise.all(
    versions.map(async (groupVersion) => {
      const path = groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`;
      const { resources = [] } = await get<{ resources?: readonly Pick<ServedResource, 'name' | 'kind' | 'namespaced'>[] }>(path);
      return resources.map(({ name, kind, namespaced }) => ({ name, kind, namespaced, groupVersion, path }));
    }),
  );
  return lists.flat();
}

/** `v1 pods`, `apps/v1 deployments` …: each resource with its version. */
export async function resourcesOf(side: Side): Promise<ReadonlySet<string>> {
  return new Set((await discovered(side)).map(({ groupVersion, name }) => `${groupVersion} ${name}`));
}
