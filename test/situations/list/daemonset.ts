/** Situations of the DaemonSet controller; its nodes carry a label that a run does not change: hashes of templates depend on it. */
import { daemonSet, node } from '../objects.ts';
import { situation, situationsOf, type Step } from '../situation.ts';
import { create, deletePods, endPods, nodeLives, patch, remove, rest, runPods, until, untilCount, untilGone, wait } from '../steps.ts';

const runsPods = { runsPods: true };
const web = 'daemonsets/web';
const image = (version: number): object => ({ spec: { template: { spec: { containers: [{ name: 'c', image: `example.com/c:${version}` }] } } } });
const nodes = (...names: readonly string[]): readonly Step[] =>
  names.flatMap((name) => [
    create(node(`<ns>-${name}`, { meta: { labels: { own: '<own>' } } })),
    nodeLives(`<ns>-${name}`),
    until(`nodes/<ns>-${name}`, { spec: { taints: null } }),
    wait(6),
  ]);
const ready = (count: number, generation = 1) =>
  until(web, { status: { observedGeneration: generation, numberReady: count, desiredNumberScheduled: count, updatedNumberScheduled: count } });
const make = (spec: object = {}): Step => create(daemonSet('web', spec));
const cordon = (name: string): Step => patch(`nodes/<ns>-${name}`, { spec: { taints: [{ key: 'own', effect: 'NoSchedule' }] } });

export const daemonsetSituations = situationsOf('daemonset', [
  situation('runs on every node', [...nodes('a', 'b'), make(), ready(2)], runsPods),
  situation('has no node', [make(), until(web, { status: { observedGeneration: 1 } })]),
  situation('pods are pending', [...nodes('a'), make(), untilCount('pods', 1), rest()]),
  situation('a node comes', [...nodes('a'), make(), ready(1), ...nodes('b'), ready(2)], runsPods),
  situation(
    'a node goes',
    [
      ...nodes('a', 'b'),
      make(),
      ready(2),
      rest(),
      remove('nodes/<ns>-b'),
      untilCount('pods', 1),
      until(web, { status: { desiredNumberScheduled: 1 } }),
      rest(),
    ],
    runsPods,
  ),
  situation('a node is tainted', [...nodes('a', 'b'), cordon('b'), make(), ready(1), rest()], runsPods),
  situation(
    'a taint is tolerated',
    [...nodes('a'), cordon('a'), make({ pod: { tolerations: [{ key: 'own', operator: 'Exists' }] } }), ready(1)],
    runsPods,
  ),
  situation('a node is cordoned', [...nodes('a'), patch('nodes/<ns>-a', { spec: { unschedulable: true } }), make(), ready(1)], runsPods),
  situation('rolls', [...nodes('a', 'b'), make(), ready(2), patch(web, image(2)), ready(2, 2), rest()], runsPods),
  situation(
    'rolls with a surplus',
    [
      ...nodes('a'),
      make({ updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } }),
      ready(1),
      patch(web, image(2)),
      ready(1, 2),
      rest(),
    ],
    runsPods,
  ),
  situation(
    'rolls only what is deleted',
    [
      ...nodes('a', 'b'),
      make({ updateStrategy: { type: 'OnDelete' } }),
      ready(2),
      patch(web, image(2)),
      rest(),
      deletePods({ of: { spec: { nodeName: '<ns>-a' } } }),
      until(web, { status: { updatedNumberScheduled: 1, numberReady: 2 } }),
      rest(),
    ],
    runsPods,
  ),
  situation('replaces a pod', [...nodes('a'), make(), ready(1), deletePods(), wait(1), ready(1)], runsPods),
  situation('replaces a pod that failed', [
    ...nodes('a'),
    make(),
    untilCount('pods', 1),
    runPods(),
    endPods('Failed'),
    wait(2),
    untilCount('pods', 1, { status: { phase: 'Pending' } }),
    rest(),
  ]),
  situation(
    'chooses other nodes',
    [
      ...nodes('a'),
      make(),
      ready(1),
      patch(web, { spec: { template: { spec: { nodeSelector: { none: 'x' } } } } }),
      until(web, { status: { observedGeneration: 2, desiredNumberScheduled: 0 } }),
      untilCount('pods', 0),
      rest(),
    ],
    runsPods,
  ),
  situation(
    'pods must be ready for some time',
    [...nodes('a'), make({ minReadySeconds: 4 }), ready(1), until(web, { status: { numberAvailable: 1 } })],
    runsPods,
  ),
  situation('goes with its pods', [...nodes('a'), make(), ready(1), remove(web), untilGone(web), untilCount('pods', 0)], runsPods),
  situation('leaves its pods', [...nodes('a'), make(), ready(1), remove(web, { propagationPolicy: 'Orphan' }), untilGone(web), rest()], {
    ...runsPods,
    alone: true,
  }),
  situation(
    'keeps some revisions',
    [
      ...nodes('a'),
      make({ revisionHistoryLimit: 1 }),
      ready(1),
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
]);
