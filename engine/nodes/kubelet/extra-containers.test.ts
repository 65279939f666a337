import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { pods } from '../../client/resources.ts';
import { Rig } from '../testing/rig.ts';

async function aRig(): Promise<Rig> {
  const rig = new Rig();
  await rig.startPool({ count: 1 });
  rig.clear();
  return rig;
}

function addEphemeral(rig: Rig, pod: string, ...containers: readonly JsonObject[]): void {
  rig.change(pods, 'default', pod, (old) => ({
    ...old,
    spec: { ...old.spec, ephemeralContainers: [...(old.spec?.ephemeralContainers ?? []), ...containers] },
  }));
}

const debug = (name: string, script: string): JsonObject => ({ name, image: 'busybox', command: ['sh', '-c', script] });

describe('ephemeral containers', () => {
  it('start in a running pod, have a status of their own, and never start again', async () => {
    const rig = await aRig();
    rig.addPod('p', { containers: [{ name: 'c', image: 'nginx' }] });
    await rig.advance(20_000);
    addEphemeral(rig, 'p', debug('look', 'echo looked; sleep 5; exit 4'));
    await rig.advance(6_000);
    expect(rig.pod('p')?.status?.ephemeralContainerStatuses).toMatchObject([{ name: 'look', ready: true, state: { running: {} } }]);
    addEphemeral(rig, 'p', debug('again', 'sleep 1000'));
    await rig.advance(60_000);
    expect(rig.pod('p')?.status).toMatchObject({
      phase: 'Running',
      containerStatuses: [{ name: 'c', ready: true }],
      ephemeralContainerStatuses: [
        { name: 'look', restartCount: 0, state: { terminated: { exitCode: 4 } } },
        { name: 'again', state: { running: {} } },
      ],
    });
    expect(rig.logs).toContain('looked');
    rig.deletePod('p', 2);
    await rig.advance(10_000);
    expect(rig.pod('p')).toBeUndefined();
  });

  it('do not keep a pod from completing, and do not wait for its init containers', async () => {
    const rig = await aRig();
    rig.addPod('p', {
      restartPolicy: 'Never',
      initContainers: [{ name: 'i', image: 'busybox', command: ['sleep', '30'] }],
      containers: [{ name: 'c', image: 'busybox', command: ['true'] }],
    });
    await rig.advance(10_000);
    addEphemeral(rig, 'p', debug('look', 'sleep 1000'));
    await rig.advance(10_000);
    expect(rig.pod('p')?.status?.ephemeralContainerStatuses?.[0]?.state).toMatchObject({ running: {} });
    await rig.advance(60_000);
    expect(rig.pod('p')?.status?.phase).toBe('Succeeded');
  });

  it('are known to a kubelet that was restored', async () => {
    const make = async (): Promise<Rig> => {
      const rig = await aRig();
      rig.addPod('p', { containers: [{ name: 'c', image: 'nginx' }] });
      await rig.advance(20_000);
      addEphemeral(rig, 'p', debug('look', 'sleep 20; exit 1'));
      await rig.advance(8_000);
      return rig;
    };
    const rig = await make();
    const other = new Rig();
    other.takeOver(await make());
    for (const one of [rig, other]) await one.advance(60_000);
    expect(other.pod('p')?.status).toEqual(rig.pod('p')?.status);
    expect(rig.pod('p')?.status?.ephemeralContainerStatuses?.[0]?.state).toMatchObject({ terminated: { exitCode: 1 } });
  });
});

describe('rules of restart', () => {
  const rules = [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }];
  it.each([
    [42, true],
    [1, false],
  ])('after exit code %d a container of a pod that never restarts: %s', async (code, restarts) => {
    const rig = await aRig();
    const container = { ...debug('c', `exit ${code}`), restartPolicy: 'Never', restartPolicyRules: rules };
    rig.addPod('p', { restartPolicy: 'Never', containers: [container] });
    await rig.advance(60_000);
    expect((rig.pod('p')?.status?.containerStatuses?.[0]?.restartCount ?? 0) > 0).toBe(restarts);
    expect(rig.pod('p')?.status?.phase).toBe(restarts ? 'Running' : 'Failed');
  });

  it('a policy of the container itself goes before that of the pod', async () => {
    const rig = await aRig();
    rig.addPod('p', { restartPolicy: 'Never', containers: [{ ...debug('c', 'exit 0'), restartPolicy: 'Always' }] });
    await rig.advance(60_000);
    expect(rig.pod('p')?.status?.containerStatuses?.[0]?.restartCount).toBeGreaterThan(0);
  });

  it('an init container that a rule starts again lets the pod go on once it succeeds', async () => {
    const rig = await aRig();
    const script = 'if [ -f /v/done ]; then exit 0; fi; touch /v/done; exit 42';
    rig.addPod('p', {
      restartPolicy: 'Never',
      volumes: [{ name: 'v', emptyDir: {} }],
      initContainers: [{ ...debug('i', script), restartPolicy: 'Never', restartPolicyRules: rules, volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
      containers: [debug('c', 'sleep 1000')],
    });
    await rig.advance(60_000);
    expect(rig.pod('p')?.status?.phase).toBe('Running');
  });
});

describe('the rule RestartAllContainers', () => {
  const again = (code: number): JsonObject => ({
    restartPolicy: 'Never',
    restartPolicyRules: [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [code] } }] as unknown as JsonObject[],
  });
  const shared = { volumeMounts: [{ name: 'v', mountPath: '/v' }] as JsonObject[] };
  const once = 'echo c ran; if [ -f /v/done ]; then sleep 1000; fi; touch /v/done; sleep 3; exit 88';

  it('starts the whole pod over in place: init containers run again, volumes, address and node stay', async () => {
    const rig = await aRig();
    rig.addPod('p', {
      restartPolicy: 'Never',
      volumes: [{ name: 'v', emptyDir: {} }],
      initContainers: [debug('i', 'echo i ran')],
      containers: [{ ...debug('c', once), ...again(88), ...shared }, debug('d', 'echo d ran; sleep 1000')],
    });
    await rig.advance(6_500);
    const ip = rig.pod('p')?.status?.podIP;
    await rig.advance(30_000);
    const { status } = rig.pod('p') ?? {};
    expect(rig.logs).toEqual(['i ran', 'c ran', 'd ran', 'i ran', 'c ran', 'd ran']);
    expect(status).toMatchObject({
      phase: 'Running',
      podIP: ip,
      initContainerStatuses: [{ restartCount: 1, state: { terminated: { exitCode: 0 } } }],
      containerStatuses: ['c', 'd'].map((name) => ({
        name,
        restartCount: 1,
        state: { running: {} },
        lastState: {
          terminated: {
            exitCode: 137,
            reason: 'RestartingAllContainers',
            message: 'The container is removed because RestartAllContainers in place',
            startedAt: null,
            finishedAt: null,
          },
        },
      })),
    });
    expect(rig.eventTexts('Pod default/p').filter((text) => text.includes('Killing'))).toEqual(['Normal Killing killing']);
    expect(status?.conditions?.find(({ type }) => type === 'Initialized')?.status).toBe('True');
  });

  it('is told in a condition while it goes on, and leaves other ends to their policy', async () => {
    const rig = await aRig();
    const seen = new Set<string>();
    rig.addPod('p', {
      restartPolicy: 'Never',
      volumes: [{ name: 'v', emptyDir: {} }],
      containers: [{ ...debug('c', once), ...again(88), ...shared }],
    });
    rig.addPod('other', { restartPolicy: 'Never', containers: [{ ...debug('c', 'exit 1'), ...again(88) }] });
    for (let i = 0; i < 200; i++) {
      await rig.advance(100);
      const found = rig.pod('p')?.status?.conditions?.find(({ type }) => type === 'AllContainersRestarting');
      seen.add([found?.status, found?.reason, found?.message].join(' ').trim());
    }
    expect([...seen]).toEqual(['False', 'True RestartAllContainersStarted container exited with restart policy rule']);
    expect(rig.pod('other')?.status).toMatchObject({ phase: 'Failed', containerStatuses: [{ restartCount: 0 }] });
    expect(rig.pod('other')?.status?.conditions?.at(-1)).toMatchObject({ type: 'AllContainersRestarting', status: 'False', reason: 'PodFailed' });
  });

  it('is asked for by init containers too', async () => {
    const rig = await aRig();
    const script = 'echo ran; if [ -f /v/done ]; then exit 0; fi; touch /v/done; exit 7';
    rig.addPod('p', {
      restartPolicy: 'Never',
      volumes: [{ name: 'v', emptyDir: {} }],
      initContainers: [debug('first', 'echo first'), { ...debug('i', script), ...again(7), ...shared }],
      containers: [debug('c', 'sleep 1000')],
    });
    await rig.advance(40_000);
    expect(rig.logs).toEqual(['first', 'ran', 'first', 'ran']);
    expect(rig.pod('p')?.status?.phase).toBe('Running');
  });
});
