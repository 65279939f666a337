import { describe, expect, it } from 'vitest';
import type { Pod } from '../../api/core/v1/types.gen.ts';
import { newForbidden } from '../../apimachinery/errors.ts';
import { persistentVolumeClaims, pods } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { ephemeralVolumeController } from './controller.ts';

const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

function addPod(bench: ControllerBench, metadata: object = {}): void {
  bench.add<Pod>(pods, {
    metadata: { namespace: 'ns', name: 'p', uid: 'uid-p', ...metadata },
    spec: {
      containers: [],
      volumes: [
        { name: 'data', ephemeral: { volumeClaimTemplate: { metadata: { labels: { app: 'a' }, annotations: { note: 'n' } }, spec } } },
        { name: 'scratch', emptyDir: {} },
      ],
    },
  });
}

describe('ephemeral-volume-controller', () => {
  it('makes the claim of an ephemeral volume, owned by the pod', async () => {
    const bench = new ControllerBench();
    addPod(bench);
    await bench.run(ephemeralVolumeController);
    expect(bench.writeTexts()).toEqual(['create persistentvolumeclaims ns/p-data']);
    expect(bench.mustGet(persistentVolumeClaims, 'ns', 'p-data')).toMatchObject({
      metadata: {
        labels: { app: 'a' },
        annotations: { note: 'n' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'uid-p', controller: true, blockOwnerDeletion: true }],
      },
      spec,
    });
    await bench.advance(60_000);
    expect(bench.writeTexts()).toHaveLength(1);
  });

  it('makes it again when it went', async () => {
    const bench = new ControllerBench();
    addPod(bench);
    await bench.run(ephemeralVolumeController);
    bench.remove(persistentVolumeClaims, 'ns', 'p-data');
    await bench.settle();
    expect(bench.writeTexts()).toHaveLength(2);
  });

  it('takes no claim of somebody else, and says so', async () => {
    const bench = new ControllerBench();
    bench.add(persistentVolumeClaims, { metadata: { namespace: 'ns', name: 'p-data' }, spec });
    addPod(bench);
    await bench.run(ephemeralVolumeController);
    expect(bench.writeTexts()).toEqual([]);
    expect(bench.eventTexts()[0]).toBe('Warning FailedBinding ephemeral volume data: PVC ns/p-data was not created for pod ns/p (pod is not owner)');
  });

  it('makes none for a pod that is going', async () => {
    const bench = new ControllerBench();
    addPod(bench, { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['x/y'] });
    await bench.run(ephemeralVolumeController);
    expect(bench.writeTexts()).toEqual([]);
  });

  it('tells what the API refuses, and tries again', async () => {
    const bench = new ControllerBench();
    let refusals = 2;
    bench.refuse = () => {
      if (refusals-- > 0) throw newForbidden({ group: '', resource: 'persistentvolumeclaims' }, 'p-data', 'exceeded quota');
    };
    addPod(bench);
    await bench.run(ephemeralVolumeController);
    await bench.advance(1_000);
    expect(bench.eventTexts()[0]).toBe(
      'Warning FailedBinding ephemeral volume data: create PVC p-data: persistentvolumeclaims "p-data" is forbidden: exceeded quota',
    );
    expect(bench.list(persistentVolumeClaims)).toHaveLength(1);
  });
});
