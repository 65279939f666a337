/**
 * Objects that are computed and stand beside stored ones of their kind. Components, who follow what is stored, do not see them. One that
 * somebody changes is stored, and is an object as any from then on.
 */
import { isNotFound } from '../../apimachinery/errors.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import type { Attempt } from '../../contracts/attempt.ts';
import type { ComputedResource } from '../../contracts/computed-resource.ts';
import type { ApiRequest } from '../../contracts/request.ts';
import type { ObjectOperation, RestStorage } from '../../contracts/rest-storage.ts';
import { makeSelection } from '../../registry/selection.ts';

export function joined(storage: RestStorage, computed: ComputedResource): RestStorage {
  const { get, list, update, patch } = storage;
  const changing = ({ changesState, run }: ObjectOperation): ObjectOperation => ({
    changesState,
    run: (request, attempt) => {
      const instead = computedFor(request, computed, attempt);
      return run(instead === undefined ? request : { ...request, instead }, attempt);
    },
  });
  return {
    ...storage,
    ...(get && {
      get: {
        changesState: false,
        run: (request, attempt) => {
          try {
            return get.run(request, attempt);
          } catch (error) {
            const object = isNotFound(error) ? computedFor(request, computed, attempt) : undefined;
            if (object === undefined) throw error;
            return () => ({ code: 200, object, warnings: [] });
          }
        },
      },
    }),
    ...(update && { update: changing(update) }),
    ...(patch && { patch: changing(patch) }),
    ...(list && {
      list: {
        changesState: false,
        run: (request, ask, isOutside) => {
          const answer = list.run(request, ask, isOutside);
          // A page is of what is stored; the last one has the others too.
          if (isOutside !== true || answer.metadata.continue) return answer;
          const known = new Set(answer.items.map(({ object }) => object.metadata.name));
          const selection = makeSelection(storage, request.list ?? {});
          const others = computed
            .list(request.query ?? {}, request.namespace, ask)
            .filter((object) => !known.has(object.metadata.name ?? '') && selection.matches(object));
          const items = [...answer.items, ...others.map((object) => ({ object }))];
          return { ...answer, items: items.sort((a, b) => ((a.object.metadata.name ?? '') < (b.object.metadata.name ?? '') ? -1 : 1)) };
        },
      },
    }),
  };
}

function computedFor({ name = '', query = {}, namespace }: ApiRequest, computed: ComputedResource, attempt: Attempt): KubeObject | undefined {
  return computed.get(name, query, namespace, attempt.ask.bind(attempt));
}
