/** Limit ranges: no container is let in outside them, and who asks for nothing gets their defaults. */
import type { Container, LimitRange, Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { nameOf, prefixOf } from '../world.ts';
import type { Checker } from './checker.ts';
import { quantityToNumber } from './quantity.ts';

export function limitRangesHold(): Checker {
  return {
    name: 'limit ranges hold',
    onChange({ key, current, previous }, world) {
      if (prefixOf(key) !== 'pods' || current === undefined || previous !== undefined) return [];
      const pod = current.value as Pod;
      const ranges = world.all<LimitRange>('limitranges', pod.metadata.namespace).flatMap(({ spec }) => spec?.limits ?? []);
      return ranges
        .filter(({ type }) => type === 'Container')
        .flatMap((range) => (pod.spec?.containers ?? []).flatMap((container) => wrong(container, range).map((why) => `${nameOf(pod)}: ${why}`)));
    },
  };
}

/** Defaults are asked of the first range only where several differ; the swarm's do not. */
function wrong({ resources }: Container, { max, min, default: given }: LimitRangeSides): readonly string[] {
  const found: string[] = [];
  for (const [resource, most] of Object.entries(max ?? {})) {
    const limit = resources?.limits?.[resource];
    if (limit === undefined || quantityToNumber(limit) > quantityToNumber(most))
      found.push(`a limit of ${limit} ${resource} where ${most} is the most`);
  }
  for (const [resource, least] of Object.entries(min ?? {})) {
    const request = resources?.requests?.[resource];
    if (request === undefined || quantityToNumber(request) < quantityToNumber(least))
      found.push(`a request of ${request} ${resource} where ${least} is the least`);
  }
  for (const resource of Object.keys(given ?? {}))
    if (resources?.limits?.[resource] === undefined) found.push(`no limit of ${resource}, which has a default`);
  return found;
}

interface LimitRangeSides {
  readonly max?: Readonly<Record<string, string>>;
  readonly min?: Readonly<Record<string, string>>;
  readonly default?: Readonly<Record<string, string>>;
}
