/** States that were saved by builds which remembered less (base/slots.ts). */
import { expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import { StateError } from '../../engine/base/codecs.ts';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import { aCluster, aDeployment, madeCluster, type TestCluster } from '../support/cluster.ts';

const config = { seed: 11, nodes: 1 };
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const controller = 'controller/ttl-after-finished-controller';

type Saved = { state: { [name: string]: JsonValue } };

const copyOf = (made: TestCluster): Saved => JSON.parse(JSON.stringify(made.cluster.save())) as Saved;

function restored(saved: Saved): TestCluster {
  const made = madeCluster(config);
  made.cluster.restore(saved as never);
  return made;
}

async function aBusyCluster(): Promise<TestCluster> {
  const made = await aCluster(config);
  made.call('POST', deployments, aDeployment('web', 2));
  await made.advance(30_000);
  await made.quiet();
  return made;
}

const podsOf = (made: TestCluster): number =>
  made.call<{ items: readonly KubeObject[] } & KubeObject>('GET', '/api/v1/namespaces/default/pods').items.length;

it('opens whatever slot it lacks, and the cluster goes on', async () => {
  const made = await aBusyCluster();
  const whole = copyOf(made);
  const paths = Object.entries(whole.state).flatMap(([name, part]) =>
    typeof part === 'object' && part !== null && !Array.isArray(part) ? Object.keys(part).map((inner) => [name, inner] as const) : [],
  );
  expect(paths.length).toBeGreaterThan(60);
  const whatIsFirst = ['components', 'wiring'];
  for (const name of Object.keys(whole.state)) {
    const without = structuredClone(whole);
    delete without.state[name];
    if (['random', 'loop', 'digest', ...whatIsFirst].includes(name)) expect(() => restored(without), name).toThrow(StateError);
    else restored(without);
  }
  for (const [name, inner] of paths) {
    if (name === 'random' || name === 'loop') continue;
    const without = structuredClone(whole);
    delete (without.state[name] as Record<string, JsonValue>)[inner];
    restored(without);
  }
  const bare = structuredClone(whole);
  for (const name of ['decisions', 'crashes', 'faultPoints', 'ports', 'processes', 'eventLimits']) delete bare.state[name];
  const later = restored(bare);
  later.call('PATCH', `${deployments}/web`, { spec: { replicas: 4 } }, 'application/merge-patch+json');
  await later.advance(60_000);
  expect(podsOf(later)).toBe(4);
});

it('is refused where a slot is there and damaged', async () => {
  const made = await aBusyCluster();
  const damaged = copyOf(made);
  damaged.state['decisions'] = [];
  expect(() => restored(damaged)).toThrow('cluster.decisions is not an object');
});

it('a controller that it knows nothing of begins with what the cluster has', async () => {
  const made = await aCluster(config);
  const container = { name: 'c', image: 'busybox', command: ['true'] };
  const spec = { ttlSecondsAfterFinished: 100, template: { spec: { restartPolicy: 'Never', containers: [container] } } };
  made.call('POST', jobs, { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'done' }, spec });
  await made.advance(30_000);
  await made.quiet();
  const saved = copyOf(made);
  const names = Object.keys(saved.state['components'] as JsonObject);
  expect(names).toContain(controller);
  delete (saved.state['components'] as Record<string, JsonValue>)[controller];
  const loop = saved.state['loop'] as { timers: readonly (readonly [string, { readonly component: string }])[] };
  const before = loop.timers.length;
  loop.timers = loop.timers.filter(([, { component }]) => component !== controller);
  expect(before - loop.timers.length).toBeGreaterThan(0);
  const later = restored(saved);
  expect(later.ask('GET', `${jobs}/done`).status).toBe(200);
  await later.advance(100_000);
  expect(later.ask('GET', `${jobs}/done`).status).toBe(404);
});
