/** Whom a kubelet takes, whom it refuses and in which words, and who makes room for what the system needs. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { nodes } from '../../client/resources.ts';
import { Rig } from '../testing/rig.ts';

async function aRig(): Promise<Rig> {
  const rig = new Rig();
  await rig.startPool({ count: 1 });
  rig.clear();
  return rig;
}

const critical = { priority: 2_000_000_000, priorityClassName: 'system-cluster-critical' };

/** Four cores are there. */
function asking(requests: JsonObject, limits: JsonObject = {}): JsonObject {
  return { containers: [{ name: 'c', image: 'nginx', resources: { requests, limits } }] };
}

const guaranteed = (cpu: string, memory = '64Mi'): JsonObject => asking({ cpu, memory }, { cpu, memory });
const verdictOf = (rig: Rig, name: string): unknown => {
  const { phase, reason, message } = rig.pod(name)?.status ?? {};
  return { phase, reason, message };
};
const preempted = { phase: 'Failed', reason: 'Preempting', message: 'Preempted in order to admit critical pod' };
const isRunning = (rig: Rig, name: string): boolean => rig.pod(name)?.status?.phase === 'Running';

describe('a pod that the system needs', () => {
  it('is taken when others have ended for it: the lowest class first, and those that come closest', async () => {
    const rig = await aRig();
    rig.addPod('best-effort', { containers: [{ name: 'c', image: 'nginx' }] });
    rig.addPod('small', { ...asking({ cpu: '500m' }), terminationGracePeriodSeconds: 5 });
    rig.addPod('fitting', { ...asking({ cpu: '1' }), terminationGracePeriodSeconds: 5 });
    rig.addPod('large', asking({ cpu: '1500m' }));
    rig.addPod('guaranteed', guaranteed('1'));
    await rig.advance(30_000);
    rig.clear();
    rig.addPod('critical', { ...asking({ cpu: '1' }), ...critical });
    await rig.advance(20_000);
    expect(verdictOf(rig, 'fitting')).toEqual(preempted);
    expect(rig.pod('fitting')?.status?.conditions?.find(({ type }) => type === 'DisruptionTarget')).toMatchObject({
      status: 'True',
      reason: 'TerminationByKubelet',
      message: 'Pod was preempted by Kubelet to accommodate a critical pod.',
    });
    expect(rig.eventTexts('Pod default/fitting')).toEqual([
      'Warning Preempting Preempted in order to admit critical pod',
      'Normal Killing Stopping container c',
    ]);
    expect(['best-effort', 'small', 'large', 'guaranteed', 'critical'].map((name) => isRunning(rig, name))).toEqual([true, true, true, true, true]);
  });

  it('waits until its victims have stopped, one after the other, and says nothing meanwhile', async () => {
    const rig = await aRig();
    const slow = { image: 'nginx', lifecycle: { preStop: { exec: { command: ['sleep', '18'] } } } };
    for (const name of ['a', 'b'])
      rig.addPod(name, { terminationGracePeriodSeconds: 20, containers: [{ name: 'c', ...slow, resources: { requests: { cpu: '2' } } }] });
    await rig.advance(20_000);
    rig.addPod('critical', { ...asking({ cpu: '4' }), ...critical });
    await rig.advance(15_000);
    expect(rig.pod('critical')?.status?.startTime).toBeUndefined();
    expect(['a', 'b'].filter((name) => rig.eventTexts(`Pod default/${name}`).some((text) => text.startsWith('Warning Preempting')))).toHaveLength(1);
    await rig.advance(10_000);
    expect(isRunning(rig, 'critical')).toBe(false);
    await rig.advance(30_000);
    expect(isRunning(rig, 'critical')).toBe(true);
    expect([verdictOf(rig, 'a'), verdictOf(rig, 'b')]).toEqual([preempted, preempted]);
  });

  it('is restored while it waits, and goes on', async () => {
    const make = async (): Promise<Rig> => {
      const rig = await aRig();
      rig.addPod('a', asking({ cpu: '4' }));
      await rig.advance(20_000);
      rig.addPod('critical', { ...asking({ cpu: '4' }), ...critical });
      await rig.advance(50);
      return rig;
    };
    const rig = await make();
    const other = new Rig();
    other.takeOver(await make());
    for (const one of [rig, other]) await one.advance(60_000);
    expect(isRunning(rig, 'critical')).toBe(true);
    expect(other.pod('critical')?.status).toEqual(rig.pod('critical')?.status);
  });

  it('takes nothing from its equals, and is refused with what is missing', async () => {
    const rig = await aRig();
    rig.addPod('equal', { ...asking({ cpu: '4' }), ...critical });
    rig.addPod('small', asking({ cpu: '0' }));
    await rig.advance(20_000);
    rig.addPod('critical', { ...asking({ cpu: '1' }), ...critical });
    await rig.advance(5_000);
    expect(verdictOf(rig, 'critical')).toEqual({
      phase: 'Failed',
      reason: 'UnexpectedAdmissionError',
      message:
        'Pod was rejected: Unexpected error while attempting to recover from admission failure: preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: [(res: cpu, q: 1000), ]',
    });
    expect(isRunning(rig, 'equal')).toBe(true);
  });

  it('ends nobody where it cannot be taken for another reason', async () => {
    const rig = await aRig();
    rig.addPod('a', asking({ cpu: '4' }));
    await rig.advance(20_000);
    rig.addPod('critical', { ...asking({ cpu: '1' }), ...critical, nodeSelector: { disk: 'ssd' } });
    await rig.advance(5_000);
    expect(verdictOf(rig, 'critical')).toMatchObject({ reason: 'NodeAffinity' });
    expect(isRunning(rig, 'a')).toBe(true);
  });
});

describe('a pod is refused', () => {
  const noExecute = [{ key: 'k', value: 'v', effect: 'NoExecute' }];
  it.each<readonly [string, JsonObject, string, string]>([
    ['cpu', asking({ cpu: '5' }), 'OutOfcpu', "Node didn't have enough resource: cpu, requested: 5000, used: 0, capacity: 4000"],
    ['memory', asking({ memory: '1Ti' }), 'OutOfmemory', "Node didn't have enough resource: memory, requested: 1099511627776, used: 0, capacity: "],
    [
      'storage',
      asking({ 'ephemeral-storage': '1Pi' }),
      'OutOfephemeral-storage',
      "Node didn't have enough resource: ephemeral-storage, requested: 1125899906842624, used: 0, capacity: ",
    ],
    ['the first of several', asking({ memory: '1Ti', cpu: '5' }), 'OutOfcpu', "Node didn't have enough resource: cpu, "],
    [
      'a selector',
      { ...asking({}), nodeSelector: { disk: 'ssd' } },
      'NodeAffinity',
      "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
    ],
    ['another system', { ...asking({}), os: { name: 'windows' } }, 'PodOSNotSupported', "Failed to admit pod as the OS field doesn't match node OS"],
    [
      'a setting that is not safe',
      { ...asking({}), securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } },
      'SysctlForbidden',
      'forbidden sysctl: "kernel.msgmax" not allowlisted',
    ],
    [
      'a setting of the network of its host',
      { ...asking({}), hostNetwork: true, securityContext: { sysctls: [{ name: 'net/ipv4/tcp_syncookies', value: '1' }] } },
      'SysctlForbidden',
      'forbidden sysctl: "net.ipv4.tcp_syncookies" not allowed with host Net enabled',
    ],
  ])('for %s', async (_why, spec, reason, message) => {
    const rig = await aRig();
    rig.addPod('p', spec);
    await rig.advance(5_000);
    const found = verdictOf(rig, 'p') as { readonly message: string };
    expect(found).toMatchObject({ phase: 'Failed', reason });
    expect(found.message.startsWith(`Pod was rejected: ${message}`), found.message).toBe(true);
    expect(rig.eventTexts('Pod default/p')).toEqual([`Warning ${reason} ${found.message.replace('Pod was rejected: ', '')}`]);
  });

  it('for a port that another has, and for a taint that ends pods', async () => {
    const rig = await aRig();
    const port = { containers: [{ name: 'c', image: 'nginx', ports: [{ containerPort: 80, hostPort: 8080 }] }] };
    rig.addPod('first', port);
    rig.addPod('second', port);
    await rig.advance(5_000);
    expect(verdictOf(rig, 'second')).toEqual({
      phase: 'Failed',
      reason: 'NodePorts',
      message: "Pod was rejected: Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
    });
    rig.change(nodes, undefined, 'pool-0', (node) => ({ ...node, spec: { ...node.spec, taints: noExecute } }));
    await rig.advance(2_000);
    rig.addPod('third', asking({}));
    await rig.advance(5_000);
    expect(verdictOf(rig, 'third')).toEqual({
      phase: 'Failed',
      reason: 'TaintToleration',
      message: "Pod was rejected: Predicate TaintToleration failed: node(s) had taints that the pod didn't tolerate",
    });
  });

  it('when its node has as many as it may', async () => {
    const rig = await aRig();
    rig.change(nodes, undefined, 'pool-0', (node) => ({
      ...node,
      status: { ...node.status, allocatable: { ...node.status?.allocatable, pods: '1' } },
    }));
    await rig.advance(2_000);
    rig.addPod('first', asking({}));
    rig.addPod('second', asking({}));
    await rig.advance(5_000);
    expect(verdictOf(rig, 'second')).toMatchObject({
      reason: 'OutOfpods',
      message: "Pod was rejected: Node didn't have enough resource: pods, requested: 1, used: 1, capacity: 1",
    });
  });

  it('may have the port of another at an address or for a protocol of its own', async () => {
    const rig = new Rig();
    await rig.startPool({ count: 1 });
    const at = (hostIP: string, protocol = 'TCP'): JsonObject => ({
      containers: [{ name: 'c', image: 'nginx', ports: [{ containerPort: 80, hostPort: 8080, hostIP, protocol }] }],
    });
    rig.addPod('one', at('127.0.0.1'));
    rig.addPod('two', at('172.18.0.2'));
    rig.addPod('three', at('172.18.0.2', 'UDP'));
    rig.addPod('again', at('127.0.0.1'));
    rig.addPod('all', at('0.0.0.0'));
    rig.addPod('any', at(''));
    await rig.advance(30_000);
    const phaseOf = (name: string): string | undefined => rig.pod(name)?.status?.phase;
    expect(['one', 'two', 'three', 'again', 'all', 'any'].map(phaseOf)).toEqual(['Running', 'Running', 'Running', 'Failed', 'Failed', 'Failed']);
  });
});
