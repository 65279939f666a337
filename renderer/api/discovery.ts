/** What the server serves, from one document that releases since 1.26 tell, or from those of each group and version, as older ones do. */
import { discoveryAccept, request } from './request.ts';
import type { Resource } from './resources.ts';

interface Together {
  readonly items?: readonly {
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
interface GroupsAlone {
  /** Of the group without a name. */
  readonly versions?: readonly string[];
  readonly groups?: readonly {
    readonly name: string;
    readonly versions: readonly { readonly version: string }[];
    readonly preferredVersion?: { readonly version: string };
  }[];
}
interface ResourceList {
  readonly resources?: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean; readonly verbs: readonly string[] }[];
}

/** Preferred versions stand first, so the first of a resource is the one to use. */
export async function discover(): Promise<readonly Resource[]> {
  const answers = await Promise.all(['/api', '/apis'].map((path) => request<Together & GroupsAlone>(path, { accept: discoveryAccept })));
  const found = await Promise.all(answers.map(async (answer) => (answer.items === undefined ? oneByOne(answer) : flatten(answer))));
  const first = new Map<string, Resource>();
  for (const one of found.flat()) {
    const key = `${one.resource}.${one.group}`;
    if (!first.has(key)) first.set(key, one);
  }
  return [...first.values()];
}

function flatten({ items = [] }: Together): readonly Resource[] {
  return items.flatMap(({ metadata, versions }) =>
    versions.flatMap(({ version, resources }) =>
      resources.map(({ resource, responseKind, scope, verbs }) => ({
        group: metadata?.name ?? '',
        version,
        kind: responseKind?.kind ?? resource,
        resource,
        namespaced: scope === 'Namespaced',
        listable: verbs.includes('list'),
        verbs,
      })),
    ),
  );
}

/** Groups whose server does not answer are left out. */
async function oneByOne({ versions = [], groups = [] }: GroupsAlone): Promise<readonly Resource[]> {
  const all = [
    ...versions.map((version) => ({ group: '', version, path: `/api/${version}` })),
    ...groups.flatMap(({ name, versions: own, preferredVersion }) => {
      const isPreferred = ({ version }: { readonly version: string }): number => (version === preferredVersion?.version ? 0 : 1);
      const sorted = own.toSorted((a, b) => isPreferred(a) - isPreferred(b));
      return sorted.map(({ version }) => ({ group: name, version, path: `/apis/${name}/${version}` }));
    }),
  ];
  const lists = await Promise.allSettled(all.map(({ path }) => request<ResourceList>(path, { quiet: true })));
  const [failed] = lists.filter((list) => list.status === 'rejected');
  if (failed && lists.every(({ status }) => status === 'rejected')) throw failed.reason;
  return lists.flatMap((list, index) => {
    const { group = '', version = '' } = all[index] ?? {};
    if (list.status === 'rejected') return [];
    const whole = (list.value.resources ?? []).filter(({ name }) => !name.includes('/'));
    return whole.map(({ name, kind, namespaced, verbs }) => ({
      group,
      version,
      kind,
      resource: name,
      namespaced,
      listable: verbs.includes('list'),
      verbs,
    }));
  });
}
