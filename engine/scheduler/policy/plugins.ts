/** What a policy of release 1.13 is made of, in the terms of the framework: the default profile of the scheduler that runs under it. */
import type { PluginDefinition } from '../framework/plugin.ts';
import { defaultBinder } from '../plugins/default-binder/default-binder.ts';
import { prioritySort } from '../plugins/priority-sort/priority-sort.ts';
import { filterOf } from './filter.ts';
import type { Policy } from './policy.ts';
import { preemption } from './preemption.ts';
import { prioritiesOf } from './priorities.ts';

export function pluginsOf(policy: Policy): readonly PluginDefinition[] {
  return [prioritySort, filterOf(policy), ...(policy.disablesPreemption === true ? [] : [preemption]), defaultBinder, ...prioritiesOf(policy)];
}
