/** What must hold of every write: revisions rise, a watch misses nothing, each write has a cause (law 4) and is owned field by field. */
import type { KubeObject } from '../../../engine/apimachinery/object.ts';
import { parseCause } from '../../../engine/base/causes.ts';
import type { Change } from '../../../engine/store/store.ts';
import type { Checker } from './checker.ts';

export function revisionsRise(): Checker {
  let last = 0;
  return {
    name: 'revisions rise',
    onChange({ revision, key, current }) {
      const found: string[] = [];
      if (revision <= last) found.push(`${key} at ${revision} after ${last}`);
      last = revision;
      const shown = current?.value.metadata.resourceVersion;
      if (shown !== undefined && Number(shown) !== revision) found.push(`${key} shows ${shown} at ${revision}`);
      return found;
    },
  };
}

/** A watcher's replayed state equals the list. */
export function watchIsGapless(): Checker {
  const seen = new Map<string, number>();
  return {
    name: 'watch is gapless',
    onChange({ type, key, revision }) {
      if (type === 'put') seen.set(key, revision);
      else seen.delete(key);
      return [];
    },
    inspect(_world, { store }) {
      const { items } = store.range({ prefix: '' });
      const found = items.filter(({ key, modRevision }) => seen.get(key) !== modRevision).map(({ key }) => `${key} was not seen as it is`);
      return items.length === seen.size ? found : [...found, `${seen.size} seen, ${items.length} stored`];
    },
  };
}

/** A write is caused by an input, a timer, a silence or an earlier write that the store has known. */
export function writesHaveCauses(): Checker {
  return {
    name: 'writes have causes',
    onChange({ key, revision, meta }: Change<KubeObject>) {
      if (meta.causes.length === 0) return [`${key} by ${meta.identity} has none`];
      return meta.causes
        .map((cause) => parseCause(cause))
        .flatMap((cause) => {
          if (cause.type === 'other') return [`${key} by ${meta.identity}: ${cause.text}`];
          return cause.type === 'write' && !(cause.revision > 0 && cause.revision < revision)
            ? [`${key} by ${meta.identity}: revision ${cause.revision}`]
            : [];
        });
    },
  };
}

export function fieldsAreManaged(): Checker {
  return {
    name: 'fields are managed',
    onChange: ({ key, current, previous, meta }) =>
      current !== undefined &&
      // Updates of what nobody manages are not tracked.
      (previous === undefined || (previous.value.metadata.managedFields ?? []).length > 0) &&
      meta.causes.some((cause) => cause.startsWith('input:')) &&
      (current.value.metadata.managedFields ?? []).length === 0 &&
      !key.includes('/events/') &&
      // A name and owners alone belong to nobody.
      Object.keys(current.value).some((field) => field !== 'kind' && field !== 'apiVersion' && field !== 'metadata')
        ? [`${key} has no managed fields`]
        : [],
  };
}
