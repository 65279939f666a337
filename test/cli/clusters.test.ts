/** `wavetank up`, `list`, `status`, `stop` and `clock`, as scripts and terminals use them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { releases } from '../../engine/releases/releases.ts';
import { Home } from './wavetank.ts';

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.remove());

const clocks = '/apis/sim.wavetank.dev/v1alpha1/clocks/cluster';

it('says in one JSON line where the ready cluster is, and ends cleanly on Ctrl-C', async () => {
  const up = await home.up('--seed', '9', '--nodes', '4', '--zones', '2', '--start-time', '2030-05-06T07:08:09Z', '--speed', 'paused');
  expect(up.record).toEqual({
    name: 'wavetank',
    server: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/),
    kubeconfig: expect.any(String),
    token: expect.any(String),
    ui: null,
    seed: 9,
    pid: expect.any(Number),
  });
  // Whoever is shown the list gets no credential with it.
  for (const command of ['list', 'status']) {
    const { out } = await home.run(command, '--output', 'json');
    expect(JSON.parse(out)).toMatchObject(command === 'list' ? [{ name: 'wavetank' }] : { name: 'wavetank' });
    expect(out).not.toContain(up.record.token);
  }
  expect(readFileSync(home.file('home/clusters/wavetank.json'), 'utf8')).not.toContain(up.record.token);
  const nodes = await up.call<{ items: { status: { conditions: { type: string; status: string }[] } }[] }>('GET', '/api/v1/nodes');
  expect(nodes.items.map(({ status }) => status.conditions.find(({ type }) => type === 'Ready')?.status)).toEqual(['True', 'True', 'True', 'True']);
  expect(await up.call('GET', '/apis/sim.wavetank.dev/v1alpha1/settings/cluster')).toMatchObject({
    options: { seed: 9, nodes: 4, zones: 2, 'start-time': '2030-05-06T07:08:09.000Z' },
  });
  expect(existsSync(up.record.kubeconfig)).toBe(true);
  expect(await up.signal('SIGINT')).toEqual({ code: 0, out: `${JSON.stringify(up.record)}\n`, error: '' });
  expect(JSON.parse((await home.run('list', '--output', 'json')).out)).toEqual([]);
});

it.each(releases.map(({ name, gitVersion }) => [name, gitVersion]))(
  'is of release %s to clients: a Deployment becomes ready',
  async (name, gitVersion) => {
    const up = await home.up('--emulate', name, '--nodes', '2', '--speed', 'paused');
    const deployments = '/apis/apps/v1/namespaces/default/deployments';
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };
    expect(await up.call('GET', '/version')).toMatchObject({ gitVersion: `${gitVersion}+wavetank` });
    await up.call('POST', deployments, { metadata: { name: 'web' }, spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template } });
    expect(await home.run('clock', 'advance', '1m')).toMatchObject({ code: 0 });
    expect(await up.call('GET', `${deployments}/web`)).toMatchObject({ status: { readyReplicas: 2 } });
    expect((await up.signal('SIGINT')).code).toBe(0);
  },
);

it('runs several clusters, each found by its name', async () => {
  const [one, two] = await Promise.all([home.up('--name', 'one', '--nodes', '1'), home.up('--name', 'two', '--nodes', '1')]);
  expect((JSON.parse((await home.run('list', '--output', 'json')).out) as { name: string }[]).map(({ name }) => name)).toEqual(['one', 'two']);
  expect(await home.run('status')).toEqual({ code: 2, out: '', error: 'wavetank: several clusters are running (one, two); say which\n' });
  expect(JSON.parse((await home.run('status', 'two', '--output', 'json')).out)).toMatchObject({
    name: 'two',
    server: two.record.server,
    clock: { kind: 'Clock' },
  });
  expect(await home.run('up', '--name', 'one')).toMatchObject({
    code: 2,
    error: expect.stringMatching(/^wavetank: a cluster named one is running; .*\n$/),
  });
  expect(await home.run('stop', 'one')).toMatchObject({ code: 0, out: 'stopped one\n' });
  expect((await one.ended).code).toBe(0);
  expect(await home.run('stop', 'one')).toMatchObject({ code: 2, error: expect.stringContaining('no cluster named one is running') });
  expect(await home.run('stop')).toMatchObject({ code: 0, out: 'stopped two\n' });
  expect((await two.ended).code).toBe(0);
});

it('steers a running clock', async () => {
  const up = await home.up('--nodes', '1', '--speed', 'paused');
  const read = (): Promise<{ spec: { speed: string }; status: { virtualMs: number } }> => up.call('GET', clocks);
  const before = await read();
  expect((await home.run('clock', 'advance', '10m')).code).toBe(0);
  expect((await read()).status.virtualMs).toBe(before.status.virtualMs + 600_000);
  expect((await home.run('clock', 'step')).code).toBe(0);
  const stepped = await read();
  expect(stepped.status.virtualMs).toBeGreaterThan(before.status.virtualMs + 600_000);
  expect((await home.run('clock', 'speed', '50')).code).toBe(0);
  expect((await read()).spec.speed).toBe('50');
  expect((await home.run('clock', 'pause')).out).toContain('speed paused');
  expect((await home.run('clock', 'resume')).out).toContain('speed 1');
  expect(await home.run('clock', 'speed', 'fast')).toMatchObject({
    code: 2,
    error: expect.stringMatching(/^wavetank: .*must be `paused`, `max` or a number above 0\n$/),
  });
  expect(await home.run('clock', 'backwards')).toMatchObject({
    code: 2,
    error: expect.stringContaining('clock knows pause, resume, speed, step and advance'),
  });
  expect(await home.run('clock', 'advance')).toMatchObject({ code: 2, error: 'wavetank: clock advance needs a duration such as 10m\n' });
});

it('merges into a kubeconfig and keeps what is there', async () => {
  const mine = {
    apiVersion: 'v1',
    kind: 'Config',
    preferences: { colors: true },
    clusters: [{ name: 'work', cluster: { server: 'https://work' } }],
    users: [{ name: 'me', user: {} }],
    contexts: [{ name: 'work', context: { cluster: 'work', user: 'me' } }],
    'current-context': 'work',
  };
  writeFileSync(home.file('kubeconfig'), JSON.stringify(mine));
  const extra = await home.up('--name', 'extra', '--nodes', '1', '--merge-kubeconfig');
  const merged = load(readFileSync(home.file('kubeconfig'), 'utf8')) as typeof mine;
  expect(merged).toMatchObject({ preferences: { colors: true }, 'current-context': 'wavetank-extra' });
  expect([merged.clusters, merged.users, merged.contexts].map((list) => list.map(({ name }) => name))).toEqual([
    ['work', 'wavetank-extra'],
    ['me', 'wavetank-extra'],
    ['work', 'wavetank-extra'],
  ]);
  expect(merged.clusters[0]).toEqual(mine.clusters[0]);
  const other = await home.up('--name', 'other', '--nodes', '0', '--merge-kubeconfig');
  await Promise.all([extra.signal('SIGINT'), other.signal('SIGKILL')]);
  const current = (): string => (load(readFileSync(home.file('kubeconfig'), 'utf8')) as typeof mine)['current-context'];
  expect(current()).toBe('wavetank-other');
  // The next command of any kind finds that it has died.
  expect((await home.run('list')).out).toBe('no cluster is running\n');
  expect(current()).toBe('work');
});

it('gives one name to one of two that start at the same instant', async () => {
  const starts = ['same', 'same'].map((name) =>
    home.up('--name', name, '--nodes', '0').then(
      ({ record }) => record.name,
      (error: Error) => error.message,
    ),
  );
  expect((await Promise.all(starts)).sort()).toEqual([expect.stringMatching(/^ended with 2: wavetank: a cluster named same is running/), 'same']);
});

it('refuses to overwrite a kubeconfig with contexts of the user, before anything starts', async () => {
  const text = 'apiVersion: v1\nkind: Config\ncontexts: [{name: work, context: {cluster: c, user: u}}]\n';
  writeFileSync(home.file('theirs'), text);
  expect(await home.run('up', '--kubeconfig', home.file('theirs'))).toEqual({
    code: 2,
    out: '',
    error: expect.stringMatching(/^wavetank: .*theirs holds entries that are not Wavetank's \(work\).*--merge-kubeconfig\n$/),
  });
  expect(readFileSync(home.file('theirs'), 'utf8')).toBe(text);
});
