/** What the examples of checkers are made of: small pods, nodes, owners, and a case with its bad and its good history. */
import { put, type Step } from '../../support/worlds.ts';
import { Promises } from '../promises.ts';
import type { Checker } from './checker.ts';

export interface Example {
  readonly metadata: object;
  readonly [field: string]: unknown;
}

export const minuteMs = 60_000;
export const startText = '2026-01-01T00:00:00Z';
export const controlled = (uid: string, kind = 'ReplicaSet'): object => ({
  ownerReferences: [{ kind, name: 'owner', uid, controller: true, blockOwnerDeletion: true }],
});
export const meta = (name: string, more: object = {}): object => ({ namespace: 'default', name, uid: `uid-${name}`, ...more });
export const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
export const running = { phase: 'Running', podIP: '10.0.0.1', ...ready };
export const pod = (name: string, more: object = {}, labels = { app: 'web' }): Example => ({
  metadata: meta(name, { labels }),
  status: running,
  ...more,
});
export const cpu = (amount: string): object => ({ containers: [{ name: 'c', resources: { requests: { cpu: amount } } }] });
export const node = (name: string, more: object = {}, labels: object = {}): Example => ({
  metadata: { name, uid: name, labels: { 'topology.kubernetes.io/zone': 'a', 'kubernetes.io/hostname': name, ...labels } },
  status: { allocatable: { cpu: '4', pods: '10' }, conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: startText }] },
  ...more,
});
export const down = { status: { conditions: [{ type: 'Ready', status: 'Unknown', lastHeartbeatTime: startText, lastTransitionTime: startText }] } };
export const unreachable = { taints: [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }] };
export const scheduler = 'system:kube-scheduler';
export const nodeController = 'system:serviceaccount:kube-system:node-controller';
export const collector = 'system:serviceaccount:kube-system:generic-garbage-collector';
export const cronController = 'system:serviceaccount:kube-system:cronjob-controller';
export const ttlController = 'system:serviceaccount:kube-system:ttl-after-finished-controller';
export const orphaning = (): Promises => {
  const promises = new Promises();
  promises.orphaned.set('uid-owner', Number.POSITIVE_INFINITY);
  return promises;
};
export const bound = (name: string, nodeName: string, spec: object = {}, labels = { app: 'web' }): Step =>
  put('pods', pod(name, { spec: { nodeName, ...spec } }, labels), { by: scheduler, afterMs: 5_000 });
export const apart = {
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: { app: 'web' } }, topologyKey: 'kubernetes.io/hostname' }],
    },
  },
};
export const together = {
  affinity: {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: { app: 'db' } }, topologyKey: 'kubernetes.io/hostname' }],
    },
  },
};
export const even = {
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app: 'web' } } },
  ],
};
export const cron = (spec: object): Example => ({ metadata: meta('cron'), spec: { schedule: '* * * * *', ...spec } });
export const run = (minute: number, more: object = {}, step: object = {}): Step =>
  put(
    'jobs',
    {
      metadata: meta(`run-${minute}`, {
        ...controlled('uid-cron', 'CronJob'),
        annotations: { 'batch.kubernetes.io/cronjob-scheduled-timestamp': new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString() },
      }),
      ...more,
    },
    { by: cronController, ...step },
  );
export const ended = (type: string, reason = '', more: object = {}): object => ({
  status: { conditions: [{ type, status: 'True', reason, lastTransitionTime: startText }], ...more },
});

export interface Case {
  readonly name: string;
  readonly checker: () => Checker;
  readonly bad: readonly Step[];
  /** The same without the fault. */
  readonly good?: readonly Step[];
  readonly restMs?: number;
}
