import { describe, expect, it } from 'vitest';
import type { Pod } from '../api/core/v1/types.gen.ts';
import type { ResourceClaim } from '../api/resource/v1/types.gen.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { deviceClasses, namespaces, pods, resourceClaims, resourceSlices } from '../client/resources.ts';
import { SchedulerBench } from './testing/scheduler-bench.ts';

const driver = 'gpu.example.com';
const namespace = 'default';

function bench(): SchedulerBench {
  const made = new SchedulerBench();
  for (const name of ['a', 'b']) made.node(name);
  made.putAs(deviceClasses, 'gpu', undefined, {
    metadata: { name: 'gpu' },
    spec: { selectors: [{ cel: { expression: `device.driver == "${driver}"` } }] },
  });
  return made;
}

function slice(on: SchedulerBench, node: string, devices: readonly JsonObject[], spec: JsonObject = {}): void {
  const pool = { name: node, generation: 1, resourceSliceCount: 1 };
  on.putAs(resourceSlices, `${node}-slice`, undefined, {
    metadata: { name: `${node}-slice` },
    spec: { driver, pool, nodeName: node, devices: [...devices], ...spec },
  });
}

function claim(on: SchedulerBench, name: string, requests: JsonValue, rest: JsonObject = {}): void {
  on.putAs(resourceClaims, name, namespace, { metadata: { name, namespace }, spec: { devices: { requests, ...rest } } });
}

const exactly = (changes: JsonObject = {}): JsonObject => ({ deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1, ...changes });
const one = (changes: JsonObject = {}): JsonValue => [{ name: 'r', exactly: exactly(changes) }];
const gpu = (name: string, attributes: JsonObject = {}, rest: JsonObject = {}): JsonObject => ({ name, attributes, ...rest });
const using = (...claims: readonly string[]): JsonObject => ({ resourceClaims: claims.map((name) => ({ name, resourceClaimName: name })) });

function allocated(on: SchedulerBench, name: string): readonly string[] {
  const found = on.get<ResourceClaim>(resourceClaims, namespace, name)?.status?.allocation?.devices?.results ?? [];
  return found.map(({ request, pool, device }) => `${request}=${pool}/${device}`);
}

function messageOf(on: SchedulerBench, pod: string): string | undefined {
  return on.get<Pod>(pods, namespace, pod)?.status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message;
}

describe('claims for devices', () => {
  it('a pod goes where its device is; the claim says which, for whom, and where it can be used', async () => {
    const on = bench();
    slice(on, 'b', [gpu('gpu-0')]);
    claim(on, 'c', one());
    on.pod('p', using('c'));
    await on.advance(5_000);
    expect(on.nodeOf('p')).toBe('b');
    const { metadata, status } = on.get<ResourceClaim>(resourceClaims, namespace, 'c') as ResourceClaim;
    expect(metadata.finalizers).toEqual(['resource.kubernetes.io/delete-protection']);
    expect(status?.reservedFor).toEqual([{ resource: 'pods', name: 'p', uid: on.get<Pod>(pods, namespace, 'p')?.metadata.uid }]);
    expect(status?.allocation).toMatchObject({
      devices: { results: [{ request: 'r', driver, pool: 'b', device: 'gpu-0' }] },
      nodeSelector: { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['b'] }] }] },
    });
    expect(status?.allocation?.allocationTimestamp).toBe('2026-01-01T00:00:00Z');
  });

  it('nobody gets a device that another claim holds; who waits goes on when it is given back', async () => {
    const on = bench();
    slice(on, 'b', [gpu('gpu-0')]);
    for (const name of ['c1', 'c2']) claim(on, name, one());
    on.pod('p1', using('c1'));
    await on.advance(5_000);
    on.pod('p2', using('c2'));
    await on.advance(5_000);
    expect(on.nodeOf('p2')).toBeUndefined();
    expect(messageOf(on, 'p2')).toBe(
      '0/2 nodes are available: 2 cannot allocate all claims. still not schedulable, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
    );
    on.change(resourceClaims, namespace, 'c1', (held: ResourceClaim) => ({ ...held, status: {} }));
    await on.advance(20_000);
    expect(allocated(on, 'c2')).toEqual(['r=b/gpu-0']);
    expect(on.nodeOf('p2')).toBe('b');
  });

  it('two pods share one claim', async () => {
    const on = bench();
    slice(on, 'b', [gpu('gpu-0')]);
    claim(on, 'c', one());
    on.pod('p1', using('c'));
    on.pod('p2', using('c'));
    await on.advance(30_000);
    expect([on.nodeOf('p1'), on.nodeOf('p2')]).toEqual(['b', 'b']);
    expect(on.get<ResourceClaim>(resourceClaims, namespace, 'c')?.status?.reservedFor).toHaveLength(2);
  });

  const models = [
    gpu('g0', { model: { string: 'x' }, numa: { int: 0 } }),
    gpu('g1', { model: { string: 'y' }, numa: { int: 1 } }),
    gpu('g2', { model: { string: 'y' }, numa: { int: 0 } }),
  ];
  it.each<[string, JsonValue, JsonObject, readonly string[]]>([
    ['a selector', one({ selectors: [{ cel: { expression: `device.attributes["${driver}"].model == "y"` } }] }), {}, ['r=b/g1']],
    ['a count', one({ count: 2 }), {}, ['r=b/g0', 'r=b/g1']],
    ['all of them', one({ allocationMode: 'All' }), {}, ['r=b/g0', 'r=b/g1', 'r=b/g2']],
    ['what they have in common', one({ count: 2 }), { constraints: [{ matchAttribute: `${driver}/numa` }] }, ['r=b/g0', 'r=b/g2']],
    [
      'what tells them apart',
      [
        { name: 'r', exactly: exactly() },
        { name: 's', exactly: exactly() },
      ],
      { constraints: [{ distinctAttribute: `${driver}/numa` }] },
      ['r=b/g0', 's=b/g1'],
    ],
    [
      'the first alternative that can be had',
      [
        {
          name: 'r',
          firstAvailable: [
            { name: 'many', ...exactly({ count: 4 }) },
            { name: 'two', ...exactly({ count: 2 }) },
            { name: 'single', ...exactly() },
          ],
        },
      ],
      {},
      ['r/two=b/g0', 'r/two=b/g1'],
    ],
  ])('%s decides', async (_name, requests, rest, wanted) => {
    const on = bench();
    slice(on, 'b', models);
    claim(on, 'c', requests, rest);
    on.pod('p', using('c'));
    await on.advance(5_000);
    expect(allocated(on, 'c')).toEqual(wanted);
    expect(on.nodeOf('p')).toBe('b');
  });

  it('a taint keeps claims away that do not tolerate it', async () => {
    const on = bench();
    slice(on, 'a', [gpu('g', {}, { taints: [{ key: 'broken', effect: 'NoSchedule' }] })]);
    claim(on, 'c1', one());
    claim(on, 'c2', one({ tolerations: [{ key: 'broken', operator: 'Exists', effect: 'NoSchedule' }] }));
    on.pod('p1', using('c1'));
    on.pod('p2', using('c2'));
    await on.advance(5_000);
    expect([on.nodeOf('p1'), on.nodeOf('p2')]).toEqual([undefined, 'a']);
  });

  it('an administrator gets what others hold', async () => {
    const on = bench();
    slice(on, 'a', [gpu('g')]);
    claim(on, 'c', one());
    claim(on, 'admin', one({ adminAccess: true }));
    on.pod('p', using('c'));
    await on.advance(5_000);
    on.pod('q', using('admin'));
    await on.advance(5_000);
    // Nowhere but where the namespace says so.
    expect([allocated(on, 'c'), allocated(on, 'admin')]).toEqual([['r=a/g'], []]);
    on.putAs(namespaces, namespace, undefined, { metadata: { name: namespace, labels: { 'resource.kubernetes.io/admin-access': 'true' } } });
    claim(on, 'admin-here', one({ adminAccess: true }));
    on.pod('r', using('admin-here'));
    await on.advance(5_000);
    expect([allocated(on, 'c'), allocated(on, 'admin-here')]).toEqual([['r=a/g'], ['r=a/g']]);
  });

  it('partitions take from the counters of their device', async () => {
    const on = bench();
    const part = (name: string, memory: string): JsonObject =>
      gpu(name, {}, { consumesCounters: [{ counterSet: 'gpu', counters: { memory: { value: memory } } }] });
    const pool = { name: 'a', generation: 1, resourceSliceCount: 2 };
    slice(on, 'a', [part('large', '40Gi'), part('small', '10Gi'), part('small-2', '10Gi')], { pool });
    slice(on, 'a-counters', [], { pool, sharedCounters: [{ name: 'gpu', counters: { memory: { value: '20Gi' } } }] });
    claim(on, 'c', one({ count: 2 }));
    claim(on, 'd', one());
    on.pod('p', using('c'));
    await on.advance(5_000);
    on.pod('q', using('d'));
    await on.advance(5_000);
    expect(allocated(on, 'c')).toEqual(['r=a/small', 'r=a/small-2']);
    expect(on.nodeOf('q')).toBeUndefined();
  });

  it('shares of a device take of its capacity, each with a name of its own', async () => {
    const on = bench();
    slice(on, 'a', [gpu('g', {}, { allowMultipleAllocations: true, capacity: { memory: { value: '20Gi' } } })]);
    for (const name of ['c1', 'c2', 'c3']) claim(on, name, one({ capacity: { requests: { memory: '10Gi' } } }));
    for (const name of ['1', '2', '3']) on.pod(`p${name}`, using(`c${name}`));
    await on.advance(5_000);
    expect(['p1', 'p2', 'p3'].map((pod) => on.nodeOf(pod))).toEqual(['a', 'a', undefined]);
    const results = ['c1', 'c2'].flatMap(
      (name) => on.get<ResourceClaim>(resourceClaims, namespace, name)?.status?.allocation?.devices?.results ?? [],
    );
    expect(results.map(({ consumedCapacity }) => consumedCapacity)).toEqual([{ memory: '10Gi' }, { memory: '10Gi' }]);
    expect(new Set(results.map(({ shareID }) => shareID)).size).toBe(2);
  });

  it('a pod waits until its device is prepared, over a restore, too', async () => {
    const on = bench();
    slice(on, 'a', [gpu('g', {}, { bindingConditions: ['Attached'], bindingFailureConditions: ['Failed'] })]);
    claim(on, 'c', one());
    on.pod('p', using('c'));
    await on.advance(5_000);
    expect(on.nodeOf('p')).toBeUndefined();
    expect(on.events.map(({ text }) => text)).toContain('Normal BindingConditionsPending waiting for binding conditions for device on node a');
    const next = new SchedulerBench();
    next.takeOver(on);
    const condition = { type: 'Attached', status: 'True', reason: 'Done', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
    next.change(resourceClaims, namespace, 'c', (held: ResourceClaim) => ({
      ...held,
      status: { ...held.status, devices: [{ driver, pool: 'a', device: 'g', conditions: [condition] }] },
    }));
    await next.advance(5_000);
    expect(next.nodeOf('p')).toBe('a');
  });

  it('devices that could not be prepared are given back, and others are looked for', async () => {
    const on = bench();
    slice(on, 'a', [gpu('g', {}, { bindingConditions: ['Attached'], bindingFailureConditions: ['Failed'] })]);
    claim(on, 'c', one());
    on.pod('p', using('c'));
    await on.advance(5_000);
    const condition = { type: 'Failed', status: 'True', reason: 'Broken', message: 'no link', lastTransitionTime: '2026-01-01T00:00:00Z' };
    on.change(resourceClaims, namespace, 'c', (held: ResourceClaim) => ({
      ...held,
      status: { ...held.status, devices: [{ driver, pool: 'a', device: 'g', conditions: [condition] }] },
    }));
    await on.advance(1_500);
    expect(messageOf(on, 'p')).toBe('running PreBind plugin "DynamicResources": device binding failed: claim=c, reason=Broken, message="no link"');
    slice(on, 'b', [gpu('h')]);
    await on.advance(60_000);
    expect(on.nodeOf('p')).toBe('b');
  });

  it.each<[string, (on: SchedulerBench) => void, string]>([
    [
      'a class that is not there',
      (on) => claim(on, 'c', [{ name: 'r', exactly: exactly({ deviceClassName: 'nope' }) }]),
      '0/2 nodes are available: request r: device class nope does not exist.',
    ],
    [
      'a selector that fails',
      (on) => claim(on, 'c', one({ selectors: [{ cel: { expression: `device.attributes["${driver}"].nope == 1` } }] })),
      'running "DynamicResources" filter plugin: claim default/c: selector #0: CEL runtime error: no such key: nope',
    ],
    [
      'a selector that costs too much',
      (on) => claim(on, 'c', one({ selectors: [{ cel: { expression: 'lists.range(1000).all(x, lists.range(1000).all(y, y >= 0))' } }] })),
      'running "DynamicResources" filter plugin: claim default/c: selector #0: CEL runtime error: operation cancelled: actual cost limit exceeded',
    ],
    [
      'a selector that is wrong',
      (on) => claim(on, 'c', one({ selectors: [{ cel: { expression: '1' } }] })),
      'running "DynamicResources" filter plugin: claim default/c: selector #0: CEL compile error: must evaluate to bool or the unknown type, not int',
    ],
  ])('%s is told', async (_name, make, message) => {
    const on = bench();
    slice(on, 'b', [gpu('g')]);
    make(on);
    on.pod('p', using('c'));
    await on.advance(2_000);
    expect(messageOf(on, 'p')).toContain(message);
  });

  it('a pod stays out of the queue until its claim is there', async () => {
    const on = bench();
    slice(on, 'a', [gpu('g')]);
    on.pod('p', using('c'));
    await on.advance(5_000);
    expect(on.decisions).toEqual([]);
    claim(on, 'c', one());
    await on.advance(5_000);
    expect(on.nodeOf('p')).toBe('a');
  });
});
