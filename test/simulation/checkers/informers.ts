/** Whenever nothing is in flight, every cache of every component holds exactly what is stored. */
import { kinds } from '../../../engine/kinds/index.gen.ts';
import type { Thing, World } from '../world.ts';
import type { Checker } from './checker.ts';

/** One informer, and whose it is. */
export interface Cache {
  readonly component: string;
  readonly informer: {
    readonly type: { readonly group: string; readonly version: string; readonly resource: string };
    list(): readonly Thing[];
  };
}

const prefixes = new Map(kinds.map(({ group, version, plural, storagePrefix }) => [`${group}/${version}/${plural}`, storagePrefix]));

export function cachesAreTrue(): Checker {
  return {
    name: 'caches are true',
    inspect: (world, cluster) => (cluster.loop.quiet ? cluster.caches().flatMap((cache) => wrongCache(cache, world)) : []),
  };
}

function wrongCache({ component, informer }: Cache, world: World): readonly string[] {
  const { group, version, resource } = informer.type;
  const stored = new Map(world.all(prefixes.get(`${group}/${version}/${resource}`) ?? resource).map((thing) => [idOf(thing), thing]));
  const cached = informer.list();
  const stale = cached.filter((thing) => stored.get(idOf(thing))?.metadata.resourceVersion !== thing.metadata.resourceVersion);
  if (stale.length === 0 && cached.length === stored.size) return [];
  const [first] = stale;
  const example = first === undefined ? '' : `, ${idOf(first)} at ${first.metadata.resourceVersion}`;
  return [`${component} has ${cached.length} of ${stored.size} ${resource}, ${stale.length} of them stale${example}`];
}

function idOf({ metadata }: Thing): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
