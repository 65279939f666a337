import { describe, expect, it } from 'vitest';
import { endpoints, pods, services } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import type { Draft } from '../../../test/support/bench.ts';
import { endpointsController } from './controller.ts';

const created = '2026-01-01T00:00:00Z';

function makeService(spec: object = {}): Draft {
  const ports = [{ name: 'http', protocol: 'TCP', port: 80, targetPort: 8080 }];
  return {
    metadata: { namespace: 'default', name: 'web', uid: 'svc-uid', creationTimestamp: created, labels: { tier: 'front' } },
    spec: { clusterIP: '10.96.0.10', ipFamilies: ['IPv4'], selector: { app: 'web' }, ports, ...spec },
  };
}

function makePod(index: number, ready = true): Draft {
  const ip = `10.0.${index >> 8}.${index & 255}`;
  return {
    metadata: { namespace: 'default', name: `p${index}`, uid: `u${index}`, labels: { app: 'web' } },
    spec: { nodeName: 'n1', containers: [] },
    status: {
      phase: 'Running',
      podIP: ip,
      podIPs: [{ ip }],
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: '2026-01-01T00:00:05Z' }],
    },
  };
}

function address(index: number): object {
  return { ip: `10.0.0.${index}`, nodeName: 'n1', targetRef: { kind: 'Pod', namespace: 'default', name: `p${index}`, uid: `u${index}` } };
}

describe('endpoints-controller', () => {
  it('lists ready and other addresses behind each port', async () => {
    const bench = new ControllerBench();
    bench.add(services, makeService());
    bench.add(pods, makePod(2));
    bench.add(pods, makePod(1));
    bench.add(pods, makePod(3, false));
    await bench.run(endpointsController);
    const written = bench.get(endpoints, 'default', 'web');
    expect(written?.subsets).toEqual([
      { addresses: [address(1), address(2)], notReadyAddresses: [address(3)], ports: [{ name: 'http', port: 8080, protocol: 'TCP' }] },
    ]);
    expect(written?.metadata.labels).toEqual({ 'endpoints.kubernetes.io/managed-by': 'endpoint-controller', tier: 'front' });
    expect(written?.metadata.annotations).toEqual({ 'endpoints.kubernetes.io/last-change-trigger-time': created });
  });

  it('writes only when something changed, and deletes with the service', async () => {
    const bench = new ControllerBench();
    bench.add(services, makeService({ clusterIP: 'None', ports: [] }));
    bench.add(pods, makePod(1));
    await bench.run(endpointsController);
    expect(bench.get(endpoints, 'default', 'web')?.metadata.labels?.['service.kubernetes.io/headless']).toBe('');
    expect(bench.get(endpoints, 'default', 'web')?.subsets).toEqual([{ addresses: [address(1)] }]);
    bench.clear();
    bench.change(pods, 'default', 'p1', (pod) => ({ ...pod, status: { ...pod.status, startTime: created } }));
    bench.change(services, 'default', 'web', (service) => ({ ...service, spec: { ...service.spec, sessionAffinity: 'None' } }));
    await bench.advance(100);
    expect(bench.writeTexts()).toEqual([]);
    bench.remove(services, 'default', 'web');
    await bench.advance(100);
    expect(bench.writeTexts()).toEqual(['delete endpoints default/web']);
  });

  it('groups ports that have the same addresses, in the order of their hashes', async () => {
    const bench = new ControllerBench();
    const ports = [80, 81].map((port) => ({ name: `p${port}`, protocol: 'TCP', port, targetPort: port }));
    bench.add(services, makeService({ ports }));
    bench.add(pods, makePod(1));
    await bench.run(endpointsController);
    const subsets = bench.get(endpoints, 'default', 'web')?.subsets;
    expect(subsets).toHaveLength(1);
    expect(subsets?.[0]?.ports?.map(({ port }) => port).toSorted()).toEqual([80, 81]);
  });

  it('keeps a thousand addresses, the ready ones first', async () => {
    const bench = new ControllerBench();
    bench.add(services, makeService());
    for (let i = 1; i <= 1010; i++) bench.add(pods, makePod(i, i > 20));
    await bench.run(endpointsController);
    const written = bench.get(endpoints, 'default', 'web');
    expect(written?.metadata.annotations?.['endpoints.kubernetes.io/over-capacity']).toBe('truncated');
    expect(written?.subsets?.[0]?.addresses).toHaveLength(990);
    expect(written?.subsets?.[0]?.notReadyAddresses).toHaveLength(10);
  });

  it('has no endpoints for services without selector or with another name', async () => {
    const bench = new ControllerBench();
    bench.add(services, makeService({ selector: {} }));
    await bench.run(endpointsController);
    expect(bench.writeTexts()).toEqual([]);
  });
});
