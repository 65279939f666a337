/** Situations of the disruption controller and of evictions. */
import { budget, deployment, pod, replicaSet, replicationController } from '../objects.ts';
import { situation, situationsOf } from '../situation.ts';
import { create, deletePods, endPods, evict, patch, patchPods, podsSay, remove, rest, runPods, until, untilCount, untilGone } from '../steps.ts';

const runsPods = { runsPods: true };
const pdb = 'poddisruptionbudgets/pdb';
const web = (name: string) => pod(name, { meta: { labels: { app: 'web' } } });
const set = (replicas: number) => [create(replicaSet('web', { replicas })), until('replicasets/web', { status: { readyReplicas: replicas } })];
const healthy = (count: number) => until(pdb, { status: { currentHealthy: count } });

export const disruptionSituations = situationsOf('disruption', [
  situation('some must be there', [...set(3), create(budget('pdb', { minAvailable: 2 })), healthy(3)], runsPods),
  situation('a share must be there', [...set(3), create(budget('pdb', { minAvailable: '50%' })), healthy(3)], runsPods),
  situation('one may be absent', [...set(3), create(budget('pdb', { maxUnavailable: 1 })), healthy(3)], runsPods),
  situation('a share may be absent', [...set(4), create(budget('pdb', { maxUnavailable: '25%' })), healthy(4)], runsPods),
  situation('a share of a few may be absent', [...set(3), create(budget('pdb', { maxUnavailable: '30%' })), healthy(3)], runsPods),
  situation('none may be absent', [...set(2), create(budget('pdb', { maxUnavailable: 0 })), healthy(2)], runsPods),
  situation('all must be there', [...set(2), create(budget('pdb', { minAvailable: '100%' })), healthy(2)], runsPods),
  situation('pods are not ready', [
    create(replicaSet('web', { replicas: 2 })),
    untilCount('pods', 2),
    create(budget('pdb', { minAvailable: 1 })),
    until(pdb, { status: { expectedPods: 2 } }),
  ]),
  situation('there are no pods', [create(budget('pdb', { minAvailable: 1 })), until(pdb, { status: { observedGeneration: 1 } })]),
  situation('an empty selector takes all', [...set(2), create(budget('pdb', { minAvailable: 1, selector: {} })), healthy(2)], runsPods),
  situation('no selector takes none', [...set(2), create(budget('pdb', { minAvailable: 1, selector: null })), rest()], runsPods),
  situation(
    'pods of a Deployment',
    [
      create(deployment('web', { replicas: 3 })),
      until('deployments/web', { status: { readyReplicas: 3 } }),
      create(budget('pdb', { maxUnavailable: '50%' })),
      healthy(3),
    ],
    runsPods,
  ),
  situation(
    'pods of a ReplicationController',
    [
      create(replicationController('web', { replicas: 3 })),
      until('replicationcontrollers/web', { status: { readyReplicas: 3 } }),
      create(budget('pdb', { maxUnavailable: 1 })),
      healthy(3),
    ],
    runsPods,
  ),
  situation(
    'pods of two owners',
    [
      ...set(2),
      create(replicationController('web', { replicas: 2 })),
      until('replicationcontrollers/web', { status: { readyReplicas: 2 } }),
      create(budget('pdb', { maxUnavailable: '50%' })),
      healthy(4),
    ],
    runsPods,
  ),
  situation('pods of nobody, a number', [create(web('a'), web('b')), runPods(), create(budget('pdb', { minAvailable: 1 })), healthy(2)]),
  situation('pods of nobody, a share', [create(web('a'), web('b')), runPods(), create(budget('pdb', { minAvailable: '50%' })), rest()], {
    uncounted: ['CalculateExpectedPodCountFailed', 'NoControllers', 'UnmanagedPods'],
  }),
  situation('pods of nobody may be absent', [create(web('a')), runPods(), create(budget('pdb', { maxUnavailable: 1 })), rest()], {
    uncounted: ['CalculateExpectedPodCountFailed', 'NoControllers', 'UnmanagedPods'],
  }),
  situation(
    'a pod becomes unready',
    [
      ...set(2),
      create(budget('pdb', { minAvailable: 1 })),
      healthy(2),
      podsSay({ conditions: [{ type: 'Ready', status: 'False' }] }, { count: 1 }),
      healthy(1),
    ],
    runsPods,
  ),
  situation(
    'is changed',
    [
      ...set(3),
      create(budget('pdb', { minAvailable: 3 })),
      healthy(3),
      patch(pdb, { spec: { minAvailable: 1 } }),
      until(pdb, { status: { disruptionsAllowed: 2 } }),
    ],
    runsPods,
  ),
  situation(
    'the owner is scaled',
    [...set(2), create(budget('pdb', { maxUnavailable: '50%' })), healthy(2), patch('replicasets/web', { spec: { replicas: 4 } }), healthy(4)],
    runsPods,
  ),
  situation('an eviction is allowed', [
    create(web('a'), web('b')),
    runPods(),
    create(budget('pdb', { minAvailable: 1 })),
    healthy(2),
    evict('a'),
    untilGone('pods/a'),
    healthy(1),
  ]),
  situation('an eviction is refused', [create(web('a')), runPods(), create(budget('pdb', { minAvailable: 1 })), healthy(1), evict('a')]),
  situation(
    'a second eviction is refused',
    [create(web('a'), web('b')), runPods(), create(budget('pdb', { minAvailable: 1 })), healthy(2), evict('a'), evict('b')],
    { keepsPods: true },
  ),
  situation(
    'an evicted pod ends slowly',
    [create(web('a'), web('b')), runPods(), create(budget('pdb', { minAvailable: 1 })), healthy(2), evict('a'), rest()],
    { keepsPods: true },
  ),
  situation('an eviction without a budget', [create(web('a')), runPods(), evict('a'), untilGone('pods/a')]),
  situation('an eviction of a pending pod', [
    create(web('a')),
    create(budget('pdb', { minAvailable: 1 })),
    until(pdb, { status: { observedGeneration: 1 } }),
    evict('a'),
    untilGone('pods/a'),
  ]),
  situation('an eviction of a pod that ended', [
    create(web('a')),
    runPods(),
    endPods('Succeeded'),
    create(budget('pdb', { minAvailable: 1 })),
    until(pdb, { status: { observedGeneration: 1 } }),
    evict('a'),
    untilGone('pods/a'),
  ]),
  situation('an eviction with two budgets', [
    create(web('a')),
    runPods(),
    create(budget('pdb', { minAvailable: 0 }), budget('pdb2', { minAvailable: 0 })),
    healthy(1),
    until('poddisruptionbudgets/pdb2', { status: { currentHealthy: 1 } }),
    evict('a'),
  ]),
  situation('an eviction of an unready pod that may go', [
    create(web('a'), web('b')),
    runPods({ count: 1 }),
    podsSay({ phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] }, { of: { status: { phase: 'Pending' } } }),
    create(budget('pdb', { minAvailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' })),
    healthy(1),
    evict('b'),
    untilGone('pods/b'),
  ]),
  situation('an eviction of an unready pod while the budget holds', [
    create(web('a'), web('b')),
    runPods({ count: 1 }),
    podsSay({ phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] }, { of: { status: { phase: 'Pending' } } }),
    create(budget('pdb', { minAvailable: 1 })),
    healthy(1),
    evict('b'),
    untilGone('pods/b'),
  ]),
  situation('an eviction of an unready pod while the budget is broken', [
    create(web('a'), web('b')),
    runPods({ count: 1 }),
    podsSay({ phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] }, { of: { status: { phase: 'Pending' } } }),
    create(budget('pdb', { minAvailable: 2 })),
    healthy(1),
    evict('b'),
  ]),
  situation('an eviction that only tries', [
    create(web('a'), web('b')),
    runPods(),
    create(budget('pdb', { minAvailable: 1 })),
    healthy(2),
    evict('a', { deleteOptions: { dryRun: ['All'] } }),
  ]),
  situation('an eviction of a pod that is not there', [evict('none')]),
  situation('pods leave the selector', [
    create(web('a'), web('b')),
    runPods(),
    create(budget('pdb', { minAvailable: 1 })),
    healthy(2),
    patchPods({ metadata: { labels: { app: 'other' } } }, { count: 1 }),
    rest(),
  ]),
  situation('pods are deleted', [
    create(web('a'), web('b')),
    runPods(),
    create(budget('pdb', { minAvailable: 1 })),
    healthy(2),
    deletePods({ count: 1 }),
    healthy(1),
  ]),
  situation(
    'pods that are being deleted do not count',
    [create(web('a'), web('b')), runPods(), create(budget('pdb', { minAvailable: 1 })), healthy(2), deletePods({ count: 1 }), healthy(1)],
    { keepsPods: true },
  ),
  situation('a budget goes', [
    create(web('a')),
    runPods(),
    create(budget('pdb', { minAvailable: 1 })),
    healthy(1),
    remove(pdb),
    untilGone(pdb),
    evict('a'),
    untilGone('pods/a'),
  ]),
]);
