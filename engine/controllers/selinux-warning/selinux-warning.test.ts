import { beforeEach, expect, it } from 'vitest';
import type { CSIDriver } from '../../api/storage/v1/types.gen.ts';
import { csiDrivers, persistentVolumeClaims, persistentVolumes, pods } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { seLinuxWarningController } from './controller.ts';

const end = 'If both pods land on the same node, only one of them may access the volume.';
let bench: ControllerBench;

beforeEach(() => {
  bench = new ControllerBench();
  addVolume('default');
  setMount(true);
});

function setMount(seLinuxMount: boolean): void {
  bench.putAs(csiDrivers, 'disk.example.com', undefined, { metadata: { name: 'disk.example.com' }, spec: { seLinuxMount } } as CSIDriver);
}

/** One volume, with a claim in each namespace. */
function addVolume(namespace: string, source: object = { csi: { driver: 'disk.example.com', volumeHandle: 'one' } }): void {
  const name = `pv-${namespace}`;
  bench.add(persistentVolumes, { metadata: { name }, spec: { ...source, claimRef: { namespace, name: 'data', uid: `${namespace}-claim` } } });
  bench.add(persistentVolumeClaims, { metadata: { namespace, name: 'data', uid: `${namespace}-claim` }, spec: { volumeName: name } });
}

interface Wish {
  readonly level?: string;
  readonly user?: string;
  readonly policy?: string;
  readonly namespace?: string;
}

function addPod(name: string, { level, user, policy, namespace = 'default' }: Wish): void {
  const seLinuxOptions = { ...(user === undefined ? {} : { user }), ...(level === undefined ? {} : { level }) };
  bench.add(pods, {
    metadata: { namespace, name },
    spec: {
      securityContext: { seLinuxOptions, ...(policy === undefined ? {} : { seLinuxChangePolicy: policy }) },
      containers: [{ name: 'c', image: 'i', volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }],
    },
    status: { phase: 'Running' },
  });
}

const events = () => bench.events.map(({ object, text }) => `${object}: ${text}`);

it('two labels: both pods are told, and the metric counts both ways', async () => {
  addPod('a', { level: 's0:c1' });
  addPod('b', { level: 's0:c2' });
  await bench.run(seLinuxWarningController);
  const told = (one: string, value: string, other: string, otherValue: string) =>
    `Pod default/${one}: Normal SELinuxLabelConflict SELinuxLabel "${value}" conflicts with pod ${other} that uses the same volume as this pod with SELinuxLabel "${otherValue}". ${end}`;
  expect(events().sort()).toEqual([told('a', ':::s0:c1', 'b', ':::s0:c2'), told('b', ':::s0:c2', 'a', ':::s0:c1')]);
  const [metric] = bench.metrics();
  expect(metric?.samples.map(([{ property, pod1_name, pod2_value }]) => `${property} ${pod1_name} ${pod2_value}`).sort()).toEqual([
    'SELinuxLabel a :::s0:c2',
    'SELinuxLabel b :::s0:c1',
  ]);
});

it.each<[name: string, one: Wish, other: Wish, reasons: readonly string[]]>([
  ['the same label', { level: 's0:c1' }, { level: 's0:c1' }, []],
  ['a user that one leaves open', { user: 'system_u', level: 's0' }, { level: 's0' }, []],
  ['two users', { user: 'system_u', level: 's0' }, { user: 'root', level: 's0' }, ['SELinuxLabelConflict']],
  ['a label and none', { level: 's0' }, {}, ['SELinuxChangePolicyConflict', 'SELinuxLabelConflict']],
  ['two pods without', {}, {}, []],
  ['another policy', { level: 's0' }, { level: 's0', policy: 'Recursive' }, ['SELinuxChangePolicyConflict', 'SELinuxLabelConflict']],
])('%s', async (_name, one, other, reasons) => {
  addPod('a', one);
  addPod('b', other);
  await bench.run(seLinuxWarningController);
  expect([...new Set(bench.events.map(({ text }) => text.split(' ')[1]))].sort()).toEqual(reasons);
  expect(bench.writes).toEqual([]);
});

it('a pod of another namespace is not named', async () => {
  addVolume('other');
  addPod('a', { level: 's0:c1' });
  addPod('b', { level: 's0:c2', namespace: 'other' });
  await bench.run(seLinuxWarningController);
  expect(events()).toContain(
    `Pod default/a: Normal SELinuxLabelConflict SELinuxLabel":::s0:c1" conflicts with another pod that uses the same volume as this pod with a different SELinuxLabel. ${end}`,
  );
});

it('counts only where the driver mounts with labels, and looks again when that changes', async () => {
  setMount(false);
  addPod('a', { level: 's0:c1' });
  addPod('b', { level: 's0:c2' });
  await bench.run(seLinuxWarningController);
  expect(events()).toEqual([]);
  setMount(true);
  await bench.settle();
  expect(bench.events.filter(({ text }) => text.includes('SELinuxLabelConflict'))).not.toEqual([]);
});

it('forgets pods that are over', async () => {
  addPod('a', { level: 's0:c1' });
  await bench.run(seLinuxWarningController);
  bench.change(pods, 'default', 'a', (pod) => ({ ...pod, status: { ...pod.status, phase: 'Succeeded' } }));
  await bench.settle();
  addPod('b', { level: 's0:c2' });
  await bench.settle();
  expect(events()).toEqual([]);
});

it('two labels for one volume inside a pod', async () => {
  const mount = (name: string, level: string) => ({
    name,
    image: 'i',
    securityContext: { seLinuxOptions: { level } },
    volumeMounts: [{ name: 'v', mountPath: '/v' }],
  });
  bench.add(pods, {
    metadata: { namespace: 'default', name: 'a' },
    spec: { containers: [mount('x', 's0:c1'), mount('y', 's0:c2')], volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] },
  });
  await bench.run(seLinuxWarningController);
  expect(events()[0]).toBe('Pod default/a: Warning MultipleSELinuxLabels Volume "v" is mounted twice with different SELinux labels inside this pod');
});
