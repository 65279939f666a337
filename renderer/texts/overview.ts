/** Words of the strip of figures. */
import { formatCount, plural } from '../lib/format.ts';

export const overview = {
  label: 'Overview',
  unread: 'no figures yet',
  asOf: (time: string) => `as of ${time}`,
  nowNote: 'of now',
  nowTitle: 'The view shows the past; these figures are of now.',
  nodes: {
    name: 'nodes ready',
    title: (ready: number, total: number) => `${formatCount(ready)} of ${plural(total, 'node')} ready. Show the nodes.`,
    of: ' of ',
  },
  pods: {
    name: 'pods',
    title: (state: string, count: number) => `${plural(count, 'pod')} ${podWords.get(state) ?? state}. Show them.`,
    /** As the table of pods calls them: what runs and is not ready counts as troubled. */
    word: (state: string) => (state === 'Running' ? 'ready' : state.toLowerCase()),
    none: 'no pods',
  },
  workloads: {
    name: () => 'short of pods',
    title: (count: number) => `${plural(count, 'workload')} with fewer pods than they ask for. Show what is wrong.`,
  },
  cronJobs: {
    name: () => 'late CronJobs',
    title: (count: number) => `${plural(count, 'CronJob')} whose newest run was missed or is late. Show them.`,
  },
  faults: { name: (count: number) => (count === 1 ? 'fault' : 'faults'), title: (count: number) => `${plural(count, 'fault')} in force. Show them.` },
  warnings: {
    name: (count: number) => (count === 1 ? 'warning/min' : 'warnings/min'),
    title: (count: number) => `${plural(count, 'warning')} in about the last minute. Show them among the Events.`,
  },
  requests: {
    /** One word for one and for many: the figure changes each second, and nothing beside it should move. */
    name: 'req/s',
    title: (count: number) => `${plural(count, 'API request')} a second. Show the requests.`,
  },
  curve: (name: string, least: number, most: number) => `${name} over the shown range: between ${least} and ${most}`,
} as const;

/** What the counted states of pods mean. */
const podWords: ReadonlyMap<string, string> = new Map([
  ['Running', 'running and ready'],
  ['Starting', 'starting'],
  ['Pending', 'pending'],
  ['Stuck', 'pending for a reason that does not pass by itself'],
  ['Troubled', 'running, and not as they should be'],
  ['Terminating', 'being deleted'],
  ['Succeeded', 'succeeded'],
  ['Failed', 'failed'],
  ['Unknown', 'on nodes that are not heard of'],
]);
