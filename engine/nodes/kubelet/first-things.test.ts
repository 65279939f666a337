/** What pods wait for before they start, and what prepares them again: the certificate of their namespace, init containers. */
import { expect, it } from 'vitest';
import { nodeReset } from '../../base/fault-points.ts';
import { configMaps } from '../../client/resources.ts';
import { Rig } from '../testing/rig.ts';

async function aRig(): Promise<Rig> {
  const rig = new Rig();
  await rig.startPool({ count: 1 });
  rig.clear();
  return rig;
}

it('the certificate of the API server is waited for, told and tried again', async () => {
  const rig = await aRig();
  const sources = [{ configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } }];
  const volumeMounts = [{ name: 'kube-api-access-x', mountPath: '/var/run/secrets' }];
  rig.addPod('p', {
    volumes: [{ name: 'kube-api-access-x', projected: { sources } }],
    containers: [{ name: 'c', image: 'busybox', command: ['sleep', '9999'], volumeMounts }],
  });
  await rig.advance(3_000);
  expect(rig.pod('p')?.status).toMatchObject({ phase: 'Pending', containerStatuses: [{ state: { waiting: { reason: 'ContainerCreating' } } }] });
  expect(rig.eventTexts('Pod default/p')[0]).toBe(
    'Warning FailedMount MountVolume.SetUp failed for volume "kube-api-access-x" : configmap "kube-root-ca.crt" not found',
  );
  rig.add(configMaps, { metadata: { name: 'kube-root-ca.crt', namespace: 'default' }, data: { 'ca.crt': 'x' } });
  await rig.advance(15_000);
  expect(rig.pod('p')?.status?.phase).toBe('Running');
});

const init = { name: 'i', image: 'busybox', command: ['sh', '-c', 'echo prepared; sleep 2'] };
const main = { name: 'c', image: 'busybox', command: ['sleep', '9999'] };
const order = (rig: Rig): readonly string[] => rig.events.filter(({ text }) => / Started /.test(text)).map(({ object }) => object);

async function rebooted(rig: Rig): Promise<void> {
  rig.clear();
  rig.strike('x', 'pool-0', nodeReset);
  await rig.advance(1_000);
  rig.points.heal('x', []);
  await rig.advance(60_000);
}

it('init containers run again in the sandbox that comes after a reboot, before the others', async () => {
  const rig = await aRig();
  rig.addPod('p', { initContainers: [init], containers: [main] });
  await rig.advance(20_000);
  await rebooted(rig);
  expect(order(rig)).toHaveLength(2);
  const { initContainerStatuses = [], containerStatuses = [], phase } = rig.pod('p')?.status ?? {};
  const [first, second] = [initContainerStatuses[0], containerStatuses[0]];
  expect(phase).toBe('Running');
  expect([first?.restartCount, second?.restartCount]).toEqual([1, 1]);
  expect(second?.lastState?.terminated).toMatchObject({ exitCode: 255, reason: 'Unknown' });
  expect(first?.lastState?.terminated).toMatchObject({ exitCode: 0, reason: 'Completed' });
  const [prepared, started] = [first?.state?.terminated?.finishedAt ?? '', second?.state?.running?.startedAt ?? ''];
  expect(started >= prepared && prepared !== '').toBe(true);
  await rig.advance(120_000);
  expect(rig.pod('p')?.status?.initContainerStatuses?.[0]?.restartCount).toBe(1);
});

it('nothing is prepared for a pod that does not run again', async () => {
  const rig = await aRig();
  rig.addPod('p', { restartPolicy: 'Never', initContainers: [init], containers: [main] });
  await rig.advance(20_000);
  await rebooted(rig);
  expect(order(rig)).toEqual([]);
  expect(rig.pod('p')?.status).toMatchObject({ phase: 'Failed', initContainerStatuses: [{ restartCount: 0 }] });
});

it('an init container of an image that nobody has described ends, and its pod runs; a sidecar of it goes on', async () => {
  const rig = await aRig();
  const image = 'quay.io/somebody/reloader:v1';
  rig.addPod('p', {
    initContainers: [
      { name: 'i', image, command: ['/bin/reloader'] },
      { name: 's', image, restartPolicy: 'Always' },
    ],
    containers: [{ name: 'c', image }],
  });
  await rig.advance(60_000);
  const { phase, initContainerStatuses = [], containerStatuses = [] } = rig.pod('p')?.status ?? {};
  expect(phase).toBe('Running');
  expect(initContainerStatuses[0]?.state?.terminated).toMatchObject({ exitCode: 0, reason: 'Completed' });
  expect([initContainerStatuses[1]?.ready, containerStatuses[0]?.ready]).toEqual([true, true]);
  expect(initContainerStatuses.map(({ restartCount }) => restartCount)).toEqual([0, 0]);
});
