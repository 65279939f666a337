/** The scheduler of a cluster under a KubeSchedulerConfiguration: its profiles, and extenders that the cluster asks outside. */
import { expect, test } from 'vitest';
import type { Pod } from '../api/core/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { Answer, Question } from '../contracts/questions.ts';
import { madeCluster, type TestCluster } from '../../test/support/cluster.ts';

const head = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
const extended = `${head}extenders:\n- {urlPrefix: "http://policy.example", filterVerb: filter, bindVerb: bind, nodeCacheCapable: true}\n`;
const pods = '/api/v1/namespaces/default/pods';

/** Lets pods go to the last node only, and binds them there itself, as an extender that binds has to. */
function anExtender(tank: () => TestCluster, asked: string[]): (question: Question) => Promise<Answer> {
  return async ({ to, body }) => {
    asked.push(to);
    const request = JSON.parse((body as { readonly text: string }).text) as JsonObject;
    const answer = (result: JsonObject): Answer => ({ outcome: 'answered', body: { code: 200, text: JSON.stringify(result) } });
    if (to.endsWith('/filter')) return answer({ NodeNames: (request['NodeNames'] as readonly string[]).slice(-1) });
    const { PodName: name, Node: node } = request as { readonly PodName: string; readonly Node: string };
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: node } };
    tank().call('POST', `${pods}/${name}/binding`, binding);
    return answer({});
  };
}

function aPod(name: string, schedulerName?: string): KubeObject {
  const spec = { containers: [{ name: 'c', image: 'nginx' }], ...(schedulerName === undefined ? {} : { schedulerName }) };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec } as KubeObject;
}

async function run(config: string, ask?: (question: Question) => Promise<Answer>): Promise<TestCluster> {
  const tank = madeCluster({ nodes: 3, seed: 7, options: { 'scheduler-config': config } }, ask === undefined ? {} : { ask });
  await tank.cluster.start();
  return tank;
}

test('extenders are asked while time stands still; a replay takes their answers from the log', async () => {
  const asked: string[] = [];
  const cluster: TestCluster = await run(
    extended,
    anExtender(() => cluster, asked),
  );
  cluster.call('POST', pods, aPod('p'));
  cluster.call('POST', pods, aPod('q'));
  await cluster.advance(60_000);
  const placed = cluster.call<{ items: Pod[] }>('GET', pods).items;
  const nodes = new Set(placed.map(({ spec }) => spec?.nodeName));
  expect([placed.length, nodes.size, [...nodes][0] === undefined]).toEqual([2, 1, false]);
  expect(asked.filter((to) => to === 'extender/http://policy.example/filter')).toHaveLength(2);

  const again = await run(extended, () => Promise.reject(new Error('a replay asks nobody')));
  again.door.beginReplay();
  for (const input of cluster.inputs) {
    await again.cluster.loop.run(Number.POSITIVE_INFINITY, input.tasksRun);
    again.door.replay(input);
  }
  again.door.endReplay();
  await again.cluster.loop.run(cluster.cluster.loop.nowMs());
  expect(again.cluster.digest).toBe(cluster.cluster.digest);
});

test('an extender that nobody reaches fails the attempt, and the pod says so', async () => {
  const tank = await run(extended);
  tank.call('POST', pods, aPod('p'));
  await tank.advance(20_000);
  const { status } = tank.call<Pod>('GET', `${pods}/p`);
  expect(status?.conditions?.find(({ type }) => type === 'PodScheduled')).toMatchObject({
    reason: 'SchedulerError',
    message: 'Post "http://policy.example/filter": nobody is there to answer',
  });
});

test('each profile places the pods that name it, and its Events name it', async () => {
  const tank = await run(
    `${head}profiles: [{schedulerName: default-scheduler}, {schedulerName: packer, plugins: {filter: {disabled: [{name: NodeName}]}}}]\n`,
  );
  tank.call('POST', pods, aPod('p'));
  tank.call('POST', pods, aPod('q', 'packer'));
  tank.call('POST', pods, aPod('r', 'nobody'));
  await tank.advance(20_000);
  const events = tank.call<{
    items: (KubeObject & { readonly reason: string; readonly action?: string; readonly source?: { readonly component?: string } })[];
  }>('GET', '/api/v1/namespaces/default/events').items;
  expect(events.find(({ reason }) => reason === 'Scheduled')?.action).toBe('Binding');
  expect(events.filter(({ reason }) => reason === 'Scheduled').map((event) => JSON.stringify(event).includes('"packer"'))).toEqual([false, true]);
  expect(tank.call<Pod>('GET', `${pods}/r`).spec?.nodeName).toBeUndefined();
});

test('release 1.13 goes by a policy, and says so in its own words; a session takes it up again', async () => {
  const policy = JSON.stringify({ kind: 'Policy', apiVersion: 'v1', priorities: [{ name: 'MostRequestedPriority', weight: 1 }] });
  const config = { nodes: 3, seed: 7, release: '1.13', options: { 'policy-config-file': policy } };
  const tank = madeCluster(config);
  await tank.cluster.start();
  tank.call('POST', pods, aPod('p'));
  tank.call('POST', pods, { ...aPod('big'), spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '1k' } } }] } });
  await tank.advance(20_000);
  const { status } = tank.call<Pod>('GET', `${pods}/big`);
  expect(status?.conditions?.find(({ type }) => type === 'PodScheduled')).toMatchObject({
    reason: 'Unschedulable',
    message: '0/3 nodes are available: 3 Insufficient cpu.',
  });
  const { attempts } = tank.call<KubeObject & { attempts: readonly { scores?: { plugins: readonly string[] }; placed?: readonly JsonObject[] }[] }>(
    'GET',
    '/apis/sim.wavetank.dev/v1alpha1/namespaces/default/schedulingdecisions/p',
  );
  expect(attempts[0]?.scores?.plugins).toEqual(['MostRequestedPriority']);
  expect(attempts[0]?.placed?.at(-1)).toEqual({ point: 'Bind', plugin: 'DefaultBinder', verdict: 'Success' });
  const { definitions } = tank.call<KubeObject & { definitions: { readonly [name: string]: { readonly properties?: JsonObject } } }>(
    'GET',
    '/openapi/v2',
  );
  expect(Object.keys(definitions['dev.wavetank.sim.v1alpha1.SchedulingAttempt']?.properties ?? {})).toContain('filtered');
  await tank.quiet();
  const again = madeCluster(config);
  again.cluster.restore(JSON.parse(JSON.stringify(tank.cluster.save())) as JsonValue);
  for (const one of [tank, again]) await one.advance(60_000);
  expect(again.cluster.digest).toBe(tank.cluster.digest);
});

test.each([
  ['1.36', 'policy-config-file', '{"kind":"Policy","apiVersion":"v1"}'],
  ['1.13', 'scheduler-config', head],
])('release %s does not know --%s', (release, option, text) => {
  expect(() => madeCluster({ release, options: { [option]: text } })).toThrow(`--${option} is not for release ${release}`);
});

test('a configuration that is wrong is refused with the option', () => {
  expect(() => madeCluster({ options: { 'scheduler-config': `${head}profiles: [{}]\n` } })).toThrow(
    'for --scheduler-config: expected a KubeSchedulerConfiguration: profiles[0].schedulerName: Required value',
  );
});
