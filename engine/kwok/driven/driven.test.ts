/** What nodes that KWOK drives answer: metrics by Metric and ResourceUsage, logs, ports. */
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../apimachinery/object.ts';
import { aCluster, type TestCluster } from '../../../test/support/cluster.ts';

const kwok = '/apis/kwok.x-k8s.io/v1alpha1';
const metrics = '/apis/metrics.k8s.io/v1beta1';
const podsPath = '/api/v1/namespaces/default/pods';

interface Measured extends KubeObject {
  readonly usage: object;
  readonly containers: readonly { readonly name: string; readonly usage: object }[];
}

/** A driven node with pods that run at once; what they use stands in annotations, as in KWOK's own files. */
async function aDrivenCluster(pods: Readonly<Record<string, object>>, nodes = 0): Promise<TestCluster> {
  const made = await aCluster({ nodes });
  made.call('POST', `${kwok}/stages`, {
    metadata: { name: 'run' },
    spec: {
      resourceRef: { kind: 'Pod' },
      selector: { matchExpressions: [{ key: '.status.phase', operator: 'In', values: ['Pending'] }] },
      next: {
        statusTemplate:
          'phase: Running\nstartTime: {{ Now | Quote }}\npodIP: 10.3.0.{{ len .metadata.name }}\nconditions:\n- type: Ready\n  status: "True"\n  lastTransitionTime: {{ Now | Quote }}',
      },
    },
  });
  made.call('POST', `${kwok}/clusterresourceusages`, {
    metadata: { name: 'by-annotation' },
    spec: {
      selector: { matchNamespaces: ['default'] },
      usages: [
        {
          usage: {
            cpu: { expression: '"cpu" in pod.metadata.annotations ? Quantity(pod.metadata.annotations["cpu"]) : Quantity("1m")' },
            memory: { expression: 'Quantity("1Mi") * (container.name == "big" ? 4 : 1)' },
          },
        },
      ],
    },
  });
  made.call('POST', '/api/v1/nodes', { metadata: { name: 'n', annotations: { 'kwok.x-k8s.io/node': 'fake' } } });
  await made.advance(1000);
  for (const [name, annotations] of Object.entries(pods))
    made.call('POST', podsPath, {
      metadata: { name, annotations, labels: { app: 'a' } },
      spec: {
        nodeName: 'n',
        containers: [
          { name: 'c', image: 'i' },
          { name: 'big', image: 'i' },
        ],
      },
    });
  await made.advance(45_000);
  return made;
}

const page = (made: TestCluster, path: string): string => made.ask('GET', `/api/v1/nodes/n/proxy/${path}`).object.message ?? '';

describe('/discovery/prometheus', () => {
  it('names a target for each page of a Metric, behind the proxy of its node', async () => {
    const made = await aDrivenCluster({});
    const metric = (name: string, path: string): object => ({
      metadata: { name },
      spec: { path, metrics: [{ name: 'up', dimension: 'node', kind: 'gauge', value: '1.0' }] },
    });
    made.call('POST', `${kwok}/metrics`, metric('n', '/metrics/one'));
    made.call('POST', `${kwok}/metrics`, metric('pages', '/metrics/nodes/{nodeName}/page'));
    const targets = JSON.parse(made.ask('GET', '/discovery/prometheus').object.message ?? '') as { labels: { __metrics_path__: string } }[];
    expect(targets.map(({ labels }) => labels.__metrics_path__)).toEqual([
      '/api/v1/nodes/n/proxy/metrics/one',
      '/api/v1/nodes/n/proxy/metrics/nodes/n/page',
    ]);
    expect(targets[0]).toMatchObject({ labels: { __scheme__: 'https', metrics_name: 'n' } });
    expect(made.ask('GET', targets[0]?.labels.__metrics_path__ ?? '').status).toBe(200);
  });
});

describe('a driven node', () => {
  it('and its pods use what ResourceUsage says, the nearer object first', async () => {
    const made = await aDrivenCluster({ a: { cpu: '250m' }, b: {} });
    made.call('POST', `${kwok}/namespaces/default/resourceusages`, {
      metadata: { name: 'b' },
      spec: {
        usages: [
          { containers: ['c'], usage: { cpu: { value: '2' }, memory: { value: '1Gi' } } },
          { usage: { cpu: { value: '1m' }, memory: { value: '3Mi' } } },
        ],
      },
    });
    expect(made.call<Measured>('GET', `${metrics}/namespaces/default/pods/a`)).toMatchObject({
      metadata: { labels: { app: 'a' } },
      window: '15s',
      containers: [
        { name: 'c', usage: { cpu: '250m', memory: '1Mi' } },
        { name: 'big', usage: { cpu: '250m', memory: '4Mi' } },
      ],
    });
    expect(made.call<Measured>('GET', `${metrics}/namespaces/default/pods/b`).containers).toEqual([
      { name: 'c', usage: { cpu: '2', memory: '1Gi' } },
      { name: 'big', usage: { cpu: '1m', memory: '3Mi' } },
    ]);
    expect(made.call<Measured>('GET', `${metrics}/nodes/n`).usage).toEqual({ cpu: '2501m', memory: '1032Mi' });
    expect(
      made.call<{ readonly items: readonly Measured[] }>('GET', `${metrics}/pods?labelSelector=app%3Da`).items.map(({ metadata }) => metadata.name),
    ).toEqual(['a', 'b']);
  });

  it('is measured beside machines, and not before it was asked twice', async () => {
    const made = await aDrivenCluster({ a: {} }, 1);
    const nodes = made.call<{ readonly items: readonly Measured[] }>('GET', `${metrics}/nodes`).items.map(({ metadata }) => metadata.name);
    expect(nodes).toHaveLength(2);
    expect(nodes).toContain('n');
    made.call('POST', podsPath, { metadata: { name: 'late' }, spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] } });
    await made.advance(3000);
    expect(made.ask('GET', `${metrics}/namespaces/default/pods/late`)).toMatchObject({ status: 404, object: { reason: 'NotFound' } });
    expect(made.ask('GET', `${metrics}/namespaces/default/pods/none`).status).toBe(404);
  });

  it('moves an autoscaler', async () => {
    const made = await aDrivenCluster({});
    made.call('POST', '/apis/apps/v1/namespaces/default/deployments', {
      metadata: { name: 'd' },
      spec: {
        selector: { matchLabels: { app: 'd' } },
        template: {
          metadata: { labels: { app: 'd' }, annotations: { cpu: '100m' } },
          spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '50m' } } }] },
        },
      },
    });
    made.call('POST', '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', {
      metadata: { name: 'h' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        maxReplicas: 3,
        metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }],
      },
    });
    await made.advance(120_000);
    expect(
      made.call<KubeObject & { readonly spec: { readonly replicas: number } }>('GET', '/apis/apps/v1/namespaces/default/deployments/d').spec.replicas,
    ).toBe(3);
  });

  it('serves the pages that Metric describes: gauges, counters and histograms of nodes, pods and containers', async () => {
    const made = await aDrivenCluster({ a: { cpu: '250m' }, b: {} });
    const pod = { name: 'pod', value: 'pod.metadata.name' };
    made.call('POST', `${kwok}/metrics`, {
      metadata: { name: 'mine' },
      spec: {
        path: '/metrics/nodes/{nodeName}/mine',
        metrics: [
          {
            name: 'z_cpu',
            kind: 'gauge',
            dimension: 'container',
            help: 'a\\b\nc',
            labels: [pod, { name: 'container', value: 'container.name' }],
            value: 'pod.Usage("cpu", container.name)',
          },
          { name: 'pods_bytes', kind: 'counter', dimension: 'pod', labels: [pod], value: 'pod.CumulativeUsage("memory")' },
          { name: 'node_cpu', kind: 'gauge', value: 'node.Usage("cpu")' },
          {
            name: 'times',
            kind: 'histogram',
            buckets: [
              { le: 1, value: '2' },
              { le: 5, value: '3', hidden: true },
              { le: 10, value: 'StartedContainersTotal(node) + 4.0' },
            ],
          },
          { name: 'broken', kind: 'gauge', value: 'nothing' },
          { name: 'failing', kind: 'gauge', value: '{"a": 1}["b"]' },
        ],
      },
    });
    expect(
      page(made, 'metrics/nodes/n/mine')
        .split('\n')
        .filter((line) => !line.startsWith('pods_bytes{')),
    ).toEqual([
      '# HELP node_cpu ',
      '# TYPE node_cpu gauge',
      'node_cpu 0.502',
      '# HELP pods_bytes ',
      '# TYPE pods_bytes counter',
      '# HELP times ',
      '# TYPE times histogram',
      'times_bucket{le="1"} 2',
      'times_bucket{le="10"} 9',
      'times_bucket{le="+Inf"} 9',
      'times_sum 57',
      'times_count 9',
      '# HELP z_cpu a\\\\b\\nc',
      '# TYPE z_cpu gauge',
      'z_cpu{container="big",pod="a"} 0.25',
      'z_cpu{container="big",pod="b"} 0.001',
      'z_cpu{container="c",pod="a"} 0.25',
      'z_cpu{container="c",pod="b"} 0.001',
      '',
    ]);
    const bytes = (): number => Number(/pods_bytes\{pod="a"\} (\S+)/.exec(page(made, 'metrics/nodes/n/mine'))?.[1]);
    const before = bytes();
    await made.advance(10_000);
    expect(bytes() - before).toBe(5 * 1024 ** 2 * 10);
    expect(made.ask('GET', '/api/v1/nodes/n/proxy/metrics/nodes/n/none').status).toBe(404);
    expect(page(made, 'healthz')).toBe('ok');
  });

  it("answers a kubelet's own pages, and drawing chance at reading changes nothing", async () => {
    const made = await aDrivenCluster({ a: { cpu: '250m' } });
    made.call('POST', `${kwok}/metrics`, {
      metadata: { name: 'n' },
      spec: { path: '/metrics/chance', metrics: [{ name: 'chance', kind: 'gauge', value: 'Rand() + Rand()' }] },
    });
    const summary = made.call<{ readonly node: object; readonly pods: readonly object[] }>('GET', '/api/v1/nodes/n/proxy/stats/summary');
    expect(summary.node).toMatchObject({ nodeName: 'n', cpu: { usageNanoCores: 500_000_000 } });
    expect(summary.pods).toMatchObject([{ podRef: { name: 'a' }, memory: { workingSetBytes: 5 * 1024 ** 2 } }]);
    expect(page(made, 'metrics/resource')).toContain(
      'container_memory_working_set_bytes{container="big",namespace="default",pod="a"} 4.194304e+06\n',
    );
    const { digest } = made.cluster;
    const first = page(made, 'metrics/chance');
    expect(first).toMatch(/^# HELP chance \n# TYPE chance gauge\nchance [01]\.\d+\n$/);
    expect(page(made, 'metrics/chance')).toBe(first);
    expect(made.cluster.digest).toBe(digest);
    await made.advance(1000);
    expect(page(made, 'metrics/chance')).not.toBe(first);
  });

  it('stands numbers that are none, and amounts that nobody has', async () => {
    const made = await aDrivenCluster({ a: {} });
    const odd = [
      '0.0 / 0.0',
      '1.0 / 0.0',
      'Quantity("1") / 0.0',
      'Quantity("1") * (0.0 / 0.0)',
      '1e300',
      'Quantity("1E") * 1e18',
      '-5',
      'node.Usage("cpu")',
    ];
    for (const expression of odd) {
      const usage = { cpu: { expression }, memory: { expression } };
      const path = `${kwok}/namespaces/default/resourceusages`;
      made.call('POST', path, { metadata: { name: 'a' }, spec: { usages: [{ usage }] } });
      expect([200, 404]).toContain(made.ask('GET', `${metrics}/namespaces/default/pods/a`).status);
      expect(made.ask('GET', `${metrics}/nodes`).status).toBe(200);
      expect(made.ask('GET', '/api/v1/nodes/n/proxy/stats/summary').status).toBe(200);
      expect(made.ask('GET', '/api/v1/nodes/n/proxy/metrics/resource').status).toBe(200);
      made.call('DELETE', `${path}/a`);
    }
  });

  it('has no logs but those that a file of the host would have, and says so', async () => {
    const made = await aDrivenCluster({ a: {}, b: {} });
    made.call('POST', `${kwok}/namespaces/default/logs`, {
      metadata: { name: 'b' },
      spec: { logs: [{ containers: ['c'], logsFile: '/var/log/x' }] },
    });
    const logsOf = (name: string, query = ''): unknown => {
      const { status, object } = made.ask('GET', `${podsPath}/${name}/log${query}`);
      return [status, object.message];
    };
    expect(logsOf('a', '?container=c')).toEqual([400, 'no logs found for container "c" in pod "default/a"']);
    expect(logsOf('b', '?container=c')).toEqual([400, 'failed to open log file "/var/log/x": a simulated cluster reads no files of its host']);
    expect(logsOf('b', '?container=big&follow=true')).toEqual([400, 'log target not found for container "big" in pod "default/b"']);
  });

  it('runs nothing on the host', async () => {
    const made = await aDrivenCluster({ a: {} });
    made.call('POST', `${kwok}/clusterexecs`, { metadata: { name: 'all' }, spec: { execs: [{ containers: ['c'], local: { workDir: '/' } }] } });
    made.call('POST', `${kwok}/namespaces/default/attaches`, { metadata: { name: 'a' }, spec: { attaches: [{ logsFile: '/x' }] } });
    const ask = (container: string, command: readonly string[] | null): unknown => {
      let told: unknown;
      const target = { namespace: 'default', pod: 'a', container, command, stdin: false, stdout: true, stderr: true, tty: false };
      made.door.processes.open(target, { onOutput: () => undefined, onEnd: (end) => void (told = end) });
      return told;
    };
    const failed = (why: string): object => ({ type: 'failed', message: why });
    expect(ask('c', ['sh'])).toEqual(failed('"sh": a simulated cluster runs no commands on its host'));
    expect(ask('big', ['sh'])).toEqual(failed('no exec found for container "big" in pod "default/a"'));
    expect(ask('c', null)).toEqual(failed('failed to open log file "/x": a simulated cluster reads no files of its host'));
  });

  it('forwards ports to pods of machines, and refuses what is elsewhere', async () => {
    const made = await aDrivenCluster({ a: {} }, 1);
    made.call('POST', podsPath, { metadata: { name: 'web' }, spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } });
    await made.advance(60_000);
    const address = made.call<KubeObject & { readonly status: { readonly podIP: string } }>('GET', `${podsPath}/web`).status.podIP;
    made.call('POST', `${kwok}/clusterportforwards`, {
      metadata: { name: 'all' },
      spec: {
        forwards: [
          { ports: [8080], target: { port: 80, address } },
          { ports: [8081], target: { port: 80, address: '127.0.0.1' } },
          { ports: [8082], command: ['nc'] },
        ],
      },
    });
    const ask = (port: number): string => {
      let told = '';
      const sink = {
        onData: (data: Uint8Array) => void (told += new TextDecoder().decode(data)),
        onError: (why: string) => void (told += why),
        onEnd: () => undefined,
      };
      made.door.ports.open('default', 'a', port, sink).write(new TextEncoder().encode('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
      return told;
    };
    expect(ask(8080)).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(ask(8081)).toBe('failed to dial 127.0.0.1:80: no pod of this cluster has that address, and a simulated cluster reaches nothing else');
    expect(ask(8082)).toBe('failed to run "nc": a simulated cluster runs no commands on its host');
    expect(ask(9)).toBe('no forward found for port 9 in pod "default/a"');
  });
});
