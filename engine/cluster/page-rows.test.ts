/** Rows for the page: small, complete, in slices, and gapless while they are sent. */
import { describe, expect, it } from 'vitest';
import { aCluster, type TestCluster } from '../../test/support/cluster.ts';
import { watchRows } from './page-rows.ts';

interface Told {
  readonly type: string;
  readonly name: string;
  readonly row: { readonly [key: string]: unknown } | undefined;
}

function follow(made: TestCluster, pathWithQuery: string) {
  const [path = '', query = ''] = pathWithQuery.split('?');
  const { store, registry } = made.cluster;
  const told: Told[] = [];
  const deferred: (() => void)[] = [];
  const end = watchRows({ store, registry, defer: (next) => deferred.push(next) }, path, new URLSearchParams(query), {
    row: (type, json) => {
      const { metadata, row } = JSON.parse(json) as { metadata: { name: string }; row?: Told['row'] };
      told.push({ type, name: metadata.name, row });
    },
    synced: () => told.push({ type: 'SYNCED', name: '', row: undefined }),
  });
  return { told, deferred, end };
}

describe('rows of the page', () => {
  it('tell a node in a few dozen bytes, and its going', async () => {
    const made = await aCluster();
    await made.advance(60_000);
    const { told, end } = follow(made, '/api/v1/nodes?rows=node');
    const count = told.length - 1;
    expect(count).toBeGreaterThan(1);
    expect(told.map(({ type }) => type)).toEqual([...Array.from({ length: count }, () => 'ADDED'), 'SYNCED']);
    expect(told[0]?.row).toMatchObject({ id: 'nodes/node-0', name: 'node-0', zone: 'sim-a', ready: 'True', cordoned: false, taints: [] });
    expect(JSON.stringify(told[0]?.row).length).toBeLessThan(250);
    made.call('DELETE', '/api/v1/nodes/node-0');
    expect(told.filter(({ type }) => type === 'DELETED').map(({ name }) => name)).toEqual(['node-0']);
    end();
    const before = told.length;
    made.call('DELETE', '/api/v1/nodes/node-1');
    expect(told).toHaveLength(before);
  });

  it('come in slices, and what changes meanwhile comes after them', async () => {
    const made = await aCluster({ nodes: 1 });
    made.call('POST', '/api/v1/namespaces', { metadata: { name: 'many' } });
    for (let index = 0; index < 501; index++) {
      const event = { metadata: { name: `e${String(index).padStart(3, '0')}` }, involvedObject: { namespace: 'many' }, reason: 'Test' };
      made.call('POST', '/api/v1/namespaces/many/events', event);
    }
    const { told, deferred } = follow(made, '/api/v1/namespaces/many/events?rows=event');
    expect(told).toHaveLength(500);
    made.call('DELETE', '/api/v1/namespaces/many/events/e000');
    expect(told).toHaveLength(500);
    deferred.shift()?.();
    expect(told.slice(500).map(({ type, name }) => `${type} ${name}`)).toEqual(['ADDED e500', 'DELETED e000', 'SYNCED ']);
  });

  it('are only the newest where the page shows no more', async () => {
    const made = await aCluster({ nodes: 1 });
    for (const name of ['c', 'a', 'b'])
      made.call('POST', '/api/v1/namespaces/default/events', { metadata: { name }, involvedObject: { namespace: 'default' }, reason: 'Test' });
    const { told } = follow(made, '/api/v1/namespaces/default/events?rows=event&newest=2');
    expect(told.map(({ name }) => name)).toEqual(['a', 'b', '']);
  });

  it('obey selectors, also when an object leaves them', async () => {
    const made = await aCluster();
    made.call('PATCH', '/api/v1/nodes/node-0', { metadata: { labels: { colour: 'red' } } }, 'application/merge-patch+json');
    const { told } = follow(made, '/api/v1/nodes?rows=node&labelSelector=colour%3Dred');
    expect(told.map(({ name }) => name)).toEqual(['node-0', '']);
    made.call('PATCH', '/api/v1/nodes/node-0', { metadata: { labels: { colour: 'blue' } } }, 'application/merge-patch+json');
    expect(told.at(-1)).toEqual({ type: 'DELETED', name: 'node-0', row: undefined });
  });

  it('refuse what is none', async () => {
    const made = await aCluster({ nodes: 1 });
    expect(() => follow(made, '/api/v1/pods?rows=constructor')).toThrow('rows=constructor is none of');
    expect(() => follow(made, '/api/v1/nodes/x?rows=node')).toThrow('not found');
    expect(() => follow(made, '/api/v1/nonsense?rows=node')).toThrow('not found');
  });
});
