/**
 * What upstream's own tables say of the service controller (k8s.io/cloud-provider/controllers/service/controller_test.go, release 1.36): it
 * lives in cloud controller managers, so no plain kube-controller-manager can be asked. Cases and expected facts are theirs.
 */
import { describe, expect, it } from 'vitest';
import type { Node, Service } from '../../api/core/v1/types.gen.ts';
import { must } from '../../base/assert.ts';
import { cloudErrors } from '../../base/fault-points.ts';
import { nodes, services } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { cleanupFinalizer, needsCleanup, needsUpdate } from './changes.ts';
import { serviceLoadBalancerController } from './controller.ts';

const port = { name: 'p', protocol: 'TCP', port: 80, targetPort: 80, nodePort: 30080 };
const wanting = { type: 'LoadBalancer', ports: [port], clusterIP: '10.96.0.9', clusterIPs: ['10.96.0.9'] };
const aService = (spec: object = {}, metadata: object = {}): Service =>
  ({ metadata: { namespace: 'default', name: 'web', uid: '11-22', ...metadata }, spec: { ...wanting, ...spec } }) as unknown as Service;

describe('a change of a Service', () => {
  const ports = (...all: readonly number[]): object => ({ ports: all.map((one) => ({ port: one })) });
  const cases: readonly (readonly [name: string, old: Service, next: Service, matters: boolean])[] = [
    ['from LoadBalancer to ClusterIP', aService(), aService({ type: 'ClusterIP' }), true],
    ['other ports', aService(ports(8000, 9000, 10000)), aService(ports(8001, 9001, 10001)), true],
    ['another number of external addresses', aService({ externalIPs: ['192.0.2.1'] }), aService({ externalIPs: ['192.0.2.2', '192.0.2.3'] }), true],
    ['other external addresses', aService({ externalIPs: ['192.0.2.1'] }), aService({ externalIPs: ['192.0.2.2'] }), true],
    ['another uid', aService(), aService({}, { uid: '33-44' }), true],
    ['another external traffic policy', aService({ externalTrafficPolicy: 'Cluster' }), aService({ externalTrafficPolicy: 'Local' }), true],
    ['another port for health checks', aService(), aService({ healthCheckNodePort: 30123 }), true],
    ['another target port', aService({ ports: [{ ...port, targetPort: 20 }] }), aService({ ports: [{ ...port, targetPort: 21 }] }), true],
    ['a target port by name', aService(), aService({ ports: [{ ...port, targetPort: 'dns' }] }), true],
    ['nothing', aService(), aService(), false],
    ['one family, then two', aService({ ipFamilies: ['IPv4'] }), aService({ ipFamilies: ['IPv4', 'IPv6'] }), true],
    ['two families, then one', aService({ ipFamilies: ['IPv4', 'IPv6'] }), aService({ ipFamilies: ['IPv4'] }), true],
    ['the same families', aService({ ipFamilies: ['IPv4'] }), aService({ ipFamilies: ['IPv4'] }), false],
    ['a protocol of the application', aService(), aService({ ports: [{ ...port, appProtocol: 'http' }] }), true],
    [
      'another protocol of the application',
      aService({ ports: [{ ...port, appProtocol: 'http' }] }),
      aService({ ports: [{ ...port, appProtocol: 'tcp' }] }),
      true,
    ],
  ];
  it.each(cases)('%s', (_name, old, next, matters) => expect(needsUpdate(old, next)).toBe(matters));
});

describe('what is to be cleaned up', () => {
  const finalizers = [cleanupFinalizer];
  const cases: readonly (readonly [name: string, service: Service, expected: boolean])[] = [
    ['not a Service without the finalizer', aService({ type: 'ClusterIP' }), false],
    ['one with it of another type', aService({ type: 'NodePort' }, { finalizers }), true],
    ['not one with it that wants a load balancer', aService({}, { finalizers }), false],
    ['one with it that goes', aService({}, { finalizers, deletionTimestamp: '2026-01-01T00:00:00Z' }), true],
  ];
  it.each(cases)('%s', (_name, service, expected) => expect(needsCleanup(service)).toBe(expected));
});

describe('a sync', () => {
  interface Row {
    readonly name: string;
    readonly service: Service;
    /** A load balancer is there before. */
    readonly had?: true;
    readonly balancer: boolean;
    /** Patches of the Service: finalizer and status. */
    readonly patches: number;
  }
  const ended = { finalizers: [cleanupFinalizer] };
  const cases: readonly Row[] = [
    { name: 'leaves a Service alone that wants none', service: aService({ type: 'ClusterIP' }), balancer: false, patches: 0 },
    { name: 'makes one for UDP', service: aService({ ports: [{ ...port, protocol: 'UDP' }] }), balancer: true, patches: 2 },
    { name: 'makes one for TCP', service: aService(), balancer: true, patches: 2 },
    { name: 'makes one for SCTP', service: aService({ ports: [{ ...port, protocol: 'SCTP' }] }), balancer: true, patches: 2 },
    { name: 'leaves a class of its own alone', service: aService({ loadBalancerClass: 'example.com/custom' }), balancer: false, patches: 0 },
    {
      name: 'removes that of a Service that wants none any more',
      // Upstream's row shows the balancer in the status, which its API server takes away with the type.
      service: aService({ type: 'ClusterIP' }, ended),
      had: true,
      balancer: false,
      patches: 1,
    },
    { name: 'makes one where the finalizer is there', service: aService({}, ended), balancer: true, patches: 1 },
  ];
  it.each(cases)('$name', async ({ service, had, balancer, patches }) => {
    const bench = new ControllerBench({ machines: ['a'] });
    const { cloud } = must(bench.cloud, 'a cloud');
    bench.add(nodes, { metadata: { name: 'a' } });
    bench.add(services, service as never);
    if (had === true) {
      const made = cloud.calls('test', []).ensureLoadBalancer({ name: 'a1122', ports: [], nodes: [], sourceRanges: [], address: '' });
      await bench.advance(10_000);
      await made;
    }
    await bench.run(serviceLoadBalancerController);
    await bench.advance(20_000);
    expect(cloud.balancers.get('a1122') !== undefined).toBe(balancer);
    expect(bench.writes.map(({ verb }) => verb)).toEqual(Array.from({ length: patches }, () => 'patch'));
  });
});

describe('a change of the nodes', () => {
  type Edit = (node: Node) => object;
  const withMeta =
    (more: object): Edit =>
    (node) => ({ ...node, metadata: { ...node.metadata, ...more } });
  const withTaint =
    (key: string): Edit =>
    (node) => ({ ...node, spec: { ...node.spec, taints: [{ key, effect: 'NoSchedule' }] } });
  const ready =
    (status: string): Edit =>
    (node) => ({ ...node, status: { ...node.status, conditions: [{ type: 'Ready', status }] } });
  const excluded = withMeta({ labels: { 'node.kubernetes.io/exclude-from-external-load-balancers': '' } });
  interface Row {
    readonly name: string;
    readonly act: (bench: ControllerBench) => void;
    /** Nodes that load balancers are told; absent where they are told nothing. */
    readonly told?: string;
  }
  const edit = (change: Edit) => (bench: ControllerBench) => void bench.change(nodes, undefined, 'b', change);
  const cases: readonly Row[] = [
    { name: 'one comes', act: (bench) => void bench.add(nodes, { metadata: { name: 'd' } }), told: 'a b c d' },
    { name: 'one goes', act: (bench) => bench.remove(nodes, undefined, 'b'), told: 'a c' },
    { name: 'one is excluded', act: edit(excluded), told: 'a c' },
    { name: 'one is not ready', act: edit(ready('False')) },
    { name: 'one is ready again', act: edit(ready('True')) },
    { name: 'one has another taint', act: edit(withTaint('other')) },
    { name: 'one has another label', act: edit(withMeta({ labels: { other: '' } })) },
    { name: 'one gets the name of its instance', act: edit((node) => ({ ...node, spec: { ...node.spec, providerID: 'x://b' } })), told: 'a b c' },
    // Nobody looks because of these; who looks for another reason sees them.
    { name: 'one is to be deleted by the autoscaler', act: edit(withTaint('ToBeDeletedByClusterAutoscaler')) },
    {
      name: 'one is to be deleted by the autoscaler, and another one comes',
      act: (bench) => {
        edit(withTaint('ToBeDeletedByClusterAutoscaler'))(bench);
        bench.add(nodes, { metadata: { name: 'd' } });
      },
      told: 'a c d',
    },
  ];

  async function aBench() {
    const bench = new ControllerBench({ machines: ['a', 'b', 'c', 'd'] });
    for (const name of ['a', 'b', 'c']) bench.add(nodes, { metadata: { name } });
    for (const [index, policy] of ['Local', 'Local', 'Cluster'].entries()) {
      const spec = { externalTrafficPolicy: policy, clusterIP: `10.96.0.${index + 9}`, clusterIPs: [`10.96.0.${index + 9}`] };
      const own = { ports: [{ ...port, nodePort: 30080 + index }] };
      bench.add(services, aService({ ...spec, ...own }, { name: `s${index}`, uid: `s${index}` }) as never);
    }
    await bench.run(serviceLoadBalancerController);
    await bench.advance(30_000);
    bench.clear();
    const { cloud, points } = must(bench.cloud, 'a cloud');
    const told = () => [0, 1, 2].map((index) => cloud.balancers.get(`as${index}`)?.nodes.join(' '));
    const updates = () => bench.events.filter(({ text }) => text.startsWith('Normal UpdatedLoadBalancer')).length;
    return { bench, points, told, updates };
  }

  it.each(cases)('$name', async ({ act, told: expected }) => {
    const { bench, told, updates } = await aBench();
    act(bench);
    await bench.advance(30_000);
    expect(told()).toEqual([0, 1, 2].map(() => expected ?? 'a b c'));
    expect(updates()).toBe(expected === undefined ? 0 : 3);
  });

  it('is told by trying again where the cloud refuses', async () => {
    const { bench, points, told } = await aBench();
    const rule = { operations: ['updateLoadBalancer', 'ensureLoadBalancer'], reason: 'InternalError', share: 1 };
    points.inject('f', [{ point: cloudErrors.name, subject: '', value: rule }], []);
    bench.add(nodes, { metadata: { name: 'd' } });
    await bench.advance(3_000);
    expect(told()).toEqual(['a b c', 'a b c', 'a b c']);
    points.heal('f', []);
    await bench.advance(60_000);
    expect(told()).toEqual(['a b c d', 'a b c d', 'a b c d']);
  });
});
