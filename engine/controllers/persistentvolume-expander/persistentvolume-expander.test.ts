import { describe, expect, it } from 'vitest';
import type { PersistentVolume, PersistentVolumeClaim } from '../../api/core/v1/types.gen.ts';
import { newServiceUnavailable } from '../../apimachinery/errors.ts';
import { persistentVolumeClaims, persistentVolumes } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { persistentVolumeExpanderController } from './controller.ts';

async function aBench(source: object, uid = 'uid-c'): Promise<ControllerBench> {
  const bench = new ControllerBench();
  bench.add<PersistentVolume>(persistentVolumes, {
    metadata: { name: 'v' },
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], claimRef: { namespace: 'ns', name: 'c', uid }, ...source },
    status: { phase: 'Bound' },
  });
  bench.add<PersistentVolumeClaim>(persistentVolumeClaims, {
    metadata: { namespace: 'ns', name: 'c', uid: 'uid-c' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeName: 'v' },
    status: { phase: 'Bound', capacity: { storage: '1Gi' } },
  });
  await bench.run(persistentVolumeExpanderController);
  return bench;
}

async function grow(bench: ControllerBench, storage: string): Promise<void> {
  bench.change<PersistentVolumeClaim>(persistentVolumeClaims, 'ns', 'c', (one) => ({
    ...one,
    spec: { ...one.spec, resources: { requests: { storage } } },
  }));
  await bench.settle();
}

describe('persistentvolume-expander-controller', () => {
  it('says once that somebody outside grows the volume', async () => {
    const bench = await aBench({ csi: { driver: 'd', volumeHandle: 'h' } });
    expect(bench.eventTexts()).toEqual([]);
    await grow(bench, '2Gi');
    await bench.advance(60_000);
    expect(bench.eventTexts()).toEqual(['Normal ExternalExpanding waiting for an external controller to expand this PVC']);
    expect(bench.writeTexts()).toEqual([]);
  });

  it('names the driver that took over from an in-tree plugin', async () => {
    const bench = await aBench({ awsElasticBlockStore: { volumeID: 'x' } });
    await grow(bench, '2Gi');
    expect(bench.eventTexts()).toEqual([
      'Normal ExternalExpanding CSI migration enabled for kubernetes.io/aws-ebs; waiting for external resizer to expand the pvc',
    ]);
    expect(bench.mustGet(persistentVolumeClaims, 'ns', 'c').metadata.annotations).toEqual({
      'volume.kubernetes.io/storage-resizer': 'ebs.csi.aws.com',
    });
    // Its role lets it write the status of claims alone.
    expect(bench.writeTexts()).toEqual(['patch persistentvolumeclaims/status ns/c']);
  });

  it('says that it could not name the driver, and tries again', async () => {
    const bench = await aBench({ awsElasticBlockStore: { volumeID: 'x' } });
    bench.refuse = () => {
      throw newServiceUnavailable('down');
    };
    await grow(bench, '2Gi');
    expect(bench.eventTexts()[1]).toBe(
      'Warning ExternalExpanding error setting resizer annotation to pvc ns/c, with error patchPVCStatus failed to patch PVC "c": down',
    );
    bench.refuse = undefined;
    await bench.advance(1_000);
    expect(bench.writeTexts()).toEqual(['patch persistentvolumeclaims/status ns/c']);
  });

  it('leaves a claim alone that asks for less', async () => {
    const bench = await aBench({ csi: { driver: 'd', volumeHandle: 'h' } });
    await grow(bench, '500Mi');
    expect(bench.eventTexts()).toEqual([]);
  });

  it('waits until the volume is the claim’s', async () => {
    const bench = await aBench({ csi: { driver: 'd', volumeHandle: 'h' } }, 'other');
    await grow(bench, '2Gi');
    expect(bench.errors[0]).toBe('persistent Volume is not bound to PVC being updated : ns/c');
    bench.change<PersistentVolume>(persistentVolumes, undefined, 'v', (one) => ({
      ...one,
      spec: { ...one.spec, claimRef: { ...one.spec?.claimRef, uid: 'uid-c' } },
    }));
    await bench.advance(2_000);
    expect(bench.eventTexts()).toHaveLength(1);
  });
});
