/** Situations of the ReplicationController controller. */
import { pod, quota, replicationController } from '../objects.ts';
import { situation, situationsOf } from '../situation.ts';
import { create, deletePods, endPods, patch, patchPods, remove, runPods, until, untilCount, untilEvent, untilGone } from '../steps.ts';

const runsPods = { runsPods: true };
const web = 'replicationcontrollers/web';
const ready = (count: number, generation = 1) => until(web, { status: { observedGeneration: generation, readyReplicas: count, replicas: count } });
const made = (replicas: number, spec: object = {}) => [create(replicationController('web', { replicas, ...spec })), ready(replicas)];

export const replicationcontrollerSituations = situationsOf('replicationcontroller', [
  situation('has its pods', made(2), runsPods),
  situation('scales up', [...made(1), patch(web, { spec: { replicas: 3 } }), ready(3, 2)], runsPods),
  situation('scales down', [...made(3), patch(web, { spec: { replicas: 1 } }), ready(1, 2)], runsPods),
  situation('scales by its subresource', [...made(1), patch(`${web}/scale`, { spec: { replicas: 2 } }), ready(2, 2)], runsPods),
  situation('replaces a pod', [...made(1), deletePods(), untilCount('pods', 1, { status: { phase: 'Running' } }), ready(1)], runsPods),
  situation('replaces a pod that failed', [
    create(replicationController('web', { replicas: 1 })),
    untilCount('pods', 1),
    runPods(),
    endPods('Failed'),
    untilCount('pods', 2),
  ]),
  situation('adopts pods', [
    create(pod('a', { meta: { labels: { app: 'web' } } })),
    create(replicationController('web', { replicas: 2 })),
    untilCount('pods', 2),
  ]),
  situation('lets a pod go', [
    create(replicationController('web', { replicas: 1 })),
    untilCount('pods', 1),
    patchPods({ metadata: { labels: { app: 'other' } } }),
    untilCount('pods', 2),
  ]),
  situation('available after some seconds', [...made(1, { minReadySeconds: 3 }), until(web, { status: { availableReplicas: 1 } })], runsPods),
  situation(
    'a quota refuses',
    [
      create(quota('few', { pods: '0' })),
      until('resourcequotas/few', { status: { hard: { pods: '0' } } }),
      create(replicationController('web', { replicas: 1 })),
      untilEvent('FailedCreate'),
      until(web, { status: { conditions: [{ type: 'ReplicaFailure' }] } }),
    ],
    { uncounted: ['FailedCreate'] },
  ),
  situation('goes and leaves its pods', [...made(1), remove(web), untilGone(web)], runsPods),
  situation('goes with its pods', [...made(1), remove(web, { propagationPolicy: 'Background' }), untilGone(web), untilCount('pods', 0)], runsPods),
]);
