/** Words of the timeline. */
import { plural } from '../lib/format.ts';

export const timeline = {
  cluster: 'The whole cluster over time',
  clusterRows: { nodes: 'Nodes ready', pods: 'Pods ready' },
  /** `what` are pods, or the endpoints of a Service. */
  level: (ready: number, wished: number, what: string) => `${ready} of ${plural(wished, what)} ready`,
  short: (count: number) => `, ${count} short`,
  surge: (count: number) => `, ${count} more than wished`,
  of: (ready: number, wished: number) => `${ready} / ${wished}`,
  open: (name: string) => `Open ${name}`,
  collapse: (name: string) => `Collapse ${name}`,
  owned: (count: number) => `+${count}`,
  rowState: (kind: string, state: string, isDeleted: boolean) => `${kind}, ${state}${isDeleted ? ', deleted' : ''}`,
  legend: { ready: 'Ready', surge: 'Surge', short: 'Short' },
} as const;
