/** Situations of the horizontal pod autoscaler; the test plays kubelets and metrics server. */
import { deployment, object, replicaSet, replicationController, statefulSet } from '../objects.ts';
import { situation, situationsOf, type SituationOptions, type Step } from '../situation.ts';
import { create, patch, podsUse, remove, rest, runPods, startPods, until, untilCount, untilGone, wait } from '../steps.ts';

const web = 'deployments/web';
const hpa = 'horizontalpodautoscalers/web';
const resources = { requests: { cpu: '100m', memory: '100Mi' } };
const measured = { containers: [{ name: 'c', image: 'example.com/c:1', resources }] };

const scaled = (replicas: number, pod: object = measured): readonly Step[] => [
  create(deployment('web', { replicas, pod })),
  until(web, { status: { readyReplicas: replicas } }),
];
const cpu = (averageUtilization: number) => ({ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } });
const averageOf = (name: string, averageValue: string) => ({ type: 'Resource', resource: { name, target: { type: 'AverageValue', averageValue } } });
const ofContainer = (container: string) => ({
  type: 'ContainerResource',
  containerResource: { container, name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
});
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };

function autoscaler(spec: object = {}, name = 'web'): Step {
  return create(
    object('autoscaling/v2', 'HorizontalPodAutoscaler', name, {
      spec: { scaleTargetRef: target, minReplicas: 1, maxReplicas: 5, metrics: [cpu(50)], ...spec },
    }),
  );
}

/** The autoscaler says so of itself. */
const says = (type: string, reason: string): Step => until(hpa, { status: { conditions: [{ type, reason }] } });
const reached = (replicas: number): Step => until(hpa, { status: { currentReplicas: replicas, desiredReplicas: replicas } });
const runsPods: SituationOptions = {
  runsPods: true,
  uncounted: [
    'FailedGetResourceMetric',
    'FailedComputeMetricsReplicas',
    'FailedGetContainerResourceMetric',
    'FailedGetScale',
    'FailedGetPodsMetric',
    'FailedGetObjectMetric',
    'FailedGetExternalMetric',
    'AmbiguousSelector',
    'InvalidMetricSourceType',
  ],
};

export const autoscalingSituations = situationsOf('autoscaling', [
  situation(
    'scales up to what is needed',
    [...scaled(2), podsUse({ cpu: '80m' }), autoscaler(), says('AbleToScale', 'SucceededRescale'), reached(5)],
    runsPods,
  ),
  situation(
    'grows by what the pods use, and settles',
    [...scaled(2), autoscaler({ metrics: [averageOf('cpu', '40m')] }), podsUse({ cpu: '45m' }, {}), reached(3), rest()],
    runsPods,
  ),
  situation(
    'stays where all is well',
    [...scaled(2), podsUse({ cpu: '50m' }), autoscaler(), says('ScalingActive', 'ValidMetricFound'), rest()],
    runsPods,
  ),
  situation('tolerates a tenth', [...scaled(2), podsUse({ cpu: '54m' }), autoscaler(), says('ScalingActive', 'ValidMetricFound'), rest()], runsPods),
  situation(
    'is told how much to tolerate',
    [
      ...scaled(2),
      podsUse({ cpu: '54m' }),
      autoscaler({ behavior: { scaleUp: { tolerance: '0.01' } } }),
      says('ScalingActive', 'ValidMetricFound'),
      reached(5),
    ],
    runsPods,
  ),
  situation(
    'scales down after a while',
    [...scaled(4), podsUse({ cpu: '10m' }), autoscaler(), says('AbleToScale', 'ScaleDownStabilized'), reached(1)],
    runsPods,
  ),
  situation(
    'is never below its minimum',
    [...scaled(4), podsUse({ cpu: '1m' }), autoscaler({ minReplicas: 2 }), reached(2), says('ScalingLimited', 'TooFewReplicas')],
    runsPods,
  ),
  situation('lifts what is below the minimum', [...scaled(1), podsUse({ cpu: '50m' }), autoscaler({ minReplicas: 3 }), reached(3)], runsPods),
  situation('lowers what is above the maximum', [...scaled(3), podsUse({ cpu: '50m' }), autoscaler({ maxReplicas: 2 }), reached(2)], runsPods),
  situation(
    'scales nothing that was scaled to nothing',
    [create(deployment('web', { replicas: 0 })), rest(), autoscaler(), says('ScalingActive', 'ScalingDisabled'), rest()],
    runsPods,
  ),
  situation('has no metrics', [...scaled(2), autoscaler(), says('ScalingActive', 'FailedGetResourceMetric'), rest()], runsPods),
  situation(
    'gets metrics later',
    [
      ...scaled(2),
      autoscaler(),
      says('ScalingActive', 'FailedGetResourceMetric'),
      podsUse({ cpu: '50m' }),
      says('ScalingActive', 'ValidMetricFound'),
      rest(),
    ],
    runsPods,
  ),
  situation(
    'pods ask for nothing',
    [...scaled(2, {}), podsUse({ cpu: '50m' }), autoscaler(), says('ScalingActive', 'FailedGetResourceMetric'), rest()],
    runsPods,
  ),
  situation(
    'goes by memory',
    [...scaled(2), podsUse({ memory: '120Mi' }), autoscaler({ metrics: [averageOf('memory', '80Mi')] }), reached(5)],
    runsPods,
  ),
  situation('goes by one container', [...scaled(2), podsUse({ cpu: '60m' }), autoscaler({ metrics: [ofContainer('c')] }), reached(5)], runsPods),
  situation(
    'goes by a container that is not there',
    [
      ...scaled(2),
      podsUse({ cpu: '60m' }),
      autoscaler({ metrics: [ofContainer('other')] }),
      says('ScalingActive', 'FailedGetContainerResourceMetric'),
      rest(),
    ],
    runsPods,
  ),
  situation(
    'takes the most of two metrics',
    [
      ...scaled(2),
      podsUse({ cpu: '50m', memory: '150Mi' }),
      autoscaler({ metrics: [cpu(50), averageOf('memory', '100Mi')], maxReplicas: 3 }),
      reached(3),
    ],
    runsPods,
  ),
  situation(
    'scales up though one metric is silent',
    [...scaled(2), podsUse({ cpu: '90m' }), autoscaler({ metrics: [cpu(50), averageOf('memory', '100Mi')] }), reached(5)],
    runsPods,
  ),
  situation(
    'does not scale down while one metric is silent',
    [
      ...scaled(3),
      podsUse({ cpu: '5m' }),
      autoscaler({ metrics: [cpu(50), averageOf('memory', '100Mi')] }),
      says('ScalingActive', 'FailedGetResourceMetric'),
      wait(6),
      rest(),
    ],
    runsPods,
  ),
  situation(
    'takes a pod without metrics for idle when it would scale up',
    [...scaled(2), podsUse({ cpu: '90m' }, { count: 1 }), autoscaler(), says('ScalingActive', 'ValidMetricFound'), rest()],
    runsPods,
  ),
  situation(
    'takes a pod without metrics for busy when it would scale down',
    [...scaled(2), podsUse({ cpu: '10m' }, { count: 1 }), autoscaler(), says('ScalingActive', 'ValidMetricFound'), wait(6), rest()],
    runsPods,
  ),
  situation(
    'leaves out pods that are not ready',
    [
      create(deployment('web', { replicas: 2, pod: measured })),
      untilCount('pods', 2),
      runPods({ count: 1 }),
      startPods({ of: { status: { phase: 'Pending' } } }),
      podsUse({ cpu: '90m' }),
      autoscaler({ maxReplicas: 2 }),
      says('ScalingActive', 'ValidMetricFound'),
      rest(),
    ],
    { ...runsPods, runsPods: false },
  ),
  situation(
    'may not scale up',
    [
      ...scaled(2),
      podsUse({ cpu: '90m' }),
      autoscaler({ behavior: { scaleUp: { selectPolicy: 'Disabled' } } }),
      says('ScalingLimited', 'ScaleUpLimit'),
      rest(),
    ],
    runsPods,
  ),
  situation(
    'may not scale down',
    [...scaled(2), podsUse({ cpu: '5m' }), autoscaler({ behavior: { scaleDown: { selectPolicy: 'Disabled' } } }), wait(8), rest()],
    runsPods,
  ),
  situation(
    'grows by steps',
    [
      ...scaled(2),
      podsUse({ cpu: '90m' }),
      autoscaler({ behavior: { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 600 }] } } }),
      reached(3),
      says('ScalingLimited', 'ScaleUpLimit'),
      rest(),
    ],
    runsPods,
  ),
  situation(
    'shrinks by steps',
    [
      ...scaled(4),
      podsUse({ cpu: '5m' }),
      autoscaler({ behavior: { scaleDown: { stabilizationWindowSeconds: 0, policies: [{ type: 'Percent', value: 25, periodSeconds: 600 }] } } }),
      reached(3),
      says('ScalingLimited', 'ScaleDownLimit'),
      rest(),
    ],
    runsPods,
  ),
  situation(
    'waits before it scales up',
    [
      ...scaled(2),
      podsUse({ cpu: '50m' }),
      autoscaler({ behavior: { scaleUp: { stabilizationWindowSeconds: 600 } } }),
      says('ScalingActive', 'ValidMetricFound'),
      podsUse({ cpu: '90m' }),
      says('AbleToScale', 'ScaleUpStabilized'),
      rest(),
    ],
    runsPods,
  ),
  situation('has no target', [autoscaler(), says('AbleToScale', 'FailedGetScale'), rest()], runsPods),
  situation(
    'has a target of an unknown kind',
    [autoscaler({ scaleTargetRef: { apiVersion: 'example.com/v1', kind: 'Nothing', name: 'web' } }), says('AbleToScale', 'FailedGetScale'), rest()],
    runsPods,
  ),
  situation(
    'has a target that has no scale',
    [
      autoscaler({ scaleTargetRef: { apiVersion: 'apps/v1', kind: 'ControllerRevision', name: 'web' } }),
      says('AbleToScale', 'FailedGetScale'),
      rest(),
    ],
    runsPods,
  ),
  situation(
    'gets its target later',
    [autoscaler(), says('AbleToScale', 'FailedGetScale'), podsUse({ cpu: '50m' }), ...scaled(2), says('ScalingActive', 'ValidMetricFound'), rest()],
    runsPods,
  ),
  situation(
    'shares its pods with another',
    [
      ...scaled(2),
      podsUse({ cpu: '50m' }),
      autoscaler(),
      says('ScalingActive', 'ValidMetricFound'),
      autoscaler({}, 'other'),
      says('ScalingActive', 'AmbiguousSelector'),
      rest(),
    ],
    runsPods,
  ),
  ...[
    { type: 'Pods', pods: { metric: { name: 'packets' }, target: { type: 'AverageValue', averageValue: '10' } } },
    {
      type: 'Object',
      object: { metric: { name: 'rps' }, describedObject: { apiVersion: 'v1', kind: 'Service', name: 's' }, target: { type: 'Value', value: '10' } },
    },
    { type: 'External', external: { metric: { name: 'queue' }, target: { type: 'Value', value: '10' } } },
  ].map((metric) =>
    situation(
      `asks in vain for a metric of type ${metric.type}`,
      [...scaled(2), autoscaler({ metrics: [metric] }), until(hpa, { status: { conditions: [{ type: 'ScalingActive', status: 'False' }] } }), rest()],
      runsPods,
    ),
  ),
  situation(
    'scales a ReplicaSet',
    [
      create(replicaSet('web', { replicas: 1, pod: measured })),
      until('replicasets/web', { status: { readyReplicas: 1 } }),
      podsUse({ cpu: '50m' }),
      autoscaler({ scaleTargetRef: { ...target, kind: 'ReplicaSet' }, minReplicas: 2 }),
      reached(2),
    ],
    runsPods,
  ),
  situation(
    'scales a StatefulSet',
    [
      create(statefulSet('web', { replicas: 1, pod: measured })),
      until('statefulsets/web', { status: { readyReplicas: 1 } }),
      podsUse({ cpu: '50m' }),
      autoscaler({ scaleTargetRef: { ...target, kind: 'StatefulSet' }, minReplicas: 2 }),
      reached(2),
    ],
    runsPods,
  ),
  situation(
    'scales a ReplicationController',
    [
      create(replicationController('web', { replicas: 1, pod: measured })),
      until('replicationcontrollers/web', { status: { readyReplicas: 1 } }),
      podsUse({ cpu: '50m' }),
      autoscaler({ scaleTargetRef: { apiVersion: 'v1', kind: 'ReplicationController', name: 'web' }, minReplicas: 2 }),
      reached(2),
    ],
    runsPods,
  ),
  situation(
    'is changed while it works',
    [
      ...scaled(2),
      podsUse({ cpu: '50m' }),
      autoscaler(),
      says('ScalingActive', 'ValidMetricFound'),
      rest(),
      patch(hpa, { spec: { maxReplicas: 1 } }),
      reached(1),
    ],
    runsPods,
  ),
  situation(
    'leaves what it scaled when it goes',
    [...scaled(1), podsUse({ cpu: '50m' }), autoscaler({ minReplicas: 2 }), reached(2), remove(hpa), untilGone(hpa), rest()],
    runsPods,
  ),
]);
