/** Which problems are shown. */
import type { Problem } from '../../../engine/api/sim/v1alpha1/problem.ts';

export const problemFilters = ['', 'nodes', 'pods', 'workloads', 'cronjobs', 'webhooks'] as const;
export type ProblemFilter = (typeof problemFilters)[number];

const workloads: ReadonlySet<string> = new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'ReplicationController', 'Job']);

const kindsOf: { readonly [F in Exclude<ProblemFilter, ''>]: (kind: string) => boolean } = {
  nodes: (kind) => kind === 'Node',
  pods: (kind) => kind === 'Pod',
  workloads: (kind) => workloads.has(kind),
  cronjobs: (kind) => kind === 'CronJob',
  webhooks: (kind) => kind.endsWith('WebhookConfiguration'),
};

export function filterOf(text: string): ProblemFilter {
  return problemFilters.find((one) => one === text) ?? '';
}

/** By what it is about or what suffers from it; and by any word of it. */
export function matches({ status }: Problem, filter: ProblemFilter, search: string): boolean {
  const { subject, reason, summary, cause, affected } = status;
  const kinds = [subject.kind, ...Object.keys(affected?.kinds ?? {})];
  const isOfKind = filter === '' || kinds.some(kindsOf[filter]);
  const text = [subject.kind, subject.namespace, subject.name, reason, summary, cause?.text].join(' ').toLowerCase();
  return isOfKind && text.includes(search.trim().toLowerCase());
}
