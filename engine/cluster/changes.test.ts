/** One change as clients see it: its fields, who made it, why, and what came of it. */
import { describe, expect, it } from 'vitest';
import type { Change } from '../api/sim/v1alpha1/change.ts';
import { aCluster, aDeployment, type TestCluster } from '../../test/support/cluster.ts';

const changes = '/apis/sim.wavetank.dev/v1alpha1/changes';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const merge = 'application/merge-patch+json';

interface Listed {
  readonly metadata: { readonly continue?: string };
  readonly items: readonly Change[];
}

const read = (made: TestCluster, revision: number | string): Change['status'] => made.call<Change>('GET', `${changes}/${revision}`).status;
const list = (made: TestCluster, query = ''): Listed => made.call<Listed>('GET', `${changes}?${query}`);
const newest = (made: TestCluster, row: string): Change['status'] => list(made, `object=${row}`).items[0]?.status as Change['status'];
const revisionOf = ({ metadata }: { readonly metadata: { readonly resourceVersion?: string } }): number => Number(metadata.resourceVersion);

describe('a change', () => {
  it('of a client outside has its fields before and after, its user and user agent, and leads to what came of it', async () => {
    const made = await aCluster();
    made.call('POST', deployments, aDeployment('web', 1));
    await made.advance(60_000);
    const scaled = made.call('PATCH', `${deployments}/web`, { spec: { replicas: 2 } }, merge);
    await made.advance(60_000);
    const status = read(made, revisionOf(scaled));
    expect(status).toMatchObject({ verb: 'update', username: 'kubernetes-admin', userAgent: 'test', fieldManagers: ['test'] });
    expect(status.subject).toMatchObject({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      namespace: 'default',
      name: 'web',
      row: 'deployments.apps/default/web',
    });
    expect(status.fields?.[0]).toEqual({ path: 'spec.replicas', before: '1', after: '2' });
    expect(status.fields?.at(-1)).toEqual({ path: 'metadata.generation', before: '1', after: '2', bookkeeping: true });
    expect(status.causes?.map(({ type }) => type)).toEqual(['input']);
    const replicaSet = status.effects?.find(({ row }) => row.startsWith('replicasets.apps/'));
    expect(replicaSet).toMatchObject({ verb: 'update', by: 'system:serviceaccount:kube-system:deployment-controller' });
    const next = read(made, replicaSet?.revision ?? 0);
    expect(next.actor).toBe('deployment-controller');
    expect(next.userAgent).toBeUndefined();
    expect(next.causes).toEqual([expect.objectContaining({ type: 'write', revision: status.revision, object: 'deployments.apps/default/web' })]);
    expect(next.effects?.some(({ row, verb }) => row.startsWith('pods/default/web-') && verb === 'create')).toBe(true);
  });

  it('of a Secret tells which of its values are others, and none of them, wherever history is read', async () => {
    const made = await aCluster({ nodes: 0 });
    const applied = 'kubectl.kubernetes.io/last-applied-configuration';
    const secret = (value: string) => ({
      metadata: { name: 'login', annotations: { [applied]: JSON.stringify({ stringData: { password: value } }) } },
      data: { password: Buffer.from(value).toString('base64') },
    });
    made.call('POST', '/api/v1/namespaces/default/secrets', secret('first-of-all'));
    await made.advance(1_000);
    const changed = made.call('PATCH', '/api/v1/namespaces/default/secrets/login', secret('second-of-all'), merge);
    await made.advance(1_000);
    const { fields = [], facts } = read(made, revisionOf(changed));
    expect(fields.filter(({ bookkeeping }) => bookkeeping !== true)).toEqual([
      { path: `metadata.annotations["${applied}"]`, before: '(hidden)', after: '(hidden)' },
      { path: 'data.password', before: '(hidden)', after: '(hidden)' },
    ]);
    expect(facts.join()).toContain('data.password: (hidden) → (hidden)');
    const sim = '/apis/sim.wavetank.dev/v1alpha1';
    for (const path of [changes, `${changes}/${revisionOf(changed)}`, `${sim}/differences`, `${sim}/timelines/main`]) {
      const text = JSON.stringify(made.call('GET', path));
      expect(text).toContain('login');
      for (const value of ['first-of-all', 'second-of-all', ...['first-of-all', 'second-of-all'].map((one) => Buffer.from(one).toString('base64'))])
        expect(text, path).not.toContain(value);
    }
  });

  it('of a fault is found behind the silence that it brought, and is its cause', async () => {
    const made = await aCluster({ nodes: 2 });
    const fault = { metadata: { name: 'dead' }, spec: { type: 'node-power-loss', target: { node: 'node-1' } } };
    const created = made.call('POST', '/apis/sim.wavetank.dev/v1alpha1/faults', fault);
    await made.advance(120_000);
    const effects = read(made, revisionOf(created)).effects ?? [];
    const unready = effects.find(({ row, by }) => row === 'nodes/node-1' && by.endsWith('node-controller'));
    expect(unready?.text).toContain('Ready: True → Unknown');
    const causes = read(made, unready?.revision ?? 0).causes ?? [];
    expect(causes.map(({ type }) => type).slice(-3)).toEqual(['silence', 'fault', 'write']);
    expect(causes.at(-1)).toMatchObject({ revision: revisionOf(created), object: 'faults.sim.wavetank.dev/dead' });
  });

  it('shows that a Secret changed and nothing of it; long values of others shortened', async () => {
    const made = await aCluster({ nodes: 1 });
    const [secrets, maps] = ['secrets', 'configmaps'].map((one) => `/api/v1/namespaces/default/${one}`) as [string, string];
    made.call('POST', secrets, { metadata: { name: 's' }, stringData: { a: 'hunter2', b: 'same' } });
    const secret = read(made, revisionOf(made.call('PATCH', `${secrets}/s`, { stringData: { a: 'hunter3' } }, merge)));
    expect(secret.fields?.filter(({ bookkeeping }) => bookkeeping === undefined)).toEqual([
      { path: 'data.a', before: '(hidden)', after: '(hidden)' },
    ]);
    made.call('POST', maps, { metadata: { name: 'm' }, data: { a: 'x'.repeat(262_144) } });
    const long = read(made, revisionOf(made.call('PATCH', `${maps}/m`, { data: { a: 'y'.repeat(262_144) } }, merge)));
    expect(long.fields?.[0]).toMatchObject({ path: 'data.a', beforeLength: 262_144, afterLength: 262_144 });
    expect(JSON.stringify(long).length).toBeLessThan(10_000);
  });

  it('keeps what history noted where the object is no longer remembered, and says so of what it has forgotten', async () => {
    const made = await aCluster({ nodes: 1, options: { controllers: '-*', scheduler: 'false' } });
    const map = '/api/v1/namespaces/default/configmaps';
    made.call('POST', map, { metadata: { name: 'm' }, data: { a: '1' } });
    const old = revisionOf(made.call('PATCH', `${map}/m`, { data: { a: '2' } }, merge));
    expect(read(made, old).fields).toBeDefined();
    made.cluster.store.compact(made.cluster.store.currentRevision());
    made.cluster.store.retain(made.cluster.store.currentRevision());
    const status = read(made, old);
    expect(status.fields).toBeUndefined();
    expect(status.facts).toEqual(['data.a: 1 → 2']);
    // Events and leases are not noted: the store alone tells of them.
    const event = {
      metadata: { name: 'e' },
      involvedObject: { kind: 'ConfigMap', name: 'm', namespace: 'default' },
      reason: 'Looked',
      message: 'at it',
    };
    const told = read(made, revisionOf(made.call('POST', '/api/v1/namespaces/default/events', event)));
    expect(told).toMatchObject({ verb: 'create', username: 'kubernetes-admin', subject: { kind: 'Event', row: 'events/default/e' } });
    expect(told.fields).toContainEqual({ path: 'reason', after: 'Looked' });
    expect(made.ask('GET', `${changes}/999999`).status).toBe(404);
    expect(made.ask('GET', `${changes}/constructor`).object.message).toContain('a change is named by its revision');
  });
});

describe('changes', () => {
  it('are listed newest first, page by page, by object, instant and selectors', async () => {
    const made = await aCluster();
    made.call('POST', deployments, aDeployment('web', 2));
    const midMs = made.cluster.loop.nowMs();
    await made.advance(60_000);
    const all = list(made, 'limit=5000').items.map(({ status }) => status);
    expect(all.map(({ revision }) => revision)).toEqual(all.map(({ revision }) => revision).toSorted((a, b) => b - a));
    const paged: number[] = [];
    let token: string | undefined = '';
    while (token !== undefined) {
      const page: Listed = list(made, `limit=7&continue=${token}`);
      paged.push(...page.items.map(({ status }) => status.revision));
      token = page.metadata.continue;
    }
    expect(paged).toEqual(all.map(({ revision }) => revision));
    const pods = list(made, 'fieldSelector=status.subject.kind=Pod,status.verb=create').items;
    expect(pods.map(({ status }) => status.summary)).toEqual([
      expect.stringContaining('created Pod web-'),
      expect.stringContaining('created Pod web-'),
    ]);
    expect(newest(made, 'deployments.apps/default/web').facts.join()).toContain('status.');
    expect(list(made, `limit=5000&to=${midMs}`).items.every(({ status }) => status.ms <= midMs)).toBe(true);
    expect(list(made, `limit=5000&from=${midMs + 1}`).items.every(({ status }) => status.ms > midMs)).toBe(true);
    expect(made.ask('GET', `${changes}?fieldSelector=status.nonsense=1`).status).toBe(400);
    expect(made.ask('GET', `${changes}?continue=x`).status).toBe(400);
  });
});
