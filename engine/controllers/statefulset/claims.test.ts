/** Situations of the claims that StatefulSets make for their pods. */
import { describe, expect, it } from 'vitest';
import { newInternalError } from '../../apimachinery/errors.ts';
import { persistentVolumeClaims, pods, statefulSets } from '../../client/resources.ts';
import { statefulSetController } from './controller.ts';
import { claimTemplates, makeSet, SetBench } from './testing/set-bench.ts';

describe('claims of a StatefulSet', () => {
  it('are made with the pod and mounted by it', async () => {
    const bench = await SetBench.with(makeSet(1, claimTemplates));
    expect(bench.get(persistentVolumeClaims, 'default', 'data-web-0')).toMatchObject({
      metadata: { labels: { app: 'web', tier: 'disk' } },
      spec: { accessModes: ['ReadWriteOnce'] },
    });
    expect(bench.get(pods, 'default', 'web-0')?.spec?.volumes).toEqual([{ name: 'data', persistentVolumeClaim: { claimName: 'data-web-0' } }]);
    expect(bench.eventTexts()).toEqual([
      'Normal SuccessfulCreate Create Claim data-web-0 Pod web-0 in StatefulSet web success',
      'Normal SuccessfulCreate Create Pod web-0 in StatefulSet web successful',
    ]);
  });

  it('are made again for a pod that waits', async () => {
    const bench = await SetBench.with(makeSet(1, claimTemplates));
    bench.remove(persistentVolumeClaims, 'default', 'data-web-0');
    bench.put('web-0', { phase: 'Pending', message: 'waits' });
    await bench.advance(50);
    expect(bench.get(persistentVolumeClaims, 'default', 'data-web-0')).toBeDefined();
  });

  it.each([
    ['nobody', {}, []],
    ['the set', { whenDeleted: 'Delete' }, ['StatefulSet web']],
    ['nobody yet', { whenScaled: 'Delete' }, []],
    ['the set', { whenDeleted: 'Delete', whenScaled: 'Delete' }, ['StatefulSet web']],
  ])('are owned by %s under %j', async (_, policy, owners) => {
    const bench = await SetBench.serving(1, { ...claimTemplates, persistentVolumeClaimRetentionPolicy: policy });
    const claim = bench.mustGet(persistentVolumeClaims, 'default', 'data-web-0');
    expect((claim.metadata.ownerReferences ?? []).map(({ kind, name }) => `${kind} ${name}`)).toEqual(owners);
  });

  it('go with a pod that is scaled away, and hold its successor back until they are gone', async () => {
    const bench = await SetBench.serving(2, {
      ...claimTemplates,
      persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Retain' },
    });
    bench.edit({ replicas: 1 });
    await bench.advance(50);
    const { ownerReferences } = bench.mustGet(persistentVolumeClaims, 'default', 'data-web-1').metadata;
    expect(ownerReferences?.map(({ kind, name, controller }) => [kind, name, controller])).toEqual([['Pod', 'web-1', true]]);
    await bench.end('web-1');
    bench.edit({ replicas: 2 });
    await bench.advance(1_000);
    expect(bench.names()).toEqual(['web-0']);
    bench.remove(persistentVolumeClaims, 'default', 'data-web-1');
    bench.change(statefulSets, 'default', 'web', (set) => ({ ...set, metadata: { ...set.metadata, annotations: { again: '1' } } }));
    await bench.advance(1_000);
    expect(bench.names()).toEqual(['web-0', 'web-1']);
  });

  it('tell of another controller and leave it alone', async () => {
    const bench = await SetBench.serving(1, claimTemplates);
    const other = { apiVersion: 'x.io/v1', kind: 'Disk', name: 'd', uid: 'disk-uid', controller: true };
    bench.change(persistentVolumeClaims, 'default', 'data-web-0', (claim) => ({
      ...claim,
      metadata: { ...claim.metadata, ownerReferences: [other] },
    }));
    bench.edit({ persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' } });
    await bench.advance(1_000);
    expect(bench.mustGet(persistentVolumeClaims, 'default', 'data-web-0').metadata.ownerReferences).toEqual([other]);
  });

  it('stop the pod when they cannot be made', async () => {
    const bench = new SetBench();
    bench.refuse = ({ resource }) => {
      if (resource === 'persistentvolumeclaims') throw newInternalError('no disks');
    };
    bench.add(statefulSets, makeSet(1, claimTemplates));
    await bench.run(statefulSetController);
    expect(bench.names()).toEqual([]);
    expect(bench.eventTexts().slice(0, 2)).toEqual([
      'Warning FailedCreate Create Claim data-web-0 for Pod web-0 in StatefulSet web failed error: Internal error occurred: no disks',
      'Warning FailedCreate Create Pod web-0 in StatefulSet web failed error: failed to create PVC data-web-0: Internal error occurred: no disks',
    ]);
  });
});
