/** State behind the pretend server: a clock that moves, faults, scenario runs, and the lists and watches over computed objects. */
import { packTimeline } from '../../engine/api/sim/v1alpha1/packed-timeline.ts';
import type { TimelineFault } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { listMockFaultTypes, mockFaultType } from './mock-fault-types.ts';
import {
  deployment,
  event,
  iso,
  node,
  pod,
  podsPerDeployment,
  scenarios,
  sim,
  startMs,
  uid,
  type MockObject,
  type MockSize,
} from './mock-cluster.ts';
import { discovery, tableOf } from './mock-discovery.ts';
import { causes, change, matrix } from './mock-answers.ts';
import { mockComputed } from './mock-overview.ts';
import { ComputedWatches } from './mock-watches.ts';
import { mockMap } from './mock-map.ts';
import { timeline } from './mock-timeline.ts';

type Listener = (type: string, object: MockObject) => void;
export interface Answer {
  readonly code: number;
  readonly body: unknown;
}
export interface MockState {
  tick(wallMs: number): void;
  request(method: string, url: URL, body: Record<string, unknown> | undefined, accept: string): Answer;
  list(path: string, query: URLSearchParams): MockObject[];
  onClock(listener: (clock: object) => void): () => void;
  onChange(path: string, query: URLSearchParams, listener: Listener): () => void;
}

const simPath = `/apis/${sim}`;

export function createMockState(size: MockSize): MockState {
  let now = startMs + 10 * 60_000;
  let speed = 'paused';
  let revision = 100_000;
  const faults = new Map<string, MockObject>();
  const runs = new Map<string, MockObject>();
  const clocks = new Set<(clock: object) => void>();
  const watchers = new Set<{ collection: string; query: URLSearchParams; listener: Listener }>();
  const downSince = () =>
    new Map(
      [...faults.values()].map((fault) => [
        (fault['spec'] as { target: { node?: string } }).target.node ?? '',
        Date.parse((fault['status'] as { injectedAt: string }).injectedAt),
      ]),
    );
  const clock = () => ({
    apiVersion: sim,
    kind: 'Clock',
    metadata: { name: 'cluster' },
    spec: { speed },
    status: {
      virtualTime: new Date(now).toISOString(),
      virtualMs: now,
      startTime: iso(startMs),
      tasksRun: 1,
      seed: 1,
      digest: 'a1b2c3d4',
      revision,
      nextTaskTime: iso(now + 1000),
    },
  });
  const notifyClock = () => {
    for (const listener of clocks) listener(clock());
  };
  const computed = (collection: string, query: URLSearchParams) => mockComputed(collection, query, size, new Set(downSince().keys()), now);
  const computedWatches = new ComputedWatches();
  const changed = (collection: string, type: string, object: MockObject) => {
    for (const w of watchers) if (w.collection === collection && matches(object, w.query)) w.listener(type, object);
  };

  function all(collection: string): MockObject[] {
    const down = new Set(downSince().keys());
    const count = (n: number, make: (index: number) => MockObject) => Array.from({ length: n }, (_, index) => make(index));
    switch (collection) {
      case 'pods':
        return count(size.pods, (index) => pod(index, size, down));
      case 'nodes':
        return count(size.nodes, (index) => node(index, down.has(`pool-${index}`), now));
      case 'deployments':
        return count(Math.ceil(size.pods / podsPerDeployment), deployment);
      case 'events':
        return count(Math.min(size.pods, 400), event);
      case 'faults':
        return [...faults.values()];
      case 'scenarios':
        return [...scenarios];
      case 'scenarioruns':
        return [...runs.values()];
      case 'namespaces':
        return ['default', 'kube-system', 'shop'].map((name, index) => ({
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name, uid: uid(index, 30), creationTimestamp: iso(startMs) },
          status: { phase: 'Active' },
        }));
      default:
        return [];
    }
  }

  function advanceRuns(): void {
    for (const [name, run] of runs) {
      const status = run['status'] as { phase: string; startedAt: string };
      if (status.phase !== 'Running') continue;
      const next = runAt(run, now);
      if (JSON.stringify(next['status']) === JSON.stringify(status)) continue;
      runs.set(name, next);
      changed('scenarioruns', 'MODIFIED', next);
    }
  }

  function setClock(spec: { speed?: string; advance?: string; runUntil?: string; step?: string }): void {
    if (spec.speed !== undefined) speed = spec.speed;
    if (spec.advance !== undefined) now += durationMs(spec.advance);
    if (spec.runUntil !== undefined) now = Math.max(now, Date.parse(spec.runUntil));
    if (spec.step !== undefined) {
      now += spec.step === 'event' ? 1000 : 37;
      speed = 'paused';
    }
    revision++;
    advanceRuns();
    notifyClock();
  }

  function create(collection: string, body: Record<string, unknown>): Answer {
    const metadata = body['metadata'] as { name?: string; generateName?: string };
    const name = metadata.name ?? `${metadata.generateName ?? 'x-'}${(revision++).toString(36)}`;
    const object: MockObject = {
      ...body,
      apiVersion: sim,
      kind: collection === 'faults' ? 'Fault' : 'ScenarioRun',
      metadata: { ...metadata, name, uid: uid(revision, 40), resourceVersion: String(revision), creationTimestamp: iso(now) },
      status:
        collection === 'faults'
          ? { phase: 'Active', injectedAt: iso(now), affected: [`nodes/${(body['spec'] as { target?: { node?: string } }).target?.node ?? ''}`] }
          : { phase: 'Running', startedAt: iso(now) },
    };
    const stored = collection === 'faults' ? object : runAt(object, now);
    (collection === 'faults' ? faults : runs).set(name, stored);
    changed(collection, 'ADDED', stored);
    if (collection === 'faults') touchNode(object);
    return { code: 201, body: stored };
  }

  function touchNode(fault: MockObject): void {
    const name = (fault['spec'] as { target: { node?: string } }).target.node ?? '';
    changed('nodes', 'MODIFIED', node(Number(name.replace('pool-', '')), faults.has(fault.metadata.name), now));
    for (let index = 0; index < size.pods; index++)
      if (`pool-${index % size.nodes}` === name) changed('pods', 'MODIFIED', pod(index, size, new Set(downSince().keys())));
  }

  function request(method: string, url: URL, body: Record<string, unknown> | undefined, accept: string): Answer {
    const path = url.pathname;
    if (path === '/version') return { code: 200, body: { gitVersion: 'v1.36.3+wavetank' } };
    if (path === '/api' || path === '/apis') return { code: 200, body: discovery(path) };
    if (path === `${simPath}/clocks/cluster`) {
      if (method === 'PATCH') setClock((body?.['spec'] ?? {}) as object);
      return { code: 200, body: clock() };
    }
    if (path === `${simPath}/timelines/main`) {
      const whole = timeline(url.searchParams, size, downSince(), faultBands(), now);
      return { code: 200, body: url.searchParams.get('packed') === 'true' ? packTimeline(whole) : whole };
    }
    if (path.startsWith(`${simPath}/clustermaps/`)) return { code: 200, body: mockMap(all, url, now) };
    if (path === `${simPath}/settings/cluster`)
      return {
        code: 200,
        body: {
          apiVersion: sim,
          kind: 'Settings',
          metadata: { name: 'cluster' },
          options: {
            nodes: size.nodes,
            seed: 1,
            'node-monitor-grace-period': '50s',
            'default-unreachable-toleration-seconds': 300,
            'feature-gates': '',
            'service-cluster-ip-range': '10.96.0.0/12',
            controllers: ['*'],
            speed,
            'start-time': iso(startMs),
          },
        },
      };
    if (path === `${simPath}/faulttypes`) return { code: 200, body: { items: listMockFaultTypes() } };
    if (path.startsWith(`${simPath}/faulttypes/`)) return { code: 200, body: mockFaultType(path, url.searchParams.get('node') ?? '') };
    if (path === `${simPath}/crashrecords`) return { code: 200, body: { items: [] } };
    if (path.startsWith(`${simPath}/causechains/`)) return { code: 200, body: causes(url.searchParams.get('object') ?? '') };
    if (path.startsWith(`${simPath}/changes/`)) {
      const found = change(Number(path.split('/').at(-1)));
      if (found) return { code: 200, body: found };
    }
    if (path.includes('/schedulingmatrices/')) return { code: 200, body: matrix(path.split('/').at(-1) ?? '', url.searchParams.get('node')) };
    const { collection, name } = parsePath(path);
    const found = computed(collection, url.searchParams);
    if (found) return { code: 200, body: name === undefined ? { kind: 'List', apiVersion: sim, metadata: {}, items: found } : found[0] };
    if (method === 'POST' && body) return url.searchParams.has('dryRun') ? { code: 201, body } : create(collection, body);
    if (method === 'DELETE') return remove(collection, name ?? '');
    if (name === undefined) {
      const items = list(path, url.searchParams);
      return {
        code: 200,
        body: accept.includes('as=Table')
          ? tableOf(collection, items, url.searchParams, now)
          : { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: String(revision) }, items },
      };
    }
    const stored = all(collection).find((object) => object.metadata.name === name);
    if (stored) return { code: 200, body: stored };
    return {
      code: 404,
      body: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        reason: 'NotFound',
        code: 404,
        message: `${collection} "${name}" not found`,
      },
    };
  }

  function remove(collection: string, name: string): Answer {
    const fault = faults.get(name);
    if (collection !== 'faults' || !fault)
      return { code: 404, body: { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404, message: `${collection} "${name}" not found` } };
    faults.delete(name);
    changed('faults', 'DELETED', fault);
    touchNode(fault);
    return { code: 200, body: fault };
  }

  function list(path: string, query: URLSearchParams): MockObject[] {
    const { collection } = parsePath(path);
    return computed(collection, query) ?? all(collection).filter((object) => matches(object, query));
  }
  const faultBands = (): TimelineFault[] =>
    [...faults.values()].map((fault) => ({
      name: fault.metadata.name,
      type: 'node-power-loss',
      fromMs: Date.parse((fault['status'] as { injectedAt: string }).injectedAt),
      affected: (fault['status'] as { affected: string[] }).affected,
    }));

  return {
    tick: (wallMs) => {
      computedWatches.look();
      if (speed === 'paused') return;
      now += wallMs * (speed === 'max' ? 600 : Number(speed));
      advanceRuns();
      notifyClock();
    },
    request,
    list,
    onClock: (listener) => {
      clocks.add(listener);
      listener(clock());
      return () => clocks.delete(listener);
    },
    onChange: (path, query, listener) => {
      const { collection } = parsePath(path);
      const entry = { collection, query, listener };
      if (computed(collection, query)) return computedWatches.add(() => computed(collection, query) ?? [], listener);
      watchers.add(entry);
      return () => watchers.delete(entry);
    },
  };
}

function parsePath(path: string): { collection: string; name?: string } {
  const parts = path
    .split('/')
    .filter(Boolean)
    .slice(path.startsWith('/apis/') ? 3 : 2);
  const rest = parts[0] === 'namespaces' && parts.length > 2 ? parts.slice(2) : parts;
  return { collection: rest[0] ?? '', ...(rest[1] === undefined ? {} : { name: rest[1] }) };
}

function matches(object: MockObject, query: URLSearchParams): boolean {
  const selector = query.get('fieldSelector');
  if (!selector) return true;
  return selector.split(',').every((part) => {
    const [path = '', want = ''] = part.split('=');
    const value = path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], object);
    return String(value ?? '') === want;
  });
}

function durationMs(text: string): number {
  const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
  return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)].reduce((sum, [, n, unit]) => sum + Number(n) * (units[unit ?? 's'] ?? 1000), 0);
}

function runAt(run: MockObject, now: number): MockObject {
  const scenario = scenarios.find((one) => one.metadata.name === (run['spec'] as { scenario: string }).scenario);
  const spec = scenario?.['spec'] as { steps: { name: string }[]; expectations: { name: string }[] };
  const startedAt = Date.parse((run['status'] as { startedAt: string }).startedAt);
  const at = Math.floor((now - startedAt) / 30_000);
  const done = at >= spec.steps.length;
  return {
    ...run,
    status: {
      phase: done ? 'Passed' : 'Running',
      state: done ? 'passed' : spec.steps[at]?.name,
      startedAt: iso(startedAt),
      steps: spec.steps.slice(0, at + 1).map(({ name }, index) => ({
        name,
        startedAt: iso(startedAt + index * 30_000),
        ...(index < at ? { finishedAt: iso(startedAt + (index + 1) * 30_000) } : {}),
      })),
      expectations: spec.expectations.map(({ name }, index) => ({
        name,
        result: at > index + 2 ? 'Met' : 'Pending',
        ...(at > index + 2 ? { decidedAt: iso(startedAt + (index + 2) * 30_000) } : {}),
      })),
      ...(done ? { finishedAt: iso(startedAt + spec.steps.length * 30_000), message: 'All expectations were met.', digest: 'f00dcafe' } : {}),
    },
  };
}
