/** Discovery and Tables of the pretend cluster. */
import { iso, type MockObject } from './mock-cluster.ts';

const kinds: readonly (readonly [group: string, version: string, kind: string, resource: string, namespaced: boolean])[] = [
  ['', 'v1', 'Pod', 'pods', true],
  ['', 'v1', 'Node', 'nodes', false],
  ['', 'v1', 'Namespace', 'namespaces', false],
  ['', 'v1', 'Event', 'events', true],
  ['', 'v1', 'ConfigMap', 'configmaps', true],
  ['apps', 'v1', 'Deployment', 'deployments', true],
  ['apps', 'v1', 'ReplicaSet', 'replicasets', true],
  ['batch', 'v1', 'Job', 'jobs', true],
  ['batch', 'v1', 'CronJob', 'cronjobs', true],
  ['sim.wavetank.dev', 'v1alpha1', 'Fault', 'faults', false],
  ['sim.wavetank.dev', 'v1alpha1', 'Scenario', 'scenarios', false],
  ['sim.wavetank.dev', 'v1alpha1', 'ScenarioRun', 'scenarioruns', false],
];

export function discovery(path: string): object {
  const groups = [...new Set(kinds.map(([group]) => group))].filter((group) => (path === '/api') === (group === ''));
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map((group) => ({
      metadata: group === '' ? {} : { name: group },
      versions: [
        {
          version: kinds.find(([g]) => g === group)?.[1],
          resources: kinds
            .filter(([g]) => g === group)
            .map(([, version, kind, resource, namespaced]) => ({
              resource,
              responseKind: { group, version, kind },
              scope: namespaced ? 'Namespaced' : 'Cluster',
              singularResource: kind.toLowerCase(),
              verbs: ['get', 'list', 'watch', 'create', 'delete', 'patch'],
            })),
        },
      ],
    })),
  };
}

export function tableOf(collection: string, items: readonly MockObject[], query: URLSearchParams, now: number): object {
  const start = Number(query.get('continue') ?? 0);
  const page = items.slice(start, start + Number(query.get('limit') ?? items.length));
  const end = start + page.length;
  const pods = collection === 'pods';
  const columns = pods ? ['Name', 'Ready', 'Status', 'Restarts', 'Age', 'Node'] : ['Name', 'Age'];
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: end < items.length ? { continue: String(end), remainingItemCount: items.length - end } : {},
    columnDefinitions: columns.map((name) => ({ name, type: 'string', format: name === 'Name' ? 'name' : '', description: '', priority: 0 })),
    rows: page.map((object) => {
      const age = `${Math.floor((now - Date.parse(String(object.metadata['creationTimestamp'] ?? iso(now)))) / 60_000)}m`;
      const status = object['status'] as { phase?: string } | undefined;
      const spec = object['spec'] as { nodeName?: string } | undefined;
      return {
        cells: pods
          ? [object.metadata.name, status?.phase === 'Running' ? '1/1' : '0/1', status?.phase, '0', age, spec?.nodeName ?? '<none>']
          : [object.metadata.name, age],
        object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata },
      };
    }),
  };
}
