/** Who makes room for whom, and that a pod has the priority of its class. */
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { nameOf, prefixOf, type Thing, type World } from '../world.ts';
import type { Checker } from './checker.ts';

const scheduler = 'system:kube-scheduler';

export function onlyTheLesserMakeRoom(): Checker {
  return {
    name: 'only the lesser make room',
    onChange({ key, current, previous, meta }, world) {
      if (prefixOf(key) !== 'pods' || meta.identity !== scheduler || previous?.value.metadata.deletionTimestamp !== undefined) return [];
      const removed = current === undefined || current.value.metadata.deletionTimestamp !== undefined;
      if (!removed || previous === undefined) return [];
      const victim = previous.value as Pod;
      const own = victim.spec?.priority ?? 0;
      const waiting = world.all<Pod>('pods').filter(({ spec, metadata }) => !spec?.nodeName && metadata.deletionTimestamp === undefined);
      const most = Math.max(Number.NEGATIVE_INFINITY, ...waiting.map(({ spec }) => spec?.priority ?? 0));
      return most > own ? [] : [`${nameOf(victim)} of priority ${own} made room, and nobody above it waits (${most})`];
    },
  };
}

export function prioritiesAreThoseOfClasses(): Checker {
  return {
    name: 'priorities are those of classes',
    onChange({ key, current, previous }, world: World) {
      if (prefixOf(key) !== 'pods' || current === undefined || previous !== undefined) return [];
      const { priorityClassName, priority = 0 } = (current.value as Pod).spec ?? {};
      if (priorityClassName === undefined) return [];
      const value = world.get<Thing & { readonly value: number }>('priorityclasses', undefined, priorityClassName)?.value;
      return value === priority ? [] : [`${nameOf(current.value)} has priority ${priority} where class ${priorityClassName} says ${value}`];
    },
  };
}
