import { describe, expect, it } from 'vitest';
import type { StorageVersion } from '../../api/apiserverinternal/v1alpha1/types.gen.ts';
import { leases, resourceType } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { storageVersionGarbageCollectorController } from './controller.ts';

const versions = resourceType<StorageVersion>('internal.apiserver.k8s.io', 'v1alpha1', 'storageversions', 'StorageVersion', false);
const said = (apiServerID: string, encodingVersion = 'v1') => ({ apiServerID, encodingVersion, decodableVersions: ['v1'] });
const lease = (name: string) => ({
  metadata: { namespace: 'kube-system', name, labels: { 'apiserver.kubernetes.io/identity': 'kube-apiserver' } },
  spec: {},
});

async function aBench(servers: readonly string[], ...storageVersions: readonly object[]): Promise<ControllerBench> {
  const bench = new ControllerBench();
  for (const server of servers) bench.add(leases, lease(server));
  bench.add(versions, { metadata: { name: 'core.pods' }, spec: {}, status: { storageVersions } });
  await bench.run(storageVersionGarbageCollectorController);
  return bench;
}

describe('storageversion-garbage-collector-controller', () => {
  it('forgets what a server said that is gone', async () => {
    const bench = await aBench(['a'], said('a'), said('b', 'v2'));
    expect(bench.get(versions, undefined, 'core.pods')?.status).toEqual({ storageVersions: [said('a')], commonEncodingVersion: 'v1' });
  });

  it('deletes what no server says', async () => {
    expect((await aBench([], said('b'))).writeTexts()).toEqual(['delete storageversions core.pods']);
  });

  it('hears that a server goes', async () => {
    const bench = await aBench(['a', 'b'], said('a'), said('b'));
    expect(bench.writes).toEqual([]);
    bench.remove(leases, 'kube-system', 'b');
    await bench.settle();
    expect(bench.get(versions, undefined, 'core.pods')?.status?.storageVersions).toEqual([said('a')]);
  });
});
