/** The volume plugins through the whole scheduler: claims and volumes, and where the pod goes or what it is told. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import type { PersistentVolumeClaim } from '../api/core/v1/types.gen.ts';
import {
  csiDrivers,
  csiNodes,
  csiStorageCapacities,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  storageClasses,
  volumeAttachments,
} from '../client/resources.ts';
import { withAnnotations, withClaimSpec } from '../component-helpers/storage.ts';
import type { Draft } from '../../test/support/bench.ts';
import { SchedulerBench } from './testing/scheduler-bench.ts';

const completed = { 'pv.kubernetes.io/bind-completed': 'yes' };
const onHost = (...names: string[]): JsonObject => ({
  nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: names }] }] } },
});

function claim(name: string, spec: JsonObject = {}, metadata: JsonObject = {}, status: JsonObject = { phase: 'Pending' }): Draft {
  return {
    metadata: { namespace: 'default', name, uid: `uid-${name}`, ...metadata },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'late', ...spec },
    status,
  };
}

const boundClaim = (name: string, volume: string, spec: JsonObject = {}): Draft =>
  claim(name, { volumeName: volume, ...spec }, { annotations: completed }, { phase: 'Bound' });

function volume(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): Draft {
  return {
    metadata: { name, ...metadata },
    spec: {
      capacity: { storage: '2Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'late',
      csi: { driver: 'd', volumeHandle: name },
      ...spec,
    },
    status: { phase: 'Available' },
  };
}

function storageClass(rest: JsonObject = {}, name = 'late'): Draft {
  return { metadata: { name }, provisioner: 'd', volumeBindingMode: 'WaitForFirstConsumer', ...rest };
}

const uses = (...claims: string[]): JsonObject => ({
  volumes: claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
});

interface Situation {
  readonly name: string;
  readonly make: (bench: SchedulerBench) => void;
  readonly pod?: JsonObject;
  readonly node?: string;
  readonly told?: string;
}

const situations: readonly Situation[] = [
  {
    name: 'a claim whose volume is on the other node',
    make: (bench) => {
      bench.add(persistentVolumes, volume('v', onHost('b')));
      bench.add(persistentVolumeClaims, boundClaim('c', 'v'));
    },
    node: 'b',
  },
  {
    name: 'a claim whose volume is nowhere near',
    make: (bench) => {
      bench.add(persistentVolumes, volume('v', onHost('z')));
      bench.add(persistentVolumeClaims, boundClaim('c', 'v'));
    },
    told: "2 node(s) didn't match PersistentVolume's node affinity",
  },
  {
    name: 'a claim whose volume has gone',
    make: (bench) => bench.add(persistentVolumeClaims, boundClaim('c', 'v')),
    told: 'persistentvolume "v" not found',
  },
  {
    name: 'a claim that is lost',
    make: (bench) => bench.add(persistentVolumeClaims, claim('c', { volumeName: 'v' }, { annotations: completed }, { phase: 'Lost' })),
    told: 'persistentvolumeclaim "c" bound to non-existent persistentvolume "v"',
  },
  {
    name: 'a claim that is going',
    make: (bench) =>
      bench.add(persistentVolumeClaims, claim('c', {}, { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['kubernetes.io/pvc-protection'] })),
    told: 'persistentvolumeclaim "c" is being deleted',
  },
  {
    name: 'a claim that the binder is to bind',
    make: (bench) => {
      bench.add(storageClasses, storageClass({ volumeBindingMode: 'Immediate' }));
      bench.add(persistentVolumeClaims, claim('c'));
    },
    told: 'pod has unbound immediate PersistentVolumeClaims',
  },
  {
    name: 'an ephemeral claim that is not made yet',
    make: () => undefined,
    pod: { volumes: [{ name: 'e', ephemeral: { volumeClaimTemplate: { spec: claim('e')['spec'] as JsonObject } } }] },
    told: 'waiting for ephemeral volume controller to create the persistentvolumeclaim "p-e"',
  },
  {
    name: 'an ephemeral claim of somebody else',
    make: (bench) => bench.add(persistentVolumeClaims, claim('p-e')),
    pod: { volumes: [{ name: 'e', ephemeral: { volumeClaimTemplate: { spec: claim('e')['spec'] as JsonObject } } }] },
    told: 'PVC default/p-e was not created for pod default/p (pod is not owner)',
  },
  {
    name: 'a late claim without a volume or a provisioner',
    make: (bench) => {
      bench.add(storageClasses, storageClass({ provisioner: 'kubernetes.io/no-provisioner' }));
      bench.add(persistentVolumes, volume('v', { capacity: { storage: '1Mi' } }));
      bench.add(persistentVolumeClaims, claim('c'));
    },
    told: "2 node(s) didn't find available persistent volumes to bind",
  },
  {
    name: 'a late claim whose class is elsewhere',
    make: (bench) => {
      bench.add(
        storageClasses,
        storageClass({ allowedTopologies: [{ matchLabelExpressions: [{ key: 'topology.kubernetes.io/zone', values: ['z9'] }] }] }),
      );
      bench.add(persistentVolumeClaims, claim('c'));
    },
    told: "2 node(s) didn't find available persistent volumes to bind",
  },
  {
    name: 'a late claim that was promised a node that is not there',
    make: (bench) => {
      bench.add(storageClasses, storageClass());
      bench.add(persistentVolumeClaims, claim('c', {}, { annotations: { 'volume.kubernetes.io/selected-node': 'gone' } }));
    },
    told: "2 node(s) didn't find available persistent volumes to bind",
  },
  {
    name: 'a late claim for which no room is left',
    make: (bench) => {
      bench.add(storageClasses, storageClass());
      bench.add(csiDrivers, { metadata: { name: 'd' }, spec: { storageCapacity: true } });
      bench.add(csiStorageCapacities, {
        metadata: { namespace: 'default', name: 's' },
        storageClassName: 'late',
        capacity: '500Mi',
        nodeTopology: {},
      });
      bench.add(persistentVolumeClaims, claim('c'));
    },
    told: '2 node(s) did not have enough free storage',
  },
  {
    name: 'a volume of another zone',
    make: (bench) => {
      bench.add(persistentVolumes, volume('v', {}, { labels: { 'topology.kubernetes.io/zone': 'z2__z3' } }));
      bench.add(persistentVolumeClaims, boundClaim('c', 'v'));
    },
    told: '2 node(s) had no available volume zone',
  },
  {
    name: 'a volume of the zone, in the words of before',
    make: (bench) => {
      bench.add(persistentVolumes, volume('v', onHost('b'), { labels: { 'failure-domain.beta.kubernetes.io/zone': 'z1' } }));
      bench.add(persistentVolumeClaims, boundClaim('c', 'v'));
    },
    node: 'b',
  },
  {
    name: 'a claim for one pod that another has',
    make: (bench) => {
      bench.add(persistentVolumes, volume('v', { accessModes: ['ReadWriteOncePod'] }));
      bench.add(persistentVolumeClaims, boundClaim('c', 'v', { accessModes: ['ReadWriteOncePod'] }));
      bench.pod('other', { nodeName: 'a', ...uses('c') });
    },
    told: '2 node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
  },
  {
    name: 'a disk that another pod writes',
    make: (bench) => {
      for (const node of ['a', 'b'])
        bench.pod(`other-${node}`, { nodeName: node, volumes: [{ name: 'd', awsElasticBlockStore: { volumeID: 'x' } }] });
    },
    pod: { volumes: [{ name: 'd', awsElasticBlockStore: { volumeID: 'x' } }] },
    told: '2 node(s) had no available disk',
  },
  {
    name: 'nodes that are full of volumes',
    make: (bench) => {
      for (const node of ['a', 'b'])
        bench.add(csiNodes, {
          metadata: { name: node },
          spec: { drivers: [{ name: 'd', nodeID: node, topologyKeys: null, allocatable: { count: 1 } }] },
        });
      for (const name of ['v', 'w', 'x']) bench.add(persistentVolumes, volume(name));
      bench.add(persistentVolumeClaims, boundClaim('c', 'v'));
      bench.add(persistentVolumeClaims, boundClaim('held', 'w'));
      bench.pod('other', { nodeName: 'a', ...uses('held') });
      bench.add(volumeAttachments, {
        metadata: { name: 'at' },
        spec: { attacher: 'd', nodeName: 'b', source: { persistentVolumeName: 'x' } },
        status: { attached: true },
      });
    },
    told: '2 node(s) exceed max volume count',
  },
];

function aBench(): SchedulerBench {
  const bench = new SchedulerBench();
  for (const name of ['a', 'b']) bench.node(name, { labels: { 'topology.kubernetes.io/zone': 'z1' } });
  return bench;
}

describe('volumes', () => {
  it.each(situations)('$name', async ({ make, pod = uses('c'), node, told }) => {
    const bench = aBench();
    make(bench);
    bench.pod('p', pod);
    await bench.advance(3_000);
    expect(bench.nodeOf('p')).toBe(node);
    if (told !== undefined) expect(bench.eventTexts('Pod default/p')[0]).toContain(`0/2 nodes are available: ${told}`);
  });

  it('takes the volume on the node, and binds once the binder has done its part', async () => {
    const bench = aBench();
    bench.add(storageClasses, storageClass({ provisioner: 'kubernetes.io/no-provisioner' }));
    bench.add(persistentVolumes, volume('v', onHost('b')));
    bench.add(persistentVolumeClaims, claim('c'));
    bench.pod('p', uses('c'));
    await bench.advance(2_500);
    expect(bench.nodeOf('p')).toBeUndefined();
    expect(bench.mustGet(pods, 'default', 'p').status?.nominatedNodeName).toBe('b');
    expect(bench.mustGet(persistentVolumes, undefined, 'v')).toMatchObject({
      metadata: { annotations: { 'pv.kubernetes.io/bound-by-controller': 'yes' } },
      spec: { claimRef: { namespace: 'default', name: 'c', uid: 'uid-c' } },
    });
    finish(bench, 'c', 'v');
    await bench.advance(1_000);
    expect(bench.nodeOf('p')).toBe('b');
  });

  it('has a volume made, and waits for it over a restore', async () => {
    const bench = await waiting();
    const next = new SchedulerBench();
    next.takeOver(bench);
    finish(next, 'c', 'made');
    await next.advance(1_100);
    expect(next.nodeOf('p')).toBe('b');
    expect(next.eventTexts('Pod default/p')).toEqual(['Normal Scheduled Successfully assigned default/p to b']);
  });

  it('holds the place of a pod that waits', async () => {
    const bench = await waiting();
    bench.pod('large', { requests: { cpu: '4' }, nodeSelector: { 'kubernetes.io/hostname': 'b' } });
    await bench.advance(500);
    expect(bench.eventTexts('Pod default/large')[0]).toContain('1 Insufficient cpu');
  });

  it('begins again when no volume could be made there', async () => {
    const bench = await waiting();
    bench.change<PersistentVolumeClaim>(persistentVolumeClaims, 'default', 'c', (one) =>
      withAnnotations(one, { 'volume.kubernetes.io/selected-node': undefined, x: 'y' }),
    );
    await bench.advance(1_100);
    expect(bench.eventTexts('Pod default/p')[0]).toBe(
      'Warning FailedScheduling running PreBind plugin "VolumeBinding": binding volumes: provisioning failed for PVC "c"',
    );
    expect(bench.mustGet(pods, 'default', 'p').status?.conditions?.[0]).toMatchObject({ reason: 'SchedulerError' });
    await bench.advance(3_000);
    expect(bench.mustGet(persistentVolumeClaims, 'default', 'c').metadata.annotations).toMatchObject({ 'volume.kubernetes.io/selected-node': 'b' });
  });

  it('gives up after ten minutes', async () => {
    const bench = await waiting();
    await bench.advance(602_000);
    expect(bench.eventTexts('Pod default/p')).toContain(
      'Warning FailedScheduling running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded',
    );
  });

  it('forgets a pod that went while it waited', async () => {
    const bench = await waiting();
    bench.remove(pods, 'default', 'p');
    finish(bench, 'c', 'made');
    await bench.advance(3_000);
    expect(bench.writes.filter(({ subresource }) => subresource === 'binding')).toEqual([]);
  });

  it('does not give one volume to two pods', async () => {
    const bench = aBench();
    bench.add(storageClasses, storageClass({ provisioner: 'kubernetes.io/no-provisioner' }));
    bench.add(persistentVolumes, volume('v'));
    for (const name of ['c', 'd']) bench.add(persistentVolumeClaims, claim(name));
    bench.pod('p', uses('c'));
    bench.pod('q', uses('d'));
    await bench.advance(500);
    expect(bench.mustGet(persistentVolumes, undefined, 'v').spec?.claimRef?.name).toBe('c');
    expect(bench.eventTexts('Pod default/q')[0]).toContain("2 node(s) didn't find available persistent volumes to bind");
  });

  it('evicts the pod that has the claim for one', async () => {
    const bench = aBench();
    bench.add(persistentVolumes, volume('v', { accessModes: ['ReadWriteOncePod'] }));
    bench.add(persistentVolumeClaims, boundClaim('c', 'v', { accessModes: ['ReadWriteOncePod'] }));
    bench.pod('other', { nodeName: 'a', ...uses('c') });
    bench.pod('p', { priority: 100, ...uses('c') });
    await bench.advance(5_000);
    expect(bench.get(pods, 'default', 'other')).toBeUndefined();
    expect(bench.nodeOf('p')).toBe('a');
  });

  it('tries again when a volume comes that would do', async () => {
    const bench = aBench();
    bench.add(storageClasses, storageClass({ provisioner: 'kubernetes.io/no-provisioner' }));
    bench.add(persistentVolumeClaims, claim('c'));
    bench.pod('p', uses('c'));
    await bench.advance(500);
    bench.add(persistentVolumes, volume('v'));
    await bench.advance(2_000);
    expect(bench.mustGet(persistentVolumes, undefined, 'v').spec?.claimRef?.name).toBe('c');
  });
});

/** A pod that has been promised node b, where a volume is to be made for it. */
async function waiting(): Promise<SchedulerBench> {
  const bench = aBench();
  bench.add(storageClasses, storageClass());
  bench.add(persistentVolumeClaims, claim('c'));
  bench.pod('p', { requests: { cpu: '100m' }, nodeSelector: { 'kubernetes.io/hostname': 'b' }, ...uses('c') });
  await bench.advance(500);
  expect(bench.mustGet(persistentVolumeClaims, 'default', 'c').metadata.annotations).toEqual({ 'volume.kubernetes.io/selected-node': 'b' });
  expect(bench.nodeOf('p')).toBeUndefined();
  return bench;
}

/** What provisioner and binder do. */
function finish(bench: SchedulerBench, name: string, volumeName: string): void {
  if (bench.get(persistentVolumes, undefined, volumeName) === undefined) bench.add(persistentVolumes, volume(volumeName));
  bench.change<PersistentVolumeClaim>(persistentVolumeClaims, 'default', name, (one) =>
    withAnnotations(withClaimSpec(one, { volumeName }), completed),
  );
}
