/** The library as a test suite uses it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Deployment } from '../../engine/api/apps/v1/types.gen.ts';
import { startCluster, StatusError } from '../../engine/library.ts';

const home = mkdtempSync(join(tmpdir(), 'wavetank-library-'));
beforeAll(() => {
  process.env['WAVETANK_HOME'] = home;
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const manifest = `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: default}
data: {a: b}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "nginx:1.27"}]}
`;

async function history(seed: number): Promise<string> {
  const cluster = await startCluster({ seed, nodes: 2 });
  await cluster.apply(manifest);
  await cluster.until(() => cluster.get<Deployment>('apps/v1', 'Deployment', 'default', 'web')?.status?.readyReplicas === 4);
  await cluster.delete('apps/v1', 'Deployment', 'default', 'web');
  await cluster.advance('2m');
  expect(cluster.list('v1', 'Pod')).toEqual([]);
  const { digest } = cluster;
  await cluster.stop();
  return digest;
}

it('runs several clusters in one process, each with the history of its seed', async () => {
  const [first, again, other] = await Promise.all([history(1), history(1), history(2)]);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});

it('stands still unless it is advanced', async () => {
  const cluster = await startCluster({ startTime: '2030-01-01T00:00:00Z', nodes: 1, options: { 'max-pods': 3, 'enable-taint-manager': false } });
  const before = cluster.now;
  await cluster.apply(manifest);
  expect(cluster.now).toBe(before);
  await cluster.advance('1m');
  expect(Date.parse(cluster.now) - Date.parse(before)).toBe(60_000);
  expect(cluster.get('v1', 'ConfigMap', 'default', 'settings')).toMatchObject({ data: { a: 'b' } });
  expect(cluster.get('v1', 'ConfigMap', 'default', 'none')).toBeUndefined();
  await expect(cluster.apply('# nothing\n')).rejects.toThrow('every document needs apiVersion, kind and metadata.name');
  expect(cluster.get<Deployment>('apps/v1', 'Deployment', 'default', 'web')?.status?.readyReplicas).toBe(3);
  await expect(cluster.until(() => false, { timeout: '5s' })).rejects.toThrow('does not hold after 5s');
  await expect(
    cluster.request('POST', '/api/v1/namespaces/default/pods', { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'x' } }),
  ).rejects.toThrow(StatusError);
  await expect(cluster.advance('soon')).rejects.toThrow('is not a duration');
  expect(() => cluster.get('v9', 'Pod', 'default', 'x')).toThrow('knows no kind v9 Pod');
  await cluster.stop();
});

it('serves the API when asked to, and keeps a session', async () => {
  const session = join(home, 'session.jsonl');
  const cluster = await startCluster({ nodes: 1, serve: true, session });
  expect((load(cluster.kubeconfig ?? '') as { clusters: { cluster: { server: string } }[] }).clusters[0]?.cluster.server).toMatch(
    /^https:\/\/127\.0\.0\.1:\d+$/,
  );
  await cluster.apply(manifest);
  await cluster.advance('20s');
  const { digest } = cluster;
  await cluster.stop();
  const again = await startCluster({ session });
  expect(again.digest).toBe(digest);
  expect(again.kubeconfig).toBeUndefined();
  await again.stop();
});

it('is of the release that is asked for, and stays of it', async () => {
  const session = join(home, 'old.jsonl');
  const cluster = await startCluster({ nodes: 1, emulate: '1.13', session });
  expect(await cluster.request('GET', '/version')).toMatchObject({ major: '1', minor: '13' });
  // Without server-side apply: created, then merged.
  await cluster.apply(manifest);
  await cluster.apply(manifest.replace('replicas: 4', 'replicas: 2'));
  expect(cluster.get('apps/v1', 'Deployment', 'default', 'web')).toMatchObject({ spec: { replicas: 2 } });
  await cluster.stop();
  const again = await startCluster({ session });
  expect(await again.request('GET', '/version')).toMatchObject({ major: '1', minor: '13' });
  await again.stop();
  await expect(startCluster({ session, emulate: '1.36' })).rejects.toThrow('is a cluster of release 1.13 and cannot go on as 1.36');
});

it('refuses options in one line', async () => {
  await expect(startCluster({ emulate: '1.12' })).rejects.toThrow('emulate "1.12" is no release: expected 1.36 or 1.13');
  await expect(startCluster({ options: { nonsense: 1 } })).rejects.toThrow('unknown option --nonsense');
  await expect(startCluster({ startTime: 'yesterday' })).rejects.toThrow('is not an RFC 3339 time');
});
