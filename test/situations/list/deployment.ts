/** Situations of the Deployment controller. */
import { deployment, quota } from '../objects.ts';
import { situation, situationsOf } from '../situation.ts';
import { create, deletePods, look, patch, remove, rest, runPods, until, untilCount, untilEvent, untilGone, wait } from '../steps.ts';

const runsPods = { runsPods: true };
const web = 'deployments/web';
const image = (version: number): object => ({ spec: { template: { spec: { containers: [{ name: 'c', image: `example.com/c:${version}` }] } } } });
const ready = (count: number, generation = 1) =>
  until(web, { status: { observedGeneration: generation, readyReplicas: count, replicas: count, updatedReplicas: count, terminatingReplicas: 0 } });
const rolledTo = (...versions: readonly number[]) => versions.flatMap((version, index) => [patch(web, image(version)), ready(2, index + 2)]);
const made = (replicas: number, spec: object = {}) => [create(deployment('web', { replicas, ...spec })), ready(replicas)];

export const deploymentSituations = situationsOf('deployment', [
  situation('rolls out', made(3), runsPods),
  situation('has no pods', [create(deployment('web', { replicas: 0 })), rest()]),
  situation('pods are not ready yet', [create(deployment('web', { replicas: 2 })), untilCount('pods', 2)]),
  situation('some pods are ready', [
    create(deployment('web', { replicas: 4 })),
    untilCount('pods', 4),
    runPods({ count: 3 }),
    until(web, { status: { readyReplicas: 3 } }),
  ]),
  situation('half of the pods are ready', [
    create(deployment('web', { replicas: 4 })),
    untilCount('pods', 4),
    runPods({ count: 2 }),
    until(web, { status: { readyReplicas: 2 } }),
  ]),
  situation('rolls to a new template', [...made(3), patch(web, image(2)), ready(3, 2)], runsPods),
  situation('rolls to a template whose pods do not come', [
    create(deployment('web', { replicas: 4 })),
    untilCount('pods', 4),
    runPods(),
    until(web, { status: { readyReplicas: 4 } }),
    patch(web, image(2)),
    until(web, { status: { observedGeneration: 2, updatedReplicas: 2 } }),
  ]),
  situation('rolls back by its old template', [...made(2), ...rolledTo(2, 1)], runsPods),
  situation('rolls three times', [...made(2), ...rolledTo(2, 3, 4)], runsPods),
  situation('keeps no history', [...made(2, { revisionHistoryLimit: 0 }), ...rolledTo(2, 3)], runsPods),
  situation('keeps one old template', [...made(2, { revisionHistoryLimit: 1 }), ...rolledTo(2, 3, 4)], runsPods),
  situation('is recreated', [...made(3, { strategy: { type: 'Recreate' } }), patch(web, image(2)), ready(3, 2)], runsPods),
  situation(
    'is recreated only after old pods have gone',
    [
      create(deployment('web', { replicas: 2, strategy: { type: 'Recreate' } })),
      untilCount('pods', 2),
      runPods(),
      until(web, { status: { readyReplicas: 2 } }),
      patch(web, image(2)),
      untilCount('pods', 2, { metadata: { deletionGracePeriodSeconds: 30 } }),
    ],
    { keepsPods: true },
  ),
  situation('scales up', [...made(2), patch(web, { spec: { replicas: 5 } }), ready(5, 2)], runsPods),
  situation('scales down', [...made(5), patch(web, { spec: { replicas: 2 } }), ready(2, 2)], runsPods),
  situation(
    'scales to nothing',
    [...made(2), patch(web, { spec: { replicas: 0 } }), until(web, { status: { observedGeneration: 2, replicas: 0, terminatingReplicas: 0 } })],
    runsPods,
  ),
  situation('scales by its subresource', [...made(1), patch(`${web}/scale`, { spec: { replicas: 3 } }), ready(3, 2)], runsPods),
  situation(
    'scales up and down at once with its template',
    [...made(2), patch(web, { spec: { replicas: 4, ...(image(2) as { spec: object }).spec } }), ready(4, 2)],
    runsPods,
  ),
  situation('scales in the middle of a rollout', [
    create(deployment('web', { replicas: 10, strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } } })),
    untilCount('pods', 10),
    runPods(),
    until(web, { status: { readyReplicas: 10 } }),
    patch(web, image(2)),
    until(web, { status: { updatedReplicas: 5, replicas: 13 } }),
    patch(web, { spec: { replicas: 20 } }),
    until(web, { status: { observedGeneration: 3, replicas: 23 } }),
  ]),
  situation(
    'is paused from the start',
    [create(deployment('web', { replicas: 2, paused: true })), until(web, { status: { observedGeneration: 1 } })],
    runsPods,
  ),
  situation(
    'is paused, changed and scaled',
    [
      ...made(2),
      patch(web, { spec: { paused: true } }),
      patch(web, image(2)),
      patch(web, { spec: { replicas: 3 } }),
      until(web, { status: { observedGeneration: 4, readyReplicas: 3 } }),
    ],
    runsPods,
  ),
  situation(
    'goes on after a pause',
    [...made(2), patch(web, { spec: { paused: true } }), patch(web, image(2)), look('paused'), patch(web, { spec: { paused: false } }), ready(2, 4)],
    runsPods,
  ),
  situation('misses its deadline', [
    create(deployment('web', { replicas: 1, progressDeadlineSeconds: 3, minReadySeconds: 1 })),
    until(web, { status: { conditions: [{ reason: 'ProgressDeadlineExceeded' }] } }),
  ]),
  situation('goes on after a missed deadline', [
    create(deployment('web', { replicas: 1, progressDeadlineSeconds: 3 })),
    until(web, { status: { conditions: [{ reason: 'ProgressDeadlineExceeded' }] } }),
    runPods(),
    until(web, { status: { readyReplicas: 1 } }),
  ]),
  situation(
    'pods must be ready for some time',
    [
      create(deployment('web', { replicas: 2, minReadySeconds: 30 })),
      until(web, { status: { readyReplicas: 2 } }),
      look('ready'),
      until(web, { status: { availableReplicas: 2 } }),
    ],
    runsPods,
  ),
  situation(
    'rolls without unavailable pods',
    [...made(2, { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } }), ...rolledTo(2)],
    runsPods,
  ),
  situation(
    'rolls without surplus pods',
    [...made(2, { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } }), ...rolledTo(2)],
    runsPods,
  ),
  situation(
    'rolls at once',
    [...made(4, { strategy: { rollingUpdate: { maxSurge: '100%', maxUnavailable: '100%' } } }), patch(web, image(2)), ready(4, 2)],
    runsPods,
  ),
  situation('percentages round', [
    create(deployment('web', { replicas: 7, strategy: { rollingUpdate: { maxSurge: '30%', maxUnavailable: '30%' } } })),
    untilCount('pods', 7),
    runPods(),
    until(web, { status: { readyReplicas: 7 } }),
    patch(web, image(2)),
    until(web, { status: { observedGeneration: 2, updatedReplicas: 5 } }),
  ]),
  situation(
    'replaces a pod that is deleted',
    [...made(2), deletePods({ count: 1 }), wait(1), untilCount('pods', 2, { status: { phase: 'Running' } }), ready(2)],
    runsPods,
  ),
  situation('goes with all it has', [...made(2), remove(web, { propagationPolicy: 'Background' }), untilGone(web), untilCount('pods', 0)], runsPods),
  situation('goes after its pods', [...made(2), remove(web, { propagationPolicy: 'Foreground' }), untilGone(web)], runsPods),
  situation(
    'waits for pods that end slowly',
    [
      create(deployment('web', { replicas: 1 })),
      untilCount('pods', 1),
      runPods(),
      until(web, { status: { readyReplicas: 1 } }),
      remove(web, { propagationPolicy: 'Foreground' }),
      wait(2),
    ],
    { keepsPods: true },
  ),
  situation('leaves what it has', [...made(2), remove(web, { propagationPolicy: 'Orphan' }), untilGone(web), untilCount('replicasets', 1)], runsPods),
  situation(
    'adopts a ReplicaSet of its template',
    [
      create(deployment('web', { replicas: 1 })),
      ready(1),
      remove(web, { propagationPolicy: 'Orphan' }),
      untilGone(web),
      rest(),
      create(deployment('web', { replicas: 2 })),
      until(web, { status: { readyReplicas: 2 } }),
    ],
    runsPods,
  ),
  situation(
    'loses a ReplicaSet whose labels change',
    [...made(1), patch('deployments/web', { spec: { template: { metadata: { labels: { tier: 'front' } } } } }), ready(1, 2)],
    runsPods,
  ),
  situation(
    'annotations go to its ReplicaSets',
    [
      create(deployment('web', { replicas: 1, meta: { annotations: { team: 'a', 'kubectl.kubernetes.io/last-applied-configuration': '{}' } } })),
      ready(1),
      patch(web, { metadata: { annotations: { team: 'b', more: 'c' } } }),
      rest(),
    ],
    runsPods,
  ),
  situation(
    'a quota refuses its pods',
    [
      create(quota('few', { pods: '1' })),
      until('resourcequotas/few', { status: { hard: { pods: '1' } } }),
      create(deployment('web', { replicas: 2 })),
      untilEvent('FailedCreate'),
      until(web, { status: { conditions: [{ type: 'ReplicaFailure' }] } }),
    ],
    { uncounted: ['FailedCreate'] },
  ),
  situation('a selector that matches everything', [create(deployment('web', { selector: { matchLabels: {} } })), rest()]),
  situation(
    'two with one selector',
    [
      create(deployment('web', { replicas: 1 }), { ...deployment('web', { replicas: 1 }), metadata: { name: 'web2' } }),
      until(web, { status: { readyReplicas: 1 } }),
      until('deployments/web2', { status: { readyReplicas: 1 } }),
    ],
    runsPods,
  ),
  situation(
    'rolls back by the annotation of old clients',
    [
      ...made(2),
      ...rolledTo(2),
      patch(web, { metadata: { annotations: { 'deprecated.deployment.rollback.to': '1' } } }),
      rest(),
      untilCount('pods', 2, { status: { phase: 'Running' } }),
    ],
    runsPods,
  ),
  situation(
    'rolls back by the annotation to the last revision',
    [...made(2), ...rolledTo(2), patch(web, { metadata: { annotations: { 'deprecated.deployment.rollback.to': '0' } } }), rest()],
    runsPods,
  ),
  situation(
    'rolls back by the annotation to a revision that is not there',
    [...made(2), patch(web, { metadata: { annotations: { 'deprecated.deployment.rollback.to': '7' } } }), rest()],
    runsPods,
  ),
]);
