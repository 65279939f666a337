/** What differs between two instants, held against the objects themselves. */
import { describe, expect, it } from 'vitest';
import type { Difference } from '../api/sim/v1alpha1/change.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { formatMicroTime } from '../apimachinery/time.ts';
import { compareFields } from '../history/changes/field-changes.ts';
import { aCluster, aDeployment, type TestCluster } from '../../test/support/cluster.ts';

const differences = '/apis/sim.wavetank.dev/v1alpha1/differences';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const merge = 'application/merge-patch+json';
const noHistory = /^\/registry\/(events|leases|masterleases|ranges)\//;

interface Listed {
  readonly metadata: { readonly continue?: string; readonly remainingItemCount?: number };
  readonly items: readonly Difference[];
}

const list = (made: TestCluster, query = ''): Listed => made.call<Listed>('GET', `${differences}?${query}`);
const nowOf = (made: TestCluster): number => made.cluster.loop.nowMs();
const short = ({ items }: Listed): readonly string[] => items.map(({ status }) => `${status.change} ${status.subject.row}`).sort();

function snapshot({ cluster }: TestCluster): ReadonlyMap<string, KubeObject> {
  const { items } = cluster.store.range({});
  return new Map(items.filter(({ key }) => !noHistory.test(key)).map(({ value }) => [value.metadata.uid ?? '', value]));
}

describe('differences', () => {
  it('are what the objects say: none too many, none too few, field by field', async () => {
    const made = await aCluster();
    for (const name of ['web', 'old']) made.call('POST', deployments, aDeployment(name, 2));
    await made.advance(60_000);
    const [before, fromMs] = [snapshot(made), nowOf(made)];
    await made.advance(1);
    made.call('PATCH', `${deployments}/web`, { spec: { replicas: 3 } }, merge);
    made.call('DELETE', `${deployments}/old`);
    made.call('POST', deployments, aDeployment('new', 1));
    await made.advance(60_000);
    const [after, toMs] = [snapshot(made), nowOf(made)];
    await made.advance(60_000);
    made.call('DELETE', `${deployments}/new`);
    await made.advance(60_000);
    const found = list(made, `from=${fromMs}&to=${toMs}&limit=2000`).items.map(({ status }) => status);
    const uids = (change: string): readonly string[] => found.filter((one) => one.change === change).map(({ subject }) => subject.uid);
    expect(new Set(uids('Created'))).toEqual(new Set([...after.keys()].filter((uid) => !before.has(uid))));
    expect(new Set(uids('Deleted'))).toEqual(new Set([...before.keys()].filter((uid) => !after.has(uid))));
    const changed = new Map(found.filter(({ change }) => change === 'Changed').map((one) => [one.subject.uid, one]));
    for (const [uid, object] of after) {
      const earlier = before.get(uid);
      if (earlier === undefined) continue;
      const { fields } = compareFields(earlier, object, { fieldsMax: 30, textMax: 400 });
      expect(changed.get(uid)?.fields ?? []).toEqual(fields);
    }
    const web = found.find(({ subject }) => subject.row === 'deployments.apps/default/web');
    expect(web?.fields?.[0]).toEqual({ path: 'spec.replicas', before: '2', after: '3' });
    expect(web).toMatchObject({ change: 'Changed', actor: 'deployment-controller', events: 1, warnings: 0 });
    expect(web?.lastEvent).toContain('ScalingReplicaSet');
    // Of what came: how it stood then, though it has gone since.
    const states = new Map(found.filter(({ change }) => change === 'Created').map(({ subject, state }) => [subject.kind, state]));
    expect(states).toEqual(
      new Map([
        ['Deployment', '1 of 1 ready'],
        ['ReplicaSet', '1 of 1 ready'],
        ['Pod', 'Running'],
      ]),
    );
  });

  it('know what came and went between, what is another under its name, and what only Events tell of', async () => {
    const made = await aCluster({ nodes: 1, options: { controllers: '-*', scheduler: 'false' } });
    const maps = '/api/v1/namespaces/default/configmaps';
    for (const name of ['again', 'told', 'back']) made.call('POST', maps, { metadata: { name }, data: { a: '1' } });
    await made.advance(1);
    const fromMs = nowOf(made);
    await made.advance(1);
    made.call('POST', maps, { metadata: { name: 'short' } });
    made.call('DELETE', `${maps}/short`);
    made.call('DELETE', `${maps}/again`);
    made.call('POST', maps, { metadata: { name: 'again' }, data: { a: '2' } });
    for (const a of ['2', '1']) made.call('PATCH', `${maps}/back`, { data: { a } }, merge);
    const involvedObject = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'told' };
    const event = { metadata: { name: 'e' }, involvedObject, reason: 'Looked', message: 'at it', type: 'Warning' };
    made.call('POST', '/api/v1/namespaces/default/events', event);
    const query = `from=${fromMs}&to=${nowOf(made)}&kind=ConfigMap&namespace=default`;
    expect(short(list(made, query))).toEqual([
      'CameAndWent configmaps/default/short',
      'Changed configmaps/default/back',
      'Events configmaps/default/told',
      'Recreated configmaps/default/again',
    ]);
    const of = (name: string) => list(made, `${query}&search=${name}`).items[0]?.status;
    expect(of('back')).toMatchObject({ changes: 2, fields: [] });
    expect(of('told')).toMatchObject({ changes: 0, events: 1, warnings: 1, lastEvent: 'Looked: at it' });
    expect(of('again')?.fields?.map(({ path }) => path)).toContain('data.a');
    expect(short(list(made, `${query}&change=Events,Recreated`))).toHaveLength(2);
    expect(short(list(made, `from=${fromMs}&to=${fromMs}`))).toEqual([]);
  });

  it('come in pages of the same two instants, and kubectl selects the instants as fields', async () => {
    const made = await aCluster();
    const fromMs = nowOf(made);
    await made.advance(1);
    made.call('POST', deployments, aDeployment('web', 8));
    await made.advance(60_000);
    const whole = list(made, `from=${fromMs}&limit=2000`);
    const paged: Difference[] = [];
    let page = list(made, `from=${fromMs}&limit=3`);
    expect(page.metadata.remainingItemCount).toBe(whole.items.length - 3);
    await made.advance(60_000);
    made.call('DELETE', `${deployments}/web`);
    for (;;) {
      paged.push(...page.items);
      if (page.metadata.continue === undefined) break;
      page = list(made, `limit=3&continue=${page.metadata.continue}`);
    }
    expect(paged.map(({ metadata }) => metadata.name)).toEqual(whole.items.map(({ metadata }) => metadata.name));
    const [from, to] = [formatMicroTime(fromMs), whole.items[0]?.status.to ?? ''];
    const fieldSelector = encodeURIComponent(`status.from=${from},status.to=${to},status.change=Created`);
    const selected = list(made, `fieldSelector=${fieldSelector}&limit=2000`).items;
    expect(selected.length).toBe(whole.items.filter(({ status }) => status.change === 'Created').length);
    expect(selected.every(({ status }) => status.from === from && status.to === to)).toBe(true);
    const namespaced = made.call<Listed>(
      'GET',
      `/apis/sim.wavetank.dev/v1alpha1/namespaces/default/differences?from=${fromMs}&to=${nowOf(made)}&kind=Pod`,
    );
    expect(namespaced.items.every(({ metadata }) => metadata.namespace === 'default')).toBe(true);
    expect(namespaced.items.length).toBeGreaterThan(7);
    for (const bad of ['continue=x', 'change=Nonsense', 'sort=nonsense', 'from=2&to=1', 'fieldSelector=status.from%3Dnever'])
      expect([bad, made.ask('GET', `${differences}?${bad}`).status]).toEqual([bad, 400]);
  });

  it('are told by what history noted where objects are forgotten, and say where marks were forgotten too', async () => {
    const made = await aCluster({ nodes: 1, options: { controllers: '-*', scheduler: 'false' } });
    const { store } = made.cluster;
    const maps = '/api/v1/namespaces/default/configmaps';
    for (const name of ['a', 'calm']) made.call('POST', maps, { metadata: { name }, data: { n: '0' } });
    await made.advance(1);
    const fromMs = nowOf(made);
    for (let n = 1; n <= 250; n++) {
      await made.advance(1);
      made.call('PATCH', `${maps}/a`, { data: { n: String(n) } }, merge);
    }
    const toMs = nowOf(made);
    const of = (from: number, to: number) => list(made, `from=${from}&to=${to}&kind=ConfigMap&namespace=default`).items.map(({ status }) => status);
    expect(of(fromMs, toMs)).toEqual([expect.objectContaining({ fields: [{ path: 'data.n', before: '0', after: '250' }], isCut: true })]);
    // Only forgotten marks are of these instants; the objects tell.
    expect(of(fromMs, fromMs + 2)).toEqual([
      expect.objectContaining({ fields: [{ path: 'data.n', before: '0', after: '2' }], changes: 0, isCut: true }),
    ]);
    store.compact(store.currentRevision());
    store.retain(store.currentRevision());
    const [forgotten] = of(fromMs, toMs);
    expect(forgotten?.fields).toBeUndefined();
    expect(forgotten?.facts?.at(-1)).toBe('data.n: 249 → 250');
    expect(forgotten?.facts).toHaveLength(20);
    expect(of(toMs - 3, toMs)[0]?.isCut).toBeUndefined();
  });
});
