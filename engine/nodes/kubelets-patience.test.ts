/** How long a kubelet waits: for containers that are to go, for those that start, for probes that fail now and then. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { Rig } from './testing/rig.ts';

async function makeRig(): Promise<Rig> {
  const rig = new Rig();
  await rig.startPool({ count: 1 });
  rig.clear();
  return rig;
}

function shell(script: string, more: JsonObject = {}): JsonObject {
  return { name: 'c', image: 'busybox', command: ['sh', '-c', script], ...more };
}

describe('pods', () => {
  it('go sooner when they are deleted again with less grace', async () => {
    const rig = await makeRig();
    rig.addPod('deaf', { terminationGracePeriodSeconds: 300, containers: [shell('sleep 3600')] });
    await rig.advance(10_000);
    rig.deletePod('deaf', 300);
    await rig.advance(20_000);
    expect(rig.pod('deaf')?.metadata.deletionGracePeriodSeconds).toBe(300);
    rig.deletePod('deaf', 5);
    await rig.advance(12_000);
    expect(rig.pod('deaf')).toBeUndefined();
  });

  it('stop their sidecars when what needs them has ended, not before', async () => {
    const rig = await makeRig();
    rig.addPod('p', {
      terminationGracePeriodSeconds: 10,
      initContainers: [{ ...shell('sleep 3600', { name: 'sidecar' }), name: 'sidecar', restartPolicy: 'Always' }],
      containers: [shell('sleep 3600')],
    });
    await rig.advance(20_000);
    rig.clear();
    rig.deletePod('p', 10);
    await rig.advance(30_000);
    const killed = rig.events.filter(({ text }) => text.startsWith('Normal Killing'));
    expect(killed.map(({ text }) => text)).toEqual(['Normal Killing Stopping container c', 'Normal Killing Stopping container sidecar']);
    expect((killed[1]?.atMs ?? 0) - (killed[0]?.atMs ?? 0)).toBeGreaterThan(9_000);
  });

  it('are not restarted for fewer failed probes in a row than the threshold', async () => {
    const rig = await makeRig();
    const livenessProbe = { exec: { command: ['cat', '/tmp/healthy'] }, periodSeconds: 5, failureThreshold: 3 };
    rig.addPod('p', {
      containers: [shell('touch /tmp/healthy; sleep 20; rm /tmp/healthy; sleep 8; touch /tmp/healthy; sleep 600', { livenessProbe })],
    });
    await rig.advance(120_000);
    expect(rig.eventTexts('Pod default/p').some((text) => text.startsWith('Warning Unhealthy Liveness probe failed'))).toBe(true);
    expect(rig.pod('p')?.status?.containerStatuses?.[0]?.restartCount).toBe(0);
  });

  it('are not asked whether they live while they start', async () => {
    const rig = await makeRig();
    const probe = { exec: { command: ['cat', '/tmp/up'] }, periodSeconds: 2 };
    rig.addPod('p', {
      containers: [
        shell('sleep 40; touch /tmp/up; sleep 600', {
          startupProbe: { ...probe, failureThreshold: 60 },
          livenessProbe: { ...probe, failureThreshold: 1 },
        }),
      ],
    });
    await rig.advance(120_000);
    expect(rig.pod('p')?.status?.containerStatuses?.[0]).toMatchObject({ restartCount: 0, started: true });
    expect(rig.eventTexts('Pod default/p').some((text) => text.startsWith('Warning Unhealthy Liveness'))).toBe(false);
  });
});
