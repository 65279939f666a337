/** Probes that take their time: when their answers are heard, and what happens meanwhile. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { Rig } from '../testing/rig.ts';

async function aRig(): Promise<Rig> {
  const rig = new Rig();
  await rig.startPool({ count: 1 });
  rig.clear();
  return rig;
}

async function probed(probe: JsonObject, seconds = 60): Promise<Rig> {
  const rig = await aRig();
  rig.addPod('p', { containers: [{ name: 'c', image: 'busybox', command: ['sleep', '9999'], readinessProbe: probe }] });
  await rig.advance(seconds * 1000);
  return rig;
}

/** Milliseconds from a tick of the period to the event. */
function lateness(rig: Rig, periodSeconds: number): readonly number[] {
  const addedMs = rig.events[0]?.atMs ?? 0;
  const first = rig.events.filter(({ text }) => text.includes(' Unhealthy ')).map(({ atMs }) => atMs);
  expect(first.length).toBeGreaterThan(1);
  // All are equally late; the ticks themselves are a period apart.
  return first.slice(1).map((atMs, i) => Math.round(atMs - (first[i] ?? addedMs) - periodSeconds * 1000));
}

const exec = (script: string): JsonObject => ({ exec: { command: ['sh', '-c', script] } });

describe('an answer', () => {
  it.each([
    ['of a command', { ...exec('sleep 3; exit 1'), timeoutSeconds: 5, periodSeconds: 10 }, 3_000, 'Readiness probe failed: '],
    ['of a command that is killed', { ...exec('sleep 30'), timeoutSeconds: 2, periodSeconds: 10 }, 2_000, 'timed out after 2s'],
    ['of nobody by gRPC', { grpc: { port: 5000 }, timeoutSeconds: 4, periodSeconds: 10 }, 4_000, 'within 4s'],
    ['of nobody by TCP', { tcpSocket: { port: 5000 }, timeoutSeconds: 4, periodSeconds: 10 }, 0, 'connection refused'],
  ])('%s is heard when it comes', async (_, probe, wantMs, text) => {
    const quick = await probed({ tcpSocket: { port: 1 }, periodSeconds: 10 });
    const rig = await probed(probe);
    const firstOf = ({ events }: Rig): number => events.find((one) => one.text.includes(' Unhealthy '))?.atMs ?? 0;
    expect(Math.round(firstOf(rig) - firstOf(quick))).toBe(wantMs);
    expect(rig.events.find((one) => one.text.includes(' Unhealthy '))?.text).toContain(text);
    expect(new Set(lateness(rig, 10))).toEqual(new Set([0]));
  });

  it('that takes longer than the period is followed by the next question at once', async () => {
    const rig = await probed({ ...exec('sleep 2.5; exit 1'), timeoutSeconds: 5, periodSeconds: 1 }, 30);
    expect(new Set(lateness(rig, 0))).toEqual(new Set([2_500]));
  });

  it('is made good where it comes late', async () => {
    const rig = await probed({ ...exec('sleep 3'), timeoutSeconds: 5, periodSeconds: 10 }, 8);
    const readyAt = (): boolean => rig.pod('p')?.status?.containerStatuses?.[0]?.ready === true;
    expect(readyAt()).toBe(false);
    await rig.advance(10_000);
    expect(readyAt()).toBe(true);
  });

  it('is heard by a kubelet that was restored meanwhile', async () => {
    const probe = { ...exec('sleep 3; exit 1'), timeoutSeconds: 5, periodSeconds: 10 };
    const rig = await probed(probe, 30);
    const last = rig.events.findLast((one) => one.text.includes(' Unhealthy '))?.atMs ?? 0;
    // Two seconds into the next question.
    await rig.advance(last + 9_000 - rig.nowMs);
    const other = new Rig();
    other.takeOver(rig);
    rig.clear();
    await rig.advance(30_000);
    await other.advance(30_000);
    expect(other.events.map(({ atMs, text }) => `${atMs} ${text}`)).toEqual(rig.events.map(({ atMs, text }) => `${atMs} ${text}`));
    expect(other.events.filter((one) => one.text.includes(' Unhealthy '))).toHaveLength(3);
  });
});
