/** What gates of release 1.13 change in its kubelets, each on and off; read from pkg/kubelet and pkg/volume/csi of 1.13.12, for no real kubelet runs here. */
import { expect, it } from 'vitest';
import type { Event, PersistentVolumeClaim, Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';

const core = '/api/v1/namespaces/default';
const shell = (script: string, more: object): object => ({ name: 'c', image: 'busybox', command: ['sh', '-c', script], ...more });
const mounted = { volumeMounts: [{ name: 'data', mountPath: '/data' }] };

async function withGates(gates: string): Promise<TestCluster> {
  const tank = await aCluster({ seed: 1, nodes: 1, release: '1.13', options: { 'feature-gates': gates } });
  await tank.advance(30_000);
  return tank;
}

function run({ call }: TestCluster, name: string, container: object, volume: object = { persistentVolumeClaim: { claimName: 'c' } }): void {
  const spec = { restartPolicy: 'Never', terminationGracePeriodSeconds: 1, volumes: [{ name: 'data', ...volume }], containers: [container] };
  call('POST', `${core}/pods`, { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
}

function claim({ call }: TestCluster, more: object = {}): void {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...more };
  call('POST', `${core}/persistentvolumeclaims`, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'c' }, spec });
}

function messages({ cluster }: TestCluster, reason: string): readonly string[] {
  return (cluster.stored('events') as Event[]).flatMap((event) => (event.reason === reason ? [event.message ?? ''] : []));
}

const phaseOf = ({ call }: TestCluster, name: string): string | undefined => call<Pod>('GET', `${core}/pods/${name}`).status?.phase;
const sizeOf = ({ call }: TestCluster): unknown =>
  call<PersistentVolumeClaim>('GET', `${core}/persistentvolumeclaims/c`).status?.capacity?.['storage'];

it.each([
  ['true', ['of ada', 'of nobody']],
  ['false', ['of $(WHO)', 'of nobody']],
])('VolumeSubpathEnvExpansion=%s: a path below a volume that speaks of a variable', async (isOn, told) => {
  const tank = await withGates(`VolumeSubpathEnvExpansion=${isOn}`);
  const data = { ada: 'of ada', whole: 'of $(WHO)', '0': 'of nobody' };
  const items = [
    { key: 'ada', path: 'ada' },
    { key: 'whole', path: '$(WHO)' },
    { key: '0', path: '$(NOBODY)' },
  ];
  tank.call('POST', `${core}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data });
  const volumeMounts = [
    { name: 'data', mountPath: '/one', subPath: '$(WHO)' },
    { name: 'data', mountPath: '/other', subPath: '$(NOBODY)' },
  ];
  run(tank, 'p', shell('cat /one; echo; cat /other', { volumeMounts, env: [{ name: 'WHO', value: 'ada' }] }), { configMap: { name: 'm', items } });
  await tank.advance(40_000);
  expect(
    tank.cluster.nodes
      .readLogs('default', 'p', {})
      .split('\n')
      .filter((line) => line !== ''),
  ).toEqual(told);
});

it.each([
  ['true', '2Gi'],
  ['false', '1Gi'],
])('ExpandInUsePersistentVolumes=%s: a claim that grows while a pod uses it', async (isOn, size) => {
  const tank = await withGates(`ExpandInUsePersistentVolumes=${isOn}`);
  claim(tank);
  run(tank, 'p', shell('sleep 3600', mounted));
  await tank.advance(60_000);
  expect(phaseOf(tank, 'p')).toBe('Running');
  tank.call('PATCH', `${core}/persistentvolumeclaims/c`, { spec: { resources: { requests: { storage: '2Gi' } } } }, 'application/merge-patch+json');
  await tank.advance(60_000);
  expect(sizeOf(tank)).toBe(size);
  tank.call('DELETE', `${core}/pods/p`);
  await tank.advance(60_000);
  run(tank, 'q', shell('sleep 3600', mounted));
  await tank.advance(60_000);
  expect(sizeOf(tank)).toBe('2Gi');
});

it.each([
  ['true', 'Running', []],
  [
    'false',
    'Pending',
    [expect.stringMatching(/^MapVolume.NewBlockVolumeMapper initialization failed for volume "pvc-.*" : CSIBlockVolume feature not enabled$/)],
  ],
])('CSIBlockVolume=%s: a disk as a device', async (isOn, phase, told) => {
  const tank = await withGates(`CSIBlockVolume=${isOn}`);
  claim(tank, { volumeMode: 'Block' });
  run(tank, 'p', shell('sleep 3600', { volumeDevices: [{ name: 'data', devicePath: '/dev/x' }] }));
  await tank.advance(60_000);
  expect(phaseOf(tank, 'p')).toBe(phase);
  expect(messages(tank, 'FailedMapVolume')).toEqual(told);
});
