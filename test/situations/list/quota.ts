/** Situations of ResourceQuotas: admission and the controller that counts. */
import { configMap, object, pod, quota, replicaSet, secret, service } from '../objects.ts';
import { situation, situationsOf } from '../situation.ts';
import { create, deletePods, endPods, patch, remove, rest, runPods, until, untilCount, untilGone } from '../steps.ts';

const ref = 'resourcequotas/q';
const counted = (hard: object) => until(ref, { status: { hard } });
const used = (what: object) => until(ref, { status: { used: what } });
const sized = (name: string, requests: object, limits: object = {}, more: object = {}) =>
  pod(name, { containers: [{ name: 'c', image: 'i', resources: { requests, limits } }], ...more });
const limit = (hard: object, more: object = {}) => [
  create(quota('q', hard as Record<string, string>, more as Record<string, string>)),
  counted(hard),
];

export const quotaSituations = situationsOf('quota', [
  situation('counts what is there', [
    create(configMap('a'), secret('s'), pod('p'), service('web')),
    rest(),
    ...limit({ pods: '5', services: '3', configmaps: '9', secrets: '9' }),
    used({ pods: '1' }),
  ]),
  situation('counts nothing', limit({ pods: '5' })),
  situation('counts pods that come', [...limit({ pods: '5' }), create(pod('a'), pod('b')), used({ pods: '2' })]),
  situation('counts pods that go', [
    ...limit({ pods: '5' }),
    create(pod('a'), pod('b')),
    used({ pods: '2' }),
    deletePods({ count: 1 }),
    used({ pods: '1' }),
  ]),
  situation('pods that ended do not count', [
    ...limit({ pods: '5' }),
    create(pod('a'), pod('b')),
    used({ pods: '2' }),
    runPods(),
    endPods('Succeeded', { count: 1, of: { status: { phase: 'Running' } } }),
    used({ pods: '1' }),
  ]),
  situation('refuses a pod too many', [...limit({ pods: '1' }), create(pod('a')), create(pod('b')), used({ pods: '1' })]),
  situation('refuses at once', [...limit({ pods: '0' }), create(pod('a'))]),
  situation('counts cpu and memory', [
    ...limit({ 'requests.cpu': '2', 'requests.memory': '1Gi', 'limits.cpu': '4' }),
    create(sized('a', { cpu: '500m', memory: '100Mi' }, { cpu: '1' })),
    used({ 'requests.cpu': '500m' }),
  ]),
  situation('counts cpu by its short name', [
    ...limit({ cpu: '2', memory: '1Gi' }),
    create(sized('a', { cpu: '1', memory: '100Mi' })),
    used({ cpu: '1' }),
  ]),
  situation('refuses too much cpu', [
    ...limit({ 'requests.cpu': '1' }),
    create(sized('a', { cpu: '600m' })),
    create(sized('b', { cpu: '600m' })),
    used({ 'requests.cpu': '600m' }),
  ]),
  situation('wants requests to be said', [...limit({ 'requests.cpu': '1', 'limits.memory': '1Gi' }), create(pod('a'))]),
  situation('counts objects by resource', [
    ...limit({ 'count/configmaps': '4', 'count/deployments.apps': '2' }),
    create(configMap('a')),
    used({ 'count/configmaps': '2' }),
  ]),
  situation('counts pods that ended by resource', [...limit({ 'count/pods': '4' }), create(pod('a')), runPods(), endPods('Succeeded'), rest()]),
  situation('refuses an object too many', [...limit({ 'count/secrets': '1' }), create(secret('a')), create(secret('b')), rest()]),
  situation('best effort only', [
    ...limit({ pods: '2' }, { scopes: ['BestEffort'] }),
    create(pod('a')),
    create(sized('b', { cpu: '1' })),
    used({ pods: '1' }),
  ]),
  situation('not best effort', [
    ...limit({ pods: '2' }, { scopes: ['NotBestEffort'] }),
    create(pod('a')),
    create(sized('b', { cpu: '1' })),
    used({ pods: '1' }),
  ]),
  situation('terminating', [
    ...limit({ pods: '2' }, { scopes: ['Terminating'] }),
    create(pod('a', { activeDeadlineSeconds: 60 })),
    create(pod('b')),
    used({ pods: '1' }),
  ]),
  situation('not terminating', [
    ...limit({ pods: '2' }, { scopes: ['NotTerminating'] }),
    create(pod('a', { activeDeadlineSeconds: 60 })),
    create(pod('b')),
    used({ pods: '1' }),
  ]),
  situation('by priority class', [
    ...limit(
      { pods: '2' },
      { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['system-node-critical'] }] } },
    ),
    create(pod('a')),
    rest(),
  ]),
  situation('cross namespace affinity', [
    ...limit({ pods: '0' }, { scopes: ['CrossNamespacePodAffinity'] }),
    create(
      pod('a', {
        affinity: {
          podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'x', namespaces: ['other'], labelSelector: {} }] },
        },
      }),
    ),
    create(pod('b')),
    rest(),
  ]),
  situation('services and node ports', [
    ...limit({ services: '3', 'services.nodeports': '1', 'services.loadbalancers': '1' }),
    create(service('a', { type: 'NodePort' })),
    create(service('b', { type: 'NodePort' })),
    create(service('d')),
    used({ services: '2' }),
  ]),
  situation(
    'claims and storage',
    [
      ...limit({ persistentvolumeclaims: '2', 'requests.storage': '5Gi' }),
      create(
        object('v1', 'PersistentVolumeClaim', 'a', {
          spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'none-<ns>', resources: { requests: { storage: '3Gi' } } },
        }),
      ),
      create(
        object('v1', 'PersistentVolumeClaim', 'b', {
          spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'none-<ns>', resources: { requests: { storage: '3Gi' } } },
        }),
      ),
      used({ 'requests.storage': '3Gi' }),
    ],
    { uncounted: ['ProvisioningFailed'] },
  ),
  situation(
    'storage by class',
    [
      ...limit({ 'gold.storageclass.storage.k8s.io/requests.storage': '5Gi', 'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '1' }),
      create(
        object('v1', 'PersistentVolumeClaim', 'a', {
          spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'gold', resources: { requests: { storage: '3Gi' } } },
        }),
      ),
      rest(),
    ],
    { uncounted: ['ProvisioningFailed'] },
  ),
  situation('extended resources', [
    ...limit({ 'requests.example.com/gpu': '2' }),
    create(sized('a', { 'example.com/gpu': '1' }, { 'example.com/gpu': '1' })),
    used({ 'requests.example.com/gpu': '1' }),
  ]),
  situation('ephemeral storage', [
    ...limit({ 'requests.ephemeral-storage': '2Gi' }),
    create(sized('a', { 'ephemeral-storage': '1Gi' })),
    used({ 'requests.ephemeral-storage': '1Gi' }),
  ]),
  situation('is changed', [
    ...limit({ pods: '1' }),
    create(pod('a')),
    patch(ref, { spec: { hard: { pods: '3', services: '1' } } }),
    counted({ pods: '3', services: '1' }),
  ]),
  situation('is made smaller than what is used', [
    ...limit({ pods: '3' }),
    create(pod('a'), pod('b')),
    used({ pods: '2' }),
    patch(ref, { spec: { hard: { pods: '1' } } }),
    counted({ pods: '1' }),
    create(pod('x')),
  ]),
  situation('somebody writes what is used', [
    ...limit({ pods: '3' }),
    patch(`${ref}/status`, { status: { used: { pods: '3' } } }),
    create(pod('a')),
    rest(),
  ]),
  situation('somebody writes too little', [
    ...limit({ pods: '2' }),
    create(pod('a')),
    used({ pods: '1' }),
    patch(`${ref}/status`, { status: { used: { pods: '0' } } }),
    rest(),
  ]),
  situation('two quotas', [
    ...limit({ pods: '5' }),
    create(quota('r', { pods: '1' })),
    until('resourcequotas/r', { status: { hard: { pods: '1' } } }),
    create(pod('a')),
    create(pod('b')),
    used({ pods: '1' }),
  ]),
  situation('goes', [...limit({ pods: '1' }), create(pod('a')), remove(ref), untilGone(ref), create(pod('b'))]),
  situation('a controller is refused', [...limit({ pods: '1' }), create(replicaSet('web', { replicas: 2 })), untilCount('pods', 1), rest()], {
    uncounted: ['FailedCreate'],
  }),
  situation('a dry run is not charged', [
    ...limit({ pods: '2' }),
    { text: 'dry run', run: async (stage) => void (await stage.ask('POST', 'pods?dryRun=All', pod('a'))) },
    rest(),
  ]),
  situation('init containers count by the largest', [
    ...limit({ 'requests.cpu': '3' }),
    create(
      pod('a', {
        initContainers: [{ name: 'i', image: 'i', resources: { requests: { cpu: '2' } } }],
        containers: [
          { name: 'c', image: 'i', resources: { requests: { cpu: '500m' } } },
          { name: 'd', image: 'i', resources: { requests: { cpu: '500m' } } },
        ],
      }),
    ),
    used({ 'requests.cpu': '2' }),
  ]),
  situation('overhead counts pods of sidecars', [
    ...limit({ 'requests.cpu': '3' }),
    create(
      pod('a', {
        initContainers: [{ name: 'i', image: 'i', restartPolicy: 'Always', resources: { requests: { cpu: '1' } } }],
        containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '500m' } } }],
      }),
    ),
    used({ 'requests.cpu': '1500m' }),
  ]),
  situation('a service becomes a node port', [
    ...limit({ 'services.nodeports': '0' }),
    create(service('a')),
    patch('services/a', { spec: { type: 'NodePort' } }),
    rest(),
  ]),
]);
