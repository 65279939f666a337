/** What faults of single machines do to what people see of their pods. */
import { expect, test } from 'vitest';
import type { Lease } from '../../engine/api/coordination/v1/types.gen.ts';
import type { Event, Node, Pod } from '../../engine/api/core/v1/types.gen.ts';
import type { Fault } from '../../engine/api/sim/v1alpha1/fault.ts';
import type { Timeline } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { aCluster, type TestCluster } from '../support/cluster.ts';

const minute = 60_000;
const faultsPath = '/apis/sim.wavetank.dev/v1alpha1/faults';
const podPath = '/api/v1/namespaces/default/pods/web';
const crasher = ['sh', '-c', 'echo here; sleep 20; exit 3'];

async function aPod(command?: readonly string[]): Promise<TestCluster> {
  const tank = await aCluster({ seed: 7, nodes: 1 });
  const container = { name: 'c', image: command === undefined ? 'nginx:1.27' : 'busybox', ...(command === undefined ? {} : { command }) };
  tank.call('POST', '/api/v1/namespaces/default/pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web' },
    spec: { containers: [container], restartPolicy: 'OnFailure' },
  });
  await tank.advance(15_000);
  return tank;
}

function strike({ call }: TestCluster, type: string, parameters: object = {}): void {
  const spec = { type, target: { node: 'node-0' }, parameters };
  call('POST', '/apis/sim.wavetank.dev/v1alpha1/faults', { apiVersion: 'sim.wavetank.dev/v1alpha1', kind: 'Fault', metadata: { name: type }, spec });
}

function heal({ call }: TestCluster, type: string): void {
  call('DELETE', `/apis/sim.wavetank.dev/v1alpha1/faults/${type}`);
}

function container({ call }: TestCluster): NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number] {
  const found = call<Pod>('GET', podPath).status?.containerStatuses?.[0];
  if (found === undefined) throw new Error('the pod has no container yet');
  return found;
}

function readiness({ call }: TestCluster): { readonly status?: string; readonly reason?: string; readonly message?: string } | undefined {
  return call<Node>('GET', '/api/v1/nodes/node-0').status?.conditions?.find(({ type }) => type === 'Ready');
}

function events({ call }: TestCluster, reason: string): readonly Event[] {
  return call<{ readonly items: readonly Event[] }>('GET', '/api/v1/events').items.filter((event) => event.reason === reason);
}

const sinceStart = (tank: TestCluster, text: unknown): number => Math.round((Date.parse(String(text)) - tank.cluster.config.startMs) / minute);

test('a clock that is an hour ahead is seen in leases, conditions, pods, Events and log stamps, and what was told before stays', async () => {
  const tank = await aPod(crasher);
  const begun = container(tank).state?.running?.startedAt;
  expect(sinceStart(tank, begun)).toBe(0);
  strike(tank, 'node-clock-skew', { offset: '1h' });
  await tank.advance(2 * minute);
  const { state, lastState } = container(tank);
  expect(sinceStart(tank, (state?.terminated ?? lastState?.terminated)?.finishedAt)).toBeGreaterThanOrEqual(60);
  const lease = tank.call<Lease>('GET', '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/node-0');
  expect(sinceStart(tank, lease.spec?.renewTime)).toBeGreaterThanOrEqual(61);
  expect(events(tank, 'Started').map(({ lastTimestamp }) => sinceStart(tank, lastTimestamp) >= 60)).toContain(true);
  expect(tank.cluster.nodes.readLogs('default', 'web', { timestamps: true, previous: true })).toMatch(/^2026-01-01T01:/);
  expect(readiness(tank)?.status).toBe('True');
  heal(tank, 'node-clock-skew');
  await tank.advance(5_000);
  // What happened while the clock was wrong keeps the time that was told.
  expect(sinceStart(tank, container(tank).lastState?.terminated?.finishedAt)).toBeGreaterThanOrEqual(60);
});

test('a node whose clock falls behind is silent for the control plane, and comes back by its status', async () => {
  const tank = await aPod();
  strike(tank, 'node-clock-skew', { offset: '-10m' });
  const seen: string[] = [];
  for (let i = 0; i < 30; i++) {
    await tank.advance(5_000);
    const { status = '' } = readiness(tank) ?? {};
    if (seen.at(-1) !== status) seen.push(status);
  }
  expect(seen).toEqual(['True', 'Unknown', 'True']);
});

test('without a runtime the node is not ready in the words of upstream, and pods that are deleted wait for it', async () => {
  const tank = await aPod();
  strike(tank, 'container-runtime-down');
  await tank.advance(45_000);
  expect(readiness(tank)).toMatchObject({ status: 'False', reason: 'KubeletNotReady', message: 'container runtime is down' });
  const { deletionTimestamp } = tank.call<Pod>('DELETE', podPath).metadata;
  expect(deletionTimestamp).toMatch(/^2026-/);
  await tank.advance(3 * minute);
  expect(readiness(tank)?.message).toMatch(
    /^\[container runtime is down, PLEG is not healthy: pleg was last seen active 3m\d+(\.\d+)?s ago; threshold is 3m0s\]$/,
  );
  expect(tank.call<Pod>('GET', podPath).metadata.deletionTimestamp).toBe(deletionTimestamp);
  heal(tank, 'container-runtime-down');
  await tank.advance(15_000);
  expect(readiness(tank)?.status).toBe('True');
  expect(tank.ask('GET', podPath).status).toBe(404);
});

test('a machine that hangs restarts nothing, and finds what ended meanwhile when it wakes up', async () => {
  const tank = await aPod(crasher);
  const before = tank.call<Node>('GET', '/api/v1/nodes/node-0').status?.nodeInfo?.bootID;
  strike(tank, 'node-hang');
  await tank.advance(100_000);
  expect(readiness(tank)?.status).toBe('Unknown');
  expect(container(tank)).toMatchObject({ restartCount: 0 });
  heal(tank, 'node-hang');
  await tank.advance(5_000);
  expect(readiness(tank)?.status).toBe('True');
  expect(container(tank)).toMatchObject({ restartCount: 1 });
  expect(tank.call<Node>('GET', '/api/v1/nodes/node-0').status?.nodeInfo?.bootID).toBe(before);
  expect(events(tank, 'Rebooted')).toEqual([]);
  expect(events(tank, 'Starting')).toHaveLength(1);
});

test('a reboot ends containers with 255 and starts them again, once', async () => {
  const tank = await aPod();
  strike(tank, 'node-reboot');
  await tank.advance(40_000);
  expect(container(tank)).toMatchObject({ restartCount: 1, lastState: { terminated: { exitCode: 255 } } });
  expect(events(tank, 'Rebooted')).toHaveLength(1);
  await tank.advance(5 * minute);
  expect(container(tank)).toMatchObject({ restartCount: 1 });
  expect(readiness(tank)?.status).toBe('True');
});

test('a kubelet that crashes is started again and leaves containers and the node as they are', async () => {
  const tank = await aPod();
  const { containerID } = container(tank);
  const seen = new Set<string | undefined>();
  strike(tank, 'kubelet-crash');
  for (let i = 0; i < 60; i++) {
    await tank.advance(1_000);
    seen.add(readiness(tank)?.status);
  }
  expect([...seen]).toEqual(['True']);
  expect(container(tank)).toMatchObject({ containerID, restartCount: 0 });
  expect(events(tank, 'Starting')).toMatchObject([{ count: 2 }]);
});

test.each([
  ['read-only', 'read-only file system', "sh: can't create /x: Read-only file system"],
  ['io-errors', 'input/output error', undefined],
])('a machine whose own disk is %s starts nothing and goes on with what runs, until it is whole again', async (how, words, told) => {
  const tank = await aPod(['sh', '-c', 'sleep 30; echo late; echo x > /x; sleep 1000']);
  strike(tank, 'node-system-disk', { how });
  const spec = { containers: [{ name: 'c', image: 'busybox', command: ['sleep', '1000'] }] };
  tank.call('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'new' }, spec });
  await tank.advance(minute);
  const phaseOf = (name: string): string | undefined => tank.call<Pod>('GET', `/api/v1/namespaces/default/pods/${name}`).status?.phase;
  expect([phaseOf('web'), phaseOf('new')]).toEqual(['Running', 'Pending']);
  const { uid } = tank.call<Pod>('GET', '/api/v1/namespaces/default/pods/new').metadata;
  const messages = events(tank, 'Failed').map(({ message }) => message);
  expect(new Set(messages)).toEqual(new Set([`error making pod data directories: mkdir /var/lib/kubelet/pods/${uid}: ${words}`]));
  expect(tank.cluster.nodes.readLogs('default', 'web', {})).toBe('');
  expect(readiness(tank)?.status).toBe('True');
  let refused = '';
  const target = { namespace: 'default', pod: 'web', container: 'c', stdin: false, stdout: true, stderr: true, tty: false };
  const command = ['sh', '-c', 'echo x > /x'];
  const sink = {
    onOutput: (_stream: string, data: Uint8Array) => void (refused += Buffer.from(data).toString()),
    onEnd: (end: { readonly type: string; readonly message?: string }) => void (refused += end.message ?? ''),
  };
  tank.cluster.nodes.openProcess(99, { ...target, command }, sink);
  if (told === undefined) expect(refused).toMatch(/OCI runtime exec failed: .*exec: "sh": input\/output error$/);
  else expect(refused).toContain(told.replace("sh: can't", "can't"));
  heal(tank, 'node-system-disk');
  await tank.advance(minute);
  expect([phaseOf('web'), phaseOf('new')]).toEqual(['Running', 'Running']);
});

test('a machine whose own disk is gone loses its kubelet, and has it back with the disk', async () => {
  const tank = await aPod();
  strike(tank, 'node-system-disk', { how: 'gone' });
  await tank.advance(minute);
  expect(readiness(tank)?.status).toBe('Unknown');
  expect(container(tank)).toMatchObject({ restartCount: 0 });
  heal(tank, 'node-system-disk');
  await tank.advance(15_000);
  expect(readiness(tank)?.status).toBe('True');
  expect(container(tank)).toMatchObject({ restartCount: 0 });
});

test('a planned fault strikes at its instant and not before, is seen ahead on the timeline, and leaves nothing when it is taken back', async () => {
  const tank = await aPod();
  const at = new Date(Math.ceil(tank.cluster.loop.nowMs() / 1000) * 1000 + 5 * minute).toISOString();
  const plan = (name: string): void => {
    const spec = { type: 'node-power-loss', target: { node: 'node-0' }, startAt: at, duration: '2m' };
    tank.call('POST', faultsPath, { apiVersion: 'sim.wavetank.dev/v1alpha1', kind: 'Fault', metadata: { name }, spec });
  };
  const bands = () => {
    const window = `from=${tank.cluster.config.startMs}&to=${Date.parse(at) + 30 * minute}`;
    return tank.call<Timeline>('GET', `/apis/sim.wavetank.dev/v1alpha1/timelines/main?${window}`).faults;
  };
  plan('kept');
  plan('taken-back');
  await tank.advance(minute);
  const fault = () => tank.call<Fault>('GET', `${faultsPath}/kept`).status;
  expect(fault()).toMatchObject({ phase: 'Pending', message: expect.stringContaining('node-0') });
  expect(bands().map(({ name, fromMs, toMs, healsMs, affected }) => [name, fromMs, toMs, healsMs, affected])).toEqual(
    ['kept', 'taken-back'].map((name) => [name, Date.parse(at), undefined, Date.parse(at) + 2 * minute, ['node-0']]),
  );
  heal(tank, 'taken-back');
  await tank.advance(3 * minute);
  expect([readiness(tank)?.status, fault()?.phase, bands().length]).toEqual(['True', 'Pending', 1]);
  await tank.advance(minute + 5_000);
  expect(fault()).toMatchObject({ phase: 'Active', injectedAt: at.replace('.000Z', 'Z') });
  await tank.advance(minute);
  expect(readiness(tank)?.status).toBe('Unknown');
  await tank.advance(2 * minute);
  expect([fault()?.phase, bands()[0]?.toMs]).toEqual(['Healed', expect.any(Number)]);
});
