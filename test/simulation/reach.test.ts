/** Busy clusters can be saved often: a rollout's calls wait for their rate limiter as data, so any instant of it is near a quiet one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Random } from '../../engine/base/random.ts';
import { SessionFile } from '../../engine/persistence/session-file.ts';
import { aCluster, aDeployment } from '../support/cluster.ts';
import { openSession, reached } from '../support/session.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
/** Beyond the burst of the controllers' limiter, so that most of it waits. */
const replicas = 80;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wavetank-reach-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const jobs = Array.from({ length: 8 }, (_, i) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: `job-${i}` },
  spec: {
    parallelism: replicas / 8,
    completions: replicas / 8,
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', 'sleep 3'] }] } },
  },
}));

it.each([
  ['a rollout', deployments, [aDeployment('web', replicas)]],
  ['a swarm of jobs', '/apis/batch/v1/namespaces/default/jobs', jobs],
])('%s is quiet now and then, though the limiter holds it up for seconds', async (_name, path, bodies) => {
  const { cluster, call } = await aCluster({ seed: 4, nodes: 4 });
  const { loop } = cluster;
  for (const body of bodies) call('POST', path, body);
  let lastQuiet = loop.tasksRun;
  let longest = 0;
  let places = 0;
  const begun = loop.tasksRun;
  for (const endMs = loop.nowMs() + 25_000; loop.nowMs() < endMs; ) {
    await loop.run(Number.POSITIVE_INFINITY, loop.tasksRun + 1);
    if (!loop.quiet) continue;
    places++;
    longest = Math.max(longest, loop.tasksRun - lastQuiet);
    lastQuiet = loop.tasksRun;
  }
  expect(cluster.stored('pods/default')).toHaveLength(replicas);
  // The burst at the beginning is one stretch.
  expect(longest).toBeLessThan(600);
  expect(places).toBeGreaterThan((loop.tasksRun - begun) / 20);
});

it('is quiet between bindings while hundreds of pods wait for the limiter of the scheduler', async () => {
  const options = { 'kube-api-qps': '1000', 'kube-api-burst': '1000' };
  const { cluster, call } = await aCluster({ seed: 4, nodes: 4, options });
  const { loop } = cluster;
  call('POST', deployments, aDeployment('web', 300));
  await loop.run(loop.nowMs() + 1_500);
  let lastQuiet = loop.tasksRun;
  let longest = 0;
  for (const endMs = loop.nowMs() + 2_500; loop.nowMs() < endMs; ) {
    await loop.run(Number.POSITIVE_INFINITY, loop.tasksRun + 1);
    if (!loop.quiet) continue;
    longest = Math.max(longest, loop.tasksRun - lastQuiet);
    lastQuiet = loop.tasksRun;
  }
  expect(Math.max(longest, loop.tasksRun - lastQuiet)).toBeLessThan(600);
});

it('any place of a rollout is reached again from the file, near a restore point', async () => {
  const path = join(folder, 'rollout');
  const session = await openSession(path, { seed: 4, nodes: 4 });
  const { loop } = session.cluster;
  session.call('POST', deployments, aDeployment('web', replicas));
  const digests = new Map<number, string>();
  const random = new Random(1).stream('places');
  for (const endMs = loop.nowMs() + 8_000; loop.nowMs() < endMs; ) {
    await loop.run(Number.POSITIVE_INFINITY, loop.tasksRun + 1 + random.integer(120));
    session.recorder.commit();
    digests.set(loop.tasksRun, session.cluster.digest);
  }
  await session.close();
  const file = SessionFile.openToRead(path);
  const points = [...file.lines()].flatMap(({ record }) => (record?.t === 'checkpoint' || record?.t === 'based' ? [record.tasksRun] : []));
  file.close();
  expect(points.length).toBeGreaterThan(1);
  const places = [...digests.keys()];
  for (let i = 0; i < 8; i++) {
    const place = places[random.integer(places.length)] as number;
    expect((await reached(path, place)).cluster.digest).toBe(digests.get(place));
  }
});

it('restore points stay near each other when other work has the machine while they are written', async () => {
  const path = join(folder, 'neighbours');
  const session = await openSession(path, { seed: 4, nodes: 4 });
  const { cluster } = session;
  const { loop } = cluster;
  let wallMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (wallMs += 0.001));
  vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: loop.tasksRun * 200, system: 0 }));
  const save = cluster.saveState.bind(cluster);
  vi.spyOn(cluster, 'saveState').mockImplementation(() => {
    wallMs += 10_000;
    return save();
  });
  session.call('POST', deployments, aDeployment('web', replicas));
  const begunAt = loop.tasksRun;
  for (const endMs = loop.nowMs() + 8_000; loop.nowMs() < endMs; ) {
    await loop.run(Number.POSITIVE_INFINITY, loop.tasksRun + 50);
    session.recorder.commit();
  }
  const endedAt = loop.tasksRun;
  session.kill();
  vi.restoreAllMocks();
  const file = SessionFile.openToRead(path);
  const points = [...file.lines()].flatMap(({ record }) => (record?.t === 'checkpoint' ? [record.tasksRun] : []));
  file.close();
  const gaps = [...points, endedAt].map((at, index) => at - (points[index - 1] ?? begunAt));
  expect(endedAt - begunAt).toBeGreaterThan(1_500);
  // 300 tasks, and until the next quiet place.
  expect(Math.max(...gaps)).toBeLessThan(700);
});
