/** Orders the queue: higher priority first, then the one that waits longer (framework/plugins/queuesort). */
import { definePlugin } from '../../framework/plugin.ts';

export const prioritySort = definePlugin({
  name: 'PrioritySort',
  order: 20,
  defaultWeight: 0,
  points: ['QueueSort'],
  args: {},
  reasons: [],
  create: () => ({
    less: (a, b) => (a.priority === b.priority ? a.timestampMs - b.timestampMs : b.priority - a.priority),
  }),
});
