import { describe, expect, it } from 'vitest';
import type { ClusterRole, PolicyRule } from '../../api/rbac/v1/types.gen.ts';
import { newUnsupportedMediaType } from '../../apimachinery/errors.ts';
import { resourceType } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { clusterRoleAggregationController } from './controller.ts';

const roles = resourceType<ClusterRole>('rbac.authorization.k8s.io', 'v1', 'clusterroles', 'ClusterRole', false);
const read = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
const write = { verbs: ['create'], apiGroups: [''], resources: ['pods'] };
const selecting = (...values: readonly string[]) => ({
  aggregationRule: { clusterRoleSelectors: values.map((value) => ({ matchLabels: { to: value } })) },
});
const part = (name: string, to: string, rules: readonly object[]) => ({ metadata: { name, labels: { to } }, rules });

async function aBench(...drafts: readonly { readonly metadata: object }[]): Promise<ControllerBench> {
  const bench = new ControllerBench();
  for (const draft of drafts) bench.add(roles, draft as never);
  await bench.run(clusterRoleAggregationController);
  return bench;
}

const rulesOf = (bench: ControllerBench, name: string): readonly PolicyRule[] | undefined => bench.get(roles, undefined, name)?.rules ?? undefined;

describe('clusterrole-aggregation-controller', () => {
  it('gives a role the rules of those it selects: selector by selector, by name, each once', async () => {
    const bench = await aBench(
      { metadata: { name: 'all' }, ...selecting('second', 'first') } as never,
      part('b', 'first', [read]),
      part('a', 'second', [write, read]),
    );
    expect(rulesOf(bench, 'all')).toEqual([write, read]);
    expect(bench.writeTexts()).toEqual(['patch clusterroles all']);
  });

  it('writes the role itself where a server applies nothing', async () => {
    const bench = new ControllerBench();
    bench.add(roles, { metadata: { name: 'all' }, ...selecting('it') } as never);
    bench.add(roles, part('a', 'it', [read]) as never);
    bench.refuse = ({ verb }) => {
      if (verb === 'patch') throw newUnsupportedMediaType('');
    };
    await bench.run(clusterRoleAggregationController);
    expect(rulesOf(bench, 'all')).toEqual([read]);
    expect(bench.writeTexts()).toEqual(['update clusterroles all']);
  });

  it('follows parts that come, change and go', async () => {
    const bench = await aBench({ metadata: { name: 'all' }, ...selecting('it') } as never);
    bench.add(roles, part('a', 'it', [read]) as never);
    await bench.settle();
    expect(rulesOf(bench, 'all')).toEqual([read]);
    bench.change(roles, undefined, 'a', (role) => ({ ...role, rules: [write] }));
    await bench.settle();
    expect(rulesOf(bench, 'all')).toEqual([write]);
    bench.remove(roles, undefined, 'a');
    await bench.settle();
    expect(rulesOf(bench, 'all') ?? []).toEqual([]);
  });

  it('does not take its own rules, and undoes what others write', async () => {
    const bench = await aBench(
      { metadata: { name: 'all', labels: { to: 'it' } }, ...selecting('it'), rules: [read] } as never,
      part('a', 'it', [write]),
    );
    expect(rulesOf(bench, 'all')).toEqual([write]);
  });

  it('reaches roles over roles', async () => {
    const bench = await aBench(
      { metadata: { name: 'admin' }, ...selecting('admin') } as never,
      { metadata: { name: 'edit', labels: { to: 'admin' } }, ...selecting('edit') } as never,
      part('a', 'edit', [read]),
    );
    expect(rulesOf(bench, 'admin')).toEqual([read]);
  });

  it('leaves a role that is right alone, and one without a rule of aggregation', async () => {
    const bench = await aBench({ metadata: { name: 'all' }, ...selecting('it'), rules: [read] } as never, part('a', 'it', [read]));
    expect(bench.writeTexts()).toEqual([]);
  });
});
