/** `--session FILE`: a cluster goes on after Ctrl-C and after kill -9, and its file runs again with the same digest. */
import { copyFileSync, linkSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Home, type Up } from './wavetank.ts';

let home: Home;
let file: string;
beforeEach(() => {
  home = new Home();
  file = home.file('session');
});
afterEach(() => home.remove());

interface Named {
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string };
}

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const labels = { app: 'web' };
const web = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 3,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } },
  },
};

async function list(up: Up, path: string): Promise<readonly Named[]> {
  return (await up.call<{ items: Named[] }>('GET', path)).items;
}

async function nowMs(up: Up): Promise<number> {
  return (await up.call<{ status: { virtualMs: number } }>('GET', '/apis/sim.wavetank.dev/v1alpha1/clocks/cluster')).status.virtualMs;
}

async function replay(path = file): Promise<{ digest: string; equal: boolean | null; droppedBytes: number; inputs: number }> {
  const { code, out, error } = await home.run('replay', path, '--output', 'json');
  expect({ code, error }).toEqual({ code: 0, error: '' });
  return JSON.parse(out) as { digest: string; equal: boolean | null; droppedBytes: number; inputs: number };
}

it('goes on after restarts, pauses, changes of speed and a crash, and runs again with the same digests', async () => {
  const first = await home.up('--seed', '3', '--session', file);
  await first.call('POST', deployments, web);
  await home.run('clock', 'advance', '30s');
  const pods = await list(first, '/api/v1/namespaces/default/pods');
  expect(pods).toHaveLength(3);
  const firstMs = await nowMs(first);
  expect((await first.signal('SIGINT')).code).toBe(0);

  const second = await home.up('--session', file, '--speed', 'paused', '--seed', '4', '--nodes', '7', '--max-pods', '9');
  expect(second.record.seed).toBe(3);
  expect(await list(second, '/api/v1/namespaces/default/pods')).toEqual(pods);
  expect(await list(second, '/api/v1/namespaces/default/events')).not.toEqual([]);
  expect(await nowMs(second)).toBeGreaterThanOrEqual(firstMs);
  const scaled = await second.call<Named>('PATCH', `${deployments}/web`, { spec: { replicas: 5 } });
  expect(Number(scaled.metadata.resourceVersion)).toBeGreaterThan(Math.max(...pods.map(({ metadata }) => Number(metadata.resourceVersion))));
  await home.run('clock', 'speed', '200');
  await home.run('clock', 'advance', '20s');
  await second.call('POST', '/api/v1/namespaces/default/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kept' } });
  const crashed = await second.signal('SIGKILL');
  expect(crashed.error).toBe(
    `wavetank: ${file} goes on with what it recorded (seed 3, 3 nodes in 3 zones); --seed, --nodes, --max-pods are ignored\n`,
  );

  expect(await replay()).toMatchObject({ equal: true });
  const third = await home.up('--session', file);
  expect((await list(third, '/api/v1/namespaces/default/configmaps')).map(({ metadata }) => metadata.name)).toContain('kept');
  await home.run('clock', 'advance', '1m');
  expect(await list(third, '/api/v1/namespaces/default/pods')).toHaveLength(5);
  expect(await home.run('up', '--name', 'other', '--session', file)).toMatchObject({
    code: 2,
    error: expect.stringContaining('is the session of the running cluster wavetank'),
  });
  expect(await third.signal('SIGTERM')).toMatchObject({ code: 0, error: '' });
  const runs = [await replay(), await replay()];
  expect(runs[0]).toMatchObject({ equal: true, droppedBytes: 0 });
  expect(runs[1]?.digest).toBe(runs[0]?.digest);
});

it('shows nothing that a kill could take back: what a watcher has seen stays as it was seen', async () => {
  const first = await home.up('--nodes', '2', '--seed', '5', '--session', file, '--speed', '20');
  const seen = new Map<string, string>();
  const watch = first.watch<Named>('/api/v1/namespaces/default/pods?watch=1', ({ object }) =>
    seen.set(object.metadata.resourceVersion, JSON.stringify(object)),
  );
  await first.call('POST', deployments, { ...web, spec: { ...web.spec, replicas: 12 } });
  await watch.until(() => seen.size >= 30);
  await first.signal('SIGKILL');
  const last = Math.max(...[...seen.keys()].map(Number));

  const second = await home.up('--session', file, '--speed', 'paused');
  const again = new Map<string, string>();
  const from = Math.min(...[...seen.keys()].map(Number)) - 1;
  const rewatch = second.watch<Named>(`/api/v1/namespaces/default/pods?watch=1&resourceVersion=${from}`, ({ object }) =>
    again.set(object.metadata.resourceVersion, JSON.stringify(object)),
  );
  await rewatch.until(() => again.has(String(last)));
  for (const [revision, text] of seen) expect(again.get(revision)).toBe(text);
  const fresh = await second.call<Named>('POST', '/api/v1/namespaces/default/configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
  });
  expect(Number(fresh.metadata.resourceVersion)).toBeGreaterThan(last);
  rewatch.stop();
  expect((await second.signal('SIGTERM')).code).toBe(0);
  expect(await replay()).toMatchObject({ equal: true });
});

it('is held by one process, whatever path and home lead to it', async () => {
  const up = await home.up('--nodes', '1', '--session', file);
  const link = home.file('link');
  linkSync(file, link);
  const other = new Home();
  try {
    expect(await other.run('up', '--port', '0', '--session', link)).toMatchObject({
      code: 2,
      error: `wavetank: ${link} is the session of a running cluster (process ${up.record.pid}); stop it or give another path with --session\n`,
    });
  } finally {
    other.remove();
  }
  expect(statSync(file).mode & 0o777).toBe(0o600);
  // A lock of a process that was killed holds nobody up.
  await up.signal('SIGKILL');
  const next = await home.up('--session', link);
  expect((await next.signal('SIGINT')).code).toBe(0);
});

it('goes on as the release it began with, and refuses another', async () => {
  const path = home.file('old-release');
  const first = await home.up('--nodes', '1', '--emulate', '1.13', '--session', path);
  await first.signal('SIGINT');
  expect(await home.run('up', '--port', '0', '--emulate', '1.36', '--session', path)).toEqual({
    code: 2,
    out: '',
    error: `wavetank: ${path} is a cluster of release 1.13 and cannot go on as 1.36; leave the release out or begin another session\n`,
  });
  const second = await home.up('--session', path);
  expect(await second.call('GET', '/version')).toMatchObject({ minor: '13' });
  await second.signal('SIGINT');
  expect(await replay(path)).toMatchObject({ equal: true });
});

it('goes on without the lines that were not finished', async () => {
  const texts = await linesOfSession();
  const cut = home.file('cut.log');
  copyFileSync(file, cut);
  truncateSync(cut, statSync(file).size - 40);
  const dropped = (texts.at(-2)?.length ?? 0) + 1 - 40;
  expect(await home.run('replay', cut)).toMatchObject({
    code: 0,
    error: `wavetank: ${cut} ends in lines that were not finished; ${dropped} bytes were left out\n`,
  });
  const reopened = await home.up('--session', cut);
  expect(await list(reopened, deployments)).toHaveLength(1);
  expect((await reopened.signal('SIGINT')).error).toBe(`wavetank: ${cut} ended in lines that were not finished; ${dropped} bytes were dropped\n`);
  expect(await replay(cut)).toMatchObject({ equal: true, droppedBytes: 0 });
});

it('says what is wrong with a file', async () => {
  const texts = await linesOfSession();
  const head = (change: (head: string) => string): string => {
    const body = change((texts[0] ?? '').slice(8));
    return `${crc32(body).toString(16).padStart(8, '0')}${body}\n`;
  };
  const cases: readonly (readonly [string, string, string])[] = [
    ['no-session', 'hello\n', 'is not a Wavetank session file'],
    ['damaged-head', `${texts[0]?.replace('seed', 'seeb')}\n`, 'is not a Wavetank session file'],
    [
      'former',
      '{"type":"wavetank-session","format":1,"engine":"0.0.9"}\n',
      'has session format 1, this engine reads 5; open it with the release that wrote it (0.0.9)',
    ],
    ['old', head((text) => text.replace(/"engine":"[^"]*"/, '"engine":"0.0.1"')), 'was written by Wavetank 0.0.1'],
    ['format', head((text) => text.replace(/"format":\d+/, '"format":99')), 'has session format 99'],
    ['zones', head((text) => text.replace(/"timeZones":"[^"]*"/, '"timeZones":"1999a"')), 'time-zone data 1999a'],
  ];
  for (const [name, text, words] of cases) {
    const path = home.file(name);
    writeFileSync(path, text);
    for (const command of [
      ['replay', path],
      ['up', '--port', '0', '--session', path],
    ]) {
      const ended = await home.run(...command);
      expect({ name, ...ended }).toEqual({ name, code: 2, out: '', error: expect.stringMatching(/^wavetank: [^\n]+\n$/) });
      expect(ended.error).toContain(words);
    }
  }
});

/** Those of a session with a Deployment and five seconds; the last is empty. */
async function linesOfSession(): Promise<readonly string[]> {
  const up = await home.up('--nodes', '1', '--seed', '1', '--session', file, '--speed', 'paused');
  await up.call('POST', deployments, web);
  await home.run('clock', 'advance', '5s');
  await up.signal('SIGINT');
  return readFileSync(file, 'utf8').split('\n');
}
