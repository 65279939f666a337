/** What kubelets of release 1.13 say of pods, read from its pkg/kubelet, for no real kubelet runs here; the form of `containerID` is the seeds'. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Event, Node, Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';

const pods = '/api/v1/namespaces/default/pods';
let tank: TestCluster;
let nodeName: string;

function run(name: string, container: object, more: object = {}): void {
  const spec = { containers: [{ name: 'c', image: 'busybox', ...container }], ...more };
  tank.call('POST', pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
}

function told(name: string): readonly string[] {
  const events = tank.cluster.stored('events') as Event[];
  return events.filter(({ involvedObject }) => involvedObject?.name === name).map(({ reason, message }) => `${reason} ${message}`);
}

const statusOf = (name: string): NonNullable<Pod['status']> => tank.call<Pod>('GET', `${pods}/${name}`).status ?? {};
const firstOf = (name: string) => statusOf(name).containerStatuses?.[0];

describe('kubelets of release 1.13', () => {
  beforeAll(async () => {
    tank = await aCluster({ seed: 1, nodes: 1, release: '1.13' });
    await tank.advance(30_000);
    nodeName = tank.call<{ readonly items: readonly Node[] }>('GET', '/api/v1/nodes').items[0]?.metadata.name ?? '';
    run('good', { command: ['sleep', '1000'] }, { terminationGracePeriodSeconds: 1 });
    run('again', { command: ['sh', '-c', 'exit 3'], imagePullPolicy: 'IfNotPresent' });
    run('deaf', { command: ['sleep', '1000'], livenessProbe: { exec: { command: ['false'] }, periodSeconds: 1, failureThreshold: 1 } });
    run('large', {}, { nodeName, containers: [{ name: 'c', image: 'busybox', resources: { requests: { cpu: '1000' } } }] });
    await tank.advance(50_000);
    tank.call('DELETE', `${pods}/good`);
    await tank.advance(10_000);
  });

  it('tell of images and containers in few words', () => {
    expect(told('good')).toEqual(
      expect.arrayContaining([
        'Pulling pulling image "busybox"',
        'Pulled Successfully pulled image "busybox"',
        'Created Created container',
        'Started Started container',
        'Killing Killing container with id docker://c:Need to kill Pod',
      ]),
    );
    expect(told('again')).toContain('Pulled Container image "busybox" already present on machine');
  });

  it('count what is told again, since no two texts differ', () => {
    const events = tank.cluster.stored('events') as Event[];
    const pulled = events.filter(({ involvedObject, reason }) => involvedObject?.name === 'deaf' && reason === 'Pulled');
    expect(pulled).toHaveLength(1);
    expect(pulled[0]?.count).toBeGreaterThan(1);
  });

  it('tell of failures without naming anybody, and wait in their own words', () => {
    expect(told('again')).toContain('BackOff Back-off restarting failed container');
    expect(firstOf('again')?.state?.waiting).toEqual({
      reason: 'CrashLoopBackOff',
      message: expect.stringMatching(/^Back-off \S+ restarting failed container=c pod=again_default\([0-9a-f-]{36}\)$/),
    });
    expect(told('deaf')).toContain(
      'Killing Killing container with id docker://c:Container failed liveness probe.. Container will be killed and recreated.',
    );
    expect(statusOf('large').message).toMatch(/^Pod Node didn't have enough resource: cpu, requested: 1000000, used: \d+, capacity: \d+$/);
  });

  it('call containers and images as docker does', () => {
    const { containerID, lastState, image, imageID } = firstOf('again') ?? {};
    expect(containerID).toMatch(/^docker:\/\/[0-9a-f]{64}$/);
    expect(lastState?.terminated?.containerID).toMatch(/^docker:\/\/[0-9a-f]{64}$/);
    expect(image).toBe('busybox:latest');
    expect(imageID).toMatch(/^docker-pullable:\/\/busybox@sha256:[0-9a-f]{64}$/);
    expect(tank.call<Node>('GET', `/api/v1/nodes/${nodeName}`).status?.nodeInfo?.containerRuntimeVersion).toBe('docker://0.1.0-wavetank');
  });
});
