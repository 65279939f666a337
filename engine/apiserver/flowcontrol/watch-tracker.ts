/** Who would be told of a change: watches that are open, by what they watch. Mirrors apiserver pkg/util/flowcontrol/watch_tracker.go. */
import { parseFieldSelector } from '../../apimachinery/fields.ts';
import { SelectorError } from '../../apimachinery/labels.ts';
import type { RequestInfo, ResourceInfo } from '../request-info.ts';

/** Watches that ask for one value of it are many and each is told little: they are not counted. */
const nodeField = 'spec.nodeName';

export class WatchTracker {
  /** By resource, then by namespace and name. */
  readonly #counts = new Map<string, Map<string, number>>();

  /** A watch begins; what is returned forgets it, once. */
  add(info: RequestInfo, query: URLSearchParams): () => void {
    if (!info.isResource || (info.resource === 'pods' && isOfOneNode(query))) return () => undefined;
    const [resource, place] = [resourceOf(info), placeOf(info.namespace, info.name)];
    let counts = this.#counts.get(resource);
    if (counts === undefined) this.#counts.set(resource, (counts = new Map()));
    counts.set(place, (counts.get(place) ?? 0) + 1);
    let isForgotten = false;
    return () => {
      if (isForgotten) return;
      isForgotten = true;
      const left = (counts.get(place) ?? 1) - 1;
      if (left > 0) counts.set(place, left);
      else counts.delete(place);
    };
  }

  /** How many watches a change to such a place may interest. */
  count(info: ResourceInfo): number {
    const counts = this.#counts.get(resourceOf(info));
    if (counts === undefined || counts.size === 0) return 0;
    const { namespace, name } = info;
    let watchers = counts.get(placeOf('', '')) ?? 0;
    if (namespace !== '') watchers += counts.get(placeOf(namespace, '')) ?? 0;
    if (name !== '') watchers += counts.get(placeOf(namespace, name)) ?? 0;
    return watchers;
  }
}

function resourceOf({ group, resource }: ResourceInfo): string {
  return `${resource}.${group}`;
}

function placeOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

/** A selector that cannot be read selects none. */
function isOfOneNode(query: URLSearchParams): boolean {
  const selector = query.get('fieldSelector') ?? '';
  if (selector === '') return false;
  try {
    const { requirements } = parseFieldSelector(selector);
    return requirements.some(({ field, operator, value }) => field === nodeField && operator === '=' && value !== '');
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}
