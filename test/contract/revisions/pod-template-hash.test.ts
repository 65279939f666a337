/**
 * Hashes of pod templates as the controllers of real clusters make them: Deployments were created on a kube-apiserver beside its
 * kube-controller-manager, of 1.36.3 (time zone UTC) and 1.13.12, and the names of their ReplicaSets written down.
 */
import { describe, expect, it } from 'vitest';
import type { ReplicaSet } from '../../../engine/api/apps/v1/types.gen.ts';
import { aCluster } from '../../support/cluster.ts';
import facts from './pod-template-hashes.json' with { type: 'json' };

const path = '/apis/apps/v1/namespaces/default/deployments';

async function hashesOf(release: '1.36' | '1.13', templates: readonly { metadata: { labels: { app: string } } }[]): Promise<(string | undefined)[]> {
  const { call, advance, cluster } = await aCluster({ nodes: 0, release });
  for (const template of templates) {
    const { app } = template.metadata.labels;
    call('POST', path, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: app },
      spec: { replicas: 0, selector: { matchLabels: { app } }, template },
    });
  }
  await advance(30_000);
  const made = cluster.stored('replicasets') as ReplicaSet[];
  const hashes = new Map(made.map(({ metadata }) => [metadata.ownerReferences?.[0]?.name, metadata.labels?.['pod-template-hash']]));
  return templates.map(({ metadata }) => hashes.get(metadata.labels.app));
}

describe('pod-template-hash', () => {
  it.each(['1.36', '1.13'] as const)('equals that of the real controller-manager of release %s', async (release) => {
    const known = facts.filter(({ hash }) => hash[release] !== undefined);
    const hashes = await hashesOf(
      release,
      known.map(({ template }) => template),
    );
    const ours = known.map(({ name }, i) => ({ name, hash: hashes[i] }));
    expect(ours).toEqual(known.map(({ name, hash }) => ({ name, hash: hash[release] })));
  });

  it('counts collisions in', async () => {
    const { call, advance, cluster } = await aCluster({ nodes: 0 });
    const spec = {
      paused: true,
      replicas: 0,
      selector: { matchLabels: { app: 'd0' } },
      template: { metadata: { labels: { app: 'd0' } }, spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } },
    };
    call('POST', path, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'collided' }, spec });
    call('PATCH', `${path}/collided/status`, { status: { collisionCount: 300 } }, 'application/merge-patch+json');
    call('PATCH', `${path}/collided`, { spec: { paused: false } }, 'application/merge-patch+json');
    await advance(30_000);
    const names = (cluster.stored('replicasets') as ReplicaSet[]).map(({ metadata }) => metadata.name);
    // The name that the real controller-manager gave it.
    expect(names).toEqual(['collided-867cc4f68b']);
  });
});
