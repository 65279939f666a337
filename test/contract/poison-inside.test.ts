/** What a component hands in by reference is looked at too: a value that no decoder has seen is refused like anybody's. */
import { expect, test } from 'vitest';
import { StatusError } from '../../engine/apimachinery/status.ts';
import { adminIdentity } from '../../engine/cluster/identities.ts';
import type { ApiRequest } from '../../engine/contracts/request.ts';
import { aCluster } from '../support/cluster.ts';

test.each([
  ['pods', { spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: 'abc' } } }] } }],
  ['resourcequotas', { spec: { hard: { pods: 'many' } } }],
])('a quantity that is none, in %s of a component, is refused and no crash', async (resource, rest) => {
  const tank = await aCluster({ nodes: 1 });
  const kind = resource === 'pods' ? 'Pod' : 'ResourceQuota';
  const request: ApiRequest = {
    verb: 'create',
    group: '',
    version: 'v1',
    resource,
    namespace: 'default',
    identity: adminIdentity,
    userAgent: 'test',
    causes: [],
    trusted: true,
    body: { apiVersion: 'v1', kind, metadata: { name: 'a', namespace: 'default' }, ...rest },
  };
  const refusal = await Promise.resolve()
    .then(() => tank.door.handle(request))
    .catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(StatusError);
  expect([400, 422]).toContain((refusal as StatusError).status.code);
});
