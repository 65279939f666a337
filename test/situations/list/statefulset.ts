/** Situations of the StatefulSet controller. */
import { object, statefulSet } from '../objects.ts';
import { situation, situationsOf } from '../situation.ts';
import { create, deletePods, endPods, look, patch, remove, rest, runPods, until, untilCount, untilGone, wait } from '../steps.ts';

const runsPods = { runsPods: true };
const web = 'statefulsets/web';
const image = (version: number): object => ({ spec: { template: { spec: { containers: [{ name: 'c', image: `example.com/c:${version}` }] } } } });
const ready = (count: number, generation = 1) =>
  until(web, { status: { observedGeneration: generation, readyReplicas: count, replicas: count, updatedReplicas: count } });
const made = (replicas: number, spec: object = {}) => [create(statefulSet('web', { replicas, ...spec })), ready(replicas)];
const claims = {
  volumeClaimTemplates: [
    { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], storageClassName: '', resources: { requests: { storage: '1Gi' } } } },
  ],
};
const withClaims = { runsPods: true, uncounted: ['FailedBinding'] };

export const statefulsetSituations = situationsOf('statefulset', [
  situation('comes up in order', made(3), runsPods),
  situation('waits for its first pod', [create(statefulSet('web', { replicas: 3 })), untilCount('pods', 1), wait(2)]),
  situation('comes up at once', [create(statefulSet('web', { replicas: 3, podManagementPolicy: 'Parallel' })), untilCount('pods', 3), rest()]),
  situation('scales up', [...made(1), patch(web, { spec: { replicas: 3 } }), ready(3, 2)], runsPods),
  situation(
    'scales down',
    [...made(3), patch(web, { spec: { replicas: 1 } }), until(web, { status: { observedGeneration: 2, replicas: 1 } })],
    runsPods,
  ),
  situation('rolls from the last', [...made(3), patch(web, image(2)), ready(3, 2), rest()], runsPods),
  situation(
    'rolls down to a partition',
    [
      ...made(3, { updateStrategy: { rollingUpdate: { partition: 2 } } }),
      patch(web, image(2)),
      until(web, { status: { observedGeneration: 2, updatedReplicas: 1, readyReplicas: 3 } }),
      rest(),
    ],
    runsPods,
  ),
  situation(
    'rolls only what is deleted',
    [
      ...made(2, { updateStrategy: { type: 'OnDelete' } }),
      patch(web, image(2)),
      rest(),
      look('before'),
      deletePods({ of: { metadata: { name: 'web-0' } } }),
      until(web, { status: { updatedReplicas: 1, readyReplicas: 2 } }),
      rest(),
    ],
    runsPods,
  ),
  situation('rolls back', [...made(2), patch(web, image(2)), ready(2, 2), patch(web, image(1)), ready(2, 3), rest()], runsPods),
  situation('replaces a pod', [...made(2), deletePods({ of: { metadata: { name: 'web-0' } } }), wait(1), ready(2)], runsPods),
  situation('replaces a pod that failed', [
    create(statefulSet('web', { replicas: 1 })),
    untilCount('pods', 1),
    runPods(),
    endPods('Failed'),
    wait(1),
    untilCount('pods', 1, { status: { phase: 'Pending' } }),
  ]),
  situation('makes claims', [...made(2, claims), rest()], withClaims),
  situation(
    'keeps claims when it is scaled down',
    [...made(2, claims), patch(web, { spec: { replicas: 1 } }), until(web, { status: { observedGeneration: 2, replicas: 1 } }), rest()],
    withClaims,
  ),
  situation(
    'deletes claims when it is scaled down',
    [
      ...made(2, { ...claims, persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Retain' } }),
      patch(web, { spec: { replicas: 1 } }),
      until(web, { status: { observedGeneration: 2, replicas: 1 } }),
      untilCount('persistentvolumeclaims', 1),
    ],
    withClaims,
  ),
  situation(
    'deletes claims when it goes',
    [
      ...made(2, { ...claims, persistentVolumeClaimRetentionPolicy: { whenScaled: 'Retain', whenDeleted: 'Delete' } }),
      rest(),
      remove(web),
      untilGone(web),
      untilCount('persistentvolumeclaims', 0),
    ],
    withClaims,
  ),
  situation('starts at another number', made(2, { ordinals: { start: 5 } }), runsPods),
  situation(
    'pods must be ready for some time',
    [...made(1, { minReadySeconds: 20 }), rest(), look('ready'), until(web, { status: { availableReplicas: 1 } })],
    runsPods,
  ),
  situation(
    'keeps some revisions',
    [
      ...made(1, { revisionHistoryLimit: 1 }),
      patch(web, image(2)),
      ready(1, 2),
      patch(web, image(3)),
      ready(1, 3),
      patch(web, image(4)),
      ready(1, 4),
      rest(),
    ],
    runsPods,
  ),
  situation('goes with its pods', [...made(2), remove(web), untilGone(web), untilCount('pods', 0)], runsPods),
  situation('leaves its pods', [...made(2), remove(web, { propagationPolicy: 'Orphan' }), untilGone(web), rest()], runsPods),
  situation(
    'adopts its pods again',
    [...made(1), remove(web, { propagationPolicy: 'Orphan' }), untilGone(web), rest(), create(statefulSet('web', { replicas: 1 })), ready(1), rest()],
    runsPods,
  ),
  situation('is scaled by its subresource', [...made(1), patch(`${web}/scale`, { spec: { replicas: 2 } }), ready(2, 2)], runsPods),
  situation(
    'claims that are there already are used',
    [
      create(
        object('v1', 'PersistentVolumeClaim', 'data-web-0', {
          meta: { labels: { own: 'x' } },
          spec: { accessModes: ['ReadWriteOnce'], storageClassName: '', resources: { requests: { storage: '1Gi' } } },
        }),
      ),
      ...made(1, claims),
      rest(),
    ],
    withClaims,
  ),
]);
