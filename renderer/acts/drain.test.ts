import { afterEach, expect, it, vi } from 'vitest';
import { UnansweredError } from '../api/request.ts';
import { drain, drainForecast } from './drain.ts';

const set = (name: string) => ({ apiVersion: 'apps/v1', kind: 'DaemonSet', name, uid: name, controller: true });
const pod = (name: string, metadata: object = {}) => ({ metadata: { name, namespace: 'shop', ...metadata }, status: { phase: 'Running' } });
const items = [
  pod('goes'),
  pod('gone'),
  pod('ends', { deletionTimestamp: '2026-01-01T00:00:00Z' }),
  pod('kept-1'),
  pod('kept-2'),
  pod('of-set', { ownerReferences: [set('there')] }),
  pod('of-none', { ownerReferences: [set('nowhere')] }),
];
const budget = [{ reason: 'DisruptionBudget', message: 'The disruption budget keep needs 2 healthy pods and has 2 currently' }];
const kept = [429, { message: 'Cannot evict.', details: { causes: budget } }] as const;
const evictions: { readonly [name: string]: readonly [number, object] } = {
  gone: [404, { message: 'pods "gone" not found' }],
  ends: [403, { message: 'forbidden', details: { causes: [{ reason: 'NamespaceTerminating' }] } }],
  'kept-1': kept,
  'kept-2': kept,
};
const silent = { metadata: { name: 'node-0' }, status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } };

function answer(url: string): readonly [number, object] {
  const [path = ''] = url.split('?');
  if (path.endsWith('/eviction')) return evictions[path.split('/').at(-2) ?? ''] ?? [201, {}];
  if (path.endsWith('/pods')) return [200, { kind: 'PodList', items }];
  if (path.endsWith('/nodes/node-0')) return [200, silent];
  if (path.endsWith('/poddisruptionbudgets')) return [200, { kind: 'PodDisruptionBudgetList', items: [] }];
  return path.endsWith('/daemonsets/there') ? [200, {}] : [404, { message: 'not found' }];
}

function serve(): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url);
    const [status, body] = answer(url);
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  });
  return asked;
}
afterEach(() => vi.unstubAllGlobals());

it('pods of a DaemonSet stay, but those whose DaemonSet is gone; what is gone or goes with its namespace is no refusal; who stays is named with the budget', async () => {
  const asked = serve();
  await expect(drain('node-0')).rejects.toThrow(
    '2 pods stay, 4 asked to leave. shop/kept-1, shop/kept-2: Cannot evict. The disruption budget keep needs 2 healthy pods and has 2 currently.',
  );
  expect(asked.filter((url) => url.includes('/eviction')).map((url) => /pods\/([^/]+)/.exec(url)?.[1])).not.toContain('of-set');
});

it('before it is told how many, and that a node which is not heard lets none go', async () => {
  serve();
  expect(await drainForecast(['node-0'])).toEqual([
    'The node is cordoned and 6 pods asked to leave; 1 of DaemonSets or of the node itself stays.',
    '1 pod of these is being deleted already.',
    'node-0 is not heard: pods there stay Terminating until the kubelet is back, or they are deleted by force.',
    '4 pods that no controller manages will not come back.',
  ]);
});

it('an engine that does not answer has refused nothing', async () => {
  serve();
  const served = globalThis.fetch;
  vi.stubGlobal('fetch', (url: string) => (url.includes('/eviction') ? Promise.reject(new TypeError('reset')) : served(url)));
  await expect(drain('node-0')).rejects.toThrow(UnansweredError);
});
