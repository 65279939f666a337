/** What a side serves, as its discovery tells. */
import type { Side } from './sides.ts';

/** `v1 pods`, `apps/v1 deployments` …: each resource with its version. */
export async function resourcesOf(side: Side): Promise<ReadonlySet<string>> {
  const get = async <T>(path: string): Promise<T> => {
    const { code, text } = await side.ask({ method: 'GET', path, query: '', type: '', accept: 'application/json' });
    // A group that an APIService has just promised may not be there.
    return (code === 200 ? JSON.parse(text) : {}) as T;
  };
  const { groups } = await get<{ groups: readonly { versions: readonly { groupVersion: string }[] }[] }>('/apis');
  const versions = ['v1', ...groups.flatMap((group) => group.versions.map(({ groupVersion }) => groupVersion))];
  const lists = await Promise.all(
    versions.map(async (version) => {
      const { resources = [] } = await get<{ resources?: readonly { name: string }[] }>(version === 'v1' ? '/api/v1' : `/apis/${version}`);
      return resources.map(({ name }) => `${version} ${name}`);
    }),
  );
  return new Set(lists.flat());
}
