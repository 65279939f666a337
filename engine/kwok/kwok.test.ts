/** Stages in a whole cluster: who is driven, when, and what is done. */
import { describe, expect, it } from 'vitest';
import type { Event, Node, Pod } from '../api/core/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { aCluster, madeCluster, type TestCluster } from '../../test/support/cluster.ts';

const stagesPath = '/apis/kwok.x-k8s.io/v1alpha1/stages';
const podsPath = '/api/v1/namespaces/default/pods';
const mapsPath = '/api/v1/namespaces/default/configmaps';
const fake = { annotations: { 'kwok.x-k8s.io/node': 'fake' } };

const exists = (key: string): object => ({ key, operator: 'Exists' });
const absent = (key: string): object => ({ key, operator: 'DoesNotExist' });

function stage(made: TestCluster, name: string, kind: string, selector: object, spec: object): void {
  made.call('POST', stagesPath, { metadata: { name }, spec: { resourceRef: { kind }, selector, ...spec } });
}

function ready(made: TestCluster): void {
  stage(
    made,
    'ready',
    'Node',
    { matchExpressions: [absent('.status.phase')] },
    {
      next: {
        statusTemplate: 'phase: Running\nconditions:\n- type: Ready\n  status: "True"\n  reason: Up\n  lastHeartbeatTime: {{ Now | Quote }}\n',
      },
    },
  );
}

function node(made: TestCluster, name: string, metadata: object = fake): void {
  made.call('POST', '/api/v1/nodes', { metadata: { name, ...metadata } });
}

const running = { next: { statusTemplate: 'phase: Running\npodIP: {{ PodIPWith .spec.nodeName false "" "" "" }}\n' } };
const phaseOf = (made: TestCluster, name: string): string | undefined => made.call<Pod>('GET', `${podsPath}/${name}`).status?.phase;
const nodeOf = (made: TestCluster, name: string): Node => made.call<Node>('GET', `/api/v1/nodes/${name}`);
const eventsOf = ({ cluster }: TestCluster): readonly string[] =>
  (cluster.stored('events') as readonly Event[]).map(
    ({ involvedObject, type, reason, message }) => `${involvedObject.kind} ${type} ${reason}: ${message}`,
  );

function pod(made: TestCluster, name: string, nodeName: string, metadata: object = {}): void {
  made.call('POST', podsPath, { metadata: { name, ...metadata }, spec: { nodeName, containers: [{ name: 'c', image: 'i' }] } });
}

describe('stages', () => {
  it('drive the nodes that opt in, keep their leases, and leave others alone', async () => {
    const made = await aCluster({ nodes: 1 });
    ready(made);
    node(made, 'driven');
    node(made, 'other', {});
    await made.advance(300_000);
    expect(nodeOf(made, 'driven').status?.phase).toBe('Running');
    expect(nodeOf(made, 'driven').status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('True');
    expect(nodeOf(made, 'other').status?.phase).toBeUndefined();
    const machines = (made.cluster.stored('minions') as readonly Node[]).filter(({ metadata }) => metadata.name !== 'driven');
    expect(machines.map(({ status }) => status?.phase)).toEqual([undefined, undefined]);
    expect(made.call<KubeObject>('GET', '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/driven')).toMatchObject({
      spec: { holderIdentity: 'kwok-controller', leaseDurationSeconds: 40 },
      metadata: { ownerReferences: [{ kind: 'Node', name: 'driven' }] },
    });
  });

  it('are heard by a node that opts in later, and by its pods, whose addresses are those of its range', async () => {
    const made = await aCluster({ nodes: 0 });
    ready(made);
    stage(made, 'run', 'Pod', { matchExpressions: [absent('.status.podIP')] }, running);
    made.call('POST', '/api/v1/nodes', { metadata: { name: 'n' }, spec: { podCIDR: '10.7.0.0/24' } });
    await made.advance(1000);
    pod(made, 'a', 'n');
    pod(made, 'b', 'n');
    await made.advance(2000);
    expect(phaseOf(made, 'a')).toBe('Pending');
    made.call('PATCH', '/api/v1/nodes/n', { metadata: fake }, 'application/merge-patch+json');
    await made.advance(2000);
    expect(made.call<Pod>('GET', `${podsPath}/a`).status?.podIP).toBe('10.7.0.1');
    expect(made.call<Pod>('GET', `${podsPath}/b`).status?.podIP).toBe('10.7.0.2');
  });

  it('wait: so long, as long as the object says, or drawn between two durations', async () => {
    const made = await aCluster({ nodes: 0 });
    node(made, 'n');
    stage(
      made,
      'run',
      'Pod',
      { matchExpressions: [absent('.status.podIP')] },
      {
        ...running,
        delay: {
          durationMilliseconds: 5000,
          durationFrom: { expressionFrom: '.metadata.annotations["delay"]' },
          jitterDurationFrom: { jq: { expression: '.metadata.annotations["jitter"]' } },
        },
      },
    );
    await made.advance(1000);
    pod(made, 'plain', 'n');
    pod(made, 'late', 'n', { annotations: { delay: '20s' } });
    pod(made, 'drawn', 'n', { annotations: { jitter: '15s' } });
    await made.advance(4500);
    expect(['plain', 'late', 'drawn'].map((name) => phaseOf(made, name))).toEqual(['Pending', 'Pending', 'Pending']);
    await made.advance(1000);
    expect(phaseOf(made, 'plain')).toBe('Running');
    expect(phaseOf(made, 'late')).toBe('Pending');
    await made.advance(10_000);
    expect(phaseOf(made, 'drawn')).toBe('Running');
    expect(phaseOf(made, 'late')).toBe('Pending');
    await made.advance(5000);
    expect(phaseOf(made, 'late')).toBe('Running');
  });

  it('are drawn by weight where several match', async () => {
    const made = await aCluster({ nodes: 0 });
    node(made, 'n');
    const fresh = { matchExpressions: [{ key: '.status.phase', operator: 'In', values: ['Pending'] }] };
    stage(made, 'good', 'Pod', fresh, { weight: 1, next: { statusTemplate: 'phase: Running' } });
    stage(made, 'bad', 'Pod', fresh, { weight: 3, next: { statusTemplate: 'phase: Failed' } });
    stage(made, 'never', 'Pod', fresh, { weight: 0, next: { statusTemplate: 'phase: Succeeded' } });
    await made.advance(1000);
    for (let each = 0; each < 40; each++) pod(made, `p-${each}`, 'n');
    await made.advance(3000);
    const phases = Array.from({ length: 40 }, (_, each) => phaseOf(made, `p-${each}`));
    expect(phases.filter((phase) => phase === 'Succeeded')).toEqual([]);
    expect(phases.filter((phase) => phase === 'Running').length).toBeGreaterThan(2);
    expect(phases.filter((phase) => phase === 'Failed').length).toBeGreaterThan(20);
  });

  it('take steps: events, finalizers, patches, deletion, and other objects', async () => {
    const made = await aCluster({ nodes: 0 });
    stage(
      made,
      'mark',
      'ConfigMap',
      { matchLabels: { play: 'me' }, matchExpressions: [absent('.data.seen')] },
      {
        steps: [
          { event: { type: 'Warning', reason: 'Seen', message: 'was seen' } },
          { finalizers: { add: [{ value: 'example.com/kept' }] } },
          { patch: { root: 'data', template: 'seen: {{ .metadata.name | upper | Quote }}' } },
          { apply: { template: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: made-by-{{ .metadata.name }}\n' } },
        ],
      },
    );
    stage(made, 'go', 'ConfigMap', { matchAnnotations: { go: 'now' } }, { next: { finalizers: { empty: true }, delete: true } });
    await made.advance(1000);
    made.call('POST', mapsPath, { metadata: { name: 'a', labels: { play: 'me' } } });
    made.call('POST', mapsPath, { metadata: { name: 'b' } });
    await made.advance(3000);
    const played = made.call<KubeObject & { readonly data: object }>('GET', `${mapsPath}/a`);
    expect(played.data).toEqual({ seen: 'A' });
    expect(played.metadata.finalizers).toEqual(['example.com/kept']);
    expect(eventsOf(made)).toContain('ConfigMap Warning Seen: was seen');
    expect(made.ask('GET', `${mapsPath}/made-by-a`).status).toBe(200);
    expect(made.ask('GET', `${mapsPath}/made-by-b`).status).toBe(404);
    made.call('PATCH', `${mapsPath}/a`, { metadata: { annotations: { go: 'now' } } }, 'application/merge-patch+json');
    await made.advance(3000);
    expect(made.ask('GET', `${mapsPath}/a`).status).toBe(404);
  });

  it('that cannot be played say why, once they are made and when they fail', async () => {
    const made = await aCluster({ nodes: 0 });
    stage(made, 'cel', 'Pod', { matchExpressions: [{ cel: { expression: 'self.nothing' } }] }, {});
    stage(made, 'failing', 'ConfigMap', { matchLabels: { fail: 'me' }, matchExpressions: [{ cel: { expression: 'self.data.missing == "a"' } }] }, {});
    stage(made, 'query', 'Pod', { matchExpressions: [exists('.a |')] }, {});
    stage(made, 'template', 'ConfigMap', { matchLabels: { play: 'me' } }, { steps: [{ patch: { template: '{{ nothing }}' } }] });
    await made.advance(1000);
    made.call('POST', mapsPath, { metadata: { name: 'a', labels: { play: 'me' } } });
    made.call('POST', mapsPath, { metadata: { name: 'b', labels: { fail: 'me' } }, data: { there: 'x' } });
    await made.advance(3000);
    expect(eventsOf(made)).toEqual(
      expect.arrayContaining([
        "Stage Warning InvalidStage: failed to compile expression: ERROR: <input>:1:5: undefined field 'nothing'\n | self.nothing\n | ....^",
        'Stage Warning StageFailed: default/b: no such key: missing',
        'Stage Warning InvalidStage: unexpected end in query ".a |"',
        'Stage Warning StageFailed: default/a: function "nothing" not defined',
      ]),
    );
  });

  // A watch that tells a minute late leaves the second stage to what the first one wrote.
  it.each([
    [true, 2_000],
    [false, 62_000],
  ])('whose next stage is immediate (%s) are followed after %i ms where watches lag', async (immediateNextStage, afterMs) => {
    const made = await aCluster({ nodes: 0 });
    const chosen = { play: 'me' };
    stage(
      made,
      'first',
      'ConfigMap',
      { matchLabels: chosen, matchExpressions: [absent('.data.first')] },
      {
        immediateNextStage,
        steps: [{ patch: { root: 'data', template: 'first: "yes"' } }],
      },
    );
    stage(
      made,
      'second',
      'ConfigMap',
      { matchLabels: chosen, matchExpressions: [exists('.data.first'), absent('.data.second')] },
      {
        steps: [{ patch: { root: 'data', template: 'second: "yes"' } }],
      },
    );
    await made.advance(1000);
    made.call('POST', '/apis/sim.wavetank.dev/v1alpha1/faults', {
      metadata: { name: 'lag' },
      spec: { type: 'watch-lag', parameters: { lag: '60s' } },
    });
    await made.advance(5000);
    made.call('POST', mapsPath, { metadata: { name: 'a', labels: chosen } });
    const dataOf = (): object | undefined => made.call<KubeObject & { readonly data?: object }>('GET', `${mapsPath}/a`).data;
    await made.advance(62_000);
    expect(dataOf()).toEqual(immediateNextStage ? { first: 'yes', second: 'yes' } : { first: 'yes' });
    await made.advance(afterMs);
    expect(dataOf()).toEqual({ first: 'yes', second: 'yes' });
  });

  it('select, weigh and wait by CEL: pods and nodes as Go has them, other objects as maps', async () => {
    const made = await aCluster({ nodes: 0 });
    node(made, 'n');
    const cel = (expression: string): object => ({ cel: { expression } });
    const pending = [cel('self.spec.nodeName == "n" && self.status.podIP == "" && !has(self.metadata.deletionTimestamp)')];
    stage(
      made,
      'run',
      'Pod',
      { matchExpressions: [...pending, cel('self.metadata.labels["app"] == "a"')] },
      {
        ...running,
        weightFrom: cel('self.spec.terminationGracePeriodSeconds - 29'),
        delay: { durationFrom: cel('duration(self.metadata.annotations["wait"])'), jitterDurationFrom: cel('duration("9s")') },
      },
    );
    stage(made, 'never', 'Pod', { matchExpressions: pending }, { next: { statusTemplate: 'phase: Failed' }, weightFrom: cel('0') });
    stage(
      made,
      'count',
      'ConfigMap',
      { matchExpressions: [cel('has(self.data) && int(self.data.count) < 3 && Rand() < 1.0 && Now() > timestamp(0)')] },
      { steps: [{ patch: { root: 'data', template: 'count: "3"' } }] },
    );
    await made.advance(1000);
    pod(made, 'p', 'n', { labels: { app: 'a' }, annotations: { wait: '4s' } });
    made.call('POST', mapsPath, { metadata: { name: 'm' }, data: { count: '2' } });
    await made.advance(3900);
    expect(phaseOf(made, 'p')).toBe('Pending');
    expect(made.call<KubeObject & { readonly data: object }>('GET', `${mapsPath}/m`).data).toEqual({ count: '3' });
    await made.advance(6000);
    expect(phaseOf(made, 'p')).toBe('Running');
  });

  it('whose delay or weight is no number are played at once', async () => {
    const made = await aCluster({ nodes: 0 });
    const chosen = { matchLabels: { play: 'me' }, matchExpressions: [absent('.data.seen')] };
    const odd = (expression: string): object => ({ cel: { expression } });
    stage(made, 'a', 'ConfigMap', chosen, {
      delay: { durationFrom: odd('0.0 / 0.0'), jitterDurationFrom: odd('0.0 / 0.0') },
      weightFrom: odd('1.0 / 0.0'),
      steps: [{ patch: { root: 'data', template: 'seen: "yes"' } }],
    });
    stage(made, 'b', 'ConfigMap', chosen, { weightFrom: odd('0.0 / 0.0'), steps: [{ patch: { root: 'data', template: 'seen: "yes"' } }] });
    await made.advance(1000);
    made.call('POST', mapsPath, { metadata: { name: 'm', labels: { play: 'me' } } });
    await made.advance(3000);
    expect(made.call<KubeObject & { readonly data?: object }>('GET', `${mapsPath}/m`).data).toEqual({ seen: 'yes' });
  });

  it('act as the user whom a step names, who may only do what she may', async () => {
    const made = await aCluster({ nodes: 0 });
    stage(
      made,
      'as-jane',
      'ConfigMap',
      { matchLabels: { play: 'me' }, matchExpressions: [absent('.data.seen')] },
      { steps: [{ patch: { root: 'data', template: 'seen: "yes"', impersonation: { username: 'jane' } } }] },
    );
    await made.advance(1000);
    made.call('POST', mapsPath, { metadata: { name: 'a', labels: { play: 'me' } } });
    await made.advance(3000);
    expect(eventsOf(made)).toContain(
      'Stage Warning StageFailed: default/a: configmaps "a" is forbidden: User "jane" cannot patch resource "configmaps" in API group "" in the namespace "default"',
    );
    made.call('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', {
      metadata: { name: 'jane' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
    });
    made.call('POST', mapsPath, { metadata: { name: 'b', labels: { play: 'me' } } });
    await made.advance(3000);
    expect(made.call<KubeObject & { readonly data?: object }>('GET', `${mapsPath}/b`).data).toEqual({ seen: 'yes' });
  });

  it('go on after a restore as if nothing had happened', async () => {
    const config = { nodes: 0, seed: 7 };
    const made = await aCluster(config);
    ready(made);
    stage(
      made,
      'run',
      'Pod',
      { matchExpressions: [absent('.status.podIP')] },
      {
        ...running,
        delay: { durationMilliseconds: 5000, jitterDurationMilliseconds: 20_000 },
      },
    );
    node(made, 'n');
    await made.advance(1000);
    for (const name of ['a', 'b', 'c']) pod(made, name, 'n');
    await made.advance(7000);
    await made.quiet();
    const restored = madeCluster(config);
    restored.cluster.restore(JSON.parse(JSON.stringify(made.cluster.save())));
    restored.door.continueAfter(made.door.inputs);
    for (const each of [made, restored]) {
      pod(each, 'd', 'n');
      await each.advance(60_000);
      expect(['a', 'b', 'c', 'd'].map((name) => phaseOf(each, name))).toEqual(['Running', 'Running', 'Running', 'Running']);
    }
    expect(restored.cluster.digest).toBe(made.cluster.digest);
  });
});

describe('the other kinds of KWOK', () => {
  const root = '/apis/kwok.x-k8s.io/v1alpha1';
  const inNamespace = `${root}/namespaces/default`;
  const forward = { forwards: [{ ports: [80], target: { port: 8080, address: '127.0.0.1' } }] };

  it.each<readonly [string, object, object, string]>([
    [
      `${root}/metrics`,
      { path: '/metrics/x', metrics: [{ name: 'm', kind: 'gauge', value: '1' }] },
      { path: '', metrics: [{ name: 'm', kind: 'sum' }] },
      'spec.metrics[0].kind',
    ],
    [
      `${inNamespace}/resourceusages`,
      { usages: [{ usage: { cpu: { value: '10m' } } }] },
      { usages: [{ usage: { cpu: { value: 'much' } } }] },
      'quantit',
    ],
    [`${root}/clusterresourceusages`, { selector: { matchNames: ['a'] }, usages: [{ containers: ['c'] }] }, { usages: 5 }, 'usages'],
    [`${inNamespace}/logs`, { logs: [{ containers: ['c'], logsFile: '/x', follow: true }] }, {}, 'spec.logs'],
    [`${root}/clusterlogs`, { logs: [{ containers: ['c'] }] }, {}, 'spec.logs'],
    [`${inNamespace}/execs`, { execs: [{ local: { envs: [{ name: 'A', value: 'b' }] } }] }, {}, 'spec.execs'],
    [`${root}/clusterexecs`, { execs: [{ containers: ['c'] }] }, {}, 'spec.execs'],
    [`${inNamespace}/attaches`, { attaches: [{ logsFile: '/x' }] }, {}, 'spec.attaches'],
    [`${root}/clusterattaches`, { attaches: [{ containers: ['c'] }] }, {}, 'spec.attaches'],
    [`${inNamespace}/portforwards`, forward, { forwards: [{ target: { port: 70_000, address: '' } }] }, 'spec.forwards[0].target.port'],
    [`${root}/clusterportforwards`, forward, {}, 'spec.forwards'],
    [stagesPath, { resourceRef: { kind: 'Pod' } }, { resourceRef: {}, weight: -1 }, 'spec.resourceRef.kind'],
  ])('%s are kept and checked', async (path, good, bad, why) => {
    const made = await aCluster({ nodes: 0 });
    const kept = made.call<KubeObject & { readonly spec: object }>('POST', path, { metadata: { name: 'a' }, spec: good });
    expect(kept.spec).toMatchObject(good);
    const refused = made.ask('POST', path, { metadata: { name: 'b' }, spec: bad });
    expect([400, 422]).toContain(refused.status);
    expect(refused.object.message).toContain(why);
    const listed = made.call<KubeObject & { readonly resources: readonly { readonly name: string }[] }>('GET', root);
    expect(listed.resources.map(({ name }) => name)).toContain(path.split('/').at(-1));
  });
});
