/**
 * What a fresh cluster holds before any controller has run: system namespaces, RBAC defaults, priority classes, the `kubernetes` and
 * `kube-dns` services, a default StorageClass and IngressClass, the pool of nodes. Names and values as kubeadm and the API server
 * write them.
 */
import { clusterDns } from '../component-helpers/cluster-dns.ts';
import { serviceNameLabel } from '../component-helpers/service-slices.ts';
import { addressAt, formatIP, parseCIDR } from '../apimachinery/ip.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { FeatureGates } from '../releases/feature-gates.ts';
import type { JsonObject } from '../base/json.ts';
import { systemClasses } from '../component-helpers/priority.ts';
import { diskDriver } from '../component-helpers/storage.ts';

export interface BootstrapOptions {
  readonly features: FeatureGates;
  /** Of what is built in. */
  readonly apiServices: readonly KubeObject[];
  /** RBAC objects that the release brings. */
  readonly policy: readonly KubeObject[];
  /** Whether there is a namespace for the leases of nodes. */
  readonly nodeLeases: boolean;
  /** Whether anybody outside knows of EndpointSlices. */
  readonly tellsOfSlices: boolean;
  /** Flow schemas and priority levels. */
  readonly flowControl: readonly KubeObject[];
  readonly nodes: number;
  readonly zones: number;
  /** One range or two; first addresses of the first are the API server's and DNS's. */
  readonly serviceCidr: string;
  readonly region: string;
  /** Who signs certificates of clients: daemons with ports of their own look it up. */
  readonly clientCaPem: string;
  /** Of the front proxy; undefined where requests are handed on to nobody. */
  readonly frontProxyCaPem: string | undefined;
  /** The day since which uses of tokens in Secrets are followed; absent where no API server follows them. */
  readonly tokensFollowedSince?: string;
}

/** The simulated address: the first of the network whose next ones are the nodes'. */
const apiServerAddresses = { IPv4: '172.18.0.1', IPv6: 'fd00:172:18::1' };
const apiServerPort = 6443;
const zoneLetters = 'abcdefghijklmnopqrstuvwxyz';

export function bootstrapObjects(options: BootstrapOptions): readonly KubeObject[] {
  return [
    ...options.apiServices,
    ...['kube-system', 'kube-public', ...(options.nodeLeases ? ['kube-node-lease'] : []), 'default'].map((name) =>
      object('v1', 'Namespace', { name }),
    ),
    ...options.policy,
    ...options.flowControl,
    priorityClass('system-cluster-critical', 'must run in the cluster, but can be moved to another node if necessary'),
    priorityClass('system-node-critical', 'must not be moved from their current node'),
    ...services(options.serviceCidr),
    ...apiServerEndpoints(options),
    object(
      'v1',
      'ConfigMap',
      { name: 'extension-apiserver-authentication', namespace: 'kube-system' },
      { data: { 'client-ca-file': options.clientCaPem, ...requestHeaders(options.frontProxyCaPem) } },
    ),
    ...followedTokens(options.tokensFollowedSince),
    object(
      'storage.k8s.io/v1',
      'StorageClass',
      { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      {
        provisioner: diskDriver,
        reclaimPolicy: 'Delete',
        volumeBindingMode: 'WaitForFirstConsumer',
        allowVolumeExpansion: true,
      },
    ),
    object('storage.k8s.io/v1', 'CSIDriver', { name: diskDriver }, { spec: { attachRequired: true, volumeLifecycleModes: ['Persistent'] } }),
    object(
      'networking.k8s.io/v1',
      'IngressClass',
      { name: 'wavetank', annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
      {
        spec: { controller: 'sim.wavetank.dev/ingress' },
      },
    ),
    object('networking.k8s.io/v1', 'ServiceCIDR', { name: 'kubernetes' }, { spec: { cidrs: options.serviceCidr.split(',') } }),
    object(
      'sim.wavetank.dev/v1alpha1',
      'NodePool',
      { name: 'default' },
      { spec: { count: options.nodes, namePrefix: 'node-', zones: zoneNames(options), region: options.region } },
    ),
  ];
}

function zoneNames({ zones, region }: BootstrapOptions): readonly string[] {
  return Array.from(
    { length: zones },
    (_, index) => `${region}-${zoneLetters[index % zoneLetters.length]}${index >= zoneLetters.length ? Math.floor(index / zoneLetters.length) : ''}`,
  );
}

function object(apiVersion: string, kind: string, metadata: KubeObject['metadata'], rest: JsonObject = {}): KubeObject {
  return { apiVersion, kind, metadata, ...rest };
}

function priorityClass(name: keyof typeof systemClasses, duty: string): KubeObject {
  return object(
    'scheduling.k8s.io/v1',
    'PriorityClass',
    { name },
    { value: systemClasses[name], description: `Used for system critical pods that ${duty}.`, preemptionPolicy: 'PreemptLowerPriority' },
  );
}

function services(cidr: string): readonly KubeObject[] {
  const { network = [], prefixLength = 0 } = parseCIDR(cidr.split(',')[0] ?? '') ?? {};
  const last = 2 ** (network.length * 8 - prefixLength) - 2;
  const address = (offset: number): string => formatIP(addressAt(network, Math.min(offset, last)));
  const port = (name: string, number: number, protocol: string, targetPort: number = number): JsonObject => ({
    name,
    port: number,
    protocol,
    targetPort,
  });
  return [
    object(
      'v1',
      'Service',
      { name: 'kubernetes', namespace: 'default', labels: { component: 'apiserver', provider: 'kubernetes' } },
      {
        spec: { clusterIP: address(1), ports: [port('https', 443, 'TCP', apiServerPort)], type: 'ClusterIP' },
      },
    ),
    object(
      'v1',
      'Service',
      {
        ...clusterDns,
        labels: { 'k8s-app': 'kube-dns', 'kubernetes.io/cluster-service': 'true', 'kubernetes.io/name': 'CoreDNS' },
        annotations: { 'prometheus.io/port': '9153', 'prometheus.io/scrape': 'true' },
      },
      {
        spec: {
          clusterIP: address(10),
          selector: { 'k8s-app': 'kube-dns' },
          ports: [port('dns', 53, 'UDP'), port('dns-tcp', 53, 'TCP'), port('metrics', 9153, 'TCP')],
        },
      },
    ),
  ];
}

/** Address and port of the API server, as one machine tells another. */
export function apiServerAddress(serviceCidr: string): string {
  const family = familyOfServer(serviceCidr);
  const address = apiServerAddresses[family];
  return `${family === 'IPv6' ? `[${address}]` : address}:${apiServerPort}`;
}

function familyOfServer(serviceCidr: string): keyof typeof apiServerAddresses {
  return parseCIDR(serviceCidr.split(',')[0] ?? '')?.ip.family === 6 ? 'IPv6' : 'IPv4';
}

/** Where the service `kubernetes` leads, as the API server's endpoint reconciler writes it. */
function apiServerEndpoints({ serviceCidr, tellsOfSlices }: BootstrapOptions): readonly KubeObject[] {
  const addressType = familyOfServer(serviceCidr);
  const address = apiServerAddresses[addressType];
  const ports = [{ name: 'https', port: apiServerPort, protocol: 'TCP' }];
  const metadata = { name: 'kubernetes', namespace: 'default' };
  return [
    object(
      'v1',
      'Endpoints',
      { ...metadata, ...(tellsOfSlices && { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } }) },
      { subsets: [{ addresses: [{ ip: address }], ports }] },
    ),
    object(
      'discovery.k8s.io/v1',
      'EndpointSlice',
      { ...metadata, labels: { [serviceNameLabel]: 'kubernetes' } },
      {
        addressType,
        endpoints: [{ addresses: [address], conditions: { ready: true } }],
        ports,
      },
    ),
  ];
}

/** How servers of other APIs are told who asks. */
function requestHeaders(caPem: string | undefined): JsonObject {
  if (caPem === undefined) return {};
  const list = (...names: readonly string[]): string => JSON.stringify(names);
  return {
    'requestheader-allowed-names': list('front-proxy-client'),
    'requestheader-client-ca-file': caPem,
    'requestheader-extra-headers-prefix': list('X-Remote-Extra-'),
    'requestheader-group-headers': list('X-Remote-Group'),
    'requestheader-username-headers': list('X-Remote-User'),
  };
}

/** Mirrors pkg/controlplane/controller/legacytokentracking. */
function followedTokens(since: string | undefined): readonly KubeObject[] {
  const name = 'kube-apiserver-legacy-service-account-token-tracking';
  return since === undefined ? [] : [object('v1', 'ConfigMap', { name, namespace: 'kube-system' }, { data: { since } })];
}
