/** JSON as deep as it is accepted is read again from everywhere: answers, watches, a checkpoint, a session that was killed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import { jsonDepthMax } from '../../engine/apimachinery/serializer/json.ts';
import { aCluster, madeCluster, type TestCluster } from '../support/cluster.ts';
import { openSession } from '../support/session.ts';

const path = '/apis/apps/v1/namespaces/default/controllerrevisions';

interface Revision extends KubeObject {
  readonly data: unknown;
}

function nested(depth: number): unknown {
  return JSON.parse(`${'{"a":['.repeat(depth / 2)}1${']}'.repeat(depth / 2)}`) as unknown;
}

function create(tank: TestCluster, depth: number): number {
  return tank.ask('POST', path, {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: { name: `deep-${depth}` },
    revision: 1,
    data: nested(depth),
  }).status;
}

/** Halves its way to the deepest that is accepted; nothing on the way may be a defect. */
function deepest(tank: TestCluster): number {
  let [accepted, refused] = [2, jsonDepthMax + 2];
  while (refused - accepted > 2) {
    const depth = 2 * Math.floor((accepted + refused) / 4);
    const status = create(tank, depth);
    expect([201, 400, 413, 422]).toContain(status);
    if (status === 201) accepted = depth;
    else refused = depth;
  }
  return accepted;
}

function change(tank: TestCluster, name: string): void {
  tank.call('PATCH', `${path}/${name}`, { metadata: { labels: { a: 'b' } } }, 'application/merge-patch+json');
}

test('in answers, watches, patches and a checkpoint', async () => {
  const tank = await aCluster({ nodes: 1 });
  const depth = deepest(tank);
  expect(depth).toBeGreaterThan(100);
  const name = `deep-${depth}`;
  const seen: unknown[] = [];
  const close = tank.watch(`${path}?watch=true`, ({ object }) => void seen.push((object as Revision).data));
  change(tank, name);
  close();
  expect(seen.at(-1)).toEqual(nested(depth));
  expect(tank.call<Revision>('GET', `${path}/${name}`).data).toEqual(nested(depth));
  await tank.advance(5_000);
  await tank.quiet();
  const restored = madeCluster({ nodes: 1 });
  restored.cluster.restore(JSON.parse(JSON.stringify(tank.cluster.save())) as never);
  expect(restored.call<Revision>('GET', `${path}/${name}`).data).toEqual(nested(depth));
  for (const one of [tank, restored]) {
    change(one, name);
    await one.advance(5_000);
  }
  expect(restored.cluster.digest).toBe(tank.cluster.digest);
});

test('in a session that was killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wavetank-deep-'));
  const file = join(folder, 'session');
  try {
    const tank = await openSession(file, { nodes: 1 });
    const depth = deepest(tank);
    change(tank, `deep-${depth}`);
    await tank.advance(30_000);
    const { digest } = tank.cluster;
    tank.recorder.commit();
    tank.kill();
    const again = await openSession(file);
    expect(again.call<Revision>('GET', `${path}/deep-${depth}`).data).toEqual(nested(depth));
    await again.advance(tank.cluster.loop.nowMs() - again.cluster.loop.nowMs());
    expect(again.cluster.digest).toBe(digest);
    await again.close();
    const twice = await openSession(file);
    expect(twice.call<Revision>('GET', `${path}/deep-${depth}`).data).toEqual(nested(depth));
    twice.kill();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
