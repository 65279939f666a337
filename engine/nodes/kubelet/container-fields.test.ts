/** Each row of the seeds' tables of Container and ContainerStatus, by its name, as a container meets it. */
import { describe, expect, it } from 'vitest';
import type { ContainerStatus, Pod } from '../../api/core/v1/types.gen.ts';
import type { JsonObject } from '../../base/json.ts';
import { configMaps, nodes, secrets, services } from '../../client/resources.ts';
import { imageProfiles } from '../kubelets.ts';
import { Rig } from '../testing/rig.ts';

async function aRig(): Promise<Rig> {
  const rig = new Rig();
  await rig.startPool({ count: 1 });
  rig.clear();
  return rig;
}

function script(text: string, more: JsonObject = {}): JsonObject {
  return { name: 'c', image: 'busybox', command: ['sh', '-c', text], ...more };
}

/** Runs one container to its end; what it wrote is in the rig's logs. */
async function runOnce(rig: Rig, container: JsonObject, more: JsonObject = {}): Promise<Pod> {
  rig.addPod('p', { restartPolicy: 'Never', containers: [container], ...more });
  await rig.advance(20_000);
  return rig.pod('p') as Pod;
}

function statusOf(rig: Rig, name = 'p'): ContainerStatus {
  return rig.pod(name)?.status?.containerStatuses?.[0] as ContainerStatus;
}

const eventTexts = (rig: Rig): string[] => rig.events.map(({ text }) => text);

describe('Container', () => {
  it('args: replace the image default, $(VAR) is expanded, what is unknown and $$(VAR) stay', async () => {
    const rig = await aRig();
    await runOnce(rig, { name: 'c', image: 'busybox', command: ['echo'], args: ['$(A)', '$(NONE)', '$$(A)'], env: [{ name: 'A', value: 'one' }] });
    expect(rig.logs).toContain('one $(NONE) $(A)');
  });

  it('command: replaces the entrypoint, with the same expansion, and runs in no shell', async () => {
    const rig = await aRig();
    await runOnce(rig, { name: 'c', image: 'busybox', command: ['echo', '$(A);', 'echo', '$HOME'], env: [{ name: 'A', value: 'one' }] });
    expect(rig.logs).toContain('one; echo $HOME');
  });

  it('env: values, references to those before, fields, resources in units of their divisor', async () => {
    const rig = await aRig();
    const from = (resource: string, divisor?: string): JsonObject => ({
      valueFrom: { resourceFieldRef: { resource, ...(divisor === undefined ? {} : { divisor }) } },
    });
    await runOnce(
      rig,
      script('echo $A $B $NAME $CPU $MEM $ALL', {
        resources: { limits: { memory: '64Mi' }, requests: { cpu: '250m' } },
        env: [
          { name: 'A', value: 'a' },
          { name: 'B', value: '$(A)b' },
          { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          { name: 'CPU', ...from('requests.cpu', '1m') },
          { name: 'MEM', ...from('limits.memory', '1Mi') },
          { name: 'ALL', ...from('limits.cpu') },
        ],
      }),
    );
    expect(rig.logs).toContain('a ab p 250 64 4');
  });

  it('envFrom: the last source wins, env wins over all', async () => {
    const rig = await aRig();
    rig.add(configMaps, { metadata: { name: 'one', namespace: 'default' }, data: { A: '1', B: '1', C: '1' } } as never);
    rig.add(secrets, { metadata: { name: 'two', namespace: 'default' }, data: { B: 'Mg==', C: 'Mg==' } } as never);
    await runOnce(
      rig,
      script('echo $A $B $C', {
        envFrom: [{ configMapRef: { name: 'one' } }, { secretRef: { name: 'two' } }],
        env: [{ name: 'C', value: '3' }],
      }),
    );
    expect(rig.logs).toContain('1 2 3');
  });

  it('envFrom: keys that are no names of variables are told in an event where they may be none', async () => {
    const rig = new Rig({ relaxedVariableNames: false });
    await rig.startPool({ count: 1 });
    rig.add(configMaps, { metadata: { name: 'one', namespace: 'default' }, data: { A: '1', '1st': '1' } } as never);
    await runOnce(rig, script('echo $A', { envFrom: [{ configMapRef: { name: 'one' } }] }));
    expect(eventTexts(rig)).toContain(
      'Warning InvalidEnvironmentVariableNames Keys [1st] from the EnvFrom configMap default/one were skipped since they are considered invalid environment variable names.',
    );
  });

  it('image: what the container runs; a name that is none is told', async () => {
    const rig = await aRig();
    rig.addPod('bad', { containers: [{ name: 'c', image: 'Bad Name' }] });
    await rig.advance(5_000);
    expect(statusOf(rig, 'bad').state).toMatchObject({ waiting: { reason: 'InvalidImageName' } });
  });

  it.each([
    ['Always', 2],
    ['IfNotPresent', 1],
    ['Never', 1],
  ])('imagePullPolicy: %s', async (imagePullPolicy, pulls) => {
    const rig = await aRig();
    rig.addPod('first', { containers: [{ name: 'c', image: 'nginx', imagePullPolicy: 'IfNotPresent' }] });
    await rig.advance(20_000);
    rig.addPod('second', { containers: [{ name: 'c', image: 'nginx', imagePullPolicy }] });
    await rig.advance(20_000);
    expect(eventTexts(rig).filter((text) => text.startsWith('Normal Pulling'))).toHaveLength(pulls);
    expect(rig.pod('second')?.status?.phase).toBe('Running');
  });

  it('lifecycle: preStop runs before the end, within the grace period', async () => {
    const rig = await aRig();
    rig.addPod('p', { containers: [{ name: 'c', image: 'nginx', lifecycle: { preStop: { exec: { command: ['sleep', '5'] } } } }] });
    await rig.advance(20_000);
    rig.deletePod('p');
    await rig.advance(4_000);
    expect(rig.pod('p')?.status?.phase).toBe('Running');
    await rig.advance(6_000);
    expect(rig.pod('p')).toBeUndefined();
  });

  it('livenessProbe: the container is restarted when it fails', async () => {
    const rig = await aRig();
    const livenessProbe = { exec: { command: ['false'] }, periodSeconds: 1, failureThreshold: 1 };
    rig.addPod('p', { terminationGracePeriodSeconds: 1, containers: [script('sleep 1000', { livenessProbe })] });
    await rig.advance(30_000);
    expect(statusOf(rig).restartCount).toBeGreaterThan(0);
  });

  it('name and ports: a port that is not listed is open all the same', async () => {
    const rig = await aRig();
    rig.addPod('p', { containers: [{ name: 'web', image: 'nginx', readinessProbe: { tcpSocket: { port: 80 }, periodSeconds: 1 } }] });
    await rig.advance(20_000);
    expect(statusOf(rig)).toMatchObject({ name: 'web', ready: true });
  });

  it('readinessProbe: on failure the container is not ready', async () => {
    const rig = await aRig();
    rig.addPod('p', { containers: [{ name: 'c', image: 'nginx', readinessProbe: { tcpSocket: { port: 81 }, periodSeconds: 1 } }] });
    await rig.advance(20_000);
    expect(statusOf(rig)).toMatchObject({ ready: false, started: true });
  });

  it('resources: memory beyond the limit ends the container', async () => {
    const rig = await aRig();
    const load = { memoryBytes: [{ atMs: 0, value: 2 ** 30 }] };
    rig.add(imageProfiles, { metadata: { name: 'hungry' }, spec: { image: 'hungry', sizeBytes: 1_000, load } } as never);
    const pod = await runOnce(rig, { name: 'c', image: 'hungry', resources: { limits: { memory: '64Mi' } } });
    expect(pod.status).toMatchObject({ phase: 'Failed', containerStatuses: [{ state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } }] });
  });

  it.each([
    [{ runAsNonRoot: true }, /^container has runAsNonRoot and image will run as root \(pod: "p_default\([^)]+\)", container: c\)$/],
    [{ runAsNonRoot: true, runAsUser: 0 }, /^container's runAsUser breaks non-root policy \(pod: "p_default\([^)]+\)", container: c\)$/],
  ])('securityContext: %j is refused', async (securityContext, message) => {
    const rig = await aRig();
    rig.addPod('p', { containers: [script('sleep 1000', { securityContext })] });
    await rig.advance(10_000);
    const { waiting } = statusOf(rig).state ?? {};
    expect(waiting?.reason).toBe('CreateContainerConfigError');
    expect(waiting?.message).toMatch(message);
  });

  it('securityContext: a user of its own, of the pod or of an image that nobody described is let in', async () => {
    const rig = await aRig();
    rig.addPod('own', { containers: [script('sleep 1000', { securityContext: { runAsNonRoot: true, runAsUser: 1000 } })] });
    rig.addPod('shared', { securityContext: { runAsNonRoot: true, runAsUser: 1000 }, containers: [script('sleep 1000')] });
    rig.addPod('unknown', { containers: [{ name: 'c', image: 'example.com/app', securityContext: { runAsNonRoot: true } }] });
    await rig.advance(30_000);
    expect(['own', 'shared', 'unknown'].map((name) => rig.pod(name)?.status?.phase)).toEqual(['Running', 'Running', 'Running']);
  });

  it('terminationMessagePath: what is written there, default /dev/termination-log, is the message', async () => {
    const rig = await aRig();
    const pod = await runOnce(rig, script('echo -n done > /dev/termination-log; exit 3'));
    expect(pod.status?.containerStatuses?.[0]?.state).toMatchObject({ terminated: { exitCode: 3, reason: 'Error', message: 'done' } });
    rig.addPod('q', { restartPolicy: 'Never', containers: [script('echo -n mine > /dev/mine', { terminationMessagePath: '/dev/mine' })] });
    await rig.advance(20_000);
    expect(statusOf(rig, 'q').state).toMatchObject({ terminated: { exitCode: 0, message: 'mine' } });
  });

  it('terminationMessagePath: the last 4096 bytes, and 12 KiB for all containers', async () => {
    const rig = await aRig();
    const fill = 'x=$(printf "%5000s" end); echo -n "$x" > /dev/termination-log';
    await runOnce(rig, script(fill));
    expect(statusOf(rig).state?.terminated?.message).toHaveLength(4096);
    expect(statusOf(rig).state?.terminated?.message).toMatch(/end$/);
    const many = Array.from({ length: 6 }, (_, i) => ({ ...script(fill), name: `c${i}` }));
    rig.addPod('q', { restartPolicy: 'Never', containers: many });
    await rig.advance(30_000);
    expect(statusOf(rig, 'q').state?.terminated?.message).toHaveLength(2048);
  });

  it('terminationMessagePolicy: the end of the log where the file is empty and the container failed', async () => {
    const rig = await aRig();
    const fallback = { terminationMessagePolicy: 'FallbackToLogsOnError' };
    const pod = await runOnce(rig, script('for i in $(seq 100); do echo line $i; done; exit 1', fallback));
    const message = pod.status?.containerStatuses?.[0]?.state?.terminated?.message ?? '';
    expect(message.split('\n')).toHaveLength(81);
    expect(message).toMatch(/^line 21\n[^]*line 100\n$/);
    rig.addPod('fine', { restartPolicy: 'Never', containers: [script('echo all is well', fallback)] });
    rig.addPod('wrote', { restartPolicy: 'Never', containers: [script('echo log; echo -n file > /dev/termination-log; exit 1', fallback)] });
    await rig.advance(20_000);
    expect(statusOf(rig, 'fine').state?.terminated?.message).toBeUndefined();
    expect(statusOf(rig, 'wrote').state?.terminated?.message).toBe('file');
  });

  it('a container that starts again has no files of the one before but those in volumes', async () => {
    const rig = await aRig();
    rig.addPod('p', {
      volumes: [{ name: 'v', emptyDir: {} }],
      containers: [script('cat /own /v/kept; echo own > /own; echo kept > /v/kept; exit 1', { volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
    });
    await rig.advance(40_000);
    expect(rig.logs.filter((line) => line === 'kept').length).toBeGreaterThan(0);
    expect(rig.logs).not.toContain('own');
  });

  it('services of the namespace are in the environment, unless the pod wants no links', async () => {
    const rig = await aRig();
    rig.add(services, {
      metadata: { name: 'my-db', namespace: 'default' },
      spec: { clusterIP: '10.96.7.7', ports: [{ name: 'sql', port: 5432, protocol: 'TCP' }] },
    } as never);
    await rig.advance(2_000);
    const print = 'echo $MY_DB_SERVICE_HOST $MY_DB_SERVICE_PORT $MY_DB_SERVICE_PORT_SQL $MY_DB_PORT $MY_DB_PORT_5432_TCP_ADDR.';
    rig.addPod('linked', { restartPolicy: 'Never', containers: [script(print)] });
    rig.addPod('alone', { restartPolicy: 'Never', enableServiceLinks: false, containers: [script(print)] });
    await rig.advance(20_000);
    expect(rig.logs).toContain('10.96.7.7 5432 5432 tcp://10.96.7.7:5432 10.96.7.7.');
    expect(rig.logs).toContain('.');
  });

  it('stdin: reads see the end at once where nobody is to write', async () => {
    const rig = await aRig();
    await runOnce(rig, script('cat; echo over'));
    expect(rig.logs).toEqual(['over']);
  });

  it('volumeDevices: a container waits for the claim of its device, and its pod is told', async () => {
    const rig = await aRig();
    const device = { volumeDevices: [{ name: 'd', devicePath: '/dev/x' }] };
    rig.addPod('p', {
      volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'missing' } }],
      containers: [{ name: 'c', image: 'busybox', command: ['sleep', '60'], ...device }],
    });
    await rig.advance(20_000);
    expect(statusOf(rig).state?.waiting?.reason).toBe('ContainerCreating');
    expect(eventTexts(rig).join()).toContain('persistentvolumeclaims "missing" not found');
  });

  it('volumeMounts and workingDir: files of a ConfigMap lie below the mount', async () => {
    const rig = await aRig();
    rig.add(configMaps, { metadata: { name: 'one', namespace: 'default' }, data: { file: 'inside' } } as never);
    await runOnce(rig, script('cat /etc/one/file', { volumeMounts: [{ name: 'v', mountPath: '/etc/one' }] }), {
      volumes: [{ name: 'v', configMap: { name: 'one' } }],
    });
    expect(rig.logs).toContain('inside');
  });
});

it.each([
  [undefined, /^ {9}0 {10}0 4294967295$/],
  [false, /^ {9}0 +[1-9]\d+ {6}65536$/],
])('hostUsers %s: whose ids the users of a container are on its machine', async (hostUsers, map) => {
  const rig = await aRig();
  await runOnce(rig, script('cat /proc/self/uid_map'), hostUsers === undefined ? {} : { hostUsers });
  expect(rig.logs.join()).toMatch(map);
});

describe('ContainerStatus', () => {
  it.each([
    [{}, {}, { uid: 0, gid: 0, supplementalGroups: [0] }],
    [{ runAsUser: 1000 }, {}, { uid: 1000, gid: 0, supplementalGroups: [0] }],
    [
      { runAsUser: 1000, runAsGroup: 3000, supplementalGroups: [4000, 3000], fsGroup: 2000 },
      { runAsUser: 1 },
      { uid: 1, gid: 3000, supplementalGroups: [3000, 2000, 4000] },
    ],
  ])('user: of a pod that asks for %j and a container that asks for %j', async (ofPod, own, linux) => {
    const rig = await aRig();
    rig.addPod('p', { securityContext: ofPod, containers: [script('sleep 1000', { securityContext: own })] });
    await rig.advance(10_000);
    expect(statusOf(rig).user).toEqual({ linux });
  });

  it('containerID, image, imageID, name, ready and state of a running container', async () => {
    const rig = await aRig();
    rig.addPod('p', { containers: [{ name: 'c', image: 'nginx:1.27' }] });
    await rig.advance(20_000);
    const status = statusOf(rig);
    expect(status).toMatchObject({ name: 'c', image: 'docker.io/library/nginx:1.27', ready: true, restartCount: 0, lastState: {} });
    expect(status.containerID).toMatch(/^wavetank:\/\/[0-9a-f]{64}$/);
    expect(status.imageID).toMatch(/^docker\.io\/library\/nginx@sha256:[0-9a-f]{64}$/);
    expect(status.state?.running?.startedAt).toBeDefined();
    expect(rig.mustGet(nodes, undefined, 'pool-0').status?.images?.[0]?.names).toContain('docker.io/library/nginx:1.27');
  });

  it('lastState: how the container before ended, with its times and exit code', async () => {
    const rig = await aRig();
    rig.addPod('p', { containers: [script('sleep 2; exit 9')] });
    await rig.advance(9_000);
    expect(statusOf(rig).lastState).toMatchObject({ terminated: { exitCode: 9, reason: 'Error' } });
    const { startedAt, finishedAt } = statusOf(rig).lastState?.terminated ?? {};
    expect(Date.parse(finishedAt ?? '') - Date.parse(startedAt ?? '')).toBeLessThanOrEqual(3_000);
  });

  it.each([
    [undefined, 8],
    [5, 5],
  ])('restartCount: counted, and capped where a release does so (%s)', async (restartCountMax, count) => {
    const rig = new Rig(restartCountMax === undefined ? {} : { restartCountMax });
    await rig.startPool({ count: 1 });
    rig.addPod('p', { containers: [script('exit 1')] });
    await rig.advance(1_000_000);
    expect(statusOf(rig).restartCount).toBe(count);
  });

  it('restartCount: the back-off is forgotten after ten good minutes', async () => {
    const rig = await aRig();
    rig.addPod('p', { containers: [script('sleep 700; exit 1')] });
    await rig.advance(2_200_000);
    expect(statusOf(rig).restartCount).toBe(3);
    expect(eventTexts(rig).filter((text) => text.startsWith('Warning BackOff'))).toEqual([]);
  });
});
