/** Volumes from claim to file system in a whole cluster: binder, scheduler, driver, attach-detach controller and kubelet together. */
import { describe, expect, it } from 'vitest';
import type { Event, Node, PersistentVolume, PersistentVolumeClaim, Pod } from '../api/core/v1/types.gen.ts';
import { cloudQuota, volumeProvisionSlowness } from '../base/fault-points.ts';
import type { CSINode, VolumeAttachment } from '../api/storage/v1/types.gen.ts';
import { aCluster, madeCluster, type TestCluster } from '../../test/support/cluster.ts';

const claimsPath = '/api/v1/namespaces/default/persistentvolumeclaims';
const podsPath = '/api/v1/namespaces/default/pods';

function claim(name: string, spec: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
  };
}

function pod(name: string, claimName: string, spec: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      terminationGracePeriodSeconds: 1,
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
      containers: [{ name: 'c', image: 'nginx', volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
      ...spec,
    },
  };
}

const volumes = ({ cluster }: TestCluster): readonly PersistentVolume[] => cluster.stored('persistentvolumes') as PersistentVolume[];
const attachments = ({ cluster }: TestCluster): readonly VolumeAttachment[] => cluster.stored('volumeattachments') as VolumeAttachment[];
const nodeOf = ({ cluster }: TestCluster, name: string): Node | undefined =>
  (cluster.stored('minions') as Node[]).find((one) => one.metadata.name === name);

function reasons({ cluster }: TestCluster, kind: string, name: string): string[] {
  return (cluster.stored('events') as Event[])
    .filter(({ involvedObject: it }) => it.kind === kind && it.name === name)
    .map(({ reason }) => reason ?? '');
}

async function running(config: Parameters<typeof aCluster>[0] = {}): Promise<TestCluster> {
  const tank = await aCluster({ nodes: 2, zones: 1, ...config });
  tank.call('POST', claimsPath, claim('c'));
  tank.call('POST', podsPath, pod('p', 'c'));
  await tank.advance(40_000);
  expect(tank.call<Pod>('GET', `${podsPath}/p`).status?.phase).toBe('Running');
  return tank;
}

describe.each([{}, { options: { 'cloud-provider': 'wavetank' } }])('a disk that is gone or fails, with $options', (config) => {
  const writer = `while true; do echo x > /data/f || echo lost; cat /data/f; sleep 5; done`;
  const container = { name: 'c', image: 'busybox', command: ['sh', '-c', writer], volumeMounts: [{ name: 'data', mountPath: '/data' }] };
  const logs = (tank: TestCluster): string => tank.cluster.nodes.readLogs('default', 'p', { tailLines: 3 });
  const messages = (tank: TestCluster, name: string): readonly string[] =>
    (tank.cluster.stored('events') as Event[])
      .filter(({ involvedObject: it }) => it.name === name)
      .map(({ reason, message }) => `${reason}: ${message}`);

  async function struck(how: string): Promise<{ readonly tank: TestCluster; readonly disk: string; readonly node: string }> {
    const tank = await aCluster({ nodes: 2, zones: 1, ...config });
    tank.call('POST', claimsPath, claim('c'));
    tank.call('POST', podsPath, pod('p', 'c', { containers: [container] }));
    await tank.advance(40_000);
    expect(logs(tank)).toBe('x\nx\nx\n');
    const disk = volumes(tank)[0]?.spec?.csi?.volumeHandle ?? '';
    tank.call('POST', '/apis/sim.wavetank.dev/v1alpha1/faults', {
      apiVersion: 'sim.wavetank.dev/v1alpha1',
      kind: 'Fault',
      metadata: { name: 'x' },
      spec: { type: 'volume-disk-gone', parameters: { disk, how } },
    });
    await tank.advance(20_000);
    return { tank, disk, node: tank.call<Pod>('GET', `${podsPath}/p`).spec?.nodeName ?? '' };
  }

  it('is felt by who has it mounted, and shown nowhere', async () => {
    for (const how of ['gone', 'io-errors']) {
      const { tank } = await struck(how);
      expect(logs(tank)).toBe("sh: can't create /data/f: Input/output error\nlost\ncat: can't open '/data/f': Input/output error\n");
      expect(tank.call<Pod>('GET', `${podsPath}/p`).status?.containerStatuses?.[0]).toMatchObject({ ready: true, restartCount: 0 });
      expect(attachments(tank)).toMatchObject([{ status: { attached: true } }]);
      tank.call('DELETE', '/apis/sim.wavetank.dev/v1alpha1/faults/x');
      await tank.advance(10_000);
      expect(logs(tank)).toContain('x\n');
    }
  });

  it('gone: it is let go and attached nowhere else until it is back', async () => {
    const { tank, disk, node } = await struck('gone');
    tank.call('DELETE', `${podsPath}/p?gracePeriodSeconds=0`);
    tank.call('PATCH', `/api/v1/nodes/${node}`, { spec: { unschedulable: true } }, 'application/merge-patch+json');
    await tank.advance(30_000);
    expect(attachments(tank)).toEqual([]);
    tank.call('POST', podsPath, pod('p2', 'c'));
    await tank.advance(30_000);
    const error = `rpc error: code = NotFound desc = disk ${disk} not found`;
    expect(attachments(tank)[0]?.status).toMatchObject({ attached: false, attachError: { message: error } });
    expect(messages(tank, 'p2')).toContain(`FailedAttachVolume: AttachVolume.Attach failed for volume "${disk}" : ${error}`);
    expect(tank.call<Pod>('GET', `${podsPath}/p2`).status?.phase).toBe('Pending');
    tank.call('DELETE', '/apis/sim.wavetank.dev/v1alpha1/faults/x');
    await tank.advance(200_000);
    expect(tank.call<Pod>('GET', `${podsPath}/p2`).status?.phase).toBe('Running');
  });

  it('gone: its claim and volume can be deleted', async () => {
    const { tank } = await struck('gone');
    tank.call('DELETE', `${podsPath}/p?gracePeriodSeconds=0`);
    tank.call('DELETE', `${claimsPath}/c`);
    await tank.advance(60_000);
    expect([volumes(tank), attachments(tank)]).toEqual([[], []]);
  });

  it('failing: it is attached, and cannot be mounted anew', async () => {
    const { tank, disk } = await struck('io-errors');
    tank.call('DELETE', `${podsPath}/p?gracePeriodSeconds=0`);
    await tank.advance(30_000);
    tank.call('POST', podsPath, pod('p2', 'c'));
    await tank.advance(30_000);
    expect(attachments(tank)).toMatchObject([{ status: { attached: true } }]);
    expect(messages(tank, 'p2')).toContain(
      `FailedMount: MountVolume.MountDevice failed for volume "${disk}" : rpc error: code = Internal desc = mount of disk ${disk} failed: Input/output error`,
    );
    tank.call('DELETE', '/apis/sim.wavetank.dev/v1alpha1/faults/x');
    await tank.advance(200_000);
    expect(tank.call<Pod>('GET', `${podsPath}/p2`).status?.phase).toBe('Running');
  });
});

describe('volumes of the driver that ships with the cluster', () => {
  it('are made where the pod goes, attached, mounted, and told at every step', async () => {
    const tank = await running();
    const [volume] = volumes(tank);
    const node = tank.call<Pod>('GET', `${podsPath}/p`).spec?.nodeName ?? '';
    const bound = tank.call<PersistentVolumeClaim>('GET', `${claimsPath}/c`);
    expect(bound.status).toEqual({ phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } });
    expect(bound.metadata.annotations).toMatchObject({ 'volume.kubernetes.io/selected-node': node, 'pv.kubernetes.io/bind-completed': 'yes' });
    expect(volume).toMatchObject({
      metadata: { name: `pvc-${bound.metadata.uid}`, annotations: { 'pv.kubernetes.io/provisioned-by': 'disk.csi.sim.wavetank.dev' } },
      spec: { storageClassName: 'standard', persistentVolumeReclaimPolicy: 'Delete', claimRef: { name: 'c' } },
      status: { phase: 'Bound' },
    });
    const unique = `kubernetes.io/csi/disk.csi.sim.wavetank.dev^${volume?.metadata.name}`;
    expect(nodeOf(tank, node)?.status).toMatchObject({ volumesInUse: [unique], volumesAttached: [{ name: unique, devicePath: '' }] });
    expect(attachments(tank)).toMatchObject([{ spec: { nodeName: node }, status: { attached: true } }]);
    expect(reasons(tank, 'PersistentVolumeClaim', 'c')).toEqual(
      expect.arrayContaining(['ExternalProvisioning', 'Provisioning', 'ProvisioningSucceeded']),
    );
    expect(reasons(tank, 'Pod', 'p')).toEqual(expect.arrayContaining(['Scheduled', 'SuccessfulAttachVolume', 'Started']));
  });

  it('go when their claim goes, after the pod has let them go', async () => {
    const tank = await running();
    tank.call('DELETE', `${claimsPath}/c`);
    await tank.advance(5_000);
    expect(tank.call<PersistentVolumeClaim>('GET', `${claimsPath}/c`).metadata.finalizers).toEqual(['kubernetes.io/pvc-protection']);
    tank.call('DELETE', `${podsPath}/p`);
    await tank.advance(60_000);
    expect(volumes(tank)).toEqual([]);
    expect(attachments(tank)).toEqual([]);
    const statuses = (tank.cluster.stored('minions') as Node[]).map(({ status }) => [status?.volumesInUse, status?.volumesAttached]);
    expect(statuses).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it('move with their pod to another node', async () => {
    const tank = await running();
    const first = tank.call<Pod>('GET', `${podsPath}/p`).spec?.nodeName ?? '';
    const other = first === 'node-0' ? 'node-1' : 'node-0';
    tank.call('POST', podsPath, pod('q', 'c', { nodeName: other }));
    await tank.advance(5_000);
    expect(reasons(tank, 'Pod', 'q')).toContain('FailedAttachVolume');
    tank.call('DELETE', `${podsPath}/p`);
    await tank.advance(60_000);
    expect(tank.call<Pod>('GET', `${podsPath}/q`).status?.phase).toBe('Running');
    expect(attachments(tank)).toMatchObject([{ spec: { nodeName: other } }]);
  });

  it.each([
    ['six minutes after its pod was removed from a lost node', [], 360],
    ['at once from one that is out of service', [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }], 0],
  ])('are detached by force %s', async (_what, taints, seconds) => {
    const tank = await running();
    const node = tank.call<Pod>('GET', `${podsPath}/p`).spec?.nodeName ?? '';
    tank.call('POST', '/apis/sim.wavetank.dev/v1alpha1/faults', {
      apiVersion: 'sim.wavetank.dev/v1alpha1',
      kind: 'Fault',
      metadata: { name: 'dark' },
      spec: { type: 'node-power-loss', target: { node } },
    });
    await tank.advance(70_000);
    tank.call('DELETE', `${podsPath}/p?gracePeriodSeconds=0`);
    if (taints.length > 0) tank.call('PATCH', `/api/v1/nodes/${node}`, { spec: { taints } }, 'application/merge-patch+json');
    await tank.advance(Math.max(0, seconds - 5) * 1000);
    if (seconds > 0) expect(attachments(tank)).toHaveLength(1);
    await tank.advance(15_000);
    expect(attachments(tank)).toEqual([]);
  });

  it('grow while they are mounted', async () => {
    const tank = await running();
    tank.call('PATCH', `${claimsPath}/c`, { spec: { resources: { requests: { storage: '3Gi' } } } }, 'application/merge-patch+json');
    await tank.advance(10_000);
    const { status } = tank.call<PersistentVolumeClaim>('GET', `${claimsPath}/c`);
    expect(status).toEqual({ phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '3Gi' }, allocatedResources: { storage: '3Gi' } });
    expect(volumes(tank)[0]?.spec?.capacity).toEqual({ storage: '3Gi' });
    expect(reasons(tank, 'PersistentVolumeClaim', 'c')).toEqual(
      expect.arrayContaining(['ExternalExpanding', 'Resizing', 'FileSystemResizeRequired']),
    );
    expect(reasons(tank, 'Pod', 'p')).toContain('FileSystemResizeSuccessful');
    const told = (tank.cluster.stored('events') as Event[]).filter(({ reason }) => reason === 'Resizing');
    expect(told.map(({ count }) => count)).toEqual([1]);
  });

  it('wait for a pod to grow their file system', async () => {
    const tank = await running();
    tank.call('DELETE', `${podsPath}/p`);
    await tank.advance(30_000);
    tank.call('PATCH', `${claimsPath}/c`, { spec: { resources: { requests: { storage: '2Gi' } } } }, 'application/merge-patch+json');
    await tank.advance(10_000);
    expect(tank.call<PersistentVolumeClaim>('GET', `${claimsPath}/c`).status).toMatchObject({
      capacity: { storage: '1Gi' },
      conditions: [{ type: 'FileSystemResizePending', status: 'True' }],
      allocatedResourceStatuses: { storage: 'NodeResizePending' },
    });
    tank.call('POST', podsPath, pod('q', 'c'));
    await tank.advance(40_000);
    expect(tank.call<PersistentVolumeClaim>('GET', `${claimsPath}/c`).status?.capacity).toEqual({ storage: '2Gi' });
  });

  it('are made for ephemeral volumes, and go with their pod', async () => {
    const tank = await aCluster({ nodes: 1 });
    const template = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
    tank.call('POST', podsPath, pod('p', '', { volumes: [{ name: 'data', ephemeral: { volumeClaimTemplate: template } }] }));
    await tank.advance(40_000);
    expect(tank.call<Pod>('GET', `${podsPath}/p`).status?.phase).toBe('Running');
    expect(tank.call<PersistentVolumeClaim>('GET', `${claimsPath}/p-data`).metadata.ownerReferences).toMatchObject([
      { kind: 'Pod', name: 'p', controller: true },
    ]);
    tank.call('DELETE', `${podsPath}/p`);
    await tank.advance(60_000);
    expect(volumes(tank)).toEqual([]);
  });

  it('change their attributes', async () => {
    const tank = await running();
    tank.call('POST', '/apis/storage.k8s.io/v1/volumeattributesclasses', {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttributesClass',
      metadata: { name: 'gold' },
      driverName: 'disk.csi.sim.wavetank.dev',
      parameters: { iops: '4000' },
    });
    tank.call('PATCH', `${claimsPath}/c`, { spec: { volumeAttributesClassName: 'gold' } }, 'application/merge-patch+json');
    await tank.advance(10_000);
    const { status } = tank.call<PersistentVolumeClaim>('GET', `${claimsPath}/c`);
    expect(status?.currentVolumeAttributesClassName).toBe('gold');
    expect(status?.modifyVolumeStatus).toBeUndefined();
    expect(volumes(tank)[0]?.spec?.volumeAttributesClassName).toBe('gold');
  });

  it('wait until the scheduler has chosen a node, whoever asks for them', async () => {
    const tank = await aCluster({ nodes: 1 });
    const annotations = { 'volume.kubernetes.io/storage-provisioner': 'disk.csi.sim.wavetank.dev' };
    tank.call('POST', claimsPath, { ...claim('c'), metadata: { name: 'c', annotations } });
    await tank.advance(30_000);
    expect(volumes(tank)).toEqual([]);
  });

  it('are not waited for any more when their claim has gone', async () => {
    const tank = await aCluster({ nodes: 1 });
    tank.cluster.faultPoints.inject('slow', [{ point: volumeProvisionSlowness.name, subject: '', value: 100 }], []);
    tank.call('POST', claimsPath, claim('c'));
    tank.call('POST', podsPath, pod('p', 'c'));
    await tank.advance(5_000);
    const remembered = (): string => JSON.stringify(tank.cluster.saveState());
    expect(remembered()).toContain('create claim/default/c');
    tank.call('DELETE', `${podsPath}/p?gracePeriodSeconds=0`);
    tank.call('DELETE', `${claimsPath}/c`);
    await tank.advance(5_000);
    await tank.quiet();
    expect(remembered()).not.toContain('create claim/default/c');
  });

  it('may come to another node where the first has no room', async () => {
    const tank = await aCluster({ nodes: 1, options: { 'cloud-provider': 'wavetank' } });
    tank.cluster.faultPoints.inject('full', [{ point: cloudQuota.name, subject: 'disks', value: 0 }], []);
    const chosen: (string | undefined)[] = [];
    tank.cluster.store.watch({
      prefix: '/registry/persistentvolumeclaims/default/',
      onChanges: (changes) => {
        for (const { current } of changes) chosen.push(current?.value.metadata.annotations?.['volume.kubernetes.io/selected-node']);
      },
    });
    tank.call('POST', claimsPath, claim('c'));
    tank.call('POST', podsPath, pod('p', 'c'));
    await tank.advance(20_000);
    expect(chosen.slice(chosen.indexOf('node-0'))).toContain(undefined);
    tank.cluster.faultPoints.heal('full', []);
    await tank.advance(120_000);
    expect(tank.call<Pod>('GET', `${podsPath}/p`).status?.phase).toBe('Running');
  });

  it('are in the zone of their node', async () => {
    const tank = await running({ nodes: 3, zones: 3 });
    const { nodeName = '' } = tank.call<Pod>('GET', `${podsPath}/p`).spec ?? {};
    const zone = nodeOf(tank, nodeName)?.metadata.labels?.['topology.kubernetes.io/zone'];
    expect(volumes(tank)[0]?.spec?.nodeAffinity?.required?.nodeSelectorTerms).toEqual([
      { matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: [zone] }] },
    ]);
  });

  it('are disks of the cloud, where there is one', async () => {
    const tank = await running({ zones: 2, options: { 'cloud-provider': 'wavetank' } });
    const [volume] = volumes(tank);
    const { nodeName = '' } = tank.call<Pod>('GET', `${podsPath}/p`).spec ?? {};
    expect(tank.cluster.cloud?.disks.get(volume?.metadata.name ?? '')).toMatchObject({ attachedTo: nodeName, sizeBytes: 1024 ** 3 });
    tank.call('DELETE', `${podsPath}/p`);
    tank.call('DELETE', `${claimsPath}/c`);
    await tank.advance(60_000);
    expect(volumes(tank)).toEqual([]);
    expect(tank.cluster.cloud?.disks.count).toBe(0);
  });

  it('are refused where a class does not let them grow', async () => {
    const tank = await running();
    tank.call('PATCH', '/apis/storage.k8s.io/v1/storageclasses/standard', { allowVolumeExpansion: false }, 'application/merge-patch+json');
    const answer = tank.ask('PATCH', `${claimsPath}/c`, { spec: { resources: { requests: { storage: '3Gi' } } } }, 'application/merge-patch+json');
    expect(answer.status).toBe(403);
    expect(answer.object.message).toBe(
      'persistentvolumeclaims "c" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
  });

  it('have nodes that say what they take', async () => {
    const tank = await aCluster({ nodes: 1 });
    expect(tank.cluster.stored('csinodes') as CSINode[]).toMatchObject([
      { metadata: { name: 'node-0' }, spec: { drivers: [{ name: 'disk.csi.sim.wavetank.dev', allocatable: { count: 25 } }] } },
    ]);
  });

  it('come out the same over restores in the middle of everything', async () => {
    const tank = await aCluster({ nodes: 2, zones: 1, seed: 5 });
    tank.call('POST', claimsPath, claim('c'));
    tank.call('POST', podsPath, pod('p', 'c'));
    const saves: string[] = [];
    for (const waitMs of [30, 400, 1_500, 3_000, 3_000, 5_000]) {
      await tank.advance(waitMs);
      await tank.quiet();
      saves.push(JSON.stringify(tank.cluster.save()));
    }
    const endMs = tank.cluster.loop.nowMs() + 40_000;
    await tank.cluster.loop.run(endMs);
    expect(tank.call<Pod>('GET', `${podsPath}/p`).status?.phase).toBe('Running');
    for (const saved of saves) {
      const resumed = madeCluster({ nodes: 2, zones: 1, seed: 5 });
      resumed.cluster.restore(JSON.parse(saved) as never);
      await resumed.cluster.loop.run(endMs);
      expect(resumed.cluster.digest).toBe(tank.cluster.digest);
    }
  });
});
