/** A deployment that goes by a queue outside: to no replicas when it is empty, and back when it fills. */
import { expect, it } from 'vitest';
import type { HorizontalPodAutoscaler } from '../../api/autoscaling/v2/types.gen.ts';
import type { AggregatedCall } from '../../apiserver/aggregation/backend.ts';
import type { JsonValue } from '../../base/json.ts';
import type { Answer, Question } from '../../contracts/questions.ts';
import { aCluster, aDeployment, type TestCluster } from '../../../test/support/cluster.ts';

const autoscalers = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

/** A server of external metrics: `length` is that of the queue; a text is answered as it is. */
class Adapter {
  length: number | string = 0;
  outcome: 'answered' | 'timedOut' = 'answered';

  readonly ask = async ({ body }: Question): Promise<Answer> => {
    const { path } = body as unknown as AggregatedCall;
    if (!path.endsWith('/queue')) return this.#answer('{"kind":"APIResourceList","resources":[]}');
    if (this.outcome === 'timedOut') return { outcome: 'timedOut' };
    return this.#answer(
      typeof this.length === 'string' ? this.length : JSON.stringify({ items: [{ metricName: 'queue', value: `${this.length}` }] }),
    );
  };

  #answer(text: string): Answer {
    const reply = { code: 200, headers: { 'content-type': 'application/json' }, body: btoa(text) };
    return { outcome: 'answered', body: reply as JsonValue };
  }
}

async function aQueueWorker(adapter: Adapter): Promise<TestCluster> {
  const cluster = await aCluster({ nodes: 2, options: { 'feature-gates': 'HPAScaleToZero=true' } }, { ask: adapter.ask });
  const service = { namespace: 'default', name: 'adapter', port: 443 };
  const annotations = { 'sim.wavetank.dev/host-port': '24199' };
  cluster.call('POST', '/api/v1/namespaces/default/services', { metadata: { name: 'adapter', annotations }, spec: { ports: [{ port: 443 }] } });
  cluster.call('POST', '/apis/apiregistration.k8s.io/v1/apiservices', {
    metadata: { name: 'v1beta1.external.metrics.k8s.io' },
    spec: {
      group: 'external.metrics.k8s.io',
      version: 'v1beta1',
      groupPriorityMinimum: 100,
      versionPriority: 100,
      insecureSkipTLSVerify: true,
      service,
    },
  });
  cluster.call('POST', deployments, aDeployment('web', 2));
  const metrics = [{ type: 'External', external: { metric: { name: 'queue' }, target: { type: 'AverageValue', averageValue: '10' } } }];
  const behavior = { scaleDown: { stabilizationWindowSeconds: 0 } };
  const spec = { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, minReplicas: 0, maxReplicas: 10, metrics, behavior };
  cluster.call('POST', autoscalers, { metadata: { name: 'web' }, spec });
  await cluster.advance(40_000);
  return cluster;
}

const replicas = ({ call }: TestCluster): number | undefined => call<{ spec: { replicas?: number } }>('GET', `${deployments}/web`).spec.replicas;
const conditions = ({ call }: TestCluster): readonly string[] =>
  (call<HorizontalPodAutoscaler>('GET', `${autoscalers}/web`).status?.conditions ?? []).map(
    ({ type, status, message }) => `${type}=${status} ${message}`,
  );

it('scales to zero while a queue is empty, stays there, and comes back when it fills', async () => {
  const adapter = new Adapter();
  const cluster = await aQueueWorker(adapter);
  expect(replicas(cluster)).toBe(0);
  expect(conditions(cluster)).toContain('ScaledToZero=True the HPA controller scaled the workload to zero');
  await cluster.advance(120_000);
  expect(replicas(cluster)).toBe(0);
  adapter.length = 35;
  await cluster.advance(16_000);
  expect(replicas(cluster)).toBe(4);
  expect(conditions(cluster)).toContain('ScaledToZero=False the HPA controller did not scale the workload to zero');
  adapter.length = 0;
  await cluster.advance(31_000);
  expect(replicas(cluster)).toBe(0);
});

it.each([
  ['says nothing in time', '', 'the server is currently unable to handle the request (get queue.external.metrics.k8s.io)'],
  ['says no JSON', 'hello', "couldn't get version/kind; json parse error: invalid character 'h' looking for beginning of value"],
  ['is cut off', '{"items":[{', "couldn't get version/kind; json parse error: unexpected end of JSON input"],
  ['says items that are none', '{"items":[null]}', 'json: cannot unmarshal items into Go value of a list of metrics'],
  [
    'says a value of another kind',
    '{"items":[{"value":{}}]}',
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
  [
    'names what objects have',
    '{"items":[{"__proto__":{"value":"9"},"value":"x"}]}',
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
])('changes nothing and tells why while the server of metrics %s', async (_name, text, why) => {
  const adapter = new Adapter();
  adapter.length = 25;
  const cluster = await aQueueWorker(adapter);
  expect(replicas(cluster)).toBe(3);
  adapter.length = text;
  if (text === '') adapter.outcome = 'timedOut';
  await cluster.advance(16_000);
  const cause = `unable to get external metric default/queue/nil: unable to fetch metrics from external metrics API: ${why}`;
  expect(conditions(cluster)).toContain(`ScalingActive=False the HPA was unable to compute the replica count: ${cause}`);
  expect(replicas(cluster)).toBe(3);
});
