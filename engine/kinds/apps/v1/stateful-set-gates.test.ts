import { describe, expect, it } from 'vitest';
import type { StatefulSet } from '../../../api/apps/v1/types.gen.ts';
import { aCluster } from '../../../../test/support/cluster.ts';

const path = '/apis/apps/v1/namespaces/default/statefulsets';
const labels = { app: 'web' };
const set = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'web' },
  spec: {
    replicas: 0,
    serviceName: 'web',
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } },
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } },
  },
};

describe('maxUnavailable of a StatefulSet', () => {
  it.each([
    ['is dropped without its gate', {}, { partition: 0 }],
    ['stays with its gate', { 'feature-gates': 'MaxUnavailableStatefulSet=true' }, { partition: 0, maxUnavailable: 2 }],
  ])('%s', async (_, options, want) => {
    const { call } = await aCluster({ nodes: 0, options });
    const created = call('POST', path, set) as StatefulSet;
    expect(created.spec?.updateStrategy?.rollingUpdate).toEqual(want);
  });
});
