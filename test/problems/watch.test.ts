/** Watches of problems and the overview in a whole cluster: what they tell, and that nobody in the cluster notices them. */
import { expect, test } from 'vitest';
import type { Problem } from '../../engine/api/sim/v1alpha1/problem.ts';
import { aCluster, type TestCluster, type WatchedEvent } from '../support/cluster.ts';

const sim = '/apis/sim.wavetank.dev/v1alpha1';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

/** Wall time in which a quarter of a second passes when the test says so. */
class Ticks {
  nowMs = 0;
  #calls: (() => void)[] = [];

  readonly after = (_delayMs: number, call: () => void): (() => void) => {
    this.#calls.push(call);
    return () => {
      this.#calls = this.#calls.filter((one) => one !== call);
    };
  };

  pass(): void {
    this.nowMs += 250;
    for (const call of this.#calls.splice(0)) call();
  }
}

function deployment(image: string): object {
  const labels = { app: 'web' };
  const containers = [{ name: 'c', image, imagePullPolicy: 'Never' }];
  return {
    metadata: { name: 'web' },
    spec: { replicas: 2, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}

async function live(made: TestCluster, ticks: Ticks): Promise<void> {
  made.call('POST', deployments, deployment('nginx:nope'));
  for (let second = 0; second < 60; second++) {
    await made.advance(1_000);
    await made.quiet();
    ticks.pass();
  }
  made.call('DELETE', `${deployments}/web`);
  for (let second = 0; second < 60; second++) {
    await made.advance(1_000);
    await made.quiet();
    ticks.pass();
  }
}

test('a problem comes and goes in a watch, and history is the same as without anybody who watches', async () => {
  const ticks = new Ticks();
  const made = await aCluster({ nodes: 2, seed: 7 }, { after: ticks.after, wallMs: () => ticks.nowMs });
  const seen: string[] = [];
  const overviews: WatchedEvent[] = [];
  const { metadata } = made.call<{ kind: string; apiVersion: string; metadata: { resourceVersion: string } }>('GET', `${sim}/problems`);
  made.watch(`${sim}/problems?watch=true&resourceVersion=${metadata.resourceVersion}`, ({ type, object }) => {
    const { subject, reason } = (object as Problem).status;
    seen.push(`${type} ${subject.kind}/${subject.name} ${reason}`);
  });
  const end = made.watch(`${sim}/overviews?watch=true`, (event) => overviews.push(event));
  await live(made, ticks);
  expect(seen.filter((line) => !line.startsWith('MODIFIED'))).toEqual([
    'ADDED Deployment/web ErrImageNeverPull',
    'DELETED Deployment/web ErrImageNeverPull',
  ]);
  expect(overviews[0]?.type).toBe('ADDED');
  expect(overviews.slice(1).every(({ type }) => type === 'MODIFIED')).toBe(true);
  expect(overviews.map(({ object }) => (object as unknown as { status: { workloadsShort: number } }).status.workloadsShort)).toContain(1);
  end();
  const alone = await aCluster({ nodes: 2, seed: 7 });
  await live(alone, new Ticks());
  expect(made.cluster.digest).toBe(alone.cluster.digest);
  expect(made.cluster.loop.nowMs()).toBe(alone.cluster.loop.nowMs());
});

test('a watch in the form of a table is one of rows', async () => {
  const ticks = new Ticks();
  const made = await aCluster({ nodes: 1 }, { after: ticks.after, wallMs: () => ticks.nowMs });
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const request = { method: 'GET', path: `${sim}/overviews`, query: 'watch=true', headers: { accept }, body: new Uint8Array(0) };
  const stream = made.door.serveAtOnce({ ...request, identity: { name: 'admin', groups: ['system:masters'] } });
  if (!('open' in stream)) throw new Error('no stream');
  const lines: string[] = [];
  stream.open({ write: (chunk) => lines.push(String(typeof chunk === 'function' ? chunk() : chunk)), end: () => undefined });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    type: 'ADDED',
    object: { kind: 'Table', rows: [{ cells: expect.arrayContaining(['cluster', '1/1']) as unknown[] }] },
  });
});
