/** Orders are those of a real 1.36.3 with the same APIServices. */
import { describe, expect, it } from 'vitest';
import type { APIService } from '../../api/apiregistration/v1/types.gen.ts';
import type { JsonObject } from '../../base/json.ts';
import { groupOf, withAggregated, withGroups } from './discovery.ts';

function service(name: string, groupPriorityMinimum: number, versionPriority = 15, isBehind = true): APIService {
  const [version = '', ...group] = name.split('.');
  const spec = { group: group.join('.'), version, groupPriorityMinimum, versionPriority };
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name },
    spec: isBehind ? { ...spec, service: { namespace: 'a', name: 'b' } } : spec,
  };
}

function own(name: string, ...versions: readonly string[]): JsonObject {
  const listed = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: listed, preferredVersion: listed[0] ?? {} };
}

const local = [service('v1.apps', 17800, 15, false), service('v1.batch', 17400, 15, false), service('v1.a.io', 1000, 100, false)];
const groups = { groups: [own('apiregistration.k8s.io', 'v1'), own('apps', 'v1'), own('batch', 'v1'), own('a.io', 'v1')] };

function told({ groups: listed }: JsonObject): readonly string[] {
  return (listed as readonly JsonObject[]).map(
    ({ name, versions }) => `${name as string}: ${(versions as readonly JsonObject[]).map(({ version }) => version as string).join(' ')}`,
  );
}

describe('groups', () => {
  const cases = [
    { name: 'stand as they are where everything is local', given: [], want: ['apps: v1', 'batch: v1', 'a.io: v1'] },
    {
      name: 'of others stand where their priority puts them',
      given: [service('v1.first.io', 20000), service('v1.between.io', 17500), service('v1beta1.between.io', 17800, 100), service('v1.last.io', 1)],
      want: ['first.io: v1', 'apps: v1', 'between.io: v1beta1 v1', 'batch: v1', 'a.io: v1', 'last.io: v1'],
    },
    {
      name: 'have versions of local APIServices that nobody serves',
      given: [service('v9.apps', 1000, 100, false), service('v0.batch', 1000, 1, false), service('v1.zz.io', 20000, 15, false)],
      want: ['zz.io: v1', 'apps: v9 v1', 'batch: v1 v0', 'a.io: v1'],
    },
    {
      name: 'of one priority go by the names of their APIServices',
      given: [service('v1beta1.0.io', 1000), service('v1.b.io', 1000)],
      want: ['apps: v1', 'batch: v1', 'a.io: v1', 'b.io: v1', '0.io: v1beta1'],
    },
  ];
  for (const { name, given, want } of cases)
    it(name, () => expect(told(withGroups(groups, [...local, ...given]))).toEqual(['apiregistration.k8s.io: v1', ...want]));

  it('are told one by one in the same way', () => {
    const all = [...local, service('v9.apps', 18000, 100)];
    expect(groupOf('apps', own('apps', 'v1'), all)).toMatchObject({ kind: 'APIGroup', ...own('apps', 'v9', 'v1') });
    expect(groupOf('none.io', undefined, all)).toBeUndefined();
    expect(groupOf('', undefined, [service('v1.', 18000, 1, false)])).toBeUndefined();
  });
});

describe('aggregated discovery', () => {
  const item = (name: string): JsonObject => ({ metadata: { name }, versions: [{ version: 'v1', resources: [], freshness: 'Current' }] });
  const document = { items: [item('apiregistration.k8s.io'), item('apps'), item('batch')] };
  const ask = (services: readonly APIService[], nobody: readonly APIService[] = []): readonly unknown[] => {
    const made = withAggregated(document, { services, all: [...local, ...services, ...nobody], resourcesOf: () => undefined });
    return (made['items'] as readonly JsonObject[]).map(({ metadata, versions }) => [
      (metadata as JsonObject)['name'],
      ...(versions as readonly JsonObject[]).map(({ version, freshness }) => `${version as string} ${freshness as string}`),
    ]);
  };

  it('has versions that nobody answers for in their place', () => {
    expect(ask([service('v9.apps', 18000, 100), service('v1.first.io', 20000)])).toEqual([
      ['apiregistration.k8s.io', 'v1 Current'],
      ['first.io', 'v1 Stale'],
      ['apps', 'v9 Stale', 'v1 Current'],
      ['batch', 'v1 Current'],
    ]);
  });

  it('knows nothing of local APIServices that nobody serves', () => {
    expect(ask([], [service('v1.zz.io', 20000, 15, false)])).toHaveLength(3);
    expect(ask([service('v1.first.io', 1)], [service('v1.zz.io', 20000, 15, false)])).toHaveLength(4);
  });
});
