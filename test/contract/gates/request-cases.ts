/** Gates that show in how requests are answered. */
import type { GateCase, Step } from './cases.ts';
import { get, named, pathOf, pod, post } from './steps.ts';

const configmaps = pathOf('configmaps');
const shards = '/api/v1/configmaps?labelSelector=shard&shardSelector=';
const shardOf = (field: string, range: string): string => `shardRange(object.metadata.${field},'${range.replace('|', "','")}')`;
const badShards: readonly string[] = [
  ...[
    '  ',
    'x',
    'shardRange(',
    'other(1)',
    '1',
    'a || b',
    'object.metadata.uid',
    '[1].all(x, true)',
    'has(object.metadata)',
    'a ? b : c',
    '{}',
    '!true',
  ],
  ...['shardRange()', "shardRange(object.metadata.name, '0x0000000000000000', '0x8000000000000000')", "shardRange('a', 'b', 'c')"],
  ...[
    "shardRange(object.metadata.uid, 1, '0x8000000000000000')",
    "shardRange(object.metadata.uid, true, '0x8000000000000000')",
    "shardRange(object.metadata.uid, b, '')",
  ],
  ...["shardRange(object.metadata.uid, '1', '0x8000000000000000')", "shardRange(object.metadata.uid, '0x', '0x8000000000000000')"],
  ...["shardRange(object.metadata.uid, '0x1', '0x8000000000000000')", "shardRange(object.metadata.uid, '0x000000000000000G', '0x8000000000000000')"],
  ...[
    "shardRange(object.metadata.uid, '0x00000000000000000000', '0x8000000000000000')",
    "shardRange(object.metadata.uid, '0x20000000000000000', '0x8000000000000000')",
  ],
  ...[
    "shardRange(object.metadata.uid, '0x8000000000000000', '0x0000000000000000')",
    "shardRange(object.metadata.uid, '0x8000000000000000', '0x8000000000000000')",
  ],
  "shardRange(object.metadata.uid,'0x0000000000000000','0x8000000000000000') || shardRange(object.metadata.namespace,'0x8000000000000000','0x10000000000000000')",
  "object.shardRange(object.metadata.uid,'0x0000000000000000','0x8000000000000000')",
  "shardRange(object.metadata.uid,'0x0000000000000000','0x8000000000000000') && true",
];
const log = (query: string): Step => get(`${pathOf('pods/logged/log')}${query}`);
const podRequests = '/apis/certificates.k8s.io/v1beta1/namespaces/default/podcertificaterequests';
const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const served = (gate: string, path: string, name: string): GateCase => ({ gate, name: `${name} are served`, steps: [get(path)] });

export const requestCases: readonly GateCase[] = [
  {
    gate: 'StorageVersionHash',
    name: 'hashes of stored versions in discovery',
    steps: [get('/api/v1', 'resources/name=pods/storageVersionHash'), get('/apis/apps/v1', 'resources/name=deployments/storageVersionHash')],
  },
  {
    gate: 'WatchList',
    name: 'a watch that begins with what is there',
    steps: [
      get(
        `${configmaps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1&labelSelector=none`,
        '*/type',
      ),
      get(`${configmaps}?watch=1&sendInitialEvents=true&timeoutSeconds=1&labelSelector=none`),
      get(`${configmaps}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&timeoutSeconds=1&labelSelector=none`),
      get(`${configmaps}?sendInitialEvents=true&resourceVersionMatch=NotOlderThan`),
      get(`${configmaps}?watch=1&resourceVersionMatch=NotOlderThan&timeoutSeconds=1&labelSelector=none`),
    ],
  },
  {
    gate: 'ShardedListAndWatch',
    name: 'parts of a collection',
    before: ['s1', 's2'].flatMap((name) => [
      post('configmaps', named(name, { metadata: { name, labels: { shard: 'y' } } })),
      { ...post('configmaps', named(name, { metadata: { name, labels: { shard: 'y' } } })), path: configmaps.replace('default', 'kube-public') },
    ]),
    steps: [
      ...['0x0000000000000000|0x8000000000000000', '0x8000000000000000|0x10000000000000000'].map((range) =>
        get(`${shards}${shardOf('namespace', range)}`, 'items/*/metadata/namespace', 'items/*/metadata/name', 'metadata/shardInfo'),
      ),
      get(
        `${shards}${shardOf('uid', '0x8000000000000000|0x10000000000000000')}%20||${shardOf('uid', '0x0000000000000000|0x8000000000000000')}`,
        'items/*/metadata/name',
        'metadata/shardInfo',
      ),
      get(
        `${shards}${shardOf('namespace', '0x0000000000000000|0x10000000000000000')}&limit=1`,
        'items/*/metadata/name',
        'metadata/shardInfo',
        'metadata/remainingItemCount',
      ),
      get(
        `/api/v1/configmaps?watch=1&timeoutSeconds=1&labelSelector=shard&shardSelector=${shardOf('namespace', '0x8000000000000000|0x10000000000000000')}`,
        '*/object/metadata/namespace',
      ),
      {
        ...get(`${shards}${shardOf('namespace', '0x0000000000000000|0x10000000000000000')}`, 'metadata/shardInfo'),
        headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
      },
      {
        ...get(`${shards}${shardOf('namespace', '0x0000000000000000|0x10000000000000000')}`, 'metadata/shardInfo', 'kind'),
        headers: { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' },
      },
      {
        method: 'DELETE',
        path: `${shards}${shardOf('namespace', '0x0000000000000000|0x0000000000000001')}`.replace('/api/v1/', '/api/v1/namespaces/default/'),
        shown: ['items/*/metadata/name'],
      },
      ...badShards.map((text) => get(`${shards}${encodeURIComponent(text)}`)),
      get(`/api/v1/configmaps?watch=1&timeoutSeconds=1&labelSelector=none&shardSelector=x`),
    ],
  },
  {
    gate: 'AllowUnsafeMalformedObjectDeletion',
    name: 'a deletion of what cannot be read',
    before: [post('configmaps', named('malformed', {})), post('configmaps', named('malformed-too', {}))],
    steps: [
      { method: 'DELETE', path: `${configmaps}/malformed?ignoreStoreReadErrorWithClusterBreakingPotential=true` },
      { method: 'DELETE', path: `${configmaps}/malformed-too`, body: { ignoreStoreReadErrorWithClusterBreakingPotential: true, dryRun: ['All'] } },
      {
        method: 'DELETE',
        path: `${configmaps}/malformed-too`,
        body: { ignoreStoreReadErrorWithClusterBreakingPotential: true, gracePeriodSeconds: 5 },
      },
      { method: 'DELETE', path: `${configmaps}?labelSelector=none&ignoreStoreReadErrorWithClusterBreakingPotential=true` },
      { method: 'DELETE', path: `${configmaps}/malformed-none?ignoreStoreReadErrorWithClusterBreakingPotential=true` },
    ],
  },
  {
    gate: 'PodLogsQuerySplitStreams',
    name: 'one of the streams of a log',
    before: [post('pods', pod('logged'))],
    steps: [log('?stream=Stderr&tailLines=5')],
  },
  served('ClusterTrustBundle', '/apis/certificates.k8s.io/v1beta1/clustertrustbundles', 'bundles of trust'),
  served(
    'ClusterTrustBundle',
    '/apis/certificates.k8s.io/v1beta1/clustertrustbundles?fieldSelector=metadata.namespace%3Dx',
    'bundles of trust of a namespace',
  ),
  {
    gate: 'PodCertificateRequest',
    name: 'requests for certificates of pods are served',
    steps: [
      get(podRequests),
      get(`${podRequests}?fieldSelector=metadata.namespace%3Ddefault`),
      { ...get(podRequests, 'columnDefinitions/name=UnverifiedUserAnnotations/priority'), headers: { accept: asTable } },
    ],
  },
  served('GenericWorkload', '/apis/scheduling.k8s.io/v1alpha2/workloads', 'workloads'),
  served('GenericWorkload', '/apis/scheduling.k8s.io/v1alpha2/podgroups', 'groups of pods'),
  served('StorageVersionMigrator', '/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations', 'migrations'),
  { gate: 'ComponentFlagz', name: 'flags are served', steps: [{ ...get('/flagz'), headers: { accept: 'text/plain' } }] },
  { gate: 'ComponentStatusz', name: 'statuses are served', steps: [{ ...get('/statusz'), headers: { accept: 'text/plain' } }] },
];
