import { describe, expect, it } from 'vitest';
import { endpointSlices, nodes, pods, services } from '../../client/resources.ts';
import { fnv128a } from '../../component-helpers/endpoints/order.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import type { Draft } from '../../../test/support/bench.ts';
import { endpointSliceController } from './controller.ts';

const created = '2026-01-01T00:00:00Z';

function makeService(spec: object = {}, metadata: object = {}): Draft {
  const ports = [{ name: 'http', protocol: 'TCP', port: 80, targetPort: 8080 }];
  return {
    metadata: { namespace: 'default', name: 'web', uid: 'svc-uid', creationTimestamp: created, ...metadata },
    spec: { clusterIP: '10.96.0.10', ipFamilies: ['IPv4'], selector: { app: 'web' }, ports, ...spec },
  };
}

function makePod(
  index: number,
  extra: { readonly metadata?: object; readonly spec?: object; readonly status?: object; readonly ready?: boolean } = {},
): Draft {
  const status = extra.ready === false ? 'False' : 'True';
  const ip = `10.0.${index >> 8}.${index & 255}`;
  return {
    metadata: { namespace: 'default', name: `p${String(index).padStart(4, '0')}`, uid: `u${index}`, labels: { app: 'web' }, ...extra.metadata },
    spec: { nodeName: 'n1', containers: [], ...extra.spec },
    status: {
      phase: 'Running',
      podIP: ip,
      podIPs: [{ ip }],
      conditions: [{ type: 'Ready', status, lastTransitionTime: '2026-01-01T00:00:05Z' }],
      ...extra.status,
    },
  };
}

function makeCluster(service: Draft = makeService()): ControllerBench {
  const bench = new ControllerBench();
  bench.add(nodes, { metadata: { name: 'n1', labels: { 'topology.kubernetes.io/zone': 'z1' } } });
  bench.add(services, service);
  return bench;
}

/** In the order in which they were made. */
function sizes(bench: ControllerBench): number[] {
  return bench.created(endpointSlices).map((name) => bench.get(endpointSlices, 'default', name)?.endpoints?.length ?? 0);
}

describe('endpointslice-controller', () => {
  it('describes a ready pod as upstream does', async () => {
    const bench = makeCluster(makeService({}, { labels: { tier: 'front' } }));
    bench.add(pods, makePod(1));
    await bench.run(endpointSliceController);
    const [slice] = bench.list(endpointSlices);
    expect(slice?.metadata).toMatchObject({
      generateName: 'web-',
      labels: { 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io', 'kubernetes.io/service-name': 'web', tier: 'front' },
      annotations: { 'endpoints.kubernetes.io/last-change-trigger-time': created },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name: 'web', uid: 'svc-uid', controller: true, blockOwnerDeletion: true }],
    });
    expect(slice?.addressType).toBe('IPv4');
    expect(slice?.ports).toEqual([{ name: 'http', protocol: 'TCP', port: 8080 }]);
    expect(slice?.endpoints).toEqual([
      {
        addresses: ['10.0.0.1'],
        conditions: { ready: true, serving: true, terminating: false },
        targetRef: { kind: 'Pod', namespace: 'default', name: 'p0001', uid: 'u1' },
        nodeName: 'n1',
        zone: 'z1',
      },
    ]);
  });

  it.each([
    { name: 'not ready', pod: makePod(1, { ready: false }), conditions: { ready: false, serving: false, terminating: false } },
    {
      name: 'not ready but published',
      pod: makePod(1, { ready: false }),
      spec: { publishNotReadyAddresses: true },
      conditions: { ready: true, serving: false, terminating: false },
    },
    {
      name: 'terminating',
      pod: makePod(1, { metadata: { deletionTimestamp: created } }),
      conditions: { ready: false, serving: true, terminating: true },
    },
    { name: 'failed', pod: makePod(1, { status: { phase: 'Failed' } }), conditions: undefined },
  ])('conditions of a pod that is $name', async ({ pod, spec, conditions }) => {
    const bench = makeCluster(makeService(spec));
    bench.add(pods, pod);
    await bench.run(endpointSliceController);
    expect(bench.list(endpointSlices)[0]?.endpoints?.[0]?.conditions).toEqual(conditions);
  });

  it('labels headless slices, keeps a placeholder, and has one family each', async () => {
    const bench = makeCluster(makeService({ clusterIP: 'None', ipFamilies: ['IPv4', 'IPv6'], ports: [] }));
    await bench.run(endpointSliceController);
    expect(bench.list(endpointSlices).map(({ addressType, endpoints, ports }) => ({ addressType, endpoints, ports }))).toEqual([
      { addressType: 'IPv4', endpoints: null, ports: null },
      { addressType: 'IPv6', endpoints: null, ports: null },
    ]);
    expect(bench.list(endpointSlices)[0]?.metadata.labels?.['service.kubernetes.io/headless']).toBe('');
    bench.clear();
    bench.add(pods, makePod(1, { status: { podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] } }));
    await bench.advance(100);
    expect(bench.list(endpointSlices).map(({ endpoints }) => endpoints?.[0]?.addresses)).toEqual([['10.0.0.1'], ['fd00::1']]);
    expect(bench.writeTexts()).toEqual(bench.created(endpointSlices).map((name) => `update endpointslices default/${name}`));
  });

  it('finds named ports, and splits slices by them', async () => {
    const bench = makeCluster(makeService({ ports: [{ name: 'http', protocol: 'TCP', port: 80, targetPort: 'web' }] }));
    const containers = (containerPort: number) => ({ containers: [{ name: 'c', ports: [{ name: 'web', protocol: 'TCP', containerPort }] }] });
    bench.add(pods, makePod(1, { spec: containers(8080) }));
    bench.add(pods, makePod(2, { spec: containers(9090) }));
    await bench.run(endpointSliceController);
    expect(
      bench
        .list(endpointSlices)
        .map(({ ports }) => ports?.[0]?.port)
        .toSorted(),
    ).toEqual([8080, 9090]);
  });

  it('packs at most a hundred endpoints, and moves none without need', async () => {
    const bench = makeCluster();
    for (let i = 1; i <= 250; i++) bench.add(pods, makePod(i));
    await bench.run(endpointSliceController);
    expect(sizes(bench)).toEqual([100, 100, 50]);
    bench.clear();
    bench.change(pods, 'default', 'p0005', (pod) => ({ ...pod, status: { ...pod.status, conditions: [] } }));
    await bench.advance(100);
    expect(bench.writeTexts()).toEqual([`update endpointslices default/${bench.created(endpointSlices)[0]}`]);
    bench.clear();
    bench.remove(pods, 'default', 'p0005');
    bench.add(pods, makePod(260));
    await bench.advance(100);
    expect(sizes(bench)).toEqual([100, 100, 50]);
    bench.clear();
    bench.add(pods, makePod(261));
    await bench.advance(100);
    expect(bench.writeTexts()).toEqual([`update endpointslices default/${bench.created(endpointSlices)[2]}`]);
    await bench.advance(5_000);
    expect(bench.writeTexts()).toHaveLength(1);
  });

  it('restores a slice that somebody deleted, a second later', async () => {
    const bench = makeCluster();
    bench.add(pods, makePod(1));
    await bench.run(endpointSliceController);
    bench.clear();
    bench.remove(endpointSlices, 'default', bench.created(endpointSlices)[0] ?? '');
    await bench.advance(100);
    expect(bench.writeTexts()).toEqual([]);
    await bench.advance(900);
    expect(bench.writeTexts()).toEqual([`create endpointslices default/${bench.created(endpointSlices)[1]}`]);
  });

  it('waits for the node of a pod, telling of it', async () => {
    const bench = makeCluster();
    bench.add(pods, makePod(1, { spec: { nodeName: 'n9' } }));
    await bench.run(endpointSliceController);
    expect(bench.eventTexts()[0]).toBe(
      'Warning FailedToUpdateEndpointSlices Error updating Endpoint Slices for Service default/web: skipping Pod p0001 for Service default/web: Node n9 Not Found',
    );
  });

  it('hints zones for trafficDistribution', async () => {
    const bench = makeCluster(makeService({ trafficDistribution: 'PreferSameNode' }));
    bench.add(pods, makePod(1));
    await bench.run(endpointSliceController);
    expect(bench.list(endpointSlices)[0]?.endpoints?.[0]?.hints).toEqual({ forZones: [{ name: 'z1' }], forNodes: [{ name: 'n1' }] });
  });

  it('hashes as Go does, so that ports stand in the same order', () => {
    const printed = '(v1.EndpointPort){Name:(*string)http Protocol:(*v1.Protocol)TCP Port:(*int32)80 AppProtocol:(*string)<nil>}';
    expect(fnv128a(printed)).toBe('b6c4d325122a5ba6f795b0bbffcebb6f');
  });
});
