/** Situations of services and pods; both the Endpoints and the EndpointSlice controller answer them. */
import { node, object, pod, replicaSet, service } from '../objects.ts';
import { situation, situationsOf, type Step } from '../situation.ts';
import { create, deletePods, endPods, look, patch, podsSay, remove, rest, runPods, startPods, untilCount, untilGone } from '../steps.ts';

const web = (name: string, spec: object = {}) => pod(name, { meta: { labels: { app: 'web' } }, ...spec });
const svc = 'services/web';
const slices = (count = 1): Step => untilCount('endpointslices', count);
const make = (spec: object = {}): Step => create(service('web', spec));
const named = { containers: [{ name: 'c', image: 'i', ports: [{ name: 'http', containerPort: 8080 }] }] };
const zoned = (name: string, zone: string) => node(name, { meta: { labels: { 'topology.kubernetes.io/zone': zone } }, allocatable: { cpu: '4' } });

const alone = { alone: true, uncounted: ['TopologyAwareHintsDisabled', 'TopologyAwareHintsEnabled'] };
/** Four CPUs in the zone of node a, eight in the other. */
const threeNodes: readonly Step[] = [
  patch('nodes/played/status', { status: { allocatable: { cpu: '4' } } }),
  create(zoned('<ns>-a', 'zone-p'), zoned('<ns>-b', 'zone-b'), zoned('<ns>-d', 'zone-b')),
];
const auto: Step = make({ meta: { annotations: { 'service.kubernetes.io/topology-mode': 'Auto' } } });
/** Pods on one node; their names are drawn. */
const zonePods = (name: string, replicas: number): readonly Step[] => {
  const labels = { app: 'web', set: name };
  const template = { metadata: { labels }, spec: { nodeName: `<ns>-${name}`, schedulerName: 'played', containers: [{ name: 'c', image: 'i' }] } };
  return [
    create(replicaSet(name, { replicas, selector: { matchLabels: { set: name } }, template })),
    untilCount('pods', replicas, { metadata: { labels: { set: name } } }),
  ];
};

export const endpointsSituations = situationsOf('endpoints', [
  situation('two pods are ready', [make(), create(web('a'), web('b')), runPods(), rest()]),
  situation('pods are not ready', [make(), create(web('a')), startPods(), rest()]),
  situation('pods have no address', [make(), create(web('a')), rest()]),
  situation('there are no pods', [make(), slices()]),
  situation('a pod becomes unready', [
    make(),
    create(web('a'), web('b')),
    runPods(),
    rest(),
    podsSay({ conditions: [{ type: 'Ready', status: 'False' }] }, { count: 1 }),
    rest(),
  ]),
  situation('a pod goes', [make(), create(web('a'), web('b')), runPods(), rest(), deletePods({ count: 1 }), rest()]),
  situation('a pod ends slowly', [make(), create(web('a'), web('b')), runPods(), rest(), deletePods({ count: 1 }), rest()], { keepsPods: true }),
  situation('a pod has ended', [
    make(),
    create(web('a'), web('b')),
    runPods(),
    rest(),
    endPods('Succeeded', { count: 1, of: { status: { phase: 'Running' } } }),
    rest(),
  ]),
  situation('unready pods are published', [make({ publishNotReadyAddresses: true }), create(web('a')), startPods(), rest()]),
  situation('is headless', [make({ clusterIP: 'None' }), create(web('a')), runPods(), rest()]),
  situation('is headless, pods have names', [
    make({ clusterIP: 'None' }),
    create(web('a', { hostname: 'first', subdomain: 'web' }), web('b', { hostname: 'second', subdomain: 'else' })),
    runPods(),
    rest(),
  ]),
  situation('is headless without ports', [make({ clusterIP: 'None', ports: [] }), create(web('a')), runPods(), rest()]),
  situation('has several ports', [
    make({
      ports: [
        { name: 'a', port: 80, targetPort: 8080 },
        { name: 'b', port: 443, targetPort: 8443, protocol: 'TCP', appProtocol: 'https' },
        { name: 'c', port: 53, protocol: 'UDP' },
      ],
    }),
    create(web('a')),
    runPods(),
    rest(),
  ]),
  situation('has a port by name', [
    make({ ports: [{ name: 'x', port: 80, targetPort: 'http' }] }),
    create(web('a', named), web('b', { containers: [{ name: 'c', image: 'i', ports: [{ name: 'http', containerPort: 9090 }] }] })),
    runPods(),
    rest(),
  ]),
  situation('has a port by a name that pods lack', [
    make({ ports: [{ name: 'x', port: 80, targetPort: 'none' }] }),
    create(web('a', named)),
    runPods(),
    rest(),
  ]),
  situation('has no selector', [make({ selector: null }), create(web('a')), runPods(), rest()]),
  situation('is only a name', [create(object('v1', 'Service', 'web', { spec: { type: 'ExternalName', externalName: 'example.com' } })), rest()]),
  situation('is a node port', [make({ type: 'NodePort' }), create(web('a')), runPods(), rest()]),
  situation('carries labels', [
    make({ meta: { labels: { a: 'b' }, annotations: { 'endpoints.kubernetes.io/x': 'y' } } }),
    create(web('a')),
    runPods(),
    rest(),
  ]),
  situation('labels change', [
    make({ meta: { labels: { a: 'b' } } }),
    create(web('a')),
    runPods(),
    rest(),
    patch(svc, { metadata: { labels: { a: null, c: 'd' } } }),
    rest(),
  ]),
  situation('the selector changes', [
    make(),
    create(web('a'), pod('other', { meta: { labels: { app: 'other' } } })),
    runPods(),
    rest(),
    patch(svc, { spec: { selector: { app: 'other' } } }),
    rest(),
  ]),
  situation('the selector goes', [make(), create(web('a')), runPods(), rest(), patch(svc, { spec: { selector: null } }), rest()]),
  situation('ports change', [
    make(),
    create(web('a')),
    runPods(),
    rest(),
    patch(svc, { spec: { ports: [{ name: 'http', port: 80, targetPort: 8080 }] } }),
    rest(),
  ]),
  situation('goes', [make(), create(web('a')), runPods(), rest(), remove(svc), untilGone(svc), slices(0), rest()]),
  situation('its slice is deleted', [make(), create(web('a')), runPods(), rest(), remove('endpoints/web'), rest()]),
  situation('its endpoints are changed by hand', [make(), create(web('a')), runPods(), rest(), patch('endpoints/web', { subsets: [] }), rest()]),
  situation('one of many slices', [
    make(),
    ...Array.from({ length: 3 }, (_, i) => create(web(`a${i}`))),
    runPods(),
    rest(),
    create(web('b')),
    runPods(),
    rest(),
  ]),
  situation('endpoints are there before the service', [
    create(object('v1', 'Endpoints', 'web', { subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 80 }] }] })),
    rest(),
    make(),
    create(web('a')),
    runPods(),
    rest(),
  ]),
  situation('keeps traffic close', [make({ trafficDistribution: 'PreferClose' }), create(web('a'), web('b')), runPods(), rest()]),
  situation('keeps traffic in the zone', [make({ trafficDistribution: 'PreferSameZone' }), create(web('a')), runPods(), rest()]),
  situation('keeps traffic on the node', [make({ trafficDistribution: 'PreferSameNode' }), create(web('a')), runPods(), rest()]),
  situation('keeps traffic close no more', [
    make({ trafficDistribution: 'PreferClose' }),
    create(web('a'), web('b')),
    runPods(),
    rest(),
    look('close'),
    patch(svc, { spec: { trafficDistribution: null } }),
    rest(),
  ]),
  situation('keeps traffic close from now on', [
    make(),
    create(web('a'), web('b')),
    runPods(),
    rest(),
    patch(svc, { spec: { trafficDistribution: 'PreferClose' } }),
    rest(),
  ]),
  situation('keeps traffic close, a pod is not ready', [
    make({ trafficDistribution: 'PreferClose' }),
    create(web('a'), web('b')),
    runPods({ count: 1 }),
    startPods({ of: { status: { phase: 'Pending' } } }),
    rest(),
  ]),
  situation('keeps traffic close in two zones', [
    create(zoned('<ns>-a', 'zone-a'), zoned('<ns>-b', 'zone-b')),
    create(web('a', { nodeName: '<ns>-a' }), web('b', { nodeName: '<ns>-b' })),
    runPods(),
    rest(),
    make({ trafficDistribution: 'PreferClose' }),
    rest(),
  ]),
  situation(
    'topology hints have too few pods',
    [make({ meta: { annotations: { 'service.kubernetes.io/topology-mode': 'Auto' } } }), create(web('a')), runPods(), rest()],
    alone,
  ),
  situation('topology hints by zones', [...threeNodes, ...zonePods('a', 4), ...zonePods('b', 4), runPods(), rest(), auto, rest()], alone),
  situation(
    'topology hints are wanted no more',
    [
      ...threeNodes,
      ...zonePods('a', 4),
      ...zonePods('b', 4),
      runPods(),
      rest(),
      auto,
      look('hints'),
      patch(svc, { metadata: { annotations: { 'service.kubernetes.io/topology-mode': null } } }),
      rest(),
    ],
    alone,
  ),
  situation('topology hints are out of balance', [...threeNodes, ...zonePods('a', 6), ...zonePods('b', 1), runPods(), rest(), auto, rest()], alone),
  situation('topology hints with one endpoint for two zones', [...threeNodes, ...zonePods('a', 1), runPods(), rest(), auto, rest()], alone),
  situation(
    'topology hints, a zone loses its node',
    [...threeNodes, ...zonePods('a', 4), ...zonePods('b', 4), runPods(), rest(), auto, rest(), remove('nodes/<ns>-d'), rest()],
    alone,
  ),
  situation(
    'old topology annotation',
    [make({ meta: { annotations: { 'service.kubernetes.io/topology-aware-hints': 'auto' } } }), create(web('a')), runPods(), rest()],
    alone,
  ),
  situation('host network pods', [make(), create(web('a', { hostNetwork: true, containers: [{ name: 'c', image: 'i' }] })), runPods(), rest()]),
]);
