/** Flow schemas in a Table come in the order in which they are asked, as a real 1.36.3 prints them. */
import { expect, test } from 'vitest';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import { aCluster } from '../../support/cluster.ts';

test('rows are ordered by precedence, then by name; items by name', async () => {
  const tank = await aCluster({ nodes: 0 });
  const path = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
  const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
  const answer = tank.door.serveAtOnce({ method: 'GET', path, query: '', headers, body: new Uint8Array(), identity: adminIdentity });
  if (!('body' in answer)) throw new Error('a list was expected');
  const text = typeof answer.body === 'string' ? answer.body : [...(answer.body as Iterable<string>)].join('');
  const { rows } = JSON.parse(text) as { rows: { cells: [name: string, level: string, precedence: number] }[] };
  const precedences = rows.map(({ cells }) => cells[2]);
  expect(precedences).toEqual(precedences.toSorted((a, b) => a - b));
  expect(rows.slice(0, 4).map(({ cells }) => cells[0])).toEqual(['exempt', 'probes', 'system-leader-election', 'system-node-high']);
  expect(rows.at(-1)?.cells[0]).toBe('catch-all');
  const { items } = tank.call<{ items: { metadata: { name: string } }[] }>('GET', path);
  expect(items.map(({ metadata: { name } }) => name)).toEqual(items.map(({ metadata: { name } }) => name).toSorted());
});
