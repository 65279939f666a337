import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../apimachinery/object.ts';
import { createStore } from '../store/memory-store.ts';
import type { Store } from '../store/store.ts';
import { causeChain } from './causes.ts';
import { HistoryDigest } from './digest.ts';
import { Crashes } from './crashes.ts';
import { type Mark, marksWithin } from './marks.ts';
import { createHistoryRecorder, type HistoryRecorder } from './recorder.ts';
import { parseTimelineQuery, TimelineQueries } from './timeline.ts';

const startMs = Date.parse('2026-01-01T00:00:00Z');
const plurals: Readonly<Record<string, string>> = {
  Pod: 'pods',
  Node: 'nodes',
  Job: 'jobs',
  CronJob: 'cronjobs',
  ReplicaSet: 'replicasets',
  Fault: 'faults',
  Event: 'events',
};

function newRecorder(store: Store<KubeObject>, rowsMax?: number): HistoryRecorder {
  const stored = (key: string): KubeObject | undefined => store.get(key)?.value;
  return createHistoryRecorder({ startMs, resourceOf: (_group, kind) => plurals[kind], stored, ...(rowsMax === undefined ? {} : { rowsMax }) });
}

class Tank {
  readonly store: Store<KubeObject> = createStore<KubeObject>();
  readonly recorder: HistoryRecorder = newRecorder(this.store);
  nowMs = startMs;

  constructor() {
    this.store.watch({ prefix: '', onChanges: (changes) => changes.forEach((change) => this.recorder.onChange(change)) });
  }

  put(key: string, object: object, by = 'admin', causes: readonly string[] = []): number {
    const meta = { virtualMs: this.nowMs, identity: by, causes };
    const known = this.store.get(`/registry/${key}`);
    const result =
      known === undefined
        ? this.store.create(`/registry/${key}`, object as KubeObject, meta)
        : this.store.update(`/registry/${key}`, undefined, object as KubeObject, meta);
    return result.type === 'failure' ? 0 : result.revision;
  }

  remove(key: string, by = 'admin', causes: readonly string[] = []): number {
    const result = this.store.remove(`/registry/${key}`, undefined, { virtualMs: this.nowMs, identity: by, causes });
    return result.type === 'failure' ? 0 : result.revision;
  }

  allMarks(id: string): readonly Mark[] {
    return marksWithin(this.recorder.find(id)?.marks ?? [], 0, Number.POSITIVE_INFINITY);
  }

  marks(id: string): readonly string[] {
    return this.allMarks(id).map((mark) => `${mark.type} ${mark.text}`);
  }
}

function pod(name: string, status: object, metadata: object = {}): object {
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name, namespace: 'default', uid: `uid-${name}`, ...metadata },
    spec: { nodeName: 'n1' },
    status,
  };
}

function readiness(name: string, status: string): object {
  return { kind: 'Node', apiVersion: 'v1', metadata: { name, uid: `uid-${name}` }, status: { conditions: [{ type: 'Ready', status }] } };
}

describe('recorder', () => {
  test('a pod row tells phases, readiness, restarts and its end', () => {
    const tank = new Tank();
    tank.put(
      'pods/default/web',
      pod('web', { phase: 'Pending' }, { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: 'u', controller: true }] }),
    );
    tank.nowMs += 1000;
    const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }], containerStatuses: [{ name: 'c', restartCount: 0 }] };
    tank.put('pods/default/web', pod('web', ready));
    tank.nowMs += 1000;
    tank.put(
      'pods/default/web',
      pod('web', { ...ready, containerStatuses: [{ name: 'c', restartCount: 1, lastState: { terminated: { exitCode: 137, reason: 'Error' } } }] }),
    );
    tank.put('pods/default/web', pod('web', ready, { deletionTimestamp: '2026-01-01T00:00:32Z' }));
    tank.nowMs += 1000;
    tank.remove('pods/default/web');
    const row = tank.recorder.find('pods/default/web');
    expect(row?.segments.map(({ state, ready: isReady, fromMs, toMs }) => [state, isReady, fromMs - startMs, toMs - startMs])).toEqual([
      ['Pending', false, 0, 1000],
      ['Running', true, 1000, 2000],
      ['Terminating', true, 2000, 3000],
    ]);
    expect(tank.marks('pods/default/web')).toContain('status status.phase: Pending → Running');
    expect(tank.marks('pods/default/web')).toContain('restart container c restarted (restart 1, exit code 137, Error)');
    expect(tank.marks('pods/default/web').at(-1)).toBe('delete deleted');
  });

  test('a restart is told though its count has come to its end', () => {
    const tank = new Tank();
    const status = (containerID: string): object => ({ phase: 'Running', containerStatuses: [{ name: 'c', restartCount: 5, containerID }] });
    tank.put('pods/default/web', pod('web', status('a')));
    tank.nowMs += 1000;
    tank.put('pods/default/web', pod('web', status('b')));
    expect(tank.marks('pods/default/web')).toContain('restart container c restarted (restart 5)');
  });

  test('heartbeats and leases make no marks', () => {
    const tank = new Tank();
    const node = (heartbeat: string): object => ({
      kind: 'Node',
      apiVersion: 'v1',
      metadata: { name: 'n1', uid: 'n' },
      status: { conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: heartbeat }] },
    });
    tank.put('minions/n1', node('a'));
    tank.put('minions/n1', node('b'));
    tank.put('leases/kube-node-lease/n1', { kind: 'Lease', apiVersion: 'coordination.k8s.io/v1', metadata: { name: 'n1' } });
    expect(tank.marks('nodes/n1')).toEqual(['create created']);
    expect(tank.recorder.rowCount).toBe(1);
  });

  test('a CronJob row tells its runs', () => {
    const tank = new Tank();
    tank.put('cronjobs/default/tick', { kind: 'CronJob', apiVersion: 'batch/v1', metadata: { name: 'tick', namespace: 'default', uid: 'cj' } });
    const job = (metadata: object, status: object = {}): object => ({
      kind: 'Job',
      apiVersion: 'batch/v1',
      metadata: {
        namespace: 'default',
        annotations: { 'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-01-01T00:00:00Z' },
        ownerReferences: [{ apiVersion: 'batch/v1', kind: 'CronJob', name: 'tick', uid: 'cj', controller: true }],
        ...metadata,
      },
      status,
    });
    const controller = 'system:serviceaccount:kube-system:cronjob-controller';
    tank.put('jobs/default/a', job({ name: 'a', uid: 'a' }), controller);
    tank.put('jobs/default/a', job({ name: 'a', uid: 'a' }, { conditions: [{ type: 'Complete', status: 'True' }] }));
    tank.put('jobs/default/b', job({ name: 'b', uid: 'b' }), controller);
    tank.remove('jobs/default/b', controller);
    tank.remove('jobs/default/a', controller);
    tank.put('events/default/e', {
      kind: 'Event',
      apiVersion: 'v1',
      metadata: { name: 'e' },
      involvedObject: { apiVersion: 'batch/v1', kind: 'CronJob', namespace: 'default', name: 'tick', uid: 'cj' },
      type: 'Normal',
      reason: 'JobAlreadyActive',
      message: 'busy',
    });
    expect(tank.marks('cronjobs.batch/default/tick')).toEqual([
      'create created',
      'scheduled a',
      'started a',
      'finished a: Complete',
      'scheduled b',
      'started b',
      'replaced b',
      'skipped JobAlreadyActive: busy',
    ]);
  });

  test('an instant that Forbid skips is one mark at its planned time, however often the controller speaks of it', () => {
    const tank = new Tank();
    tank.put('cronjobs/default/tick', {
      kind: 'CronJob',
      apiVersion: 'batch/v1',
      metadata: { name: 'tick', namespace: 'default', uid: 'cj', creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { schedule: '*/10 * * * *', timeZone: 'Europe/Berlin' },
    });
    const skip = (count: number): number =>
      tank.put('events/default/e', {
        kind: 'Event',
        apiVersion: 'v1',
        metadata: { name: 'e' },
        involvedObject: { apiVersion: 'batch/v1', kind: 'CronJob', namespace: 'default', name: 'tick', uid: 'cj' },
        reason: 'JobAlreadyActive',
        message: 'busy',
        count,
      });
    tank.nowMs = startMs + 10 * 60_000 + 100;
    skip(1);
    tank.nowMs = startMs + 13 * 60_000;
    skip(2);
    tank.nowMs = startMs + 20 * 60_000 + 50;
    skip(3);
    const skipped = tank.allMarks('cronjobs.batch/default/tick').filter(({ type }) => type === 'skipped');
    expect(skipped?.map(({ ms, text }) => [(ms - startMs) / 60_000, text])).toEqual([
      [10, 'JobAlreadyActive: busy (×2)'],
      [20, 'JobAlreadyActive: busy (×3)'],
    ]);
  });

  test('the time in which a CronJob was suspended stays suspended after it goes on', () => {
    const tank = new Tank();
    const tick = (suspend: boolean): object => ({
      kind: 'CronJob',
      apiVersion: 'batch/v1',
      metadata: { name: 'tick', namespace: 'default', uid: 'cj' },
      spec: { schedule: '* * * * *', suspend },
    });
    for (const suspend of [false, true, false]) {
      tank.put('cronjobs/default/tick', tick(suspend));
      tank.nowMs += 60_000;
    }
    const segments = tank.recorder.find('cronjobs.batch/default/tick')?.segments;
    expect(segments?.map(({ state, fromMs }) => [state, (fromMs - startMs) / 60_000])).toEqual([
      ['Exists', 0],
      ['Suspended', 1],
      ['Exists', 2],
    ]);
  });

  test('a pod that crashes, starts or lost its readiness says which', () => {
    const tank = new Tank();
    tank.put('minions/n1', readiness('n1', 'True'));
    const at = (seconds: number): string => new Date(startMs + seconds * 1000).toISOString();
    const running = (ready: string, turned: number, state: object): object =>
      pod('a', {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: ready, lastTransitionTime: at(turned) }],
        containerStatuses: [{ name: 'c', state }],
      });
    const steps = [
      pod('a', { phase: 'Pending', containerStatuses: [{ name: 'c', state: { waiting: { reason: 'ImagePullBackOff' } } }] }),
      running('False', 0, { running: { startedAt: at(5) } }),
      running('True', 6, { running: { startedAt: at(5) } }),
      running('False', 60, { running: { startedAt: at(5) } }),
      running('False', 60, { waiting: { reason: 'CrashLoopBackOff' } }),
      pod('a', { phase: 'Failed', reason: 'Evicted' }),
    ];
    for (const step of steps) {
      tank.put('pods/default/a', step);
      tank.nowMs += 1000;
    }
    expect(tank.recorder.find('pods/default/a')?.segments.map(({ state, reason }) => [state, reason])).toEqual([
      ['Pending', 'ImagePullBackOff'],
      ['Running', 'Starting'],
      ['Running', ''],
      ['Running', 'NotReady'],
      ['Running', 'CrashLoopBackOff'],
      ['Failed', 'Evicted'],
    ]);
  });

  test('rows and marks are bounded', () => {
    const tank = new Tank();
    const recorder = newRecorder(tank.store, 3);
    tank.store.watch({ prefix: '', onChanges: (changes) => changes.forEach((change) => recorder.onChange(change)) });
    for (let i = 0; i < 6; i++) {
      tank.put(`pods/default/p${i}`, pod(`p${i}`, { phase: 'Pending' }));
      if (i !== 0) tank.remove(`pods/default/p${i}`);
    }
    for (let i = 0; i < 300; i++) tank.put('pods/default/p0', pod('p0', { phase: 'Pending', message: `m${i}` }));
    expect([...recorder.rows()].map((row) => row.name)).toEqual(['p0', 'p4', 'p5']);
    const row = recorder.find('pods/default/p0');
    const marks = marksWithin(row?.marks ?? [], 0, Number.POSITIVE_INFINITY);
    expect([marks.length, row?.dropped, marks[0]?.type]).toEqual([200, 101, 'create']);
  });

  test('what is saved can be restored', () => {
    const tank = new Tank();
    tank.put('pods/default/a', pod('a', { phase: 'Pending' }));
    tank.remove('pods/default/a');
    tank.put('pods/default/b', pod('b', { phase: 'Running' }));
    const saved = JSON.parse(JSON.stringify(tank.recorder.slots.save()));
    const other = newRecorder(tank.store);
    other.slots.restore(saved, 'history');
    expect(other.slots.save()).toEqual(saved);
    const change = tank.store.changeAt(tank.remove('pods/default/b'));
    if (change) other.onChange(change);
    expect(other.find('pods/default/b')?.deletedMs).toBe(tank.nowMs);
  });
});

describe('timeline query', () => {
  test('owners come before what they own, filters and pages apply', () => {
    const tank = new Tank();
    const owned = { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'rs', controller: true }] };
    tank.put('pods/default/web-b', pod('web-b', { phase: 'Running' }, owned));
    tank.put('replicasets/default/web', { kind: 'ReplicaSet', apiVersion: 'apps/v1', metadata: { name: 'web', namespace: 'default', uid: 'rs' } });
    tank.put('pods/default/web-a', pod('web-a', { phase: 'Running' }, owned));
    tank.put('pods/default/alone', pod('alone', { phase: 'Running' }));
    tank.nowMs += 1000;
    const timelines = new TimelineQueries(tank.recorder, new Crashes(), () => tank.nowMs);
    const names = (text: Record<string, string>): readonly string[] => timelines.query(parseTimelineQuery(text)).rows.map((row) => row.name);
    expect(names({})).toEqual(['alone', 'web', 'web-b', 'web-a']);
    expect(names({ owner: 'replicasets.apps/default/web' })).toEqual(['web-b', 'web-a']);
    expect(names({ kind: 'Pod', offset: '1', limit: '1' })).toEqual(['web-b']);
    expect(names({ search: 'alon' })).toEqual(['alone']);
    const groups = (text: Record<string, string>): string => {
      const { groups } = timelines.packed(parseTimelineQuery(text));
      return groups?.map(({ key, count }) => `${key} ${count}`).join() ?? '';
    };
    expect([groups({}), groups({ limit: '1' })]).toEqual(['replicasets.apps/default/web 2', '']);
    expect(groups({ limit: '1', group: 'kind' })).toBe('Pod 3,ReplicaSet 1');
    expect(() => names({ from: 'x' })).toThrow('from=x is not a number');
  });

  test('a crowded row shows the most telling marks and counts the others', () => {
    const tank = new Tank();
    for (let i = 0; i < 100; i++) {
      tank.nowMs = startMs + i * 10;
      tank.put('pods/default/p', pod('p', { phase: 'Pending', message: `m${i}` }));
    }
    tank.nowMs = startMs + 1000;
    const [row] = new TimelineQueries(tank.recorder, new Crashes(), () => tank.nowMs).query({ buckets: 10 }).rows;
    expect(row?.marks.length).toBe(10);
    expect(row?.marks[0]?.type).toBe('create');
    expect(row?.density).toEqual(new Array(10).fill(9));
  });
});

describe('cause chains', () => {
  test('a replacement pod leads back to the fault and who made it', () => {
    const tank = new Tank();
    const account = (name: string): string => `system:serviceaccount:kube-system:${name}`;
    const node = (taints: readonly object[]): object => ({ kind: 'Node', apiVersion: 'v1', metadata: { name: 'n1', uid: 'n1' }, spec: { taints } });
    tank.put('minions/n1', node([]), 'system:node:n1', ['timer:nodes/heartbeat']);
    tank.put('pods/default/a', pod('a', { phase: 'Running' }), account('replicaset-controller'), ['rev:2']);
    const fault = { kind: 'Fault', apiVersion: 'sim.wavetank.dev/v1alpha1', metadata: { name: 'dark', uid: 'f' }, spec: { type: 'node-power-loss' } };
    tank.put('sim.wavetank.dev/faults/dark', fault, 'admin', ['input:7']);
    tank.put(
      'sim.wavetank.dev/faults/dark',
      { ...fault, status: { phase: 'Active', affected: ['n1'], injectedAt: '2026-01-01T00:00:00Z' } },
      'faults',
      ['rev:4'],
    );
    tank.nowMs += 52_000;
    const tainted = tank.put('minions/n1', node([{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }]), account('node-controller'), [
      'timer:controller/node-lifecycle-controller/monitor',
      'silence:n1',
    ]);
    tank.nowMs += 300_000;
    const evicted = tank.put('pods/default/a', pod('a', { phase: 'Running' }, { deletionTimestamp: 'x' }), account('taint-eviction-controller'), [
      'timer:controller/taint-eviction-controller/evict',
      `rev:${tainted}`,
    ]);
    const replaced = tank.put('pods/default/b', pod('b', { phase: 'Pending' }), account('replicaset-controller'), ['rev:3', `rev:${evicted}`]);
    const links = causeChain(tank.recorder, replaced) ?? [];
    expect(links.map(({ type, text }) => `${type}: ${text}`)).toEqual([
      'write: replicaset-controller created Pod b (also because of change 3)',
      'write: taint-eviction-controller deleted Pod a, which now has its grace period to end (also because of a timer of taint-eviction-controller (evict))',
      'write: node-controller changed Node n1: spec.taints: + node.kubernetes.io/unreachable:NoExecute (also because of a timer of node-lifecycle-controller (monitor))',
      'silence: nothing had been heard from node n1 for longer than the grace period',
      'fault: fault dark (node-power-loss) had struck node n1',
      'write: admin created Fault dark',
      'input: admin asked for it from outside (input 7)',
    ]);
    expect(links[0]?.object).toBe('pods/default/b');
  });
});

describe('digest', () => {
  const hash = (text: string): string => `h(${text.length}:${text.slice(-40)})`;

  test('differs with any change, and not with key material, wherever it stands and in whatever form', () => {
    const pemOf = (body: string): string => `-----BEGIN CERTIFICATE-----\n${body.repeat(64)}\n${body.repeat(20)}\n-----END CERTIFICATE-----\n`;
    const digestOf = (show: (pem: string) => string, pem: string): string => {
      const digest = new HistoryDigest({ hash: (text) => text, keyMaterial: [pem] });
      const value = { kind: 'X', apiVersion: 'v1', metadata: {}, data: show(pem) } as unknown as KubeObject;
      const current = { value } as never;
      digest.onChange({ type: 'put', revision: 2, key: '/registry/pods/a/b', current, meta: { virtualMs: 1, identity: 'a', causes: ['rev:1'] } });
      for (const text of show(pem).split('\n')) digest.onLog({ namespace: 'a', pod: 'p', container: 'c', atMs: 1, text });
      return digest.value;
    };
    const forms = [
      (pem: string) => pem,
      (pem: string) => pem.trimEnd(),
      (pem: string) => `ca: ${btoa(pem)}`,
      (pem: string) => pem.split('\n')[2] ?? '',
    ];
    for (const show of forms) expect(digestOf(show, pemOf('A'))).toBe(digestOf(show, pemOf('B')));
    expect(digestOf(() => 'one', pemOf('A'))).not.toBe(digestOf(() => 'two', pemOf('A')));
  });

  test('goes on from what was saved', () => {
    const first = new HistoryDigest({ hash });
    first.onLog({ namespace: 'a', pod: 'p', container: 'c', atMs: 1, text: 'hello' });
    const second = new HistoryDigest({ hash });
    second.goOnFrom(first.value);
    for (const digest of [first, second]) digest.onDecision({ pod: 'a/p' });
    expect(second.value).toBe(first.value);
  });
});
