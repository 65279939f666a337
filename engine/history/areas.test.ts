import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../apimachinery/object.ts';
import { clusterDns } from '../component-helpers/cluster-dns.ts';
import type { Store } from '../store/store.ts';
import { createStore } from '../store/memory-store.ts';
import { Crashes } from './crashes.ts';
import { createHistoryRecorder, type HistoryRecorder } from './recorder.ts';
import { TimelineQueries } from './timeline.ts';

const plurals: Readonly<Record<string, string>> = {
  Pod: 'pods',
  Node: 'nodes',
  Service: 'services',
  EndpointSlice: 'endpointslices',
  Deployment: 'deployments',
  DaemonSet: 'daemonsets',
  Job: 'jobs',
};

class Tank {
  readonly store: Store<KubeObject> = createStore<KubeObject>();
  readonly recorder: HistoryRecorder = this.newRecorder();
  ms = 0;

  constructor() {
    this.store.watch({ prefix: '', onChanges: (changes) => changes.forEach((change) => this.recorder.onChange(change)) });
  }

  newRecorder(): HistoryRecorder {
    return createHistoryRecorder({ startMs: 0, resourceOf: (_group, kind) => plurals[kind], stored: (key) => this.store.get(key)?.value });
  }

  put(key: string, object: object): void {
    const meta = { virtualMs: ++this.ms, identity: 'admin', causes: [] };
    const path = `/registry/${key}`;
    if (this.store.get(path) === undefined) this.store.create(path, object as KubeObject, meta);
    else this.store.update(path, undefined, object as KubeObject, meta);
  }

  remove(key: string): void {
    this.store.remove(`/registry/${key}`, undefined, { virtualMs: ++this.ms, identity: 'admin', causes: [] });
  }

  /** `ready/wished` of each step; of the row, or of the cluster's pods or nodes. */
  area(id: string, recorder = this.recorder): readonly string[] {
    const { rows, cluster } = new TimelineQueries(recorder, new Crashes(), () => 1_000).query({ limit: 1_000 });
    const area = id === '*pods' ? cluster.pods : id === '*nodes' ? cluster.nodes : (rows.findLast((row) => row.id === id)?.area ?? []);
    return area.flatMap((_, at) => (at % 4 === 0 ? [`${area[at + 2]}/${area[at + 1]}`] : []));
  }
}

const meta = (name: string, namespace: string | undefined = 'd') => ({ name, uid: `uid-${name}`, ...(namespace === '' ? {} : { namespace }) });
const conditions = (isReady: boolean) => [{ type: 'Ready', status: isReady ? 'True' : 'False' }];

function pod(name: string, node: string, isReady: boolean, extra: object = {}, phase = 'Running'): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...meta(name), ...extra },
    spec: { nodeName: node },
    status: { phase, conditions: conditions(isReady) },
  };
}
function node(name: string, isReady: boolean): object {
  return { apiVersion: 'v1', kind: 'Node', metadata: meta(name, ''), status: { conditions: conditions(isReady) } };
}
function slice(name: string, ready: readonly (boolean | 'going')[], addressType = 'IPv4'): object {
  const endpoints = ready.map((one) => ({ addresses: ['10.0.0.1'], conditions: { ready: one === true, terminating: one === 'going' } }));
  const labels = { 'kubernetes.io/service-name': 'web' };
  return { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { ...meta(name), labels }, addressType, endpoints };
}

describe('areas', () => {
  test('a Deployment has what it wishes for and what is available', () => {
    const tank = new Tank();
    const write = (replicas: number, availableReplicas: number, there = replicas) =>
      tank.put('deployments/d/web', {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: meta('web'),
        spec: { replicas },
        status: { replicas: there, availableReplicas },
      });
    for (const [replicas, available] of [
      [3, 0],
      [3, 3],
      [3, 2],
      [5, 2],
    ] as const)
      write(replicas, available);
    write(5, 6, 7);
    expect(tank.area('deployments.apps/d/web')).toEqual(['0/3', '3/3', '2/3', '2/5', '6/5']);
  });

  test('a DaemonSet and a Job of several workers have one, a Job of one has none', () => {
    const tank = new Tank();
    tank.put('daemonsets/d/agent', {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: meta('agent'),
      status: { desiredNumberScheduled: 4, numberAvailable: 3 },
    });
    const job = (name: string, parallelism: number, status: object) =>
      tank.put(`jobs/d/${name}`, { apiVersion: 'batch/v1', kind: 'Job', metadata: meta(name), spec: { parallelism, completions: 5 }, status });
    job('wide', 3, { active: 3, ready: 2 });
    job('wide', 3, { active: 1, ready: 1, succeeded: 4 });
    job('wide', 3, { succeeded: 5, conditions: [{ type: 'Complete', status: 'True' }] });
    job('narrow', 1, { active: 1, ready: 1 });
    expect(tank.area('daemonsets.apps/d/agent')).toEqual(['3/4']);
    expect(tank.area('jobs.batch/d/wide')).toEqual(['2/3', '1/1', '0/0']);
    expect(tank.area('jobs.batch/d/narrow')).toEqual([]);
  });

  test('a node has its pods, also those that were bound before it came, and from one life to the next', () => {
    const tank = new Tank();
    tank.put('pods/d/early', pod('early', 'n1', true));
    tank.put('minions/n1', node('n1', true));
    tank.put('pods/d/a', pod('a', '', false, {}, 'Pending'));
    tank.put('pods/d/a', pod('a', 'n1', false));
    tank.put('pods/d/a', pod('a', 'n1', true));
    expect(tank.area('nodes/n1')).toEqual(['1/1', '1/2', '2/2']);
    tank.remove('minions/n1');
    tank.put('pods/d/early', pod('early', 'n1', true, { deletionTimestamp: '2026-01-01T00:00:00Z' }));
    tank.put('minions/n1', { ...node('n1', false), metadata: { name: 'n1', uid: 'again' } });
    tank.put('pods/d/a', pod('a', 'n1', false, {}, 'Failed'));
    expect(tank.area('nodes/n1')).toEqual(['1/1', '0/0']);
    expect(tank.area('*pods')).toEqual(['1/1', '1/2', '2/2', '1/1', '0/0']);
    expect(tank.area('*nodes')).toEqual(['1/1', '0/0', '0/1']);
  });

  test('a Service counts the endpoints of its fuller family, not those that go, and is short when it has none', () => {
    const tank = new Tank();
    const service = (name: string, spec: object) => tank.put(`services/d/${name}`, { apiVersion: 'v1', kind: 'Service', metadata: meta(name), spec });
    service('web', { selector: { app: 'web' } });
    tank.put('endpointslices/d/web-4', slice('web-4', [true, false]));
    tank.put('endpointslices/d/web-6', slice('web-6', [true], 'IPv6'));
    tank.put('endpointslices/d/web-5', slice('web-5', [true]));
    tank.put('endpointslices/d/web-4', slice('web-4', [true, 'going']));
    tank.remove('endpointslices/d/web-4');
    tank.remove('endpointslices/d/web-5');
    expect(tank.area('services/d/web')).toEqual(['0/1', '1/2', '2/3', '2/2', '1/1']);
    tank.remove('endpointslices/d/web-6');
    expect(tank.area('services/d/web').at(-1)).toBe('0/1');
    service('outside', { type: 'ExternalName' });
    expect(tank.area('services/d/outside')).toEqual([]);
    const dns = { apiVersion: 'v1', kind: 'Service', metadata: { ...clusterDns, uid: 'dns' }, spec: { selector: { 'k8s-app': 'kube-dns' } } };
    tank.put('services/kube-system/kube-dns', dns);
    expect(tank.area('services/kube-system/kube-dns')).toEqual([]);
  });

  test('they go on after history was saved and taken up, and what is saved while they change is as it was', () => {
    const tank = new Tank();
    tank.put('minions/n1', node('n1', true));
    tank.put('pods/d/a', pod('a', 'n1', true));
    const pieces = tank.recorder.savePieces();
    tank.put('pods/d/b', pod('b', 'n1', false));
    const restored = tank.newRecorder();
    restored.restoreLater([...pieces]);
    expect(tank.area('nodes/n1', restored)).toEqual(['0/0', '1/1']);
    expect(tank.area('nodes/n1')).toEqual(['0/0', '1/1', '1/2']);
    expect(tank.area('*pods', restored)).toEqual(['1/1']);
    const whole = tank.newRecorder();
    whole.slots.restore(tank.recorder.slots.save(), 'history');
    tank.store.watch({ prefix: '', onChanges: (changes) => changes.forEach((change) => whole.onChange(change)) });
    tank.put('pods/d/b', pod('b', 'n1', true));
    expect(tank.area('nodes/n1', whole)).toEqual(['0/0', '1/1', '1/2', '2/2']);
    expect(tank.area('*pods', whole)).toEqual(tank.area('*pods'));
  });
});
