/** Before a watch ends its client is told how far it has come, so that the next one begins there (a real 1.36.3: two seconds before). */
import { expect, it } from 'vitest';
import type { HttpStreamResponse, StreamChunk } from '../../engine/apiserver/http-types.ts';
import type { Identity } from '../../engine/contracts/request.ts';
import { aCluster } from '../support/cluster.ts';

const identity: Identity = { name: 'admin', groups: ['system:masters'] };
const maps = '/api/v1/namespaces/default/configmaps';

it.each([
  ['1.36', 'allowWatchBookmarks=true', ['ADDED', 'BOOKMARK']],
  ['1.36', 'allowWatchBookmarks=false', ['ADDED']],
  // Nobody knew of them.
  ['1.13', 'allowWatchBookmarks=true', ['ADDED']],
] as const)('release %s, %s', async (release, query, want) => {
  const tank = await aCluster({ seed: 1, nodes: 0, release, options: { controllers: '-*' } });
  const from = tank.call<{ metadata: { resourceVersion: string } }>('GET', maps).metadata.resourceVersion;
  const whole = `watch=1&timeoutSeconds=9&resourceVersion=${from}&${query}`;
  const request = { method: 'GET', path: maps, query: whole, headers: { accept: 'application/json' }, body: new Uint8Array(), identity };
  const watch = tank.door.serveAtOnce(request) as HttpStreamResponse;
  expect(watch.timeoutMs).toBe(9000);
  watch.nearEnd?.();
  const events: { readonly type: string; readonly object: { readonly metadata: { readonly resourceVersion: string } } }[] = [];
  const close = watch.open({
    write: (chunk: StreamChunk) => void events.push(JSON.parse(String(typeof chunk === 'function' ? chunk() : chunk)) as never),
    end: () => undefined,
  });
  tank.call('POST', maps, { metadata: { name: 'a' } });
  tank.call('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 'b' } });
  watch.nearEnd?.();
  expect(events.map(({ type }) => type)).toEqual(want);
  const [added, mark] = events.map(({ object }) => Number(object.metadata.resourceVersion));
  if (mark !== undefined) expect(mark).toBeGreaterThan(added ?? 0);
  close();
  watch.nearEnd?.();
  expect(events).toHaveLength(want.length);
});
