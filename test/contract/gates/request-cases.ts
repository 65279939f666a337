/** Gates that show in how requests are answered. */
import type { GateCase, Step } from './cases.ts';
import { get, named, pathOf, pod, post } from './steps.ts';

const configmaps = pathOf('configmaps');
const log = (query: string): Step => get(`${pathOf('pods/logged/log')}${query}`);
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
  served('PodCertificateRequest', '/apis/certificates.k8s.io/v1beta1/podcertificaterequests', 'requests for certificates of pods'),
  served('GenericWorkload', '/apis/scheduling.k8s.io/v1alpha2/workloads', 'workloads'),
  served('GenericWorkload', '/apis/scheduling.k8s.io/v1alpha2/podgroups', 'groups of pods'),
  served('StorageVersionMigrator', '/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations', 'migrations'),
  { gate: 'ComponentFlagz', name: 'flags are served', steps: [{ ...get('/flagz'), headers: { accept: 'text/plain' } }] },
  { gate: 'ComponentStatusz', name: 'statuses are served', steps: [{ ...get('/statusz'), headers: { accept: 'text/plain' } }] },
];
