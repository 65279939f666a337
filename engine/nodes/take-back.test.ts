/** What somebody else wrote into a pod's status: the kubelet's round over all statuses takes it back, and holds nothing up. */
import { expect, it } from 'vitest';
import type { Pod } from '../api/core/v1/types.gen.ts';
import { pods } from '../client/resources.ts';
import { Rig } from './testing/rig.ts';

async function running(): Promise<Rig> {
  const rig = new Rig();
  await rig.startPool({ count: 1 });
  rig.addPod('p', { terminationGracePeriodSeconds: 1, containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', 'sleep 3600'] }] });
  await rig.advance(25_000);
  return rig;
}

/** As the node lifecycle controller does, and somebody with kubectl. */
function tamper(rig: Rig, more: Pod['status'] = {}, name = 'p'): void {
  const pod = rig.pod(name) as Pod;
  const conditions = (pod.status?.conditions ?? []).map((one) => (one.type === 'Ready' ? { ...one, status: 'False' } : one));
  const other = { type: 'example.com/Mine', status: 'True' };
  rig.putAs(pods, name, 'default', { ...pod, status: { ...pod.status, ...more, conditions: [...conditions, other] } });
}

function readyOf(rig: Rig): string | undefined {
  return rig.pod('p')?.status?.conditions?.find(({ type }) => type === 'Ready')?.status;
}

it('is put right within ten seconds; conditions of others stay', async () => {
  const rig = await running();
  tamper(rig, { podIP: '10.9.9.9', podIPs: [{ ip: '10.9.9.9' }] });
  const podIP = rig.pod('p')?.status?.podIP;
  expect([readyOf(rig), podIP]).toEqual(['False', '10.9.9.9']);
  await rig.advance(10_000);
  expect(readyOf(rig)).toBe('True');
  expect(rig.pod('p')?.status?.podIP).not.toBe('10.9.9.9');
  expect(rig.pod('p')?.status?.conditions?.some(({ type }) => type === 'example.com/Mine')).toBe(true);
});

it('is written once, and what only others say brings no write', async () => {
  const rig = await running();
  tamper(rig);
  await rig.advance(10_000);
  const { resourceVersion } = rig.pod('p')?.metadata ?? {};
  await rig.advance(60_000);
  expect(rig.pod('p')?.metadata.resourceVersion).toBe(resourceVersion);
});

it('does not delay the end of a pod', async () => {
  const untouched = await running();
  const touched = await running();
  for (const rig of [untouched, touched]) {
    rig.deletePod('p', 1);
    await rig.advance(500);
    if (rig === touched) tamper(rig);
  }
  const goneAfter = async (rig: Rig): Promise<number> => {
    let ms = 0;
    for (; rig.pod('p') !== undefined && ms < 30_000; ms += 100) await rig.advance(100);
    return ms;
  };
  expect(await goneAfter(touched)).toBe(await goneAfter(untouched));
});

it('is forgotten with a pod that goes at once while it still stops', async () => {
  const rig = new Rig();
  await rig.startPool({ count: 1 });
  const names = Array.from({ length: 20 }, (_, index) => `p${index}`);
  const command = ['sh', '-c', "trap '' TERM; while true; do sleep 1; done"];
  for (const name of names) rig.addPod(name, { containers: [{ name: 'c', image: 'busybox', command }] });
  await rig.advance(25_000);
  // Somewhere among them the kubelet's round falls between the end of the pod and that of its container.
  for (const name of names) {
    tamper(rig, {}, name);
    rig.deletePod(name, 0);
    await rig.advance(500);
  }
  // An instant that does not end would be told as a crash of the loop.
  await rig.advance(30_000);
  expect(names.filter((name) => rig.pod(name) !== undefined)).toEqual([]);
});
