import { describe, expect, it } from 'vitest';
import { persistentVolumeClaims, persistentVolumes, pods } from '../../client/resources.ts';
import { persistentVolumeProtectionController } from '../pv-protection/controller.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import { persistentVolumeClaimProtectionController } from './controller.ts';

const deletionTimestamp = '2026-01-01T00:00:00Z';

describe('protection of volumes and claims', () => {
  it('keeps a claim while a pod on a node uses it', async () => {
    const fake = new FakeCluster();
    fake.add(persistentVolumeClaims, {
      metadata: { namespace: 'ns', name: 'c', deletionTimestamp, finalizers: ['kubernetes.io/pvc-protection'] },
      spec: {},
    });
    fake.add(pods, {
      metadata: { namespace: 'ns', name: 'p' },
      spec: { nodeName: 'n', containers: [], volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] },
    });
    await fake.run(persistentVolumeClaimProtectionController);
    expect(fake.writeTexts()).toEqual([]);
    fake.remove(pods, 'ns', 'p');
    await fake.settle();
    expect(fake.writeTexts()).toEqual(['update persistentvolumeclaims ns/c']);
  });

  it.each([
    ['Bound', []],
    ['Released', ['update persistentvolumes v']],
  ])('a volume that is %s', async (phase, writes) => {
    const fake = new FakeCluster();
    fake.add(persistentVolumes, {
      metadata: { name: 'v', deletionTimestamp, finalizers: ['kubernetes.io/pv-protection'] },
      spec: {},
      status: { phase },
    });
    await fake.run(persistentVolumeProtectionController);
    expect(fake.writeTexts()).toEqual(writes);
  });
});
