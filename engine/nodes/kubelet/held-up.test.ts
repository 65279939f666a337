/** What holds a pod up on its node, told as upstream tells it: volumes, probes, devices. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { configMaps, resourceClaims, secrets } from '../../client/resources.ts';
import { imageProfiles } from '../kubelets.ts';
import { Rig } from '../testing/rig.ts';

const at = { namespace: 'default' };

async function aRig(): Promise<Rig> {
  const rig = new Rig();
  await rig.startPool({ count: 1 });
  rig.clear();
  return rig;
}

function textsOf(rig: Rig, reason: string): readonly string[] {
  return rig.events.map(({ text }) => text).filter((text) => text.startsWith(`Warning ${reason} `));
}

function addPod(rig: Rig, spec: JsonObject, container: JsonObject = {}): void {
  rig.addPod('p', { containers: [{ name: 'c', image: 'nginx', ...container }], ...spec });
}

describe('volumes of ConfigMaps and Secrets', () => {
  it('tell what is missing, each by itself and with a back-off, and every two minutes what the pod waits for', async () => {
    const rig = await aRig();
    rig.add(configMaps, { metadata: { name: 'there', ...at }, data: { a: '1' } });
    rig.add(secrets, { metadata: { name: 'hidden', ...at }, data: {} });
    addPod(rig, {
      volumes: [
        { name: 'none', configMap: { name: 'nowhere' } },
        { name: 'key', configMap: { name: 'there', items: [{ key: 'b', path: 'b' }] } },
        { name: 'may', configMap: { name: 'nowhere', optional: true } },
        { name: 'lax', configMap: { name: 'there', optional: true, items: [{ key: 'b', path: 'b' }] } },
        { name: 'all', projected: { sources: [{ secret: { name: 'gone' } }, { secret: { name: 'hidden', items: [{ key: 'k', path: 'k' }] } }] } },
      ],
    });
    await rig.advance(100);
    const failures = [
      'Warning FailedMount MountVolume.SetUp failed for volume "none" : configmap "nowhere" not found',
      'Warning FailedMount MountVolume.SetUp failed for volume "key" : configmap references non-existent config key: b',
      'Warning FailedMount MountVolume.SetUp failed for volume "all" : [secret "gone" not found, references non-existent secret key: k]',
    ];
    expect(textsOf(rig, 'FailedMount')).toEqual(failures);
    await rig.advance(124_000);
    const told = textsOf(rig, 'FailedMount');
    // 0.5 s, 1 s, 2 s … 64 s
    expect(told.filter((text) => text === failures[0])).toHaveLength(8);
    expect(told.filter((text) => text.startsWith('Warning FailedMount Unable'))).toEqual([
      'Warning FailedMount Unable to attach or mount volumes: unmounted volumes=[all key none], unattached volumes=[], failed to process volumes=[]: context deadline exceeded',
    ]);
    expect(rig.pod('p')?.status?.containerStatuses?.[0]?.state).toEqual({ waiting: { reason: 'ContainerCreating' } });
  });

  it('are mounted with the next try once all is there', async () => {
    const rig = await aRig();
    addPod(rig, { volumes: [{ name: 'v', configMap: { name: 'late' } }] });
    await rig.advance(4_000);
    rig.add(configMaps, { metadata: { name: 'late', ...at }, data: { a: '1' } });
    await rig.advance(20_000);
    expect(rig.pod('p')?.status?.phase).toBe('Running');
    expect(textsOf(rig, 'FailedMount')).toHaveLength(4);
  });
});

describe('probes', () => {
  const health = (service: string, more: JsonObject = {}): JsonObject => ({ service, ...more });

  function addServer(rig: Rig): void {
    const grpc = [health(''), health('down', { status: 'NOT_SERVING' }), health('slow', { delayMs: 3_000 }), health('ages', { failAfterMs: 20_000 })];
    const routes = [{ path: '/slow', delayMs: 1_500 }];
    rig.add(imageProfiles, {
      metadata: { name: 'server' },
      spec: {
        image: 'server',
        sizeBytes: 1_000,
        ports: [
          { port: 9090, grpc },
          { port: 80, routes },
        ],
      },
    } as never);
  }

  it.each([
    [{ grpc: { port: 9090 } }, undefined],
    [{ grpc: { port: 9090, service: 'down' } }, 'service unhealthy (responded with "NOT_SERVING")'],
    [{ grpc: { port: 9090, service: 'slow' } }, 'timeout: health rpc did not complete within 1s'],
    [{ grpc: { port: 9090, service: 'slow' }, timeoutSeconds: 4 }, undefined],
    [{ grpc: { port: 9090, service: 'x' } }, 'error: health rpc probe failed: rpc error: code = NotFound desc = unknown service'],
    [{ grpc: { port: 2333 } }, 'timeout: failed to connect service "10.244.0.2:2333" within 1s: context deadline exceeded'],
    [{ grpc: { port: 80 } }, 'timeout: failed to connect service "10.244.0.2:80" within 1s: context deadline exceeded'],
    [
      { httpGet: { path: '/slow', port: 80 } },
      'Get "http://10.244.0.2:80/slow": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
    ],
    [{ httpGet: { path: '/slow', port: 80 }, timeoutSeconds: 2 }, undefined],
  ])('say of %j: %s', async (readinessProbe, output) => {
    const rig = await aRig();
    addServer(rig);
    addPod(rig, {}, { image: 'server', readinessProbe: { periodSeconds: 2, ...readinessProbe } });
    await rig.advance(12_000);
    expect(rig.pod('p')?.status?.containerStatuses?.[0]?.ready).toBe(output === undefined);
    expect([...new Set(textsOf(rig, 'Unhealthy'))]).toEqual(output === undefined ? [] : [`Warning Unhealthy Readiness probe failed: ${output}`]);
  });

  it('restart a container whose health ends, by gRPC as by HTTP', async () => {
    const rig = await aRig();
    addServer(rig);
    addPod(rig, {}, { image: 'server', livenessProbe: { periodSeconds: 2, grpc: { port: 9090, service: 'ages' } } });
    await rig.advance(35_000);
    expect(rig.pod('p')?.status?.containerStatuses?.[0]?.restartCount).toBe(1);
    expect(rig.events.map(({ text }) => text)).toContain('Normal Killing Container c failed liveness probe, will be restarted');
  });

  it('that cannot be asked say so and decide nothing', async () => {
    const rig = await aRig();
    const exec = { command: ['nosuch', '-x'] };
    addPod(rig, {}, { livenessProbe: { periodSeconds: 2, failureThreshold: 1, exec }, readinessProbe: { periodSeconds: 2, exec } });
    await rig.advance(20_000);
    expect(rig.pod('p')?.status?.containerStatuses?.[0]).toMatchObject({ ready: false, restartCount: 0 });
    expect(textsOf(rig, 'Unhealthy')[0]).toMatch(
      /^Warning Unhealthy \w+ probe errored and resulted in unknown state: rpc error: code = Unknown desc = failed to exec in container: failed to start exec "[0-9a-f]{64}": OCI runtime exec failed: exec failed: unable to start container process: exec: "nosuch": executable file not found in \$PATH$/,
    );
  });

  it('ask data stores with their own commands', async () => {
    const rig = await aRig();
    addPod(rig, {}, { image: 'redis', readinessProbe: { periodSeconds: 2, exec: { command: ['sh', '-c', 'redis-cli ping | grep PONG'] } } });
    await rig.advance(12_000);
    expect(rig.pod('p')?.status?.containerStatuses?.[0]?.ready).toBe(true);
  });
});

describe('a pod with ResourceClaims', () => {
  const prefix = 'Warning FailedPrepareDynamicResources Failed to prepare dynamic resources: prepare dynamic resources: ';
  const spec = { resourceClaims: [{ name: 'gpu', resourceClaimName: 'claim' }] };

  it('does not start before they are there, allocated and reserved for it', async () => {
    const rig = await aRig();
    addPod(rig, spec);
    await rig.advance(2_000);
    expect(textsOf(rig, 'FailedPrepareDynamicResources')).toEqual([
      `${prefix}fetch ResourceClaim claim: resourceclaims.resource.k8s.io "claim" not found`,
    ]);
    rig.add(resourceClaims, { metadata: { name: 'claim', ...at }, spec: {} });
    await rig.advance(16_000);
    const { uid } = rig.mustGet(resourceClaims, 'default', 'claim').metadata;
    expect(textsOf(rig, 'FailedPrepareDynamicResources').at(-1)).toBe(
      `${prefix}pod p (${rig.pod('p')?.metadata.uid}) is not allowed to use ResourceClaim claim (${uid})`,
    );
    expect(rig.pod('p')?.status).toMatchObject({ phase: 'Pending', containerStatuses: [{ state: { waiting: { reason: 'ContainerCreating' } } }] });
    const reservedFor = [{ resource: 'pods', name: 'p', uid: rig.pod('p')?.metadata.uid }];
    rig.change(resourceClaims, 'default', 'claim', (claim) => ({ ...claim, status: { allocation: {}, reservedFor } }) as never);
    await rig.advance(25_000);
    expect(rig.pod('p')?.status?.phase).toBe('Running');
  });

  it('waits for a claim that is made from a template', async () => {
    const rig = await aRig();
    addPod(rig, { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 't' }] });
    await rig.advance(2_000);
    expect(textsOf(rig, 'FailedPrepareDynamicResources')).toEqual([`${prefix}pod "default/p": ResourceClaim not created yet`]);
  });
});
