import { describe, expect, test } from 'vitest';
import { Bench } from '../../../test/support/bench.ts';
import { newServiceUnavailable } from '../../apimachinery/errors.ts';
import { configMaps, endpoints, leases } from '../../client/resources.ts';
import { controllerManager } from './controller-manager.ts';
import { readCommandLine } from './daemon.ts';
import { type ElectionTimes, checkElectionTimes, LeaderElector } from './leader-election.ts';
import { createLock, type LeaderRecord, type ResourceLock } from './resource-locks.ts';

const times: ElectionTimes = { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 };
const place = { namespace: 'kube-system', name: 'kube-scheduler' };

function answeredUnless(isSilent: () => boolean, lock: ResourceLock): ResourceLock {
  const answer = <T>(call: () => Promise<T>): Promise<T> => (isSilent() ? new Promise(() => undefined) : call());
  return {
    reference: lock.reference,
    get: () => answer(() => lock.get()),
    create: (record) => answer(() => lock.create(record)),
    update: (record) => answer(() => lock.update(record)),
  };
}

class Replicas {
  readonly bench = new Bench();
  readonly told: string[] = [];
  /** Whose requests nobody answers. */
  readonly silent = new Set<string>();

  add(identity: string, kind = 'leases', lock = createLock(kind, place, this.bench.client(identity))): LeaderElector {
    const { bench, told, silent } = this;
    const elector = new LeaderElector({
      component: identity,
      loop: bench.loop,
      random: bench.random.stream(identity),
      lock: answeredUnless(() => silent.has(identity), lock),
      identity,
      times,
      onStartedLeading: () => told.push(`${identity} leads`),
      onStoppedLeading: () => told.push(`${identity} lost`),
      onNewLeader: (leader) => told.push(`${identity} sees ${leader}`),
      onError: (error) => told.push(`${identity}: ${error.message}`),
    });
    bench.loop.register(elector);
    elector.start();
    return elector;
  }

  lease() {
    return this.bench.mustGet(leases, place.namespace, place.name).spec;
  }
}

describe('a leader election', () => {
  test('the first one leads, the second waits, and what the first holds says so', async () => {
    const replicas = new Replicas();
    const a = replicas.add('a');
    await replicas.bench.advance(1000);
    const b = replicas.add('b');
    await replicas.bench.advance(60_000);
    expect([a.isLeading, b.isLeading, b.leader]).toEqual([true, false, 'a']);
    expect(replicas.told).toEqual(['a sees a', 'a leads', 'b sees a']);
    expect(replicas.lease()).toMatchObject({ holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0 });
  });

  test('who stops while it renews gives its place back all the same', async () => {
    const replicas = new Replicas();
    const a = replicas.add('a');
    await replicas.bench.advance(5_000);
    // The renewal has arrived, and its answer has not.
    const onItsWay = createLock('leases', place, replicas.bench.client('a'));
    const renewed = onItsWay.get().then((record) => onItsWay.update({ ...(record as LeaderRecord), renewedMs: replicas.bench.loop.nowMs() }));
    await replicas.bench.advance(1);
    await renewed;
    const stopped = a.stop(true);
    await replicas.bench.advance(1);
    await stopped;
    expect(replicas.lease()?.holderIdentity).toBe('');
  });

  test('who stops while it reads does not take again what it gave back', async () => {
    const replicas = new Replicas();
    const lock = createLock('leases', place, replicas.bench.client('a'));
    const gate = { isShut: false, opened: Promise.withResolvers<void>() };
    const a = replicas.add('a', 'leases', {
      reference: lock.reference,
      get: async () => {
        if (gate.isShut) await gate.opened.promise;
        return lock.get();
      },
      create: (record) => lock.create(record),
      update: (record) => lock.update(record),
    });
    await replicas.bench.advance(5_000);
    gate.isShut = true;
    await replicas.bench.advance(times.retryMs);
    const stopped = a.stop(true);
    await replicas.bench.advance(1);
    await stopped;
    gate.opened.resolve();
    await replicas.bench.advance(times.retryMs);
    expect(replicas.lease()?.holderIdentity).toBe('');
  });

  test('when the leader falls silent another one leads after its lease, and never before', async () => {
    const replicas = new Replicas();
    const a = replicas.add('a');
    const b = replicas.add('b');
    await replicas.bench.advance(5_000);
    await a.stop(false);
    await replicas.bench.advance(times.leaseMs - 2_500);
    expect(b.isLeading).toBe(false);
    await replicas.bench.advance(2_500 + times.retryMs * 2.2);
    expect(b.isLeading).toBe(true);
    expect(replicas.lease()).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
  });

  test('a lock that is given back is taken at the next try', async () => {
    const replicas = new Replicas();
    const a = replicas.add('a');
    const b = replicas.add('b');
    await replicas.bench.advance(5_000);
    const stopped = a.stop(true);
    await replicas.bench.advance(times.retryMs * 2.2 + 100);
    await stopped;
    expect([a.isLeading, b.isLeading]).toEqual([false, true]);
  });

  test('a leader that cannot renew gives up at its deadline, before anybody else may lead', async () => {
    const replicas = new Replicas();
    const a = replicas.add('a');
    await replicas.bench.advance(5_000);
    const b = replicas.add('b');
    replicas.bench.refuse = (write) => {
      if (JSON.stringify(write.body).includes('"holderIdentity":"a"')) throw newServiceUnavailable('down');
    };
    let lostMs = 0;
    let ledMs = 0;
    for (let ms = 0; ms < 40_000 && ledMs === 0; ms += 100) {
      await replicas.bench.advance(100);
      if (lostMs === 0 && replicas.told.includes('a lost')) lostMs = ms;
      if (replicas.told.includes('b leads')) ledMs = ms;
      expect(a.isLeading && b.isLeading).toBe(false);
    }
    expect(lostMs).toBeGreaterThan(8_000);
    expect(ledMs).toBeGreaterThan(lostMs);
  });

  test('a leader whom nobody answers gives up at its deadline, before anybody else may lead', async () => {
    const replicas = new Replicas();
    const a = replicas.add('a');
    await replicas.bench.advance(5_000);
    const b = replicas.add('b');
    replicas.silent.add('a');
    let [lostMs, ledMs] = [0, 0];
    for (let ms = 0; ms < 40_000 && ledMs === 0; ms += 100) {
      await replicas.bench.advance(100);
      if (lostMs === 0 && replicas.told.includes('a lost')) lostMs = ms;
      if (replicas.told.includes('b leads')) ledMs = ms;
      expect(a.isLeading && b.isLeading).toBe(false);
    }
    expect(replicas.told).toContain('a: the API server did not answer in time');
    expect(lostMs).toBeGreaterThan(8_000);
    expect(lostMs).toBeLessThan(10_000);
    expect(ledMs).toBeGreaterThan(lostMs);
  });

  test('one that waits hears of an API server that does not answer, and leads when it does again', async () => {
    const replicas = new Replicas();
    replicas.silent.add('a');
    const a = replicas.add('a');
    await replicas.bench.advance(30_000);
    expect([a.isLeading, replicas.told[0]]).toEqual([false, 'a: the API server did not answer in time']);
    replicas.silent.delete('a');
    await replicas.bench.advance(10_000);
    expect(a.isLeading).toBe(true);
  });

  test('a leader whose clock stood still is called overdue after its lease', async () => {
    const replicas = new Replicas();
    const a = replicas.add('a');
    await replicas.bench.advance(1_000);
    expect(a.isOverdue(20_000)).toBe(false);
    await a.stop(false);
    await replicas.bench.advance(36_000);
    expect(a.isOverdue(20_000)).toBe(true);
  });

  test.each([
    ['endpoints', endpoints],
    ['configmaps', configMaps],
  ] as const)('%s hold the record in an annotation, as older releases do', async (kind, type) => {
    const replicas = new Replicas();
    replicas.add('a', kind);
    const b = replicas.add('b', kind);
    await replicas.bench.advance(10_000);
    expect(b.leader).toBe('a');
    const { annotations } = replicas.bench.mustGet(type, place.namespace, place.name).metadata;
    const record = JSON.parse(annotations?.['control-plane.alpha.kubernetes.io/leader'] ?? '') as object;
    expect(record).toMatchObject({ holderIdentity: 'a', leaseDurationSeconds: 15, leaderTransitions: 0 });
  });

  test('a record that is none is told and nobody leads', async () => {
    const replicas = new Replicas();
    const annotations = { 'control-plane.alpha.kubernetes.io/leader': '{' };
    replicas.bench.add(configMaps, { metadata: { ...place, annotations } });
    const a = replicas.add('a', 'configmaps');
    await replicas.bench.advance(5_000);
    expect(a.isLeading).toBe(false);
    expect(replicas.told[0]).toMatch(/^a: .*JSON/);
  });
});

test('times that do not fit together are refused in the words of client-go', () => {
  const words = (change: Partial<ElectionTimes>) => {
    try {
      checkElectionTimes({ ...times, ...change });
    } catch (error) {
      return (error as Error).message;
    }
    return undefined;
  };
  expect(words({})).toBeUndefined();
  expect(words({ renewDeadlineMs: 15_000 })).toContain('leaseDuration must be greater than renewDeadline');
  expect(words({ retryMs: 9_000 })).toContain('renewDeadline must be greater than retryPeriod*JitterFactor');
  expect(words({ retryMs: 0 })).toContain('retryPeriod must be greater than zero');
});

test('a kind of lock that there is not', () => {
  expect(() => createLock('leafs', place, new Bench().client('a'))).toThrow('Invalid lock-type leafs');
});

// Asked of kube-controller-manager 1.13.12, which starts with the former.
test.each([
  ['--leader-elect=false', undefined],
  ['--leader-elect=true', 'leaseDuration must be greater than renewDeadline'],
] as const)('times of an election are judged where there is one: %s', (elects, fault) => {
  const start = () =>
    readCommandLine(controllerManager, ['--emulate=1.13', '--master=http://127.0.0.1:1', '--leader-elect-renew-deadline=20s', elects]);
  if (fault === undefined) expect(start).not.toThrow();
  else expect(start).toThrow(fault);
});
