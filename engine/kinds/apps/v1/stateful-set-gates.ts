/** Fields of a StatefulSet that a gate allows. Mirrors dropStatefulSetDisabledFields of pkg/registry/apps/statefulset. */
import type { StatefulSet } from '../../../api/apps/v1/types.gen.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { edit } from '../../shared/defaulting.ts';
import { dropStatus, keepStatus } from '../../shared/strategy.ts';

export function prepareStatefulSet(object: StatefulSet, context: StrategyContext): StatefulSet {
  return withoutGatedFields(dropStatus(object), context);
}

/** What a set has used already it may go on to use. */
export function prepareStatefulSetUpdate(next: StatefulSet, old: StatefulSet, context: StrategyContext): StatefulSet {
  const kept = keepStatus(next, old);
  return old.spec?.updateStrategy?.rollingUpdate?.maxUnavailable === undefined ? withoutGatedFields(kept, context) : kept;
}

function withoutGatedFields(object: StatefulSet, context: StrategyContext): StatefulSet {
  if (object.spec?.updateStrategy?.rollingUpdate?.maxUnavailable === undefined || context.featureEnabled('MaxUnavailableStatefulSet')) return object;
  return edit(object, 'spec', (spec) =>
    edit(spec, 'updateStrategy', (strategy) =>
      edit(strategy, 'rollingUpdate', (update) => {
        const { maxUnavailable: _, ...rest } = update;
        return rest;
      }),
    ),
  );
}
