/** Snapshots of the shipped driver's volumes in a whole cluster: taken, told, restored from, refused and deleted. */
import { describe, expect, it } from 'vitest';
import type { Event, PersistentVolumeClaim } from '../api/core/v1/types.gen.ts';
import type { VolumeSnapshot, VolumeSnapshotContent } from '../api/snapshot/v1/types.ts';
import { aCluster, madeCluster, type TestCluster } from '../../test/support/cluster.ts';

const root = '/apis/snapshot.storage.k8s.io/v1';
const snapshotsPath = `${root}/namespaces/default/volumesnapshots`;
const contentsPath = `${root}/volumesnapshotcontents`;
const claimsPath = '/api/v1/namespaces/default/persistentvolumeclaims';
const driver = 'disk.csi.sim.wavetank.dev';

function claim(name: string, size = '2Gi', spec: object = {}): object {
  return {
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'now', resources: { requests: { storage: size } }, ...spec },
  };
}

const restored = (name: string): object => ({ dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name } });

/** With a class that binds at once, a bound claim `c` and a default class of snapshots. */
async function withClaim(deletionPolicy = 'Delete'): Promise<TestCluster> {
  const made = await aCluster({ nodes: 1, zones: 1 });
  made.call('POST', '/apis/storage.k8s.io/v1/storageclasses', { metadata: { name: 'now' }, provisioner: driver });
  made.call('POST', `${root}/volumesnapshotclasses`, {
    metadata: { name: 'snap', annotations: { 'snapshot.storage.kubernetes.io/is-default-class': 'true' } },
    driver,
    deletionPolicy,
  });
  await made.advance(1000);
  made.call('POST', claimsPath, claim('c'));
  await made.advance(20_000);
  expect(claimOf(made, 'c').status?.phase).toBe('Bound');
  return made;
}

const take = (made: TestCluster, name: string, spec: object = { source: { persistentVolumeClaimName: 'c' } }): void =>
  void made.call('POST', snapshotsPath, { metadata: { name }, spec });
const snapshotOf = (made: TestCluster, name: string): VolumeSnapshot => made.call('GET', `${snapshotsPath}/${name}`);
const claimOf = (made: TestCluster, name: string): PersistentVolumeClaim => made.call('GET', `${claimsPath}/${name}`);
const eventsOf = ({ cluster }: TestCluster, kind: string, name: string): readonly string[] =>
  (cluster.stored('events') as readonly Event[])
    .filter(({ involvedObject: it }) => it.kind === kind && it.name === name)
    .map(({ type, reason, message }) => `${type} ${reason}: ${message}`);

describe('snapshots', () => {
  it('are taken of a bound claim by the default class, told at every step, and bound to their content', async () => {
    const made = await withClaim();
    take(made, 's');
    await made.advance(1000);
    const begun = snapshotOf(made, 's');
    const name = `snapcontent-${begun.metadata.uid ?? ''}`;
    expect(begun.spec?.volumeSnapshotClassName).toBe('snap');
    expect(begun.status).toEqual({ boundVolumeSnapshotContentName: name, readyToUse: false });
    expect(claimOf(made, 'c').metadata.finalizers).toContain('snapshot.storage.kubernetes.io/pvc-as-source-protection');
    await made.advance(10_000);
    const ready = snapshotOf(made, 's');
    expect(ready.status).toEqual({
      boundVolumeSnapshotContentName: name,
      readyToUse: true,
      restoreSize: '2Gi',
      creationTime: expect.stringMatching(/^2026-01-01T00:/) as string,
    });
    expect(ready.metadata.finalizers).toEqual([
      'snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection',
      'snapshot.storage.kubernetes.io/volumesnapshot-bound-protection',
    ]);
    expect(claimOf(made, 'c').metadata.finalizers).not.toContain('snapshot.storage.kubernetes.io/pvc-as-source-protection');
    const content = made.call<VolumeSnapshotContent>('GET', `${contentsPath}/${name}`);
    expect(content.spec).toMatchObject({
      driver,
      deletionPolicy: 'Delete',
      volumeSnapshotClassName: 'snap',
      sourceVolumeMode: 'Filesystem',
      source: { volumeHandle: `pvc-${claimOf(made, 'c').metadata.uid ?? ''}` },
      volumeSnapshotRef: { kind: 'VolumeSnapshot', namespace: 'default', name: 's', uid: begun.metadata.uid },
    });
    expect(content.status).toMatchObject({ readyToUse: true, restoreSize: 2 ** 31, snapshotHandle: `snapshot-${begun.metadata.uid ?? ''}` });
    expect(content.metadata.annotations).toBeUndefined();
    expect(eventsOf(made, 'VolumeSnapshot', 's')).toEqual([
      'Normal CreatingSnapshot: Waiting for a snapshot default/s to be created by the CSI driver.',
      'Normal SnapshotCreated: Snapshot default/s was successfully created by the CSI driver.',
      'Normal SnapshotReady: Snapshot default/s is ready to use.',
    ]);
  });

  it('make new volumes, when they are ready and small enough', async () => {
    const made = await withClaim();
    made.call('POST', claimsPath, claim('early', '2Gi', restored('s')));
    made.call('POST', claimsPath, claim('small', '1Gi', restored('s')));
    await made.advance(3000);
    expect(eventsOf(made, 'PersistentVolumeClaim', 'early').join()).toContain(
      'failed to provision volume with StorageClass "now": error getting handle for DataSource Type VolumeSnapshot by Name s: error getting snapshot s from api server: volumesnapshots.snapshot.storage.k8s.io "s" not found',
    );
    take(made, 's');
    await made.advance(60_000);
    expect(claimOf(made, 'early').status).toMatchObject({ phase: 'Bound', capacity: { storage: '2Gi' } });
    expect(claimOf(made, 'small').status?.phase).toBe('Pending');
    expect(eventsOf(made, 'PersistentVolumeClaim', 'small').join()).toContain(
      'requested volume size 1073741824 is less than the size 2147483648 for the source snapshot s',
    );
  });

  it('go with what is behind them, or leave it, as their class says', async () => {
    for (const [policy, left] of [
      ['Delete', 404],
      ['Retain', 200],
    ] as const) {
      const made = await withClaim(policy);
      take(made, 's');
      await made.advance(10_000);
      const name = snapshotOf(made, 's').status?.boundVolumeSnapshotContentName ?? '';
      made.call('DELETE', `${snapshotsPath}/s`);
      await made.advance(10_000);
      expect(made.ask('GET', `${snapshotsPath}/s`).status).toBe(404);
      expect(made.ask('GET', `${contentsPath}/${name}`).status).toBe(left);
    }
  });

  it('bind to a content that is there already', async () => {
    const made = await withClaim();
    take(made, 's', { source: { volumeSnapshotContentName: 'mine' } });
    await made.advance(2000);
    expect(snapshotOf(made, 's').status).toMatchObject({ readyToUse: false, error: { message: 'VolumeSnapshotContent is missing' } });
    made.call('POST', contentsPath, {
      metadata: { name: 'mine' },
      spec: { driver, deletionPolicy: 'Retain', source: { snapshotHandle: 'h' }, volumeSnapshotRef: { namespace: 'default', name: 's' } },
    });
    await made.advance(30_000);
    expect(snapshotOf(made, 's').status).toMatchObject({ readyToUse: true, boundVolumeSnapshotContentName: 'mine' });
    expect(snapshotOf(made, 's').status?.error).toBeUndefined();
    expect(made.call<VolumeSnapshotContent>('GET', `${contentsPath}/mine`).status).toMatchObject({ snapshotHandle: 'h', readyToUse: true });
  });

  it.each<readonly [string, object, string]>([
    [
      'of a claim that is not there',
      { source: { persistentVolumeClaimName: 'x' }, volumeSnapshotClassName: 'snap' },
      'Warning SnapshotContentCreationFailed: Failed to create snapshot content with error snapshot controller failed to update s on API server: cannot get claim from snapshot',
    ],
    [
      'of a class that is not there',
      { source: { persistentVolumeClaimName: 'c' }, volumeSnapshotClassName: 'x' },
      'Warning GetSnapshotClassFailed: Failed to get snapshot class with error volumesnapshotclass.snapshot.storage.k8s.io "x" not found',
    ],
    [
      'of a claim without volume',
      { source: { persistentVolumeClaimName: 'unbound' }, volumeSnapshotClassName: 'snap' },
      'Warning SnapshotContentCreationFailed: Failed to create snapshot content with error failed to get input parameters to create snapshot s: "the PVC unbound is not yet bound to a PV, will not attempt to take a snapshot"',
    ],
  ])('%s say why there is none', async (_name, spec, why) => {
    const made = await withClaim();
    made.call('POST', claimsPath, claim('unbound', '1Gi', { storageClassName: 'none' }));
    take(made, 's', spec);
    await made.advance(20_000);
    expect(eventsOf(made, 'VolumeSnapshot', 's')).toEqual([why]);
    expect(snapshotOf(made, 's').status?.error?.message).toBe(why.slice(why.indexOf(': ') + 2));
  });

  it('go on after a restore', async () => {
    const made = await withClaim();
    take(made, 's');
    await made.advance(1200);
    await made.quiet();
    const other = madeCluster({ nodes: 1, zones: 1 });
    other.cluster.restore(JSON.parse(JSON.stringify(made.cluster.save())));
    for (const each of [made, other]) await each.advance(20_000);
    expect(snapshotOf(other, 's').status?.readyToUse).toBe(true);
    expect(other.cluster.digest).toBe(made.cluster.digest);
  });

  it.each<readonly [string, object, string]>([
    [snapshotsPath, { spec: { source: {} } }, 'exactly one of volumeSnapshotContentName and persistentVolumeClaimName must be set'],
    [snapshotsPath, {}, 'spec: Required value'],
    [
      contentsPath,
      { spec: { driver: 'd', deletionPolicy: 'Keep', source: { volumeHandle: 'h' }, volumeSnapshotRef: {} } },
      'spec.deletionPolicy: Unsupported value: "Keep"',
    ],
    [`${root}/volumesnapshotclasses`, { deletionPolicy: 'Delete' }, 'driver: Required value'],
  ])('%s refuses %j', async (path, body, why) => {
    const made = await aCluster({ nodes: 0 });
    const refused = made.ask('POST', path, { metadata: { name: 'x' }, ...body });
    expect(refused.status).toBe(422);
    expect(refused.object.message).toContain(why);
  });
});
