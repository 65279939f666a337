/** Gates that show in pods. */
import type { GateCase } from './cases.ts';
import { container, get, merge, named, pathOf, pod, podWith, post } from './steps.ts';

const labels = { labels: { app: 'a' } };
const status = (...statuses: readonly object[]): object => ({ status: { containerStatuses: statuses } });
const running = { name: 'c', image: 'i', imageID: 'x', ready: true, restartCount: 0, state: {} };
const spread = (name: string, more: object = {}): ReturnType<typeof pod> =>
  pod(
    name,
    {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'zone',
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: 'a' } },
          matchLabelKeys: ['app2'],
          ...more,
        },
      ],
    },
    { labels: { app: 'a', app2: 'b' } },
  );
const volume = (source: object): object => ({ volumes: [{ name: 'v', projected: { sources: [source] } }] });
const sized = (cpu: string): object => ({ resources: { requests: { cpu } } });

export const podCases: readonly GateCase[] = [
  {
    gate: 'PodDeletionCost',
    name: 'a cost of deletion that is no number',
    before: [post('pods', pod('cost-old'))],
    steps: [
      post('pods', pod('cost', {}, { annotations: { 'controller.kubernetes.io/pod-deletion-cost': 'much' } }), 'metadata/annotations'),
      post('pods', pod('cost-good', {}, { annotations: { 'controller.kubernetes.io/pod-deletion-cost': '5' } }), 'metadata/annotations'),
      merge('pods/cost-old', { metadata: { annotations: { 'controller.kubernetes.io/pod-deletion-cost': '+1' } } }, 'metadata/annotations'),
    ],
  },
  {
    gate: 'MatchLabelKeysInPodTopologySpread',
    name: 'keys of labels in spread constraints',
    before: [post('pods', spread('spread-old'))],
    steps: [
      post('pods', spread('spread'), 'spec/topologySpreadConstraints'),
      post('pods', spread('spread-none', { labelSelector: null, matchLabelKeys: ['app'] }), 'spec/topologySpreadConstraints'),
      post('pods', spread('spread-twice', { matchLabelKeys: ['app'] }), 'spec/topologySpreadConstraints'),
      merge('pods/spread-old', { metadata: labels }, 'spec/topologySpreadConstraints'),
    ],
  },
  {
    gate: 'MatchLabelKeysInPodTopologySpread',
    name: 'keys of labels in a template',
    before: [post('podtemplates', named('spread-old', { template: spread('x') }))],
    steps: [
      post('podtemplates', named('spread', { template: spread('x') }), 'template/spec/topologySpreadConstraints'),
      merge('podtemplates/spread-old', { metadata: labels }, 'template/spec/topologySpreadConstraints'),
    ],
  },
  {
    gate: 'RestartAllContainersOnContainerExits',
    name: 'a rule that restarts all containers',
    steps: [
      post(
        'pods',
        podWith('restart-all', {
          restartPolicy: 'Never',
          restartPolicyRules: [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [5] } }],
        }),
        'spec/containers',
      ),
    ],
  },
  {
    gate: 'ContainerRestartRules',
    name: 'a policy of restarts of a container',
    before: [post('pods', podWith('rules-old', { restartPolicy: 'Never' }))],
    steps: [
      post('pods', podWith('rules', { restartPolicy: 'OnFailure' }), 'spec/containers/0/restartPolicy'),
      merge('pods/rules-old', { metadata: labels }, 'spec/containers/0/restartPolicy'),
    ],
  },
  {
    gate: 'ContainerStopSignals',
    name: 'a signal to stop with',
    before: [post('pods', podWith('signal-old', { lifecycle: { stopSignal: 'SIGTERM' } }, { os: { name: 'linux' } }))],
    steps: [
      post('pods', podWith('signal', { lifecycle: { stopSignal: 'SIGTERM' } }, { os: { name: 'linux' } }), 'spec/containers/0/lifecycle'),
      merge('pods/signal-old', { metadata: labels }, 'spec/containers/0/lifecycle'),
    ],
  },
  {
    gate: 'EnvFiles',
    name: 'a variable from a file',
    steps: [
      post(
        'pods',
        podWith(
          'env-file',
          { env: [{ name: 'A', valueFrom: { fileKeyRef: { volumeName: 'v', path: 'f', key: 'k' } } }] },
          { volumes: [{ name: 'v', emptyDir: {} }] },
        ),
        'spec/containers/0/env',
      ),
    ],
  },
  {
    gate: 'HostnameOverride',
    name: 'a host name',
    before: [post('pods', pod('host-old', { hostnameOverride: 'h' }))],
    steps: [
      post('pods', pod('host', { hostnameOverride: 'h' }), 'spec/hostnameOverride'),
      merge('pods/host-old', { metadata: labels }, 'spec/hostnameOverride'),
    ],
  },
  {
    gate: 'GenericWorkload',
    name: 'a group of scheduling',
    before: [post('pods', pod('group-old', { schedulingGroup: { podGroupName: 'g' } }))],
    steps: [
      post('pods', pod('group', { schedulingGroup: { podGroupName: 'g' } }), 'spec/schedulingGroup'),
      merge('pods/group-old', { metadata: labels }, 'spec/schedulingGroup'),
    ],
  },
  {
    gate: 'ClusterTrustBundleProjection',
    name: 'a bundle of trust in a volume',
    steps: [post('pods', pod('trust', volume({ clusterTrustBundle: { name: 'b', path: 'p' } })), 'spec/volumes')],
  },
  {
    gate: 'PodCertificateRequest',
    name: 'a certificate in a volume',
    steps: [
      post('pods', pod('cert', volume({ podCertificate: { signerName: 'a.b/c', keyType: 'ED25519', credentialBundlePath: 'p' } })), 'spec/volumes'),
    ],
  },
  {
    gate: 'SELinuxMount',
    name: 'how labels of SELinux change',
    steps: [
      post('pods', pod('selinux', { securityContext: { seLinuxChangePolicy: 'MountOption' } }), 'spec/securityContext'),
      post('pods', pod('selinux-recursive', { securityContext: { seLinuxChangePolicy: 'Recursive' } }), 'spec/securityContext'),
    ],
  },
  {
    gate: 'UserNamespacesHostNetworkSupport',
    name: 'users of their own on the network of the host',
    steps: [post('pods', pod('users', { hostUsers: false, hostNetwork: true }), 'spec/hostUsers')],
  },
  {
    gate: 'TaintTolerationComparisonOperators',
    name: 'tolerations that compare',
    before: [post('pods', pod('tolerant-old', { tolerations: [{ key: 'a', operator: 'Gt', value: '5' }] }))],
    steps: [
      post('pods', pod('tolerant', { tolerations: [{ key: 'a', operator: 'Gt', value: '5' }] }), 'spec/tolerations'),
      merge('pods/tolerant-old', { metadata: labels }, 'spec/tolerations'),
    ],
  },
  {
    gate: 'ClearingNominatedNodeNameAfterBinding',
    name: 'a node that was thought of before',
    steps: [
      post('pods', pod('nominated')),
      merge('pods/nominated/status', { status: { nominatedNodeName: 'n' } }, 'status/nominatedNodeName'),
      { method: 'POST', path: pathOf('pods/nominated/binding'), body: { metadata: { name: 'nominated' }, target: { kind: 'Node', name: 'n' } } },
      get(pathOf('pods/nominated'), 'spec/nodeName', 'status/nominatedNodeName'),
      merge('pods/nominated/status', { status: { nominatedNodeName: 'm' } }, 'status/nominatedNodeName'),
    ],
  },
  {
    gate: 'PodTopologyLabelsAdmission',
    name: 'where the node of a pod stands',
    before: [
      post('nodes', named('placed', { metadata: { name: 'placed', labels: { 'topology.kubernetes.io/zone': 'z' } } })),
      post('pods', pod('placed')),
    ],
    steps: [
      { method: 'POST', path: pathOf('pods/placed/binding'), body: { metadata: { name: 'placed' }, target: { kind: 'Node', name: 'placed' } } },
      get(pathOf('pods/placed'), 'spec/nodeName', 'metadata/labels'),
    ],
  },
  {
    gate: 'InPlacePodVerticalScalingInitContainers',
    name: 'another size for what goes first',
    before: [
      post('pods', pod('init', { containers: [{ ...container, ...sized('1') }], initContainers: [{ ...container, name: 'i', ...sized('1') }] })),
    ],
    steps: [
      merge(
        'pods/init/resize',
        { spec: { containers: [{ ...container, ...sized('1') }], initContainers: [{ ...container, name: 'i', ...sized('2') }] } },
        'spec/initContainers/0/resources',
      ),
    ],
  },
  {
    gate: 'InPlacePodLevelResourcesVerticalScaling',
    name: 'another size of a whole pod',
    before: [post('pods', podWith('whole', sized('1'), sized('2')))],
    steps: [merge('pods/whole/resize', { spec: sized('3') }, 'spec/resources')],
  },
  {
    gate: 'InPlacePodLevelResourcesVerticalScaling',
    name: 'the size that a whole pod has',
    before: [
      post('pods', pod('size-told')),
      post('pods', pod('size-old')),
      merge('pods/size-old/status', { status: { allocatedResources: { cpu: '1' } } }),
    ],
    steps: [
      merge(
        'pods/size-told/status',
        { status: { allocatedResources: { cpu: '1' }, resources: { requests: { cpu: '1' } } } },
        'status/allocatedResources',
        'status/resources',
      ),
      merge('pods/size-old/status', { status: { resources: { requests: { cpu: '1' } } } }, 'status/allocatedResources', 'status/resources'),
    ],
  },
  {
    gate: 'DRAExtendedResource',
    name: 'a claim for an extended resource',
    before: [post('pods', podWith('extended', { resources: { requests: { 'a.b/c': '1' }, limits: { 'a.b/c': '1' } } }))],
    steps: [
      merge(
        'pods/extended/status',
        {
          status: {
            extendedResourceClaimStatus: {
              resourceClaimName: 'r',
              requestMappings: [{ containerName: 'c', resourceName: 'a.b/c', requestName: 'q' }],
            },
          },
        },
        'status/extendedResourceClaimStatus',
      ),
    ],
  },
  {
    gate: 'ImageVolumeWithDigest',
    name: 'the image of a volume',
    before: [
      post('pods', podWith('digest', { volumeMounts: [{ name: 'v', mountPath: '/v' }] }, { volumes: [{ name: 'v', image: { reference: 'r' } }] })),
    ],
    steps: [
      merge(
        'pods/digest/status',
        status({ ...running, volumeMounts: [{ name: 'v', mountPath: '/v', volumeStatus: { image: { imageRef: 'r@sha256:1' } } }] }),
        'status/containerStatuses/0/volumeMounts',
      ),
    ],
  },
  {
    gate: 'ResourceHealthStatus',
    name: 'how a device is',
    before: [post('pods', withDevice('health')), post('pods', withDevice('health-old')), merge('pods/health-old/status', status(health('ill')))],
    steps: [
      merge('pods/health/status', status(health()), 'status/containerStatuses/0/allocatedResourcesStatus'),
      merge(
        'pods/health-old/status',
        { metadata: labels, ...status({ ...health('worse'), ready: false }) },
        'status/containerStatuses/0/allocatedResourcesStatus',
      ),
    ],
  },
  {
    gate: 'ResourceHealthStatusMessage',
    name: 'why a device is ill',
    before: [post('pods', withDevice('ill')), post('pods', withDevice('ill-old')), merge('pods/ill-old/status', status(health()))],
    steps: [
      merge('pods/ill/status', status(health('because')), 'status/containerStatuses/0/allocatedResourcesStatus'),
      merge('pods/ill-old/status', status(health('because')), 'status/containerStatuses/0/allocatedResourcesStatus'),
    ],
  },
];

function withDevice(name: string): ReturnType<typeof pod> {
  return podWith(name, { resources: { claims: [{ name: 'a' }] } }, { resourceClaims: [{ name: 'a', resourceClaimName: 'x' }] });
}

function health(message?: string): object {
  const device = { resourceID: 'd', health: 'Unhealthy', ...(message === undefined ? {} : { message }) };
  return { ...running, allocatedResourcesStatus: [{ name: 'claim:a', resources: [device] }] };
}
