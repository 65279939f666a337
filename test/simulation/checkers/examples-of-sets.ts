/** Bad examples for the checkers of sets, their volumes and their autoscalers. */
import { put, remove } from '../../support/worlds.ts';
import { autoscalersKeepTheirBounds } from './autoscalers.ts';
import { controlled, meta, minuteMs, pod, type Case, type Example } from './example.ts';
import { membersRunOnce } from './machines.ts';
import { membersComeInOrder, onePodOnANode, setsSayWhatIs } from './sets.ts';
import { claimsHaveOneVolume, claimsOfOnePodAreKept, volumesAreOnOneNode, whatIsUsedStays } from './volumes.ts';

const unready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] };
const set = (spec: object, status: object = { replicas: 2, readyReplicas: 2, observedGeneration: 1 }): Example => ({
  kind: 'StatefulSet',
  metadata: { namespace: 'default', name: 'owner', uid: 'uid-set', generation: 1 },
  spec,
  status,
});
const member = (ordinal: number, more: object = {}, uid = `uid-owner-${ordinal}`): Example => ({
  ...pod(`owner-${ordinal}`, more),
  metadata: { ...meta(`owner-${ordinal}`, controlled('uid-set', 'StatefulSet')), uid },
});
const pair = (low: object, high: object) => [put('pods', member(0, low)), put('pods', member(1, high))];
const agent = (name: string, nodeName: string): Example => ({
  ...pod(name, { spec: { nodeName } }),
  metadata: meta(name, controlled('uid-agents', 'DaemonSet')),
});
const agents = (maxSurge: number): Example => ({
  kind: 'DaemonSet',
  metadata: { namespace: 'default', name: 'owner', uid: 'uid-agents', generation: 1 },
  spec: { updateStrategy: { rollingUpdate: { maxSurge } } },
});
const attachment = (name: string, nodeName: string): Example => ({
  metadata: { name, uid: name },
  spec: { nodeName, source: { persistentVolumeName: 'disk' } },
  status: { attached: true },
});
const claim = (name: string, volumeName: string, mode = 'ReadWriteOnce'): Example => ({
  kind: 'PersistentVolumeClaim',
  metadata: meta(name, { creationTimestamp: '2026-01-01T00:00:00Z' }),
  spec: { volumeName, accessModes: [mode] },
  status: { phase: 'Bound' },
});
const leavingClaim: Example = { metadata: meta('data', { deletionTimestamp: '2026-01-01T00:00:30Z' }) };
const pendingWithClaim = { status: { phase: 'Pending' }, spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] } };
const user = (name: string, nodeName: string): Example => ({
  kind: 'Pod',
  ...pod(name, { spec: { nodeName, volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] } }),
  metadata: meta(name, { creationTimestamp: '2026-01-01T00:01:00Z' }),
});
const scaler = { metadata: meta('web'), spec: { minReplicas: 2, maxReplicas: 4 } };
const scaled = (replicas: number): Example => ({ kind: 'Deployment', metadata: meta('web'), spec: { replicas } });
const byScaler = { by: 'system:serviceaccount:kube-system:horizontal-pod-autoscaler', afterMs: minuteMs };
const runs = (uid: string, node: string): { readonly uid: string; readonly name: string; readonly node: string } => ({
  uid,
  name: 'default/owner-0',
  node,
});
const twice = (): ReturnType<typeof membersRunOnce> => membersRunOnce(() => [runs('old', 'a'), runs('new', 'b')]);
const onA = member(0, { spec: { nodeName: 'a' } }, 'old');
const onB = member(0, { spec: { nodeName: 'b' } }, 'new');

export const examplesOfSets: readonly Case[] = [
  {
    name: 'a member that comes before its time',
    checker: membersComeInOrder,
    bad: [put('statefulsets', set({})), put('pods', member(0, { status: unready })), put('pods', member(1), { afterMs: minuteMs })],
    good: [put('statefulsets', set({})), put('pods', member(0)), put('pods', member(1), { afterMs: minuteMs })],
  },
  {
    name: 'a member that runs twice',
    checker: twice,
    bad: [put('pods', onA), remove('pods', meta('owner-0'), { by: 'system:node:a' }), put('pods', onB)],
    good: [put('pods', onA), remove('pods', meta('owner-0'), { by: 'admin' }), put('pods', onB)],
  },
  {
    name: 'two agents on a node',
    checker: onePodOnANode,
    bad: [put('daemonsets', agents(0)), put('pods', agent('x', 'a')), put('pods', agent('y', 'a'))],
    good: [put('daemonsets', agents(1)), put('pods', agent('x', 'a')), put('pods', agent('y', 'a'))],
  },
  {
    name: 'a set that says too much',
    checker: setsSayWhatIs,
    bad: [put('statefulsets', set({ replicas: 2 })), put('pods', member(0))],
    good: [put('statefulsets', set({ replicas: 2 })), put('pods', member(0)), put('pods', member(1))],
    restMs: minuteMs,
  },
  {
    name: 'a set in order that keeps a member though those below it are ready',
    checker: setsSayWhatIs,
    bad: [put('statefulsets', set({ replicas: 1 }, { replicas: 2, readyReplicas: 1, observedGeneration: 1 })), ...pair({}, { status: unready })],
    good: [put('statefulsets', set({ replicas: 1 }, { replicas: 2, observedGeneration: 1 })), ...pair({ status: unready }, { status: unready })],
    restMs: minuteMs,
  },
  {
    name: 'a set in order that keeps a ready member above one that goes too',
    checker: setsSayWhatIs,
    bad: [put('statefulsets', set({ replicas: 0 }, { replicas: 2, readyReplicas: 1, observedGeneration: 1 })), ...pair({ status: unready }, {})],
    good: [put('statefulsets', set({ replicas: 0 }, { replicas: 2, observedGeneration: 1 })), ...pair({ status: unready }, { status: unready })],
    restMs: minuteMs,
  },
  {
    name: 'a set that keeps too many though no claim holds it up',
    checker: setsSayWhatIs,
    bad: [
      put('statefulsets', set({ replicas: 1, podManagementPolicy: 'Parallel' }, { replicas: 2, readyReplicas: 1, observedGeneration: 1 })),
      ...pair(pendingWithClaim, {}),
    ],
    good: [
      put('persistentvolumeclaims', leavingClaim),
      put('statefulsets', set({ replicas: 1, podManagementPolicy: 'Parallel' }, { replicas: 2, readyReplicas: 1, observedGeneration: 1 })),
      ...pair(pendingWithClaim, {}),
    ],
    restMs: minuteMs,
  },
  {
    name: 'a parallel set that keeps members that are not ready',
    checker: setsSayWhatIs,
    bad: [
      put('statefulsets', set({ replicas: 0, podManagementPolicy: 'Parallel' }, { replicas: 2, observedGeneration: 1 })),
      ...pair({ status: unready }, { status: unready }),
    ],
    good: [put('statefulsets', set({ replicas: 2 })), ...pair({}, {})],
    restMs: minuteMs,
  },
  {
    name: 'a volume on two nodes',
    checker: volumesAreOnOneNode,
    bad: [put('volumeattachments', attachment('x', 'a')), put('volumeattachments', attachment('y', 'b'))],
    good: [
      put('volumeattachments', attachment('x', 'a')),
      remove('volumeattachments', { name: 'x' }),
      put('volumeattachments', attachment('y', 'b')),
    ],
  },
  {
    name: 'a volume of two claims',
    checker: claimsHaveOneVolume,
    bad: [put('persistentvolumeclaims', claim('x', 'disk')), put('persistentvolumeclaims', claim('y', 'disk'))],
    good: [put('persistentvolumeclaims', claim('x', 'disk')), put('persistentvolumeclaims', claim('y', 'other'))],
  },
  {
    name: 'a claim of one pod that two have',
    checker: claimsOfOnePodAreKept,
    bad: [put('persistentvolumeclaims', claim('data', 'disk', 'ReadWriteOncePod')), put('pods', user('x', 'a')), put('pods', user('y', 'a'))],
    good: [put('persistentvolumeclaims', claim('data', 'disk')), put('pods', user('x', 'a')), put('pods', user('y', 'a'))],
  },
  {
    name: 'a claim that goes while it is used',
    checker: whatIsUsedStays,
    bad: [put('persistentvolumeclaims', claim('data', 'disk')), put('pods', user('x', 'a')), remove('persistentvolumeclaims', meta('data'))],
    good: [put('persistentvolumeclaims', claim('other', 'disk')), put('pods', user('x', 'a')), remove('persistentvolumeclaims', meta('other'))],
  },
  {
    name: 'an autoscaler that goes too far',
    checker: autoscalersKeepTheirBounds,
    bad: [put('horizontalpodautoscalers', scaler), put('deployments', scaled(3)), put('deployments', scaled(5), byScaler)],
    good: [put('horizontalpodautoscalers', scaler), put('deployments', scaled(3)), put('deployments', scaled(4), byScaler)],
  },
];
