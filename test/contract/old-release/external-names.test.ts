/** Endpoints of Services that are names outside; the expectations are what real controller managers of both releases wrote of `kubectl create service externalname`. */
import { expect, it } from 'vitest';
import type { Endpoints } from '../../../engine/api/core/v1/types.gen.ts';
import { aCluster } from '../../support/cluster.ts';

it.each([
  ['1.13', ['names-outside']],
  [undefined, []],
] as const)('release %s', async (release, expected) => {
  const options = { controllers: 'endpoint' };
  const { call, advance } = await aCluster({ seed: 1, nodes: 0, options, ...(release === undefined ? {} : { release }) });
  await advance(1000);
  const spec = { type: 'ExternalName', externalName: 'a.b', selector: { app: 'names-outside' } };
  call('POST', '/api/v1/namespaces/default/services', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'names-outside' }, spec });
  await advance(5000);
  const { items } = call<{ items: readonly Endpoints[] }>('GET', '/api/v1/namespaces/default/endpoints');
  expect(items.map(({ metadata }) => metadata.name).filter((name) => name !== 'kubernetes')).toEqual(expected);
});
