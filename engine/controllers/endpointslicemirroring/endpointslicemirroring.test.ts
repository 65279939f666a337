import { describe, expect, it } from 'vitest';
import { endpointSlices, endpoints, services } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { endpointSliceMirroringController } from './controller.ts';

const place = { namespace: 'default', name: 'web' };

async function mirrored(subsets: readonly object[], metadata: object = {}): Promise<ControllerBench> {
  const bench = new ControllerBench();
  bench.add(services, { metadata: place, spec: { clusterIP: '10.96.0.10', ports: [{ port: 80 }] } });
  bench.add(endpoints, { metadata: { ...place, uid: 'own', ...metadata }, subsets });
  await bench.run(endpointSliceMirroringController);
  return bench;
}

const subset = (...ips: readonly string[]): object => ({
  addresses: ips.map((ip) => ({ ip })),
  ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
});

describe('endpointslice-mirroring-controller', () => {
  it('makes a slice for each address family and follows the Endpoints', async () => {
    const bench = await mirrored([subset('10.1.2.3', '2001:db8::1')], { annotations: { a: 'b' } });
    const shown = () =>
      bench.list(endpointSlices).map(({ addressType, endpoints: list }) => [addressType, list?.map(({ addresses }) => addresses?.[0])]);
    expect(shown().sort()).toEqual([
      ['IPv4', ['10.1.2.3']],
      ['IPv6', ['2001:db8::1']],
    ]);
    expect(bench.list(endpointSlices)[0]?.metadata).toMatchObject({ annotations: { a: 'b' }, ownerReferences: [{ kind: 'Endpoints', uid: 'own' }] });
    bench.change(endpoints, 'default', 'web', (object) => ({ ...object, subsets: [subset('10.1.2.4')] }));
    await bench.settle();
    expect(shown()).toEqual([['IPv4', ['10.1.2.4']]]);
  });

  it('writes nothing a second time', async () => {
    const bench = await mirrored([subset('10.1.2.3')]);
    bench.clear();
    bench.change(endpoints, 'default', 'web', (object) => ({
      ...object,
      metadata: { ...object.metadata, annotations: { 'endpoints.kubernetes.io/last-change-trigger-time': 'x' } },
    }));
    await bench.advance(5000);
    expect(bench.writeTexts()).toEqual([]);
  });

  it('removes its slices when the service gets a selector', async () => {
    const bench = await mirrored([subset('10.1.2.3')]);
    bench.change(services, 'default', 'web', (service) => ({ ...service, spec: { ...service.spec, selector: { app: 'web' } } }));
    await bench.settle();
    expect(bench.list(endpointSlices)).toEqual([]);
  });

  it('tells how many addresses are too many', async () => {
    const bench = await mirrored([subset(...Array.from({ length: 1002 }, (_, i) => `10.2.${Math.floor(i / 250)}.${(i % 250) + 1}`))]);
    expect(bench.list(endpointSlices)[0]?.endpoints?.length).toBe(1000);
    expect(bench.eventTexts()).toEqual([
      'Warning TooManyAddressesToMirror A max of 1000 addresses can be mirrored to EndpointSlices per Endpoints subset. 2 addresses were skipped',
    ]);
  });
});
