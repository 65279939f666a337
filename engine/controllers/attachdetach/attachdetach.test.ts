/** The test plays attacher, kubelet and scheduler. */
import { hash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '../../api/core/v1/types.gen.ts';
import type { VolumeAttachment } from '../../api/storage/v1/types.gen.ts';
import { newForbidden } from '../../apimachinery/errors.ts';
import type { ResourceType } from '../../client/client.ts';
import { csiDrivers, nodes, persistentVolumeClaims, persistentVolumes, pods, volumeAttachments } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { attachDetachController } from './controller.ts';

const unique = 'kubernetes.io/csi/d^h';
const finalizer = 'external-attacher/d';
const hour = 3_600_000;
let bench: ControllerBench;

beforeEach(() => {
  bench = new ControllerBench();
  for (const name of ['a', 'b']) addNode(name);
  addVolume(['ReadWriteOnce']);
});

function addNode(name: string, ready = true): void {
  bench.add(nodes, {
    metadata: { name, annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' } },
    status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'Unknown' }] },
  });
}

function addVolume(accessModes: readonly string[]): void {
  bench.add<PersistentVolume>(persistentVolumes, {
    metadata: { name: 'v' },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes,
      csi: { driver: 'd', volumeHandle: 'h' },
      claimRef: { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace: 'ns', name: 'c', uid: 'uid-c' },
    },
    status: { phase: 'Bound' },
  });
  bench.add<PersistentVolumeClaim>(persistentVolumeClaims, {
    metadata: { namespace: 'ns', name: 'c', uid: 'uid-c' },
    spec: { accessModes, resources: { requests: { storage: '1Gi' } }, volumeName: 'v' },
    status: { phase: 'Bound' },
  });
}

function addPod(name: string, nodeName: string): void {
  bench.add<Pod>(pods, {
    metadata: { namespace: 'ns', name },
    spec: { nodeName, containers: [], volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'c' } }] },
    status: { phase: 'Pending' },
  });
}

function change<T extends Node | VolumeAttachment>(type: ResourceType<T>, name: string, edit: (one: T) => object): void {
  bench.change(type, undefined, name, (one) => ({ ...one, ...edit(one) }));
}

/** As upstream makes it of volume, driver and node. */
const nameOn = (node: string): string => `csi-${hash('sha256', `hd${node}`, 'hex')}`;
const attachmentOn = (node: string): VolumeAttachment | undefined => bench.list(volumeAttachments).find(({ spec }) => spec.nodeName === node);
const reported = (node: string): readonly string[] => bench.mustGet(nodes, undefined, node).status?.volumesAttached?.map(({ name }) => name) ?? [];

/** What the attacher does. */
async function attach(node: string): Promise<void> {
  const { name = '' } = attachmentOn(node)?.metadata ?? {};
  change(volumeAttachments, name, ({ metadata }) => ({ metadata: { ...metadata, finalizers: [finalizer] }, status: { attached: true } }));
  await bench.advance(2_000);
}

/** And what it does about one that is going. */
async function detach(node: string): Promise<void> {
  bench.remove(volumeAttachments, undefined, attachmentOn(node)?.metadata.name ?? '');
  await bench.advance(8_000);
}

/** What the kubelet reports. */
async function use(node: string, isUsed: boolean): Promise<void> {
  change(nodes, node, ({ status }) => ({ status: { ...status, volumesInUse: isUsed ? [unique] : [] } }));
  await bench.advance(100);
}

async function attachedOnA(): Promise<void> {
  addPod('p', 'a');
  await bench.run(attachDetachController);
  await attach('a');
  await use('a', true);
  bench.clear();
}

describe('persistentvolume-attach-detach-controller', () => {
  it('asks for an attachment, and tells node and pod once it is there', async () => {
    addPod('p', 'a');
    await bench.run(attachDetachController);
    expect(bench.list(volumeAttachments)).toMatchObject([
      {
        metadata: { name: nameOn('a') },
        spec: { attacher: 'd', nodeName: 'a', source: { persistentVolumeName: 'v' } },
      },
    ]);
    expect(reported('a')).toEqual([]);
    await attach('a');
    expect(reported('a')).toEqual([unique]);
    expect(bench.eventTexts('Pod ns/p')).toEqual(['Normal SuccessfulAttachVolume AttachVolume.Attach succeeded for volume "v" ']);
    bench.clear();
    await bench.advance(hour);
    expect(bench.writeTexts()).toEqual([]);
  });

  it.each<[string, () => void]>([
    ['a driver that attaches nothing', () => void bench.add(csiDrivers, { metadata: { name: 'd' }, spec: { attachRequired: false } })],
    ['a node that attaches by itself', () => change(nodes, 'a', ({ metadata }) => ({ metadata: { ...metadata, annotations: {} } }))],
    ['a pod that has ended', () => void bench.change(pods, 'ns', 'p', (one) => ({ ...one, status: { phase: 'Succeeded' } }))],
    ['a claim that is not bound', () => void bench.change(persistentVolumeClaims, 'ns', 'c', (one) => ({ ...one, status: { phase: 'Pending' } }))],
    [
      'a volume of another claim',
      () =>
        void bench.change(persistentVolumes, undefined, 'v', (one) => ({
          ...one,
          spec: { ...one.spec, claimRef: { ...one.spec?.claimRef, uid: 'other' } },
        })),
    ],
  ])('leaves alone %s', async (_what, make) => {
    addPod('p', 'a');
    make();
    await bench.run(attachDetachController);
    await bench.advance(1_000);
    expect(bench.writeTexts()).toEqual([]);
  });

  it('tells pods what the attacher says, and tries again with back-off', async () => {
    addPod('p', 'a');
    await bench.run(attachDetachController);
    change(volumeAttachments, attachmentOn('a')?.metadata.name ?? '', () => ({ status: { attached: false, attachError: { message: 'no room' } } }));
    await bench.advance(10_000);
    const told = bench.eventTexts('Pod ns/p');
    expect(told[0]).toBe('Warning FailedAttachVolume AttachVolume.Attach failed for volume "v" : no room');
    expect(told.length).toBeGreaterThan(2);
    expect(told.length).toBeLessThan(6);
    await attach('a');
    await bench.advance(20_000);
    expect(reported('a')).toEqual([unique]);
  });

  it('gives an attacher that is silent two minutes', async () => {
    addPod('p', 'a');
    await bench.run(attachDetachController);
    await bench.advance(119_000);
    expect(bench.eventTexts()).toEqual([]);
    await bench.advance(10_000);
    expect(bench.eventTexts()).toEqual([
      'Warning FailedAttachVolume AttachVolume.Attach failed for volume "v" : timed out waiting for external-attacher of d CSI driver to attach volume h',
    ]);
  });

  it('detaches once the pod has gone and the node has let go', async () => {
    await attachedOnA();
    bench.remove(pods, 'ns', 'p');
    await bench.advance(60_000);
    expect(bench.writeTexts()).toEqual([]);
    await use('a', false);
    expect(reported('a')).toEqual([]);
    expect(bench.writeTexts()).toEqual(['patch nodes/status a', `delete volumeattachments ${attachmentOn('a')?.metadata.name}`]);
    await detach('a');
    bench.clear();
    await bench.advance(hour);
    expect(bench.writeTexts()).toEqual([]);
  });

  it('keeps what a healthy node uses, however long', async () => {
    await attachedOnA();
    bench.remove(pods, 'ns', 'p');
    await bench.advance(hour);
    expect(bench.writeTexts()).toEqual([]);
  });

  it('takes it from a lost node after six minutes', async () => {
    await attachedOnA();
    change(nodes, 'a', ({ status }) => ({ status: { ...status, conditions: [{ type: 'Ready', status: 'Unknown' }] } }));
    bench.remove(pods, 'ns', 'p');
    await bench.advance(359_000);
    expect(bench.writeTexts()).toEqual([]);
    await bench.advance(1_100);
    expect(bench.writeTexts()).toContain(`delete volumeattachments ${nameOn('a')}`);
  });

  it('takes it from a node that is out of service at once', async () => {
    await attachedOnA();
    bench.remove(pods, 'ns', 'p');
    change(nodes, 'a', ({ spec }) => ({ spec: { ...spec, taints: [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }] } }));
    await bench.advance(100);
    expect(bench.writeTexts()).toContain(`delete volumeattachments ${nameOn('a')}`);
  });

  it('never takes it where that is switched off', async () => {
    bench = new ControllerBench({ options: { disableForceDetachOnTimeout: true } });
    addNode('a');
    addVolume(['ReadWriteOnce']);
    await attachedOnA();
    change(nodes, 'a', ({ status }) => ({ status: { ...status, conditions: [{ type: 'Ready', status: 'Unknown' }] } }));
    bench.remove(pods, 'ns', 'p');
    await bench.advance(hour);
    expect(bench.writeTexts()).toEqual([]);
  });

  it('tells once who has the volume, and attaches it when it is free', async () => {
    await attachedOnA();
    addPod('q', 'b');
    await bench.advance(60_000);
    expect(bench.eventTexts('Pod ns/q')).toEqual(['Warning FailedAttachVolume Multi-Attach error for volume "v" Volume is already used by pod(s) p']);
    bench.remove(pods, 'ns', 'p');
    await use('a', false);
    await detach('a');
    expect(attachmentOn('b')?.spec).toEqual({ attacher: 'd', nodeName: 'b', source: { persistentVolumeName: 'v' } });
    await attach('b');
    expect(reported('b')).toEqual([unique]);
  });

  it('says it otherwise when nobody uses it any more', async () => {
    await attachedOnA();
    bench.remove(pods, 'ns', 'p');
    await bench.advance(100);
    addPod('q', 'b');
    await bench.advance(100);
    expect(bench.eventTexts('Pod ns/q')).toEqual([
      'Warning FailedAttachVolume Multi-Attach error for volume "v" Volume is already exclusively attached to one node and can\'t be attached to another',
    ]);
  });

  it('attaches to several nodes what several may have', async () => {
    bench = new ControllerBench();
    for (const name of ['a', 'b']) addNode(name);
    addVolume(['ReadWriteMany']);
    await attachedOnA();
    addPod('q', 'b');
    await bench.advance(100);
    await attach('b');
    expect([reported('a'), reported('b')]).toEqual([[unique], [unique]]);
  });

  it('takes up what another has left', async () => {
    bench.add(volumeAttachments, {
      metadata: { name: nameOn('a') },
      spec: { attacher: 'd', nodeName: 'a', source: { persistentVolumeName: 'v' } },
      status: { attached: true },
    });
    change(nodes, 'b', ({ status }) => ({ status: { ...status, volumesAttached: [{ name: unique, devicePath: '' }] } }));
    await bench.run(attachDetachController);
    await bench.advance(1_000);
    expect(bench.writeTexts()).toEqual([`delete volumeattachments ${nameOn('a')}`, 'patch nodes/status b']);
  });

  it('goes on over a restore while it waits for the attacher', async () => {
    addPod('p', 'a');
    await bench.run(attachDetachController);
    const next = new ControllerBench();
    next.store.load(bench.store.checkpoint());
    await next.run(attachDetachController, JSON.parse(JSON.stringify(bench.save())) as never);
    bench = next;
    await attach('a');
    change(nodes, 'a', ({ metadata }) => ({ metadata: { ...metadata, labels: { any: 'news' } } }));
    bench.change(pods, 'ns', 'p', (one) => ({ ...one, metadata: { ...one.metadata, labels: { any: 'news' } } }));
    await bench.advance(10_000);
    expect(reported('a')).toEqual([unique]);
  });

  it('reaches the same end whatever write is refused', async () => {
    for (let refused = 0; refused < 4; refused++) {
      bench = new ControllerBench();
      for (const name of ['a', 'b']) addNode(name);
      addVolume(['ReadWriteOnce']);
      let writes = 0;
      bench.refuse = () => {
        if (writes++ === refused) throw newForbidden({ group: '', resource: 'x' }, 'x', 'by the test');
      };
      addPod('p', 'a');
      await bench.run(attachDetachController);
      await bench.advance(5_000);
      await attach('a');
      await bench.advance(20_000);
      expect(reported('a')).toEqual([unique]);
      bench.remove(pods, 'ns', 'p');
      await bench.advance(20_000);
      await detach('a');
      expect(bench.list(volumeAttachments), `refused ${refused}`).toEqual([]);
    }
  });
});
