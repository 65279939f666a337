/** Bad examples for the checkers of pods: their life, where they are placed, how many there are, who leads to them. */
import { put, remove, type Step } from '../../support/worlds.ts';
import {
  minuteMs,
  startText,
  controlled,
  meta,
  pod,
  cpu,
  node,
  scheduler,
  bound,
  apart,
  together,
  even,
  type Case,
  type Example,
} from './example.ts';
import { budgetsCountTheHealthy } from './budgets.ts';
import { servicesLeadToReadyPods } from './endpoints.ts';
import { placementIsAllowed } from './placement.ts';
import { addressesAreUnique, nodesAreNotOverfull, podsAreBoundOnce, podsLiveForwards } from './pod-checkers.ts';
import { onlyTheLesserMakeRoom, prioritiesAreThoseOfClasses } from './preemption.ts';
import { neverTooMany } from './replicas.ts';
import { spreadIsEven } from './spread.ts';
import { statusIsTrue } from './status.ts';

const scheduled = { type: 'PodScheduled', status: 'True' };

const restarted = (restartCount: number): Example =>
  pod('a', { spec: { nodeName: 'n' }, status: { containerStatuses: [{ name: 'c', restartCount }] } });

/** A fault that begins, and how it stands so much later. */
const refused = (phase: string, afterMs: number): readonly Step[] => {
  const fault = { metadata: { name: 'f', uid: 'uid-f' }, spec: { type: 'api-errors', target: {} } };
  const path = 'sim.wavetank.dev/faults';
  return [put(path, { ...fault, status: { phase: 'Active' } }), put(path, { ...fault, status: { phase } }, { afterMs })];
};
const lateStatus: readonly Step[] = [
  put('replicasets', { metadata: meta('owner', { generation: 1 }), spec: { replicas: 1 }, status: { replicas: 0, observedGeneration: 1 } }),
  put('pods', { metadata: meta('a', controlled('uid-owner')) }),
];

const servedWithoutSlice = [
  put('services/specs', { metadata: meta('s'), spec: { selector: { app: 'web' } } }),
  put('pods', pod('a', { spec: { nodeName: 'n' } })),
  put('services/endpoints', { metadata: meta('s'), subsets: [{ addresses: [{ ip: '10.0.0.1' }] }] }),
];

export const examplesOfPods: readonly Case[] = [
  {
    name: 'a pod that moved',
    checker: podsAreBoundOnce,
    bad: [put('pods', pod('a', { spec: { nodeName: 'x' } })), put('pods', pod('a', { spec: { nodeName: 'y' } }))],
  },
  {
    name: 'a pod that came back',
    checker: podsLiveForwards,
    bad: [put('pods', pod('a', { status: { phase: 'Succeeded' } })), put('pods', pod('a'))],
  },
  {
    name: 'a container that was not to start again',
    checker: podsLiveForwards,
    bad: [put('pods', pod('a', { spec: { restartPolicy: 'Never' }, status: { containerStatuses: [{ name: 'c', restartCount: 1 }] } }))],
    good: [put('pods', pod('a', { spec: { restartPolicy: 'Always' }, status: { containerStatuses: [{ name: 'c', restartCount: 1 }] } }))],
  },
  {
    name: 'restarts that were forgotten',
    checker: podsLiveForwards,
    bad: [put('minions', node('n')), put('pods', restarted(2)), put('pods', restarted(0))],
    good: [put('pods', restarted(2)), put('pods', restarted(0))],
  },
  { name: 'an address of two pods', checker: addressesAreUnique, bad: [put('pods', pod('a')), put('pods', pod('b'))], good: [put('pods', pod('a'))] },
  {
    name: 'a node that is overfull',
    checker: nodesAreNotOverfull,
    bad: [
      put('minions', node('n')),
      put('pods', pod('a', { spec: { nodeName: 'n', ...cpu('3') } })),
      put('pods', pod('b', { spec: { nodeName: 'n', ...cpu('1500m') } })),
    ],
    good: [
      put('minions', node('n')),
      put('pods', pod('a', { spec: { nodeName: 'n', ...cpu('3') } })),
      put('pods', pod('b', { spec: { nodeName: 'n', ...cpu('3') }, status: { phase: 'Pending' } })),
    ],
  },
  {
    name: 'a node that the scheduler overfills',
    checker: nodesAreNotOverfull,
    bad: [
      put('minions', node('n')),
      put('pods', pod('a', { spec: { nodeName: 'n', ...cpu('3') } })),
      put('pods', pod('b', { spec: { nodeName: 'n', ...cpu('3') }, status: { phase: 'Pending', conditions: [scheduled] } })),
    ],
  },
  {
    name: 'a taint that is not tolerated',
    checker: placementIsAllowed,
    bad: [put('minions', node('n', { spec: { taints: [{ key: 'odd', effect: 'NoSchedule' }] } })), bound('a', 'n')],
    good: [
      put('minions', node('n', { spec: { taints: [{ key: 'odd', effect: 'NoSchedule' }] } })),
      bound('a', 'n', { tolerations: [{ key: 'odd', operator: 'Exists' }] }),
    ],
  },
  { name: 'a cordoned node', checker: placementIsAllowed, bad: [put('minions', node('n', { spec: { unschedulable: true } })), bound('a', 'n')] },
  {
    name: 'a node that was not chosen',
    checker: placementIsAllowed,
    bad: [put('minions', node('n')), bound('a', 'n', { nodeSelector: { disk: 'fast' } })],
  },
  {
    name: 'a pod that wanted to be away',
    checker: placementIsAllowed,
    bad: [put('minions', node('n')), bound('a', 'n'), bound('b', 'n', apart)],
    good: [put('minions', node('n')), put('minions', node('m')), bound('a', 'n'), bound('b', 'm', apart)],
  },
  { name: 'a pod that others wanted away', checker: placementIsAllowed, bad: [put('minions', node('n')), bound('a', 'n', apart), bound('b', 'n')] },
  {
    name: 'a pod that wanted company',
    checker: placementIsAllowed,
    bad: [put('minions', node('n')), put('minions', node('m')), bound('a', 'm', {}, { app: 'db' }), bound('b', 'n', together)],
  },
  {
    name: 'pods that lie unevenly',
    checker: spreadIsEven,
    bad: [
      put('minions', node('n')),
      put('minions', node('m')),
      put('pods', pod('a', { spec: even })),
      put('pods', pod('b', { spec: even })),
      bound('a', 'n', even),
      bound('b', 'n', even),
    ],
    good: [
      put('minions', node('n')),
      put('minions', node('m')),
      put('pods', pod('a', { spec: even })),
      put('pods', pod('b', { spec: even })),
      bound('a', 'n', even),
      bound('b', 'm', even),
    ],
    restMs: 10_000,
  },
  {
    name: 'an equal that made room',
    checker: onlyTheLesserMakeRoom,
    bad: [
      put('pods', pod('a', { spec: { nodeName: 'n', priority: 5 } })),
      put('pods', pod('b', { spec: { priority: 5 } })),
      remove('pods', meta('a'), { by: scheduler }),
    ],
    good: [
      put('pods', pod('a', { spec: { nodeName: 'n', priority: 5 } })),
      put('pods', pod('b', { spec: { priority: 6 } })),
      remove('pods', meta('a'), { by: scheduler }),
    ],
  },
  {
    name: 'a priority of no class',
    checker: prioritiesAreThoseOfClasses,
    bad: [
      put('priorityclasses', { metadata: { name: 'high' }, value: 7 }),
      put('pods', pod('a', { spec: { priorityClassName: 'high', priority: 0 } })),
    ],
  },
  {
    name: 'one replica too many',
    checker: neverTooMany,
    bad: [
      put('replicasets', { metadata: meta('owner'), spec: { replicas: 1 } }),
      put('pods', { metadata: meta('a', controlled('uid-owner')) }),
      put('pods', { metadata: meta('b', controlled('uid-owner')) }),
    ],
    good: [
      put('replicasets', { metadata: meta('owner'), spec: { replicas: 2 } }),
      put('pods', { metadata: meta('a', controlled('uid-owner')) }),
      put('pods', { metadata: meta('b', controlled('uid-owner')) }),
    ],
  },
  {
    name: 'a surge too far',
    checker: neverTooMany,
    bad: [
      put('deployments', { metadata: meta('d'), spec: { replicas: 2, strategy: { rollingUpdate: { maxSurge: 1 } } } }),
      put('replicasets', { metadata: meta('old', controlled('uid-d')), spec: { replicas: 2 } }, { afterMs: minuteMs }),
      put('replicasets', { metadata: meta('new', controlled('uid-d')), spec: { replicas: 2 } }),
    ],
  },
  {
    // What was refused is tried again after a wait that doubles: swarm seed 90 at commit 40b5ebf.
    name: 'a status that is late when requests do not fail any more',
    checker: statusIsTrue,
    bad: [...refused('Healed', 10_000), ...lateStatus],
    good: [...refused('Active', 150_000), ...lateStatus],
    restMs: minuteMs,
  },
  {
    name: 'a status that lies',
    checker: statusIsTrue,
    bad: [
      put('replicasets', { metadata: meta('owner', { generation: 1 }), spec: { replicas: 1 }, status: { replicas: 2, observedGeneration: 1 } }),
      put('pods', { metadata: meta('a', controlled('uid-owner')) }),
    ],
    good: [
      put('replicasets', { metadata: meta('owner', { generation: 1 }), spec: { replicas: 1 }, status: { replicas: 1, observedGeneration: 1 } }),
      put('pods', { metadata: meta('a', controlled('uid-owner')) }),
    ],
    restMs: minuteMs,
  },
  {
    name: 'a service that leads nowhere',
    checker: servicesLeadToReadyPods,
    bad: [
      put('services/specs', { metadata: meta('s'), spec: { selector: { app: 'web' } } }),
      put('pods', pod('a', { status: { phase: 'Running', podIP: '10.0.0.1' } })),
      put('services/endpoints', { metadata: meta('s'), subsets: [{ addresses: [{ ip: '10.0.0.1' }] }] }),
    ],
    good: [
      put('services/specs', { metadata: meta('s'), spec: { selector: { app: 'web' } } }),
      put('pods', pod('a', { status: { phase: 'Running', podIP: '10.0.0.1' } })),
      put('services/endpoints', { metadata: meta('s'), subsets: [{ notReadyAddresses: [{ ip: '10.0.0.1' }] }] }),
    ],
    restMs: minuteMs,
  },
  {
    name: 'a slice without a pod that is ready',
    checker: servicesLeadToReadyPods,
    bad: [put('minions', node('n')), ...servedWithoutSlice],
    // Of a node that is not there upstream writes nothing into slices.
    good: [put('minions', node('other')), ...servedWithoutSlice],
    restMs: minuteMs,
  },
  {
    name: 'a budget that counts those who go',
    checker: budgetsCountTheHealthy,
    bad: [
      put('pods', { ...pod('a'), metadata: meta('a', { labels: { app: 'web' }, deletionTimestamp: startText }) }),
      put('poddisruptionbudgets', {
        metadata: meta('b'),
        spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
        status: { currentHealthy: 1, expectedPods: 1, desiredHealthy: 1, disruptionsAllowed: 0 },
      }),
    ],
    restMs: minuteMs,
  },
];
