/** What an autoscaler tells of a metric that it does not get; the words are a real 1.13.12 controller manager's, but for who has no metrics. */
import { expect, it } from 'vitest';
import type { HorizontalPodAutoscaler } from '../../../engine/api/autoscaling/v2/types.gen.ts';
import type { Event } from '../../../engine/api/core/v1/types.gen.ts';
import { aCluster, aDeployment } from '../../support/cluster.ts';

it('the first metric that fails ends it all', async () => {
  const { call, advance } = await aCluster({ seed: 1, nodes: 0, release: '1.13' });
  await advance(1000);
  call('POST', '/apis/apps/v1/namespaces/default/deployments', aDeployment('web', 1));
  const path = '/apis/autoscaling/v2beta2/namespaces/default/horizontalpodautoscalers';
  const external = { type: 'External', external: { metric: { name: 'm' }, target: { type: 'Value', value: '1' } } };
  const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } };
  const spec = { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 5, metrics: [cpu, external] };
  call('POST', path, { apiVersion: 'autoscaling/v2beta2', kind: 'HorizontalPodAutoscaler', metadata: { name: 'web' }, spec });
  await advance(20_000);
  const why = 'unable to get metrics for resource cpu: no metrics returned from resource metrics API';
  const { items } = call<{ items: readonly Event[] }>('GET', '/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3Dweb');
  const told = items.filter(({ involvedObject }) => involvedObject.kind === 'HorizontalPodAutoscaler');
  expect(told.map(({ reason, message }) => [reason, message]).sort()).toEqual([
    ['FailedComputeMetricsReplicas', `failed to get cpu utilization: ${why}`],
    ['FailedGetResourceMetric', why],
  ]);
  const { status } = call<HorizontalPodAutoscaler>('GET', `${path}/web`);
  expect(status?.conditions?.find(({ type }) => type === 'ScalingActive')).toMatchObject({
    status: 'False',
    reason: 'FailedGetResourceMetric',
    message: `the HPA was unable to compute the replica count: ${why}`,
  });
  expect(status?.currentMetrics ?? null).toBeNull();
});
