/**
 * What upstream's DynamicResources says of pods without resource claims: that it has nothing to take back for them. Claims
 * themselves are not scheduled here.
 */
import { definePlugin } from '../../framework/plugin.ts';
import { unschedulable } from '../../framework/status.ts';

const name = 'DynamicResources';
const reason = 'no new claims to deallocate';

export const dynamicResources = definePlugin({
  name,
  order: 140,
  defaultWeight: 0,
  points: ['PostFilter'],
  args: {},
  reasons: [reason],
  create: () => ({ postFilter: () => ({ status: unschedulable(name, reason) }) }),
});
