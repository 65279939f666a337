import { describe, expect, it } from 'vitest';
import { newForbidden } from '../../apimachinery/errors.ts';
import { configMaps, namespaces, nodes, pods } from '../../client/resources.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import { namespaceController } from './controller.ts';

function makeCluster(): FakeCluster {
  const fake = new FakeCluster();
  fake.deletable = [configMaps, nodes, pods];
  const deletion = { deletionTimestamp: fake.store.time(), deletionGracePeriodSeconds: 0 };
  fake.add(namespaces, {
    metadata: { name: 'a', uid: 'a-uid', ...deletion },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Terminating' },
  });
  return fake;
}

function conditionsOf(fake: FakeCluster): string[] {
  const conditions = fake.get(namespaces, undefined, 'a')?.status?.conditions ?? [];
  return conditions.map(({ type, status, reason, message }) => `${type}=${status} ${reason}: ${message}`);
}

describe('namespace-controller', () => {
  it('waits five seconds, deletes pods, then the rest, then finalizes', async () => {
    const fake = makeCluster();
    fake.add(configMaps, { metadata: { namespace: 'a', name: 'c' } });
    fake.add(pods, { metadata: { namespace: 'a', name: 'p' }, spec: { nodeName: 'n1', terminationGracePeriodSeconds: 30 } });
    await fake.run(namespaceController);
    await fake.advance(4_999);
    expect(fake.writeTexts()).toEqual([]);
    await fake.advance(1);
    expect(fake.writeTexts()).toEqual(['deleteCollection pods a/*', 'updateStatus namespaces a']);
    expect(conditionsOf(fake)).toEqual([
      'NamespaceDeletionDiscoveryFailure=False ResourcesDiscovered: All resources successfully discovered',
      'NamespaceDeletionGroupVersionParsingFailure=False ParsedGroupVersions: All legacy kube types successfully parsed',
      'NamespaceDeletionContentFailure=False ContentDeleted: All content successfully deleted, may be waiting on finalization',
      'NamespaceContentRemaining=False ContentRemoved: All content successfully removed',
      'NamespaceFinalizersRemaining=False ContentHasNoFinalizers: All content-preserving finalizers finished',
    ]);
    fake.clear();
    fake.remove(pods, 'a', 'p');
    await fake.advance(16_000);
    expect(fake.writeTexts()).toEqual(['deleteCollection pods a/*', 'deleteCollection configmaps a/*', 'update namespaces/finalize a']);
    expect(fake.writes[2]?.body).toMatchObject({ spec: {} });
    expect(fake.get(namespaces, undefined, 'a')).toBeUndefined();
  });

  it('says which finalizers keep content, and looks again after eight seconds', async () => {
    const fake = makeCluster();
    fake.add(configMaps, { metadata: { namespace: 'a', name: 'c', finalizers: ['example.com/keep'] } });
    await fake.run(namespaceController);
    await fake.advance(5_000);
    expect(conditionsOf(fake).slice(3)).toEqual([
      'NamespaceContentRemaining=True SomeResourcesRemain: Some resources are remaining: configmaps. has 1 resource instances',
      'NamespaceFinalizersRemaining=True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/keep in 1 resource instances',
    ]);
    fake.change(configMaps, 'a', 'c', ({ metadata: { finalizers: _, ...metadata }, ...rest }) => ({ ...rest, metadata }));
    await fake.advance(8_000);
    expect(fake.get(namespaces, undefined, 'a')).toBeUndefined();
    expect(fake.writeTexts().at(-1)).toBe('update namespaces/finalize a');
  });

  it('says what could not be deleted', async () => {
    const fake = makeCluster();
    fake.refuse = ({ verb }) => {
      if (verb === 'deleteCollection') throw newForbidden(configMaps, '', 'no');
    };
    fake.add(configMaps, { metadata: { namespace: 'a', name: 'c' } });
    fake.deletable = [configMaps];
    await fake.run(namespaceController);
    await fake.advance(5_000);
    expect(conditionsOf(fake)[2]).toBe(
      'NamespaceDeletionContentFailure=True ContentDeletionFailed: Failed to delete all resource types, 1 remaining: configmaps is forbidden: no',
    );
    expect(fake.errors[0]).toBe('configmaps is forbidden: no');
  });
});
