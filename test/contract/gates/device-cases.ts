/** Gates that show in devices and in groups of pods. */
import type { GateCase, Step } from './cases.ts';
import { merge, type Named, named, post } from './steps.ts';

const labels = { metadata: { labels: { a: 'b' } } };
const claim = (name: string, request: object, more: object = {}): Named => named(name, { spec: claimSpec(request, more) });
const claimSpec = (request: object, more: object = {}): object => ({ devices: { requests: [{ name: 'r', ...request }], ...more } });
const exactly = (more: object): object => ({ exactly: { deviceClassName: 'c', ...more } });
const sub = (more: object = {}): object => ({ firstAvailable: [{ name: 's', deviceClassName: 'c', ...more }] });
const tolerations = [{ key: 'k', operator: 'Exists', effect: 'NoSchedule' }];
const distinct = { constraints: [{ requests: ['r'], distinctAttribute: 'a.b/c' }] };
const shared = { capacity: { requests: { memory: '1Gi' } } };
const spec = 'spec/devices';

/** Claims and templates have the same rules. */
function both(gate: string, name: string, short: string, request: object, more: object = {}): readonly GateCase[] {
  return [
    {
      gate,
      name: `${name}, of a claim`,
      before: [post('resourceclaims', claim(`${short}-old`, request, more))],
      steps: [post('resourceclaims', claim(short, request, more), spec), merge(`resourceclaims/${short}-old`, labels, spec)],
    },
    {
      gate,
      name: `${name}, of a template`,
      before: [post('resourceclaimtemplates', named(`${short}-old`, { spec: { spec: claimSpec(request, more) } }))],
      steps: [
        post('resourceclaimtemplates', named(short, { spec: { spec: claimSpec(request, more) } }), `spec/${spec}`),
        merge(`resourceclaimtemplates/${short}-old`, labels, `spec/${spec}`),
      ],
    },
  ];
}

const result = (more: object = {}): object => ({ request: 'r', driver: 'd.e', pool: 'p', device: 'x', ...more });
const given = (more: object = {}): object => ({ allocation: { devices: { results: [result(more)] } } });
const shareID = '11111111-2222-4333-8444-555555555555';
const device = (more: object = {}): object => ({ devices: [{ driver: 'd.e', pool: 'p', device: 'x', ...more }] });
const told = 'status';

function allocation(gate: string, name: string, short: string, status: object, old: object = status): GateCase {
  return {
    gate,
    name,
    before: [
      post('resourceclaims', claim(short, exactly({}))),
      post('resourceclaims', claim(`${short}-old`, exactly({}))),
      statusOf(`${short}-old`, old),
    ],
    steps: [
      statusOf(short, status, told),
      statusOf(`${short}-old`, status, told),
      merge(`resourceclaims/${short}-old/status`, { metadata: { labels: { a: 'b' } } }, told),
    ],
  };
}

function statusOf(name: string, status: object, ...shown: readonly string[]): Step {
  return merge(`resourceclaims/${name}/status`, { status }, ...shown);
}

const slice = (name: string, devices: readonly object[], more: object = {}): Named =>
  named(name, { spec: { driver: 'd.e', pool: { name, generation: 1, resourceSliceCount: 1 }, nodeName: 'n', devices, ...more } });
const ofSlice = (gate: string, name: string, short: string, one: object, more: object = {}): GateCase => ({
  gate,
  name,
  before: [post('resourceslices', slice(`${short}-old`, [{ name: 'a', ...one }], more))],
  steps: [post('resourceslices', slice(short, [{ name: 'a', ...one }], more), 'spec'), merge(`resourceslices/${short}-old`, labels, 'spec')],
});

const user = 'system:serviceaccount:default:driver';
const as = { 'impersonate-user': user };
const may = (name: string, rules: readonly object[]): readonly Step[] => [
  post('clusterroles', named(name, { rules })),
  post(
    'clusterrolebindings',
    named(name, { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name }, subjects: [{ kind: 'User', name: user }] }),
  ),
];
const asDriver = (step: Step): Step => ({ ...step, headers: as });

const group = (name: string, more: object): Named => named(name, { spec: { schedulingPolicy: { basic: {} }, ...more } });
const workload = (name: string, more: object): Named =>
  named(name, { spec: { podGroupTemplates: [{ name: 't', schedulingPolicy: { basic: {} }, ...more }] } });
const bothGroups = (gate: string, name: string, short: string, more: object, first: readonly Step[] = []): readonly GateCase[] => [
  {
    gate,
    name: `${name} of a group`,
    before: [...first, post('podgroups', group(`${short}-old`, more))],
    steps: [post('podgroups', group(short, more), 'spec'), merge(`podgroups/${short}-old`, labels, 'spec')],
  },
  {
    gate,
    name: `${name} of a workload`,
    before: [post('workloads', workload(`${short}-old`, more))],
    steps: [post('workloads', workload(short, more), 'spec'), merge(`workloads/${short}-old`, labels, 'spec')],
  },
];

export const deviceCases: readonly GateCase[] = [
  ...both('DRADeviceTaints', 'tolerations', 'tolerates', exactly({ tolerations })),
  ...both('DRAPrioritizedList', 'one of several', 'either', sub()),
  ...both('DRADeviceTaints', 'tolerations of one of several', 'tolerates-sub', sub({ tolerations })),
  ...both('DRAConsumableCapacity', 'a part of a device', 'part', exactly(shared)),
  ...both('DRAConsumableCapacity', 'devices that differ', 'differ', exactly({ count: 2 }), distinct),
  ...both('DRAConsumableCapacity', 'a part, of one of several', 'part-sub', sub(shared)),
  {
    gate: 'DRAExtendedResource',
    name: 'a class by the name of a resource',
    before: [post('deviceclasses', named('extended-old', { spec: { extendedResourceName: 'a.b/old' } }))],
    steps: [
      post('deviceclasses', named('extended', { spec: { extendedResourceName: 'a.b/c' } }), 'spec'),
      merge('deviceclasses/extended-old', { spec: { extendedResourceName: 'a.b/d' } }, 'spec'),
    ],
  },
  allocation('DRAResourceClaimDeviceStatus', 'what a driver says of a device', 'says', { ...given(), ...device({ data: { a: 1 } }) }),
  allocation(
    'DRAResourceClaimDeviceStatus',
    'what a driver says of a device that is given back',
    'back',
    { allocation: null, devices: null },
    { ...given(), ...device() },
  ),
  allocation('DRAConsumableCapacity', 'a part that was given', 'gave', given({ shareID, consumedCapacity: { memory: '1Gi' } })),
  allocation(
    'DRADeviceBindingConditions',
    'what to wait for',
    'waits',
    given({ bindingConditions: ['a.b/ready'], bindingFailureConditions: ['a.b/broken'] }),
  ),
  {
    gate: 'DRAResourceClaimGranularStatusAuthorization',
    name: 'who may write a status',
    before: [
      ...may('status-writer', [
        { apiGroups: ['resource.k8s.io'], resources: ['resourceclaims', 'resourceclaims/status'], verbs: ['get', 'update', 'patch'] },
      ]),
      post('resourceclaims', claim('narrow', exactly({}))),
      post('resourceclaims', claim('narrow-given', exactly({}))),
      statusOf('narrow-given', given()),
    ],
    steps: [
      asDriver(statusOf('narrow', given(), told)),
      asDriver(statusOf('narrow-given', { reservedFor: [{ resource: 'pods', name: 'p', uid: 'u' }] }, told)),
      asDriver(statusOf('narrow-given', device(), told)),
      ...may('binder', [{ apiGroups: ['resource.k8s.io'], resources: ['resourceclaims/binding'], verbs: ['update', 'patch'] }]),
      asDriver(statusOf('narrow', given(), told)),
      asDriver(statusOf('narrow', device(), told)),
      ...may('driver', [
        { apiGroups: ['resource.k8s.io'], resources: ['resourceclaims/driver'], verbs: ['arbitrary-node:patch'], resourceNames: ['d.e'] },
      ]),
      asDriver(statusOf('narrow', device(), told)),
      asDriver(statusOf('narrow', { devices: [{ driver: 'd.f', pool: 'p', device: 'x' }] }, told)),
    ],
  },
  ofSlice('DRADeviceTaints', 'taints of a device', 'tainted', { taints: [{ key: 'k', effect: 'None', timeAdded: '2025-01-01T00:00:00Z' }] }),
  ofSlice('DRAPartitionableDevices', 'parts of a device', 'parts', { consumesCounters: [{ counterSet: 's', counters: { m: { value: '1' } } }] }),
  ofSlice('DRADeviceBindingConditions', 'what a device waits for', 'waiting', {
    bindsToNode: true,
    bindingConditions: ['a.b/ready'],
    bindingFailureConditions: ['a.b/broken'],
  }),
  ofSlice('DRAConsumableCapacity', 'a device for several', 'several', {
    allowMultipleAllocations: true,
    capacity: { m: { value: '1Gi', requestPolicy: { default: '1Gi', validValues: ['1Gi'] } } },
  }),
  ofSlice('DRAListTypeAttributes', 'attributes with several values', 'listed', { attributes: { a: { strings: ['x', 'y'] }, b: { string: 'z' } } }),
  ofSlice('DRANodeAllocatableResources', 'resources of the node', 'of-node', {
    nodeAllocatableResourceMappings: { cpu: { allocationMultiplier: '1' } },
  }),
  ...bothGroups('TopologyAwareWorkloadScheduling', 'one place', 'place', { schedulingConstraints: { topology: [{ key: 'zone' }] } }),
  ...bothGroups('DRAWorkloadResourceClaims', 'claims', 'claims', { resourceClaims: [{ name: 'c', resourceClaimName: 'x' }] }),
  ...bothGroups('WorkloadAwarePreemption', 'how it is disrupted', 'disrupt', { disruptionMode: 'PodGroup' }),
  ...bothGroups('WorkloadAwarePreemption', 'how much it counts', 'counts', { priorityClassName: 'high' }, [
    post('priorityclasses', named('high', { value: 5 })),
  ]),
];
