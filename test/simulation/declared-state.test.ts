/** What a cluster remembers is declared to its last leaf: a value of another type is refused with its place, and nothing changes. */
import { expect, it } from 'vitest';
import { StateError } from '../../engine/base/codecs.ts';
import type { JsonValue } from '../../engine/base/json.ts';
import { aCluster, aDeployment, madeCluster, type TestCluster } from '../support/cluster.ts';

type Tree = { [name: string]: Tree | JsonValue };

/** Values whose inside belongs to somebody else: objects of the API, compiled scripts, records of the scheduler, what a point or a timer's owner reads. */
const opaque: readonly RegExp[] = [
  /^cluster\.loop\.timers\[\d+\]\[1\]\.payload/,
  /^cluster\.faultPoints\.held.*\.value$/,
  /^cluster\.decisions\.pods\..*\.attempts\[\d+\]\./,
  /^cluster\.components\.kubelets\.workers\[\d+\]\[1\]\.(pod|mirror)/,
  /^cluster\.components\.kubelets\.workers\[\d+\]\[1\]\.containers\[\d+\]\.program\.shell\.code\./,
  /^cluster\.components\.kubelets\.machines\[\d+\]\.(lease|taints\[\d+\])\./,
  /^cluster\.components\.apiserver\/identity-lease\.own\.lease\./,
];

async function busyCluster(): Promise<TestCluster> {
  const made = await aCluster({ seed: 11, nodes: 3 });
  const { call } = made;
  call('POST', '/apis/apps/v1/namespaces/default/deployments', aDeployment('web', 5));
  call('POST', '/apis/apps/v1/namespaces/default/deployments', aDeployment('nope', 2, 'registry.invalid/nope:none'));
  call('POST', '/apis/batch/v1/namespaces/default/jobs', {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'loop' },
    spec: {
      template: {
        spec: {
          restartPolicy: 'Never',
          containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', 'f() { echo $1; }; for i in 1 2 3; do f $i; sleep 60; done'] }],
        },
      },
    },
  });
  await made.advance(40_000);
  call('POST', '/apis/sim.wavetank.dev/v1alpha1/faults', {
    apiVersion: 'sim.wavetank.dev/v1alpha1',
    kind: 'Fault',
    metadata: { name: 'dark' },
    spec: { type: 'node-power-loss', target: { node: 'node-1' } },
  });
  await made.advance(50_000);
  await made.quiet();
  return made;
}

/** Every leaf once for each shape of its path, with a way to replace it. */
function* leaves(at: Tree, path: string, seen: Set<string>): Generator<{ readonly path: string; replace(value: JsonValue): () => void }> {
  for (const [name, value] of Object.entries(at)) {
    const own = Array.isArray(at) ? `${path}[${name}]` : `${path}.${name}`;
    if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
      yield* leaves(value as Tree, own, seen);
      continue;
    }
    const form = own.replace(/\[\d+\]/g, '[]').replace(/[0-9a-f-]{36}|-[0-9a-z]{5,10}\b|\d+/g, '*');
    if (seen.has(form)) continue;
    seen.add(form);
    yield {
      path: own,
      replace: (other) => {
        at[name] = other;
        return () => {
          at[name] = value;
        };
      },
    };
  }
}

it('is refused wherever a value is of another type, and the cluster stays as it was', async () => {
  const made = await busyCluster();
  const { state, derived, store } = JSON.parse(JSON.stringify(made.cluster.save())) as { state: Tree; derived: Tree; store: JsonValue };
  let other = madeCluster({ seed: 11, nodes: 3 });
  const accepted: string[] = [];
  let count = 0;
  for (const [owner, tree] of Object.entries({ cluster: state, derived })) {
    for (const { path, replace } of leaves(tree, owner, new Set())) {
      if (opaque.some((form) => form.test(path))) continue;
      count++;
      const putBack = replace({ foreign: true });
      try {
        other.cluster.restore({ state, derived, store } as never);
        accepted.push(path);
        other = madeCluster({ seed: 11, nodes: 3 });
      } catch (error) {
        expect(error, path).toBeInstanceOf(StateError);
        // The place is named down to what holds the value.
        expect((error as Error).message).toContain(`${owner}.`);
      }
      putBack();
    }
  }
  expect(accepted).toEqual([]);
  expect(count).toBeGreaterThan(300);
  expect([other.cluster.loop.tasksRun, other.cluster.store.currentRevision(), other.cluster.history.rowCount]).toEqual([0, 1, 0]);
  other.cluster.restore({ state, derived, store } as never);
  expect(other.cluster.digest).toBe(made.cluster.digest);
});
