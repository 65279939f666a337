/**
 * Clients that list in pages while the cluster goes on: all pages together are the list as it was when the first was asked for. And lists
 * of a revision gone by, against what was seen then.
 */
import type { Answer } from '../../support/cluster.ts';
import { core, pick, type Swarm } from '../draw.ts';
import type { Thing, World } from '../world.ts';
import type { Bystander } from './client.ts';

interface List {
  readonly items: readonly Thing[];
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string; readonly remainingItemCount?: number };
}

interface Pages {
  readonly path: string;
  readonly limit: number;
  /** Names and revisions of everything when the first page came. */
  readonly wanted: readonly string[];
  readonly found: string[];
  readonly revision: string;
  token: string;
}

const collections = [
  [`${core}/pods`, 'pods', ''],
  [`${core}/namespaces/default/pods`, 'pods', 'default'],
  [`${core}/configmaps`, 'configmaps', ''],
  [`${core}/nodes`, 'minions', ''],
  ['/apis/apps/v1/replicasets', 'replicasets', ''],
  ['/apis/rbac.authorization.k8s.io/v1/clusterroles', 'clusterroles', ''],
] as const;

export class Pager implements Bystander {
  readonly name = 'pages make up the list';
  #pages: Pages | undefined;

  step(swarm: Swarm): void {
    for (let i = 0; i < 3; i++) this.#turn(swarm);
  }

  #turn(swarm: Swarm): void {
    const pages = this.#pages;
    if (pages === undefined) return this.#first(swarm);
    const { path, limit, token } = pages;
    const answer = swarm.made.ask<List>('GET', `${path}?limit=${limit}&continue=${encodeURIComponent(token)}`);
    if (answer.status === 410) this.#pages = undefined;
    else this.#take(swarm, pages, answer);
  }

  #first(swarm: Swarm): void {
    const [path, prefix, namespace] = pick(swarm, collections);
    const limit = 1 + swarm.below(9);
    const answer = swarm.made.ask<List>('GET', `${path}?limit=${limit}`);
    if (answer.status >= 300) return swarm.complain(this.name, `${path}: ${answer.object.message}`);
    const pages: Pages = {
      path,
      limit,
      wanted: contents(swarm.world, prefix, namespace),
      found: [],
      revision: answer.object.metadata.resourceVersion,
      token: '',
    };
    this.#pages = pages;
    this.#take(swarm, pages, answer);
  }

  #take(swarm: Swarm, pages: Pages, { status, object }: Answer<List>): void {
    if (status >= 300) return swarm.complain(this.name, `${pages.path}: ${object.message}`);
    const { items, metadata } = object;
    if (metadata.resourceVersion !== pages.revision)
      swarm.complain(this.name, `${pages.path} went from ${pages.revision} to ${metadata.resourceVersion}`);
    pages.found.push(...items.map(idOf));
    pages.token = metadata.continue ?? '';
    const left = pages.wanted.length - pages.found.length;
    if (pages.token !== '' && metadata.remainingItemCount !== left)
      swarm.complain(this.name, `${pages.path}: ${metadata.remainingItemCount} are said to remain, and ${left} do`);
    if (pages.token !== '') return;
    this.#pages = undefined;
    const [wanted, found] = [pages.wanted.join(' '), pages.found.join(' ')];
    if (wanted !== found)
      swarm.complain(this.name, `${pages.path} in pages of ${pages.limit} at ${pages.revision}: [${found}] instead of [${wanted}]`);
  }
}

interface Memory {
  readonly path: string;
  readonly revision: number;
  readonly wanted: string;
}

/** Looks at what has been: the state of an earlier step, by its revision. */
export class Rememberer implements Bystander {
  readonly name = 'the past stays as it was';
  #memory: Memory | undefined;

  step(swarm: Swarm): void {
    if (this.#memory !== undefined && swarm.below(3) === 0) this.#look(swarm, this.#memory);
    if (this.#memory !== undefined) return;
    const [path, prefix, namespace] = pick(swarm, collections);
    const revision = swarm.made.cluster.store.currentRevision();
    this.#memory = { path, revision, wanted: contents(swarm.world, prefix, namespace).join(' ') };
  }

  #look(swarm: Swarm, { path, revision, wanted }: Memory): void {
    this.#memory = undefined;
    const { status, object } = swarm.made.ask<List>('GET', `${path}?resourceVersion=${revision}&resourceVersionMatch=Exact`);
    if (status === 410) return;
    const found = status >= 300 ? object.message : object.items.map(idOf).join(' ');
    if (found !== wanted) swarm.complain(this.name, `${path} at ${revision}: [${found}] instead of [${wanted}]`);
  }
}

/** In the order of the store's keys. */
function contents(world: World, prefix: string, namespace: string): readonly string[] {
  const key = ({ metadata }: Thing): string => `${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
  return world
    .all(prefix)
    .filter(({ metadata }) => namespace === '' || metadata.namespace === namespace)
    .toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
    .map(idOf);
}

function idOf({ metadata }: Thing): string {
  return `${metadata.namespace ?? ''}/${metadata.name}@${metadata.resourceVersion}`;
}
