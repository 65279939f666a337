/** Binds through the Binding subresource (framework/plugins/defaultbinder). */
import { definePlugin } from '../../framework/plugin.ts';

export const defaultBinder = definePlugin({
  name: 'DefaultBinder',
  order: 180,
  defaultWeight: 0,
  points: ['Bind'],
  args: {},
  reasons: [],
  create: (handle) => ({ bind: (pod, node) => handle.bind(pod, node) }),
});
