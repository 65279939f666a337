import { linkFromNodeCut, linkToNodeCut, nodeDark, registryDown } from '../base/fault-points.ts';
import { describe, expect, it } from 'vitest';
import type { Pod } from '../api/core/v1/types.gen.ts';
import { newServiceUnavailable } from '../apimachinery/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { leases, nodes } from '../client/resources.ts';
import { Rig } from './testing/rig.ts';

async function makeRig(count = 1): Promise<Rig> {
  const rig = new Rig();
  await rig.startPool({ count, zones: ['a', 'b'], region: 'r' });
  rig.clear();
  return rig;
}

function shell(script: string, more: JsonObject = {}): JsonObject {
  return { name: 'c', image: 'busybox', command: ['sh', '-c', script], ...more };
}

function waitingReason(pod: Pod | undefined): string | undefined {
  return pod?.status?.containerStatuses?.[0]?.state?.waiting?.reason;
}

const podWrites = (rig: Rig): string[] => rig.writeTexts().filter((write) => write.includes(' pods'));

describe('nodes', () => {
  it('register with labels, ranges, a lease and become Ready', async () => {
    const rig = await makeRig(3);
    const node = rig.mustGet(nodes, undefined, 'pool-1');
    expect(node.metadata.labels).toMatchObject({
      'kubernetes.io/hostname': 'pool-1',
      'topology.kubernetes.io/zone': 'b',
      'topology.kubernetes.io/region': 'r',
    });
    expect(node.spec?.podCIDR).toBe('10.244.1.0/24');
    expect(node.status?.conditions?.find((one) => one.type === 'Ready')).toMatchObject({
      status: 'True',
      reason: 'KubeletReady',
      message: 'kubelet is posting ready status',
    });
    expect(rig.get(leases, 'kube-node-lease', 'pool-1')).toMatchObject({ spec: { holderIdentity: 'pool-1', leaseDurationSeconds: 40 } });
  });

  it('say nothing but their lease when nothing happens', async () => {
    const rig = await makeRig(2);
    await rig.advance(60_000);
    expect(new Set(rig.writeTexts())).toEqual(new Set(['update leases kube-node-lease/pool-0', 'update leases kube-node-lease/pool-1']));
    expect(rig.writes.length).toBeGreaterThanOrEqual(10);
    expect(rig.writes.length).toBeLessThanOrEqual(14);
  });

  it("take what somebody patched into their status as theirs, and put back what is the machine's", async () => {
    const rig = await makeRig();
    rig.change(nodes, undefined, 'pool-0', (node) => ({
      ...node,
      status: {
        ...node.status,
        capacity: { ...node.status?.capacity, 'example.com/foo': '2', cpu: '64' },
        allocatable: { ...node.status?.allocatable, 'example.com/gone': '1' },
      },
    }));
    await rig.advance(15_000);
    const status = rig.mustGet(nodes, undefined, 'pool-0').status;
    expect(status?.capacity).toMatchObject({ cpu: '4', 'example.com/foo': '2' });
    expect(status?.allocatable).toEqual(status?.capacity);
    const asks = (amount: string): JsonObject => {
      const list = { 'example.com/foo': amount };
      return { containers: [{ name: 'c', image: 'nginx', resources: { requests: list, limits: list } }] };
    };
    rig.addPod('fits', asks('2'));
    await rig.advance(10_000);
    rig.addPod('refused', asks('1'));
    await rig.advance(10_000);
    expect(rig.pod('fits')?.status?.phase).toBe('Running');
    expect(rig.pod('refused')?.status).toMatchObject({
      phase: 'Failed',
      reason: 'OutOfexample.com/foo',
      message: "Pod was rejected: Node didn't have enough resource: example.com/foo, requested: 1, used: 2, capacity: 2",
    });
    rig.clear();
    await rig.advance(60_000);
    expect(rig.writeTexts().filter((text) => text.includes(' nodes '))).toEqual([]);
  });

  it('give the place of a pod deleted by force to the next one at once, though it is still stopping', async () => {
    const rig = await makeRig();
    const whole: JsonObject = { containers: [shell('trap "" TERM; sleep 600', { resources: { requests: { cpu: '4' } } })] };
    rig.addPod('first', whole);
    await rig.advance(10_000);
    rig.deletePod('first', 0);
    rig.addPod('second', whole);
    await rig.advance(10_000);
    expect(rig.pod('second')?.status?.phase).toBe('Running');
  });

  it('get the labels of their pool that no kubelet may give itself, told and tried again while that is refused', async () => {
    const rig = new Rig();
    const startMs = rig.nowMs;
    rig.refuse = ({ verb, resource }) => {
      if (verb === 'patch' && resource === 'nodes' && rig.nowMs < startMs + 60_000) throw newServiceUnavailable('not now');
    };
    await rig.startPool({ count: 1, labels: { 'node-role.kubernetes.io/worker': '' } });
    expect(rig.eventTexts('Node pool-0')).toContain('Warning NodeLabelsRefused labels of pool pool are refused: not now');
    await rig.advance(60_000);
    expect(rig.mustGet(nodes, undefined, 'pool-0').metadata.labels).toMatchObject({ 'node-role.kubernetes.io/worker': '' });
    const told = rig.eventTexts('Node pool-0').length;
    await rig.advance(60_000);
    expect(rig.eventTexts('Node pool-0')).toHaveLength(told);
  });
});

describe('pods', () => {
  it('start within three status writes, with the events of upstream', async () => {
    const rig = await makeRig();
    rig.addPod('web', { containers: [{ name: 'c', image: 'nginx:1.27' }] });
    await rig.advance(10_000);
    expect(podWrites(rig)).toEqual(['updateStatus pods default/web', 'updateStatus pods default/web', 'updateStatus pods default/web']);
    const status = rig.pod('web')?.status;
    expect(status).toMatchObject({ phase: 'Running', podIP: '10.244.0.2', hostIP: '172.18.0.2', qosClass: 'BestEffort', observedGeneration: 1 });
    expect(status?.conditions?.map((one) => [one.type, one.status])).toEqual([
      ['PodReadyToStartContainers', 'True'],
      ['Initialized', 'True'],
      ['Ready', 'True'],
      ['ContainersReady', 'True'],
      ['PodScheduled', 'True'],
    ]);
    expect(rig.eventTexts('Pod default/web').map((text) => text.split(' in ')[0])).toEqual([
      'Normal Pulling Pulling image "nginx:1.27"',
      'Normal Pulled Successfully pulled image "nginx:1.27"',
      'Normal Created Container created',
      'Normal Started Container started',
    ]);
    rig.clear();
    rig.addPod('second', { containers: [{ name: 'c', image: 'nginx:1.27' }] });
    await rig.advance(10_000);
    expect(podWrites(rig)).toHaveLength(2);
    expect(rig.eventTexts('Pod default/second')[0]).toBe(
      'Normal Pulled Container image "nginx:1.27" already present on machine and can be accessed by the pod',
    );
  });

  const endings: readonly { name: string; spec: JsonObject; want: JsonObject }[] = [
    {
      name: 'a job that ends well',
      spec: { restartPolicy: 'Never', containers: [shell('echo hi; sleep 5')] },
      want: { phase: 'Succeeded', containerStatuses: [{ state: { terminated: { exitCode: 0, reason: 'Completed' } } }] },
    },
    {
      name: 'a job that fails',
      spec: { restartPolicy: 'Never', containers: [shell('exit 3')] },
      want: { phase: 'Failed', containerStatuses: [{ state: { terminated: { exitCode: 3, reason: 'Error' } } }] },
    },
    {
      name: 'a deadline',
      spec: { activeDeadlineSeconds: 20, terminationGracePeriodSeconds: 1, containers: [shell('sleep 600')] },
      want: { phase: 'Failed', reason: 'DeadlineExceeded', message: 'Pod was active on the node longer than the specified deadline' },
    },
    {
      name: 'an init container that fails',
      spec: { restartPolicy: 'Never', initContainers: [shell('exit 1', { name: 'i' })], containers: [shell('true')] },
      want: { phase: 'Failed', initContainerStatuses: [{ state: { terminated: { exitCode: 1 } } }] },
    },
    {
      name: 'sidecars that stop with the job',
      spec: { restartPolicy: 'Never', initContainers: [{ name: 's', image: 'nginx', restartPolicy: 'Always' }], containers: [shell('sleep 2')] },
      want: { phase: 'Succeeded', initContainerStatuses: [{ state: { terminated: { exitCode: 0 } } }] },
    },
    {
      name: 'one of two that is done',
      spec: { restartPolicy: 'Never', containers: [shell('true'), { name: 'd', image: 'nginx' }] },
      want: { phase: 'Running', containerStatuses: [{ state: { terminated: { exitCode: 0 } } }, { ready: true }] },
    },
    {
      name: 'too big',
      spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '5' } } }] },
      want: {
        phase: 'Failed',
        reason: 'OutOfcpu',
        message: "Pod was rejected: Node didn't have enough resource: cpu, requested: 5000, used: 0, capacity: 4000",
      },
    },
    {
      name: 'a resource that no node advertises',
      spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests: { 'example.com/foo': '5' }, limits: { 'example.com/foo': '5' } } }] },
      want: { phase: 'Running' },
    },
    {
      name: 'wrong node',
      spec: { nodeSelector: { disk: 'ssd' }, containers: [{ name: 'c', image: 'nginx' }] },
      want: { phase: 'Failed', reason: 'NodeAffinity' },
    },
  ];
  it.each(endings)('end: $name', async ({ spec, want }) => {
    const rig = await makeRig();
    rig.addPod('p', spec);
    await rig.advance(60_000);
    expect(rig.pod('p')?.status).toMatchObject(want);
  });

  const waits: readonly { name: string; container: JsonObject; reason: string }[] = [
    { name: 'a tag that does not exist', container: { name: 'c', image: 'nginx:1.161' }, reason: 'ImagePullBackOff' },
    { name: 'a name that is none', container: { name: 'c', image: 'Not//An:Image' }, reason: 'InvalidImageName' },
    { name: 'an image that must not be pulled', container: { name: 'c', image: 'nginx', imagePullPolicy: 'Never' }, reason: 'ErrImageNeverPull' },
    {
      name: 'a missing ConfigMap',
      container: { name: 'c', image: 'busybox', envFrom: [{ configMapRef: { name: 'no' } }] },
      reason: 'CreateContainerConfigError',
    },
    { name: 'a program that always fails', container: shell('exit 1'), reason: 'CrashLoopBackOff' },
  ];
  it('tell their last phase when nothing of them can run any more, and what is known of containers before', async () => {
    const rig = await makeRig();
    const told: {
      readonly atMs: number;
      readonly phase: string;
      readonly reason: string | undefined;
      readonly ended: boolean;
      readonly ready: string | undefined;
    }[] = [];
    rig.store.watch({
      prefix: '/registry/pods/',
      onChanges: (changes) => {
        for (const { current } of changes) {
          const { status } = (current?.value ?? {}) as Pod;
          const ended = status?.containerStatuses?.[0]?.state?.terminated !== undefined;
          const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.reason;
          if (status?.phase !== undefined) told.push({ atMs: rig.nowMs, phase: status.phase, reason: status.reason, ended, ready });
        }
      },
    });
    const spec = { activeDeadlineSeconds: 5, terminationGracePeriodSeconds: 1, containers: [shell('sleep 600')] };
    for (let index = 0; index < 8; index++) rig.addPod(`late-${index}`, spec);
    await rig.advance(30_000);
    const sandboxes = told.filter(({ ended, phase }) => ended && phase === 'Running');
    expect(sandboxes.length).toBeGreaterThan(0);
    expect(new Set(sandboxes.map(({ reason, ready }) => `${reason} ${ready}`))).toEqual(new Set(['undefined PodFailed']));
    const last = told.filter(({ phase }) => phase === 'Failed');
    expect(last.map(({ reason }) => reason)).toEqual(Array.from({ length: 8 }, () => 'DeadlineExceeded'));
    expect(Math.min(...last.map(({ atMs }) => atMs))).toBeGreaterThan(Math.min(...sandboxes.map(({ atMs }) => atMs)));
  });

  it.each(waits)('wait: $name', async ({ container, reason }) => {
    const rig = await makeRig();
    rig.addPod('p', { containers: [container] });
    const shown = new Set<string | undefined>();
    for (let seconds = 0; seconds < 58; seconds++) {
      await rig.advance(1_000);
      shown.add(waitingReason(rig.pod('p')));
    }
    expect(shown).toContain(reason);
  });

  it('restart with a back-off that doubles', async () => {
    const rig = await makeRig();
    rig.addPod('p', { containers: [shell('exit 1')] });
    await rig.advance(400_000);
    const starts = rig.events.filter((event) => event.text.startsWith('Normal Started')).map((event) => event.atMs);
    const gaps = starts.slice(1).map((atMs, i) => atMs - (starts[i] as number));
    expect(gaps[0]).toBeLessThan(3_000);
    for (const [i, backoffMs] of [10_000, 20_000, 40_000, 80_000].entries()) {
      expect(gaps[i + 1]).toBeGreaterThan(backoffMs);
      expect(gaps[i + 1]).toBeLessThan(backoffMs * 1.5 + 4_000);
    }
  });

  it('are killed with grace and removed from the API', async () => {
    const rig = await makeRig();
    rig.addPod('kind', { containers: [{ name: 'c', image: 'nginx' }] });
    rig.addPod('deaf', { terminationGracePeriodSeconds: 10, containers: [shell('sleep 3600')] });
    await rig.advance(10_000);
    rig.deletePod('kind');
    rig.deletePod('deaf', 10);
    await rig.advance(3_000);
    expect(rig.pod('kind')).toBeUndefined();
    expect(rig.pod('deaf')).toBeDefined();
    await rig.advance(10_000);
    expect(rig.pod('deaf')).toBeUndefined();
    expect(rig.eventTexts('Pod default/deaf').at(-1)).toBe('Normal Killing Stopping container c');
  });

  it('are restarted when their liveness probe fails, as in the documentation', async () => {
    const rig = await makeRig();
    rig.addPod('p', {
      containers: [
        shell('touch /tmp/healthy; sleep 30; rm -f /tmp/healthy; sleep 600', {
          livenessProbe: { exec: { command: ['cat', '/tmp/healthy'] }, initialDelaySeconds: 5, periodSeconds: 5 },
        }),
      ],
    });
    await rig.advance(90_000);
    const texts = rig.eventTexts('Pod default/p');
    expect(texts).toContain("Warning Unhealthy Liveness probe failed: cat: can't open '/tmp/healthy': No such file or directory\n");
    expect(texts).toContain('Normal Killing Container c failed liveness probe, will be restarted');
    expect(rig.pod('p')?.status?.containerStatuses?.[0]).toMatchObject({ restartCount: 1, lastState: { terminated: { exitCode: 137 } } });
  });

  it('become Ready by their readiness probe', async () => {
    const rig = await makeRig();
    rig.addPod('good', { containers: [{ name: 'c', image: 'nginx', readinessProbe: { httpGet: { path: '/', port: 80 }, periodSeconds: 2 } }] });
    rig.addPod('bad', { containers: [{ name: 'c', image: 'nginx', readinessProbe: { tcpSocket: { port: 81 }, periodSeconds: 2 } }] });
    await rig.advance(20_000);
    expect(rig.pod('good')?.status?.conditions?.find((one) => one.type === 'Ready')?.status).toBe('True');
    expect(rig.pod('bad')?.status?.conditions?.find((one) => one.type === 'Ready')).toMatchObject({
      status: 'False',
      reason: 'ContainersNotReady',
      message: 'containers with unready status: [c]',
    });
  });
});

describe('faults', () => {
  it('a partition keeps containers running and is caught up with', async () => {
    const rig = await makeRig();
    rig.addPod('p', { containers: [shell('sleep 40; exit 1')] });
    await rig.advance(10_000);
    rig.strike('cut', 'pool-0', linkFromNodeCut, linkToNodeCut);
    rig.clear();
    rig.deletePod('p', 1);
    await rig.advance(60_000);
    expect(rig.writes).toEqual([]);
    rig.points.heal('cut', []);
    await rig.advance(5_000);
    expect(rig.pod('p')).toBeUndefined();
    expect(rig.writeTexts()).toContain('update leases kube-node-lease/pool-0');
  });

  it('a loss of power is silent; after the boot containers start again', async () => {
    const rig = await makeRig();
    rig.addPod('p', { containers: [{ name: 'c', image: 'nginx' }] });
    await rig.advance(10_000);
    rig.strike('dark', 'pool-0', nodeDark);
    rig.clear();
    await rig.advance(60_000);
    expect(rig.writes).toEqual([]);
    rig.points.heal('dark', []);
    await rig.advance(60_000);
    expect(rig.pod('p')?.status).toMatchObject({
      phase: 'Running',
      containerStatuses: [{ ready: true, restartCount: 1, lastState: { terminated: { exitCode: 255, reason: 'Unknown' } } }],
    });
    expect(rig.eventTexts('Node pool-0').some((text) => text.startsWith('Warning Rebooted'))).toBe(true);
  });

  it('a registry out of reach fails pulls until it is back', async () => {
    const rig = await makeRig();
    rig.strike('down', 'docker.io', registryDown);
    rig.addPod('p', { containers: [{ name: 'c', image: 'nginx' }] });
    await rig.advance(30_000);
    expect(waitingReason(rig.pod('p'))).toBe('ImagePullBackOff');
    rig.points.heal('down', []);
    await rig.advance(60_000);
    expect(rig.pod('p')?.status?.phase).toBe('Running');
  });
});

describe('connections', () => {
  it('give logs, current and previous, and answer HTTP on a port', async () => {
    const rig = await makeRig();
    rig.addPod('p', { containers: [shell('echo run; sleep 1; exit 1')] });
    rig.addPod('web', { containers: [{ name: 'c', image: 'nginx' }] });
    await rig.advance(20_000);
    expect(rig.nodes.readLogs('default', 'p', {})).toBe('run\n');
    expect(rig.nodes.readLogs('default', 'p', { previous: true })).toBe('run\n');
    let answered = '';
    const connection = rig.nodes.openPort('default', 'web', 80, {
      onData: (data) => (answered += new TextDecoder().decode(data)),
      onError: () => undefined,
      onEnd: () => undefined,
    });
    connection.write(new TextEncoder().encode('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
    expect(answered).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Welcome to nginx!/);
  });
});

describe('checkpoints', () => {
  it('restored and continued, the history is the same', async () => {
    const rig = await makeRig(2);
    rig.addPod('job', { containers: [shell('f() { local n=$1; echo $n; sleep 10; }; for i in 1 2 3 4; do f $i; done; exit 1')] });
    rig.addPod('web', { containers: [{ name: 'c', image: 'nginx', readinessProbe: { httpGet: { path: '/', port: 80 } } }] }, 'pool-1');
    rig.addPod('bad', { containers: [{ name: 'c', image: 'nginx:1.161' }] });
    await rig.advance(20_000);
    const before = rig.logs.length;
    const other = new Rig();
    other.takeOver(rig);
    rig.clear();
    await rig.advance(120_000);
    await other.advance(120_000);
    expect(other.writes).toEqual(rig.writes);
    expect(other.logs).toEqual(rig.logs.slice(before));
    const objectsOf = ({ store }: Rig): unknown => store.range({ prefix: '/registry/' }).items.map(({ value }) => value);
    expect(objectsOf(other)).toEqual(objectsOf(rig));
  });
});
