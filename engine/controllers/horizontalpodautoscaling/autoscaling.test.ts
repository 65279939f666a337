import { describe, expect, it } from 'vitest';
import type { HorizontalPodAutoscaler } from '../../api/autoscaling/v2/types.gen.ts';
import type { Event } from '../../api/core/v1/types.gen.ts';
import { aCluster, aDeployment, madeCluster, type TestCluster } from '../../../test/support/cluster.ts';

const autoscalers = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';

/** A deployment whose pods use so many thousandths of a core each; they ask for 100m. */
async function busyDeployment(milliCpu: number, replicas = 2, options: Readonly<Record<string, string>> = {}): Promise<TestCluster> {
  const cluster = await aCluster({ nodes: 2, options });
  setLoad(cluster, milliCpu, 'POST');
  const web = aDeployment('web', replicas, 'busy') as { spec: { template: { spec: { containers: { resources: object }[] } } } };
  for (const container of web.spec.template.spec.containers) container.resources = { requests: { cpu: '100m' } };
  cluster.call('POST', '/apis/apps/v1/namespaces/default/deployments', web);
  return cluster;
}

function setLoad({ call }: TestCluster, value: number, method: 'POST' | 'PATCH' = 'PATCH'): void {
  const body = { metadata: { name: 'busy' }, spec: { image: 'busy', sizeBytes: 1_000, load: { milliCpu: [{ atMs: 0, value }] } } };
  const path = '/apis/sim.wavetank.dev/v1alpha1/imageprofiles';
  call(method, method === 'POST' ? path : `${path}/busy`, body, method === 'POST' ? undefined : 'application/merge-patch+json');
}

function autoscale({ call }: TestCluster, spec: object, name = 'web'): void {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  call('POST', autoscalers, { metadata: { name }, spec: { scaleTargetRef, maxReplicas: 10, ...spec } });
}

const cpu = (averageUtilization: number): object => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

function read({ call }: TestCluster, name = 'web'): HorizontalPodAutoscaler {
  return call<HorizontalPodAutoscaler>('GET', `${autoscalers}/${name}`);
}

function conditions(cluster: TestCluster, name = 'web'): readonly string[] {
  return (read(cluster, name).status?.conditions ?? []).map((each) => `${each.type}=${each.status} ${each.reason}`);
}

function replicas({ call }: TestCluster): number | undefined {
  return call<{ spec: { replicas?: number } }>('GET', '/apis/apps/v1/namespaces/default/deployments/web').spec.replicas;
}

function events({ call }: TestCluster): readonly string[] {
  const { items } = call<{ items: Event[] }>('GET', '/api/v1/namespaces/default/events?fieldSelector=involvedObject.kind%3DHorizontalPodAutoscaler');
  return items.map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
}

describe('an autoscaler', () => {
  it('scales up when pods use more than they shall, and tells why', async () => {
    const cluster = await busyDeployment(100);
    await cluster.advance(60_000);
    autoscale(cluster, { metrics: [cpu(50)] });
    await cluster.advance(16_000);
    expect(replicas(cluster)).toBe(4);
    expect(events(cluster)).toContain('Normal SuccessfulRescale: New size: 4; reason: cpu resource utilization (percentage of request) above target');
    expect(read(cluster).status).toMatchObject({
      desiredReplicas: 4,
      currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 100, averageValue: '100m' } } }],
    });
    expect(conditions(cluster)).toEqual([
      'AbleToScale=True SucceededRescale',
      'ScalingActive=True ValidMetricFound',
      'ScalingLimited=False DesiredWithinRange',
    ]);
  });

  it('holds on to what was recommended for five minutes before it scales down', async () => {
    const cluster = await busyDeployment(50, 4);
    await cluster.advance(60_000);
    autoscale(cluster, { metrics: [cpu(50)] });
    await cluster.advance(40_000);
    setLoad(cluster, 10);
    await cluster.advance(60_000);
    expect(replicas(cluster)).toBe(4);
    expect(conditions(cluster)).toContain('AbleToScale=True ScaleDownStabilized');
    await cluster.advance(300_000);
    expect(replicas(cluster)).toBe(1);
    expect(events(cluster)).toContain('Normal SuccessfulRescale: New size: 1; reason: All metrics below target');
  });

  it('says that it cannot compute anything where there are no metrics', async () => {
    const cluster = await busyDeployment(50, 1);
    const pending = aDeployment('web', 1, 'missing.example/none:1');
    cluster.call('PUT', '/apis/apps/v1/namespaces/default/deployments/web', pending);
    cluster.call('POST', '/apis/sim.wavetank.dev/v1alpha1/faults', {
      metadata: { name: 'down' },
      spec: { type: 'image-registry-down', target: {} },
    });
    autoscale(cluster, { metrics: [cpu(50)], minReplicas: 1 });
    await cluster.advance(16_000);
    expect(conditions(cluster)).toEqual(['AbleToScale=True SucceededGetScale', 'ScalingActive=False FailedGetResourceMetric']);
    const cause = 'failed to get cpu utilization: unable to get metrics for resource cpu: no metrics returned from resource metrics API';
    expect(read(cluster).status?.conditions?.[1]?.message).toBe(`the HPA was unable to compute the replica count: ${cause}`);
    expect(events(cluster)).toEqual([
      `Warning FailedGetResourceMetric: ${cause}`,
      `Warning FailedComputeMetricsReplicas: invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource metric value: ${cause}`,
    ]);
  });

  it('points at nothing', async () => {
    const cluster = await busyDeployment(50, 1);
    autoscale(cluster, { metrics: [cpu(50)], scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'gone' } });
    autoscale(cluster, { metrics: [cpu(50)], scaleTargetRef: { apiVersion: 'example.com/v1', kind: 'Widget', name: 'gone' } }, 'odd');
    await cluster.advance(16_000);
    expect(read(cluster).status?.conditions?.[0]).toMatchObject({
      type: 'AbleToScale',
      status: 'False',
      reason: 'FailedGetScale',
      message: 'the HPA controller was unable to get the target\'s current scale: deployments.apps "gone" not found',
    });
    expect(events(cluster)).toContain('Warning FailedGetScale: no matches for kind "Widget" in group "example.com"');
  });

  it('is off while its target has no replicas, and keeps them between its bounds', async () => {
    const cluster = await busyDeployment(50, 0);
    autoscale(cluster, { metrics: [cpu(50)], minReplicas: 3 });
    await cluster.advance(16_000);
    expect(conditions(cluster)).toEqual(['AbleToScale=True SucceededGetScale', 'ScalingActive=False ScalingDisabled']);
    cluster.call('PATCH', '/apis/apps/v1/namespaces/default/deployments/web', { spec: { replicas: 1 } }, 'application/merge-patch+json');
    await cluster.advance(16_000);
    expect(events(cluster)).toContain('Normal SuccessfulRescale: New size: 3; reason: Current number of replicas below Spec.MinReplicas');
    cluster.call('PATCH', '/apis/apps/v1/namespaces/default/deployments/web', { spec: { replicas: 20 } }, 'application/merge-patch+json');
    await cluster.advance(16_000);
    expect(events(cluster)).toContain('Normal SuccessfulRescale: New size: 10; reason: Current number of replicas above Spec.MaxReplicas');
  });

  describe.each([true, false])('with HPAScaleToZero %s', (isOn) => {
    const gates = `HPAScaleToZero=${isOn}`;
    const external = { type: 'External', external: { metric: { name: 'queue' }, target: { type: 'AverageValue', averageValue: '30' } } };
    const sayScaledToZero = (cluster: TestCluster): void => {
      const zero = { type: 'ScaledToZero', status: 'True', reason: 'ScaledToZero', message: 'm', lastTransitionTime: '2026-01-01T00:00:00Z' };
      const status = { currentReplicas: 0, desiredReplicas: 0, conditions: [zero] };
      cluster.call('PATCH', `${autoscalers}/web/status`, { status }, 'application/merge-patch+json');
    };

    it('looks at its metrics again when it was the one that scaled to zero, and not when a hand did', async () => {
      const cluster = await busyDeployment(50, 0, { 'feature-gates': gates });
      autoscale(cluster, { metrics: [external] });
      await cluster.advance(16_000);
      expect(conditions(cluster)).toEqual(['AbleToScale=True SucceededGetScale', 'ScalingActive=False ScalingDisabled']);
      sayScaledToZero(cluster);
      await cluster.advance(16_000);
      const active = isOn ? 'FailedGetExternalMetric' : 'ScalingDisabled';
      const kept = isOn ? ['ScaledToZero=True ScaledToZero'] : [];
      expect(conditions(cluster)).toEqual([...kept, 'AbleToScale=True SucceededGetScale', `ScalingActive=False ${active}`]);
      expect(replicas(cluster)).toBe(0);
    });

    it('says with each rescale that it was not to zero', async () => {
      const cluster = await busyDeployment(50, 1, { 'feature-gates': gates });
      autoscale(cluster, { metrics: [external], minReplicas: 3 });
      sayScaledToZero(cluster);
      await cluster.advance(16_000);
      expect(replicas(cluster)).toBe(3);
      expect(conditions(cluster)[0]).toBe(isOn ? 'ScaledToZero=False NotScaledToZero' : 'AbleToScale=True SucceededRescale');
    });
  });

  it('does not fight another one over the same pods', async () => {
    const cluster = await busyDeployment(100);
    autoscale(cluster, { metrics: [cpu(50)] });
    autoscale(cluster, { metrics: [cpu(20)] }, 'web2');
    await cluster.advance(60_000);
    expect(conditions(cluster)).toContain('ScalingActive=False AmbiguousSelector');
    expect(events(cluster)).toContain(
      'Warning AmbiguousSelector: pods by selector app=web are controlled by multiple HPAs: [default/web default/web2]',
    );
  });

  it.each([
    [
      { type: 'Pods', pods: { metric: { name: 'packets' }, target: { type: 'AverageValue', averageValue: '10' } } },
      'FailedGetPodsMetric',
      'unable to get metric packets: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered',
    ],
    [
      {
        type: 'Object',
        object: { metric: { name: 'rps' }, describedObject: { kind: 'Service', name: 's' }, target: { type: 'Value', value: '10' } },
      },
      'FailedGetObjectMetric',
      'unable to get metric rps: Service on default s/unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered',
    ],
    [
      { type: 'External', external: { metric: { name: 'queue' }, target: { type: 'AverageValue', averageValue: '30' } } },
      'FailedGetExternalMetric',
      'unable to get external metric default/queue/nil: unable to fetch metrics from external metrics API: the server could not find the requested resource (get queue.external.metrics.k8s.io)',
    ],
  ])('has no adapter for %j', async (metric, reason, message) => {
    const cluster = await busyDeployment(50, 1);
    autoscale(cluster, { metrics: [metric] });
    await cluster.advance(16_000);
    expect(events(cluster)).toContain(`Warning ${reason}: ${message}`);
    expect(conditions(cluster)).toContain(`ScalingActive=False ${reason}`);
  });

  it('scales up by the metrics it has and not down while another is missing', async () => {
    const missing = { type: 'Pods', pods: { metric: { name: 'packets' }, target: { type: 'AverageValue', averageValue: '10' } } };
    const cluster = await busyDeployment(100);
    await cluster.advance(60_000);
    autoscale(cluster, { metrics: [missing, cpu(50)] });
    await cluster.advance(16_000);
    expect(replicas(cluster)).toBe(4);
    setLoad(cluster, 1);
    await cluster.advance(600_000);
    expect(replicas(cluster)).toBe(4);
  });

  it('goes on where it was after a restore', async () => {
    const cluster = await busyDeployment(50, 4);
    autoscale(cluster, { metrics: [cpu(50)] });
    await cluster.advance(100_000);
    setLoad(cluster, 10);
    await cluster.advance(100_000);
    await cluster.quiet();
    const saved = JSON.parse(JSON.stringify(cluster.cluster.save())) as never;
    const resumed = madeCluster({ nodes: 2 });
    resumed.cluster.restore(saved);
    const untilMs = cluster.cluster.loop.nowMs() + 400_000;
    await cluster.cluster.loop.run(untilMs);
    await resumed.cluster.loop.run(untilMs);
    expect(resumed.cluster.digest).toBe(cluster.cluster.digest);
    expect(replicas(resumed)).toBe(1);
  });
});
