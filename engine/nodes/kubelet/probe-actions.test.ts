/** What probes ask and what is told of the answers: ports by name, redirects, hooks. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { Rig } from '../testing/rig.ts';

async function aRig(): Promise<Rig> {
  const rig = new Rig();
  await rig.startPool({ count: 1 });
  rig.clear();
  return rig;
}

const liveness: JsonObject = { name: 'c', image: 'registry.k8s.io/e2e-test-images/agnhost:2.53', args: ['liveness'] };
const quick = { periodSeconds: 2, failureThreshold: 1 };

function textsOf(rig: Rig, reason: string): readonly string[] {
  return [...new Set(rig.events.map(({ text }) => text).filter((text) => text.includes(` ${reason} `)))];
}

async function probed(container: JsonObject, seconds = 8): Promise<Rig> {
  const rig = await aRig();
  rig.addPod('p', { containers: [{ ...liveness, ...container }] });
  await rig.advance(seconds * 1000);
  return rig;
}

const statusOf = (rig: Rig): { readonly ready?: boolean; readonly restartCount?: number } | undefined => rig.pod('p')?.status?.containerStatuses?.[0];

describe('a port', () => {
  it('may be the name of one of the container, or a number as text', async () => {
    const ports = [{ name: 'web', containerPort: 8080 }];
    const named = await probed({ ports, readinessProbe: { ...quick, httpGet: { path: '/healthz', port: 'web' } } });
    expect(statusOf(named)?.ready).toBe(true);
    const text = await probed({ readinessProbe: { ...quick, tcpSocket: { port: '8080' } } });
    expect(statusOf(text)?.ready).toBe(true);
  });

  it.each([
    ['tcpSocket', { tcpSocket: { port: 'nosuch' } }],
    ['httpGet', { httpGet: { path: '/', port: 'nosuch' } }],
  ])('that no port of the container is called makes a probe with %s err: nothing follows', async (_what, action) => {
    const rig = await probed({ readinessProbe: { ...quick, ...action }, livenessProbe: { ...quick, ...action } });
    expect(statusOf(rig)).toMatchObject({ ready: false, restartCount: 0 });
    expect([...textsOf(rig, 'Unhealthy')].sort()).toEqual([
      'Warning Unhealthy Liveness probe errored and resulted in unknown state: strconv.Atoi: parsing "nosuch": invalid syntax',
      'Warning Unhealthy Readiness probe errored and resulted in unknown state: strconv.Atoi: parsing "nosuch": invalid syntax',
    ]);
  });
});

describe('a redirect', () => {
  it('that stays on the host is followed', async () => {
    const rig = await probed({ livenessProbe: { ...quick, httpGet: { path: '/redirect?loc=%2Fhealthz', port: 8080 } } }, 25);
    expect(statusOf(rig)?.restartCount).toBe(1);
    expect(textsOf(rig, 'Unhealthy')).toEqual(['Warning Unhealthy Liveness probe failed: HTTP probe failed with statuscode: 500']);
    expect(textsOf(rig, 'ProbeWarning')).toEqual([]);
  });

  it('to another host is well, with a warning', async () => {
    const rig = await probed({ livenessProbe: { ...quick, httpGet: { path: '/redirect?loc=http%3A%2F%2F0.0.0.0%2F', port: 8080 } } }, 25);
    expect(statusOf(rig)?.restartCount).toBe(0);
    expect(textsOf(rig, 'ProbeWarning')).toEqual([
      'Warning ProbeWarning Liveness probe warning: Probe terminated redirects, Response body: <a href="http://0.0.0.0/">Found</a>.\n\n',
    ]);
  });

  it.each([
    [9, true],
    [10, false],
  ])('after %d of them is well: %s', async (times, isWell) => {
    let path = '/healthz';
    for (let i = 0; i < times; i++) path = `/redirect?loc=${encodeURIComponent(path)}`;
    const rig = await probed({ readinessProbe: { ...quick, httpGet: { path, port: 8080 } } });
    expect(statusOf(rig)?.ready).toBe(isWell);
    if (isWell) return;
    expect(statusOf(rig)?.ready).toBe(false);
    expect(textsOf(rig, 'Unhealthy')).toEqual(['Warning Unhealthy Readiness probe failed: Get "/healthz": stopped after 10 redirects']);
  });
});

it('a hook is done when something has answered it, whatever it says', async () => {
  const hook = (port: number): JsonObject => ({ lifecycle: { postStart: { httpGet: { path: '/nosuch', port } } } });
  const answered = await aRig();
  // The server of this image listens at once.
  answered.addPod('p', { containers: [{ name: 'c', image: 'registry.k8s.io/liveness:1', ...hook(8080) }] });
  await answered.advance(10_000);
  expect(textsOf(answered, 'FailedPostStartHook')).toEqual([]);
  const refused = await probed(hook(1));
  expect(textsOf(refused, 'FailedPostStartHook')).toEqual(['Warning FailedPostStartHook PostStartHook failed']);
});
