import { describe, expect, it } from 'vitest';
import type { Node } from '../../api/core/v1/types.gen.ts';
import { must } from '../../base/assert.ts';
import { cloudErrors, cloudQuota } from '../../base/fault-points.ts';
import { nodes, services } from '../../client/resources.ts';
import { release } from '../../releases/1.13/release.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { serviceLoadBalancerController } from './controller.ts';
import { loadBalancerName } from './changes.ts';

const finalizer = 'service.kubernetes.io/load-balancer-cleanup';
const spec = {
  type: 'LoadBalancer',
  clusterIP: '10.96.0.9',
  clusterIPs: ['10.96.0.9'],
  ports: [{ port: 80, nodePort: 30080, protocol: 'TCP', targetPort: 80 }],
};

function aBench() {
  const bench = new ControllerBench({ machines: ['a', 'b'] });
  const { cloud, points } = must(bench.cloud, 'there is a cloud');
  for (const name of ['a', 'b']) bench.add(nodes, { metadata: { name }, spec: { providerID: `wavetank://sim-a/${name}` } });
  bench.add(services, { metadata: { namespace: 'default', name: 'web', uid: '11-22' }, spec });
  const balancer = () => cloud.balancers.get('a1122');
  const texts = () => bench.events.map(({ text }) => text);
  const service = () => bench.get(services, 'default', 'web');
  return { bench, cloud, points, balancer, texts, service };
}

describe('service-lb-controller', () => {
  it('makes a load balancer, with the finalizer first and the address in the status', async () => {
    const { bench, balancer, texts, service } = aBench();
    await bench.run(serviceLoadBalancerController);
    await bench.advance(10_000);
    expect(balancer()).toMatchObject({ address: '198.18.0.1', nodes: ['a', 'b'], ports: ['TCP 80 30080'] });
    expect(service()?.metadata.finalizers).toEqual([finalizer]);
    expect(service()?.status).toEqual({ loadBalancer: { ingress: [{ ip: '198.18.0.1', ipMode: 'VIP' }] } });
    expect(texts()).toEqual(['Normal EnsuringLoadBalancer Ensuring load balancer', 'Normal EnsuredLoadBalancer Ensured load balancer']);
    expect(bench.writes.map(({ verb }) => verb)).toEqual(['patch', 'patch']);
  });

  it('removes it when the Service is deleted, and only then lets the Service go', async () => {
    const { bench, balancer, texts, service } = aBench();
    await bench.run(serviceLoadBalancerController);
    await bench.advance(10_000);
    const deleted = bench.client('user').delete(services, 'default', 'web');
    await bench.advance(10_000);
    await deleted;
    expect(balancer()).toBeUndefined();
    expect(service()).toBeUndefined();
    expect(texts().slice(2)).toEqual(['Normal DeletingLoadBalancer Deleting load balancer', 'Normal DeletedLoadBalancer Deleted load balancer']);
  });

  it('removes it when the Service becomes another type, and clears the status', async () => {
    const { bench, balancer, service } = aBench();
    await bench.run(serviceLoadBalancerController);
    await bench.advance(10_000);
    const { nodePort: _nodePort, ...port } = must(service()?.spec?.ports?.[0], 'a port');
    const changed = bench
      .client('user')
      .update(services, { ...must(service(), 'a Service'), spec: { ...service()?.spec, type: 'ClusterIP', ports: [port] } });
    await bench.advance(10_000);
    await changed;
    expect(balancer()).toBeUndefined();
    expect(service()?.metadata.finalizers).toBeUndefined();
    expect(service()?.status?.loadBalancer?.ingress).toBeUndefined();
  });

  it('removes what was left by a Service that went without its finalizer, tells why it cannot, and that it has', async () => {
    const { bench, balancer, points, texts } = aBench();
    await bench.run(serviceLoadBalancerController);
    await bench.advance(10_000);
    const fault = { operations: ['deleteLoadBalancer'], reason: 'InternalError', share: 1 };
    points.inject('f', [{ point: cloudErrors.name, subject: '', value: fault }], []);
    bench.remove(services, 'default', 'web');
    await bench.advance(3_000);
    expect(texts().slice(2)).toEqual([
      'Normal DeletingLoadBalancer Deleting load balancer',
      'Warning DeleteLoadBalancerFailed Error deleting load balancer: InternalError: deleteLoadBalancer failed by a fault of the simulation',
    ]);
    points.heal('f', []);
    await bench.advance(10_000);
    expect(balancer()).toBeUndefined();
    expect(texts().slice(4)).toEqual(['Normal DeletingLoadBalancer Deleting load balancer', 'Normal DeletedLoadBalancer Deleted load balancer']);
  });

  it('tells it of nodes that come, go, or are excluded', async () => {
    const { bench, balancer, texts } = aBench();
    await bench.run(serviceLoadBalancerController);
    await bench.advance(10_000);
    bench.add(nodes, { metadata: { name: 'c' } });
    await bench.advance(10_000);
    expect(balancer()?.nodes).toEqual(['a', 'b', 'c']);
    bench.change(nodes, undefined, 'a', (old) => ({
      ...old,
      metadata: { ...old.metadata, labels: { 'node.kubernetes.io/exclude-from-external-load-balancers': 'true' } },
    }));
    bench.remove(nodes, undefined, 'c');
    await bench.advance(10_000);
    expect(balancer()?.nodes).toEqual(['b']);
    bench.remove(nodes, undefined, 'b');
    await bench.advance(10_000);
    expect(texts().at(-1)).toBe('Warning UnAvailableLoadBalancer There are no available nodes for LoadBalancer');
  });

  it('tries again after 5 s, doubling, and says why it failed', async () => {
    const { bench, points, balancer, texts } = aBench();
    points.inject('f', [{ point: cloudQuota.name, subject: 'load-balancers', value: 0 }], ['rev:77']);
    await bench.run(serviceLoadBalancerController);
    await bench.advance(20_000);
    const failed = bench.events.filter(({ text }) => text.includes('SyncLoadBalancerFailed'));
    expect(failed.map(({ text }) => text)[0]).toBe(
      'Warning SyncLoadBalancerFailed Error syncing load balancer: failed to ensure load balancer: quota of 0 load-balancers exceeded',
    );
    expect(failed).toHaveLength(2);
    points.heal('f', []);
    await bench.advance(30_000);
    expect(balancer()).toBeDefined();
    expect(texts().at(-1)).toBe('Normal EnsuredLoadBalancer Ensured load balancer');
    expect(bench.writes.at(-1)?.causes).toContain('rev:77');
  });

  it('tells when it cannot tell it of nodes, and comes back to the Service', async () => {
    const { bench, points, balancer, texts } = aBench();
    await bench.run(serviceLoadBalancerController);
    await bench.advance(10_000);
    points.inject(
      'f',
      [{ point: cloudErrors.name, subject: '', value: { operations: ['updateLoadBalancer'], reason: 'InternalError', share: 1 } }],
      [],
    );
    bench.remove(nodes, undefined, 'b');
    await bench.advance(10_000);
    expect(texts()).toContain(
      'Warning UpdateLoadBalancerFailed Error updating load balancer with new hosts [a] [node names limited, total number of nodes: 1], error: InternalError: updateLoadBalancer failed by a fault of the simulation',
    );
    expect(balancer()?.nodes).toEqual(['a']);
  });

  it('leaves Services with a class of their own alone', async () => {
    const { bench, balancer } = aBench();
    bench.change(services, 'default', 'web', (old) => ({ ...old, spec: { ...old.spec, loadBalancerClass: 'example.com/mine' } }));
    await bench.run(serviceLoadBalancerController);
    await bench.advance(60_000);
    expect(balancer()).toBeUndefined();
    expect(bench.writeTexts()).toEqual([]);
  });
});

it('the name of a load balancer has 32 characters at most', () => {
  expect(loadBalancerName({ metadata: { uid: '0a1b2c3d-1111-2222-3333-444455556666' } } as never)).toBe(
    'a0a1b2c3d111122223333444455556666'.slice(0, 32),
  );
});

it.each([true, false])('in 1.13 looks every 100 s for nodes that work; ServiceNodeExclusion %s', async (heedsBalancerExclusion) => {
  const bench = new ControllerBench({
    machines: ['a', 'b', 'c', 'd', 'e', 'f'],
    options: { traits: release.controllers, heedsBalancerExclusion },
  });
  const { cloud } = must(bench.cloud, 'there is a cloud');
  const add = (name: string, more: Partial<Node>, ready?: string): void => {
    const conditions = ready === undefined ? [] : [{ type: 'Ready', status: ready }];
    bench.add(nodes, { spec: {}, ...more, metadata: { name, ...more.metadata }, status: { conditions } });
  };
  add('a', {}, 'True');
  add('b', {}, 'False');
  add('c', {});
  add('d', { spec: { unschedulable: true } }, 'True');
  add('e', { metadata: { labels: { 'node-role.kubernetes.io/master': '' } } }, 'True');
  bench.add(services, { metadata: { namespace: 'default', name: 'web', uid: '11-22' }, spec });
  await bench.run(serviceLoadBalancerController);
  await bench.advance(10_000);
  expect(cloud.balancers.get('a1122')?.nodes).toEqual(['a']);
  add('f', { metadata: { labels: { 'alpha.service-controller.kubernetes.io/exclude-balancer': '' } } }, 'True');
  bench.change(nodes, undefined, 'b', (old) => ({ ...old, status: { conditions: [{ type: 'Ready', status: 'True' }] } }));
  await bench.advance(80_000);
  expect(cloud.balancers.get('a1122')?.nodes).toEqual(['a']);
  await bench.advance(20_000);
  expect(cloud.balancers.get('a1122')?.nodes).toEqual(heedsBalancerExclusion ? ['a', 'b'] : ['a', 'b', 'f']);
});

it('in 1.13 a Service has no finalizer: it goes at once, its load balancer after it, and what of it has changed is told', async () => {
  const bench = new ControllerBench({ machines: ['a'], options: { traits: release.controllers } });
  const { cloud, points } = must(bench.cloud, 'there is a cloud');
  bench.add(nodes, { metadata: { name: 'a' }, status: { conditions: [{ type: 'Ready', status: 'True' }] } });
  bench.add(services, { metadata: { namespace: 'default', name: 'web', uid: '11-22' }, spec });
  await bench.run(serviceLoadBalancerController);
  await bench.advance(10_000);
  expect(bench.get(services, 'default', 'web')?.metadata.finalizers).toBeUndefined();
  bench.change(services, 'default', 'web', (old) => ({ ...old, spec: { ...old.spec, loadBalancerSourceRanges: ['10.0.0.0/8'] } }));
  await bench.advance(10_000);
  points.inject(
    'f',
    [{ point: cloudErrors.name, subject: '', value: { operations: ['deleteLoadBalancer'], reason: 'InternalError', share: 1 } }],
    [],
  );
  bench.remove(services, 'default', 'web');
  await bench.advance(4_000);
  expect(cloud.balancers.get('a1122')).toBeDefined();
  points.heal('f', []);
  await bench.advance(20_000);
  expect(cloud.balancers.get('a1122')).toBeUndefined();
  const ensured = ['Normal EnsuringLoadBalancer Ensuring load balancer', 'Normal EnsuredLoadBalancer Ensured load balancer'];
  expect(bench.events.map(({ text }) => text)).toEqual([
    ...ensured,
    'Normal LoadBalancerSourceRanges [] -> [10.0.0.0/8]',
    ...ensured,
    'Normal DeletingLoadBalancer Deleting load balancer',
    'Warning DeletingLoadBalancerFailed Error deleting load balancer (will retry): InternalError: deleteLoadBalancer failed by a fault of the simulation',
    'Normal DeletingLoadBalancer Deleting load balancer',
    'Normal DeletedLoadBalancer Deleted load balancer',
  ]);
});
