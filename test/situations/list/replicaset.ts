/** Situations of the ReplicaSet controller. */
import { pod, quota, replicaSet } from '../objects.ts';
import { situation, situationsOf } from '../situation.ts';
import {
  create,
  deletePods,
  endPods,
  patch,
  patchPods,
  podsSay,
  remove,
  rest,
  runPods,
  startPods,
  until,
  untilCount,
  untilEvent,
  untilGone,
} from '../steps.ts';

const runsPods = { runsPods: true };
const web = 'replicasets/web';
const ready = (count: number, generation = 1) =>
  until(web, { status: { observedGeneration: generation, readyReplicas: count, replicas: count, terminatingReplicas: 0 } });
const made = (replicas: number, spec: object = {}) => [create(replicaSet('web', { replicas, ...spec })), ready(replicas)];
const costs = (name: string, cost: string) =>
  pod(name, { meta: { labels: { app: 'web' }, annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } } });

export const replicasetSituations = situationsOf('replicaset', [
  situation('has its pods', made(3), runsPods),
  situation('pods are pending', [create(replicaSet('web', { replicas: 2 })), untilCount('pods', 2)]),
  situation('pods run and are not ready', [create(replicaSet('web', { replicas: 2 })), untilCount('pods', 2), startPods()]),
  situation('has thirteen pods', made(13), runsPods),
  situation('scales up', [...made(1), patch(web, { spec: { replicas: 4 } }), ready(4, 2)], runsPods),
  situation('scales down', [...made(4), patch(web, { spec: { replicas: 1 } }), ready(1, 2)], runsPods),
  situation('scales by its subresource', [...made(2), patch(`${web}/scale`, { spec: { replicas: 1 } }), ready(1, 2)], runsPods),
  situation(
    'counts pods that end',
    [
      create(replicaSet('web', { replicas: 2 })),
      untilCount('pods', 2),
      runPods(),
      deletePods({ count: 1 }),
      until(web, { status: { terminatingReplicas: 1 } }),
    ],
    { keepsPods: true },
  ),
  situation('deletes pods that are not ready first', [
    create(replicaSet('web', { replicas: 3 })),
    untilCount('pods', 3),
    runPods({ count: 2 }),
    until(web, { status: { readyReplicas: 2 } }),
    patch(web, { spec: { replicas: 2 } }),
    until(web, { status: { observedGeneration: 2, replicas: 2 } }),
  ]),
  situation('deletes cheap pods first', [
    create(costs('a', '5'), costs('b', '-5'), costs('d', '0')),
    runPods(),
    create(replicaSet('web', { replicas: 2 })),
    untilCount('pods', 2),
    until(web, { status: { replicas: 2 } }),
  ]),
  situation('adopts pods', [
    create(pod('a', { meta: { labels: { app: 'web' } } })),
    runPods(),
    create(replicaSet('web', { replicas: 2 })),
    until(web, { status: { replicas: 2 } }),
  ]),
  situation('adopts no pods that ended', [
    create(pod('a', { meta: { labels: { app: 'web' } } })),
    runPods(),
    endPods('Succeeded'),
    // Else it may be adopted by who has not heard yet that it ended.
    rest(),
    create(replicaSet('web', { replicas: 1 })),
    until(web, { status: { replicas: 1 } }),
  ]),
  situation('adopts more pods than it needs', [
    create(pod('a', { meta: { labels: { app: 'web' } } }), pod('b', { meta: { labels: { app: 'web' } } })),
    create(replicaSet('web', { replicas: 1 })),
    untilCount('pods', 1),
    until(web, { status: { replicas: 1 } }),
  ]),
  situation('lets a pod go', [
    create(replicaSet('web', { replicas: 2 })),
    untilCount('pods', 2),
    runPods(),
    until(web, { status: { readyReplicas: 2 } }),
    patchPods({ metadata: { labels: { app: 'other' } } }, { count: 1 }),
    untilCount('pods', 3),
  ]),
  situation('gets a pod back', [
    create(replicaSet('web', { replicas: 1 })),
    untilCount('pods', 1),
    runPods(),
    patchPods({ metadata: { labels: { app: 'other' } } }),
    untilCount('pods', 2),
    runPods(),
    patchPods({ metadata: { labels: { app: 'web' } } }, { of: { metadata: { labels: { app: 'other' } } } }),
    untilCount('pods', 1),
  ]),
  situation('replaces a pod that failed', [
    create(replicaSet('web', { replicas: 1 })),
    untilCount('pods', 1),
    runPods(),
    endPods('Failed'),
    untilCount('pods', 2),
    runPods(),
    until(web, { status: { readyReplicas: 1 } }),
  ]),
  situation('replaces a pod that was evicted', [
    create(replicaSet('web', { replicas: 1 })),
    untilCount('pods', 1),
    runPods(),
    podsSay({ phase: 'Failed', reason: 'Evicted', message: 'no room' }),
    untilCount('pods', 2),
  ]),
  situation('counts fully labeled pods', [
    create(pod('a', { meta: { labels: { app: 'web' } } })),
    create(
      replicaSet('web', {
        replicas: 2,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web', tier: 'x' } }, spec: { schedulerName: 'played', containers: [{ name: 'c', image: 'i' }] } },
      }),
    ),
    until(web, { status: { replicas: 2 } }),
  ]),
  situation('available after some seconds', made(1, { minReadySeconds: 3 }).concat(until(web, { status: { availableReplicas: 1 } })), runsPods),
  situation(
    'a quota refuses',
    [
      create(quota('few', { pods: '1' })),
      until('resourcequotas/few', { status: { hard: { pods: '1' } } }),
      create(replicaSet('web', { replicas: 3 })),
      untilEvent('FailedCreate'),
      until(web, { status: { replicas: 1, conditions: [{ type: 'ReplicaFailure' }] } }),
    ],
    { uncounted: ['FailedCreate'] },
  ),
  situation(
    'recovers from a refusal',
    [
      create(quota('few', { pods: '1' })),
      until('resourcequotas/few', { status: { hard: { pods: '1' } } }),
      create(replicaSet('web', { replicas: 2 })),
      until(web, { status: { conditions: [{ type: 'ReplicaFailure' }] } }),
      remove('resourcequotas/few'),
      untilCount('pods', 2),
      until(web, { status: { replicas: 2 } }),
    ],
    { uncounted: ['FailedCreate'] },
  ),
  situation('goes with its pods', [...made(2), remove(web), untilGone(web), untilCount('pods', 0)], runsPods),
  situation('leaves its pods', [...made(2), remove(web, { propagationPolicy: 'Orphan' }), untilGone(web)], runsPods),
  situation(
    'selects by expressions',
    [
      create(
        replicaSet('web', {
          replicas: 1,
          selector: {
            matchExpressions: [
              { key: 'app', operator: 'In', values: ['web', 'b'] },
              { key: 'old', operator: 'DoesNotExist' },
            ],
          },
        }),
      ),
      ready(1),
    ],
    runsPods,
  ),
  situation('has names of its own for many', [create(replicaSet('a-name-with.dots', { replicas: 1 })), untilCount('pods', 1), rest()]),
  situation('template carries annotations and finalizers', [
    create(
      replicaSet('web', {
        replicas: 1,
        template: {
          metadata: { labels: { app: 'web' }, annotations: { a: 'b' }, finalizers: ['example.com/f'] },
          spec: { schedulerName: 'played', containers: [{ name: 'c', image: 'i' }] },
        },
      }),
    ),
    untilCount('pods', 1),
    rest(),
  ]),
]);
