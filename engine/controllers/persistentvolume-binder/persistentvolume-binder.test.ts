import { describe, expect, it } from 'vitest';
import type { PersistentVolume, PersistentVolumeClaim } from '../../api/core/v1/types.gen.ts';
import { persistentVolumeClaims, persistentVolumes, pods, storageClasses } from '../../client/resources.ts';
import { newConflict } from '../../apimachinery/errors.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { persistentVolumeBinderController } from './controller.ts';
import { boundVolume, claim, type Situation, situations, volume } from './testing/situations.ts';

const resyncMs = 15_000;
function fill(bench: ControllerBench, { claims = [], volumes = [], classes = [], pods: users = [] }: Situation): void {
  classes.forEach((one) => bench.add(storageClasses, one));
  volumes.forEach((one) => bench.add(persistentVolumes, one));
  claims.forEach((one) => bench.add(persistentVolumeClaims, one));
  users.forEach((one) => bench.add(pods, one));
}

const textOf = ({ status, spec }: PersistentVolumeClaim): string =>
  [status?.phase, spec?.volumeName, status?.capacity?.['storage']].filter(Boolean).join(' ');
const volumeText = ({ status, spec }: PersistentVolume): string =>
  [status?.phase, spec?.claimRef === undefined ? undefined : `${spec.claimRef.namespace}/${spec.claimRef.name}`].filter(Boolean).join(' ');

function expectAsWanted(bench: ControllerBench, { wantClaims, wantVolumes }: Situation): void {
  const claims = Object.fromEntries(bench.list(persistentVolumeClaims).map((one) => [one.metadata.name, textOf(one)]));
  const volumes = Object.fromEntries(bench.list(persistentVolumes).map((one) => [one.metadata.name, volumeText(one)]));
  if (wantClaims !== undefined) expect(claims).toEqual(wantClaims);
  if (wantVolumes !== undefined) expect(volumes).toEqual(wantVolumes);
}

describe('persistentvolume-binder-controller', () => {
  it.each(situations)('$name', async (situation) => {
    const bench = new ControllerBench();
    fill(bench, situation);
    await bench.run(persistentVolumeBinderController);
    expectAsWanted(bench, situation);
    expect([...new Set(bench.eventTexts())]).toEqual(situation.events ?? []);
    bench.clear();
    await bench.advance(2 * resyncMs);
    expect(bench.writeTexts()).toEqual([]);
    expectAsWanted(bench, situation);
  });

  it.each(situations.filter(({ wantClaims, wantVolumes }) => wantClaims ?? wantVolumes))(
    'refused at every write, in the end: $name',
    async (situation) => {
      for (let refused = 0; refused < 5; refused++) {
        const bench = new ControllerBench();
        fill(bench, situation);
        let writes = 0;
        bench.refuse = () => {
          if (writes++ === refused) throw conflict();
        };
        await bench.run(persistentVolumeBinderController);
        await bench.advance(2 * resyncMs);
        expectAsWanted(bench, situation);
      }
    },
  );

  it('writes a pair in four steps, with the annotations of what it did', async () => {
    const bench = new ControllerBench();
    bench.add(persistentVolumes, volume('v'));
    bench.add(persistentVolumeClaims, claim('c'));
    await bench.run(persistentVolumeBinderController);
    expect(bench.writeTexts()).toEqual([
      'update persistentvolumes v',
      'updateStatus persistentvolumes v',
      'update persistentvolumeclaims ns/c',
      'updateStatus persistentvolumeclaims ns/c',
    ]);
    const bound = bench.mustGet(persistentVolumeClaims, 'ns', 'c');
    expect(bound.metadata.annotations).toEqual({ 'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes' });
    expect(bench.mustGet(persistentVolumes, undefined, 'v')).toMatchObject({
      metadata: { annotations: { 'pv.kubernetes.io/bound-by-controller': 'yes' } },
      spec: { claimRef: { kind: 'PersistentVolumeClaim', namespace: 'ns', name: 'c', uid: 'uid-c', apiVersion: 'v1' } },
    });
  });

  it('gives one volume to one of two claims', async () => {
    const bench = new ControllerBench();
    bench.add(persistentVolumes, volume('v'));
    for (const name of ['a', 'b']) bench.add(persistentVolumeClaims, claim(name));
    await bench.run(persistentVolumeBinderController);
    expect(bench.list(persistentVolumeClaims).map(textOf)).toEqual(['Bound v 5Gi', 'Pending']);
  });

  it('binds a claim that waits to a volume that comes, with the next period', async () => {
    const bench = new ControllerBench();
    bench.add(persistentVolumeClaims, claim('c'));
    await bench.run(persistentVolumeBinderController);
    await bench.advance(5_000);
    bench.add(persistentVolumes, volume('v', { status: { phase: 'Pending' } }));
    await bench.advance(9_900);
    expect(bench.list(persistentVolumeClaims).map(textOf)).toEqual(['Pending']);
    await bench.advance(100);
    expect(bench.list(persistentVolumeClaims).map(textOf)).toEqual(['Bound v 5Gi']);
  });

  it('recycles a volume by a pod, and gives it back', async () => {
    const bench = new ControllerBench();
    bench.add(persistentVolumes, boundVolume({ persistentVolumeReclaimPolicy: 'Recycle' }));
    await bench.run(persistentVolumeBinderController);
    const pod = bench.mustGet(pods, 'default', 'recycler-for-v');
    expect(pod.spec).toMatchObject({ activeDeadlineSeconds: 150, restartPolicy: 'Never', volumes: [{ name: 'vol', hostPath: { path: '/tmp/v' } }] });
    bench.change(pods, 'default', 'recycler-for-v', (one) => ({ ...one, status: { phase: 'Succeeded' } }));
    await bench.settle();
    expect(bench.get(pods, 'default', 'recycler-for-v')).toBeUndefined();
    expect(volumeText(bench.mustGet(persistentVolumes, undefined, 'v'))).toBe('Available');
    expect(bench.eventTexts()).toEqual(['Normal VolumeRecycled Volume recycled']);
  });

  it('says why a volume could not be recycled', async () => {
    const bench = new ControllerBench();
    bench.add(persistentVolumes, boundVolume({ persistentVolumeReclaimPolicy: 'Recycle' }));
    await bench.run(persistentVolumeBinderController);
    bench.change(pods, 'default', 'recycler-for-v', (one) => ({ ...one, status: { phase: 'Failed', message: 'out of luck' } }));
    await bench.settle();
    expect(bench.eventTexts()).toEqual(['Warning VolumeFailedRecycle Recycle failed: failed to recycle volume: out of luck']);
    expect(bench.mustGet(persistentVolumes, undefined, 'v').status).toMatchObject({ phase: 'Failed' });
  });

  it('goes on over a restore in the middle of a recycling', async () => {
    const bench = new ControllerBench();
    bench.add(persistentVolumes, boundVolume({ persistentVolumeReclaimPolicy: 'Recycle' }));
    await bench.run(persistentVolumeBinderController);
    const next = new ControllerBench();
    next.store.load(bench.store.checkpoint());
    await next.run(persistentVolumeBinderController, JSON.parse(JSON.stringify(bench.save())) as never);
    next.change(pods, 'default', 'recycler-for-v', (one) => ({ ...one, status: { phase: 'Succeeded' } }));
    await next.settle();
    expect(volumeText(next.mustGet(persistentVolumes, undefined, 'v'))).toBe('Available');
  });
});

function conflict(): Error {
  return newConflict({ group: '', resource: 'x' }, 'x', 'by the test');
}
