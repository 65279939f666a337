/** Names, types and labels of metrics beside those of a real 1.36.3 (`facts.json`, by `record.ts`), and that they count what happens. */
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import { sender } from '../webhooks/inside.ts';
import { familiesOf, type Family } from './read.ts';

const facts = JSON.parse(readFileSync(new URL('facts.json', import.meta.url), 'utf8')) as Readonly<Record<string, Family>>;
const configMaps = '/api/v1/namespaces/default/configmaps';
const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function page(tank: TestCluster, path = '/metrics'): Promise<string> {
  const response = await tank.door.serve({ method: 'GET', path, query: '', headers: {}, body: new Uint8Array(), identity: adminIdentity });
  return 'body' in response ? String(response.body) : '';
}

async function watch(tank: TestCluster, path: string): Promise<() => void> {
  const headers = { accept: 'application/json' };
  const response = await tank.door.serve({ method: 'GET', path, query: 'watch=true', headers, body: new Uint8Array(), identity: adminIdentity });
  if (!('open' in response)) throw new Error('a stream was expected');
  const write = (chunk: unknown): void => void (typeof chunk === 'function' && (chunk as () => unknown)());
  const close = response.open({ write, end: () => undefined } as never);
  closers.push(close);
  return close;
}

/** Something of everything that is counted. */
async function busy(tank: TestCluster): Promise<void> {
  const send = sender(() => tank);
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: 'y' } };
  await watch(tank, configMaps);
  await send({ method: 'POST', path: configMaps, body });
  await send({ method: 'POST', path: configMaps, body });
  await send({ method: 'POST', path: `${configMaps}?dryRun=All`, body: { ...body, metadata: { name: 'b' } } });
  await send({
    method: 'PATCH',
    path: `${configMaps}/c?fieldManager=m`,
    body: { ...body, metadata: { name: 'c' } },
    contentType: 'application/apply-patch+yaml',
  });
  await send({ method: 'GET', path: configMaps });
  await send({ method: 'GET', path: '/readyz' });
  await send({ method: 'DELETE', path: configMaps });
}

/** Samples of a family as `label=value … count`, by the labels that are named. */
function samples(text: string, family: string, labels: readonly string[]): readonly string[] {
  const lines = text.split('\n').filter((line) => line.startsWith(`${family}{`));
  return lines.map((line) =>
    [...labels.map((label) => new RegExp(`[{,]${label}="([^"]*)"`).exec(line)?.[1] ?? ''), line.split(' ').at(-1)].join(' '),
  );
}

test('every family has the type and the labels that the real server gives it, or a name that it does not have', async () => {
  const tank = await aCluster({ nodes: 1 });
  await busy(tank);
  const ours = familiesOf(await page(tank));
  for (const [name, { type, labels }] of Object.entries(ours)) {
    const theirs = facts[name];
    if (theirs === undefined) continue;
    expect({ [name]: type }).toEqual({ [name]: theirs.type });
    if (theirs.labels.length > 0 && labels.length > 0) expect({ [name]: labels }).toEqual({ [name]: theirs.labels });
  }
  const needed = Object.keys(facts).filter((name) =>
    /^apiserver_(request|longrunning|current_inflight|watch_events|response|storage_objects|resource_objects)/.test(name),
  );
  const absent = ['slo_duration', 'filter_duration', 'timestamp_comparison', 'requested_deprecated', 'resource_objects_', 'storage_objects_'];
  for (const name of needed.filter((one) => !absent.some((part) => one.includes(part)))) expect(Object.keys(ours)).toContain(name);
});

test('requests are counted by what they ask, how they ended, and whether they tried only', async () => {
  const tank = await aCluster({ nodes: 1 });
  await busy(tank);
  const text = await page(tank);
  const totals = samples(text, 'apiserver_request_total', ['verb', 'resource', 'subresource', 'scope', 'dry_run', 'code']);
  expect(totals.toSorted()).toEqual([
    'APPLY configmaps  resource  201 1',
    'DELETE configmaps  namespace  200 1',
    'GET  /readyz   200 1',
    'LIST configmaps  namespace  200 1',
    'POST configmaps  resource  201 1',
    'POST configmaps  resource  409 1',
    'POST configmaps  resource All 201 1',
  ]);
  expect(samples(text, 'apiserver_request_duration_seconds_count', ['verb', 'dry_run'])).toContain('POST All 1');
  expect(samples(text, 'apiserver_watch_events_total', ['resource'])[0]).toMatch(/^configmaps [5-9]$/);
});

test('a watch is open while it is, and counted when it has ended', async () => {
  const tank = await aCluster({ nodes: 1 });
  const close = await watch(tank, configMaps);
  const open = async (): Promise<readonly string[]> => samples(await page(tank), 'apiserver_longrunning_requests', ['verb', 'resource', 'scope']);
  expect(await open()).toEqual(['WATCH configmaps namespace 1']);
  close();
  close();
  expect(await open()).toEqual(['WATCH configmaps namespace 0']);
  expect(samples(await page(tank), 'apiserver_request_total', ['verb', 'code'])).toEqual(['WATCH 200 1']);
});

test('a long list is in flight until it is taken, or its client has gone', async () => {
  const tank = await aCluster({ nodes: 0 });
  const send = sender(() => tank);
  for (const name of ['a', 'b', 'c'])
    await send({
      method: 'POST',
      path: configMaps,
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { x: 'y'.repeat(50_000) } },
    });
  const inFlight = async (): Promise<readonly string[]> => samples(await page(tank), 'apiserver_current_inflight_requests', ['request_kind']);
  for (const isTaken of [true, false]) {
    const response = await tank.door.serve({
      method: 'GET',
      path: configMaps,
      query: '',
      headers: {},
      body: new Uint8Array(),
      identity: adminIdentity,
    });
    if (!('body' in response) || typeof response.body === 'string' || response.body instanceof Uint8Array) throw new Error('pieces were expected');
    expect(await inFlight()).toEqual(['mutating 0', 'readOnly 1']);
    const pieces = response.body[Symbol.iterator]();
    if (isTaken) while (pieces.next().done !== true);
    else pieces.return?.();
    expect(await inFlight()).toEqual(['mutating 0', 'readOnly 0']);
  }
  const lists = samples(await page(tank), 'apiserver_request_total', ['verb']).filter((line) => line.startsWith('LIST'));
  expect(lists).toEqual(['LIST 2']);
});

test('what nobody serves has no labels: no client can make any up', async () => {
  const tank = await aCluster({ nodes: 1 });
  const send = sender(() => tank);
  for (const path of [
    '/apis/made.up/v1/things',
    '/api/v1/pods/x/madeup',
    '/api/v1/__proto__',
    '/openapi/v9',
    '/made/up',
    '/api/v1/namespaces/a/constructor/b',
  ])
    await send({ method: 'GET', path });
  expect(await page(tank)).not.toMatch(/made|proto|constructor/);
});

test('checks of health have results once somebody asked; options and state have pages', async () => {
  const tank = await aCluster({ nodes: 1 });
  expect(await page(tank, '/metrics/slis')).toBe('');
  await page(tank, '/livez');
  await page(tank, '/livez');
  const slis = await page(tank, '/metrics/slis');
  expect(slis).toContain('kubernetes_healthcheck{name="ping",type="livez"} 1\n');
  expect(slis).toContain('kubernetes_healthchecks_total{name="etcd",status="success",type="livez"} 2\n');
  expect(await page(tank, '/flagz')).toMatch(/^\napiserver flagz\nWarning: .*\n[a-z-]+=/);
  await tank.advance(3_725_000);
  expect(await page(tank, '/statusz')).toMatch(/\nUp: 1 hr 0[2-9] min \d\d sec\n.*\nBinary version: 1\.36\n/);
});
