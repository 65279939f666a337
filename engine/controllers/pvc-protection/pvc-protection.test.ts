import { describe, expect, it } from 'vitest';
import { persistentVolumeClaims, persistentVolumes, pods } from '../../client/resources.ts';
import { persistentVolumeProtectionController } from '../pv-protection/controller.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { persistentVolumeClaimProtectionController } from './controller.ts';

const deletionTimestamp = '2026-01-01T00:00:00Z';

describe('protection of volumes and claims', () => {
  it('keeps a claim while a pod on a node uses it', async () => {
    const bench = new ControllerBench();
    bench.add(persistentVolumeClaims, {
      metadata: { namespace: 'ns', name: 'c', deletionTimestamp, finalizers: ['kubernetes.io/pvc-protection'] },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
    bench.add(pods, {
      metadata: { namespace: 'ns', name: 'p' },
      spec: { nodeName: 'n', containers: [], volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] },
    });
    await bench.run(persistentVolumeClaimProtectionController);
    expect(bench.writeTexts()).toEqual([]);
    bench.remove(pods, 'ns', 'p');
    await bench.settle();
    expect(bench.writeTexts()).toEqual(['update persistentvolumeclaims ns/c']);
  });

  it.each([
    ['Bound', []],
    ['Released', ['update persistentvolumes v']],
  ])('a volume that is %s', async (phase, writes) => {
    const bench = new ControllerBench();
    bench.add(persistentVolumes, {
      metadata: { name: 'v', deletionTimestamp, finalizers: ['kubernetes.io/pv-protection'] },
      spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/data' } },
      status: { phase },
    });
    await bench.run(persistentVolumeProtectionController);
    expect(bench.writeTexts()).toEqual(writes);
  });
});
