import { describe, expect, it } from 'vitest';
import { newForbidden } from '../../apimachinery/errors.ts';
import { configMaps, namespaces, nodes, pods } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { namespaceController } from './controller.ts';

function makeCluster(): ControllerBench {
  const bench = new ControllerBench();
  bench.deletable = [configMaps, nodes, pods];
  const deletion = { deletionTimestamp: bench.time(), deletionGracePeriodSeconds: 0 };
  bench.add(namespaces, {
    metadata: { name: 'a', uid: 'a-uid', ...deletion },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Terminating' },
  });
  return bench;
}

function conditionsOf(bench: ControllerBench): string[] {
  const conditions = bench.get(namespaces, undefined, 'a')?.status?.conditions ?? [];
  return conditions.map(({ type, status, reason, message }) => `${type}=${status} ${reason}: ${message}`);
}

describe('namespace-controller', () => {
  it('waits five seconds, deletes pods, then the rest, then finalizes', async () => {
    const bench = makeCluster();
    bench.add(configMaps, { metadata: { namespace: 'a', name: 'c' } });
    bench.add(pods, { metadata: { namespace: 'a', name: 'p' }, spec: { nodeName: 'n1', terminationGracePeriodSeconds: 30 } });
    await bench.run(namespaceController);
    await bench.advance(4_999);
    expect(bench.writeTexts()).toEqual([]);
    await bench.advance(1);
    expect(bench.writeTexts()).toEqual(['deleteCollection pods a/*', 'updateStatus namespaces a']);
    expect(conditionsOf(bench)).toEqual([
      'NamespaceDeletionDiscoveryFailure=False ResourcesDiscovered: All resources successfully discovered',
      'NamespaceDeletionGroupVersionParsingFailure=False ParsedGroupVersions: All legacy kube types successfully parsed',
      'NamespaceDeletionContentFailure=False ContentDeleted: All content successfully deleted, may be waiting on finalization',
      'NamespaceContentRemaining=False ContentRemoved: All content successfully removed',
      'NamespaceFinalizersRemaining=False ContentHasNoFinalizers: All content-preserving finalizers finished',
    ]);
    bench.clear();
    bench.remove(pods, 'a', 'p');
    await bench.advance(16_000);
    expect(bench.writeTexts()).toEqual(['deleteCollection pods a/*', 'deleteCollection configmaps a/*', 'update namespaces/finalize a']);
    expect(bench.writes[2]?.body).toMatchObject({ spec: {} });
    expect(bench.get(namespaces, undefined, 'a')).toBeUndefined();
  });

  it('says which finalizers keep content, and looks again after eight seconds', async () => {
    const bench = makeCluster();
    bench.add(configMaps, { metadata: { namespace: 'a', name: 'c', finalizers: ['example.com/keep'] } });
    await bench.run(namespaceController);
    await bench.advance(5_000);
    expect(conditionsOf(bench).slice(3)).toEqual([
      'NamespaceContentRemaining=True SomeResourcesRemain: Some resources are remaining: configmaps. has 1 resource instances',
      'NamespaceFinalizersRemaining=True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/keep in 1 resource instances',
    ]);
    bench.change(configMaps, 'a', 'c', ({ metadata: { finalizers: _, ...metadata }, ...rest }) => ({ ...rest, metadata }));
    await bench.advance(8_000);
    expect(bench.get(namespaces, undefined, 'a')).toBeUndefined();
    expect(bench.writeTexts().at(-1)).toBe('update namespaces/finalize a');
  });

  it('says what could not be deleted', async () => {
    const bench = makeCluster();
    bench.refuse = ({ verb }) => {
      if (verb === 'deleteCollection') throw newForbidden(configMaps, '', 'no');
    };
    bench.add(configMaps, { metadata: { namespace: 'a', name: 'c' } });
    bench.deletable = [configMaps];
    await bench.run(namespaceController);
    await bench.advance(5_000);
    expect(conditionsOf(bench)[2]).toBe(
      'NamespaceDeletionContentFailure=True ContentDeletionFailed: Failed to delete all resource types, 1 remaining: configmaps is forbidden: no',
    );
    expect(bench.errors[0]).toBe('configmaps is forbidden: no');
  });
});
