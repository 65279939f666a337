/** Gates that show in other kinds than pods and devices. */
import type { GateCase } from './cases.ts';
import { container, get, merge, type Named, named, pathOf, post, put } from './steps.ts';

const labels = { metadata: { labels: { a: 'b' } } };
const template = { metadata: { labels: { app: 'a' } }, spec: { restartPolicy: 'Always', containers: [container] } };
const selector = { matchLabels: { app: 'a' } };
const set = (name: string, more: object): Named => named(name, { spec: { serviceName: 's', selector, template, ...more } });
const job = (name: string): Named => {
  const resources = { requests: { cpu: '1' } };
  const spec = { restartPolicy: 'Never', containers: [{ ...container, resources }] };
  return named(name, { spec: { suspend: true, template: { spec } } });
};
const scaler = (name: string, more: object): Named =>
  named(name, {
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
      maxReplicas: 3,
      metrics: [
        {
          type: 'Object',
          object: { metric: { name: 'm' }, describedObject: { apiVersion: 'v1', kind: 'Service', name: 's' }, target: { type: 'Value', value: '1' } },
        },
      ],
      ...more,
    },
  });
const tolerance = { behavior: { scaleDown: { tolerance: '0.5' }, scaleUp: { tolerance: '0.2' } } };
const sized = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const definition = (plural: string): Named => {
  const schema = { openAPIV3Schema: { type: 'object' } };
  const names = { plural, singular: plural, kind: plural[0]?.toUpperCase() + plural.slice(1), listKind: `${plural}List` };
  return named(`${plural}.example.com`, {
    spec: { group: 'example.com', scope: 'Namespaced', names, versions: [{ name: 'v1', served: true, storage: true, schema }] },
  });
};
const accepted = { type: 'Later', status: 'True', reason: 'R', message: '', lastTransitionTime: '2025-01-01T00:00:00Z' };
const isStatic = 'x.static.k8s.io';
const volume = (name: string, zone: string): Named =>
  named(name, {
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path: '/x' },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] }] } },
    },
  });
const policySpec = {
  matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }] },
};

export const kindCases: readonly GateCase[] = [
  {
    gate: 'MaxUnavailableStatefulSet',
    name: 'how many pods of a set may be away',
    before: [post('statefulsets', set('away-old', { updateStrategy: { rollingUpdate: { maxUnavailable: 2 } } }))],
    steps: [
      post('statefulsets', set('away', { updateStrategy: { rollingUpdate: { maxUnavailable: 2 } } }), 'spec/updateStrategy'),
      post('statefulsets', set('away-default', {}), 'spec/updateStrategy'),
      post('statefulsets', set('away-none', { updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } }), 'spec/updateStrategy'),
      merge('statefulsets/away-old', labels, 'spec/updateStrategy'),
    ],
  },
  ...['deployments', 'replicasets'].map(
    (plural): GateCase => ({
      gate: 'DeploymentReplicaSetTerminatingReplicas',
      name: `pods that end, of ${plural}`,
      before: [
        post(plural, named('ending', { spec: { selector, template } })),
        post(plural, named('ending-old', { spec: { selector, template } })),
        merge(`${plural}/ending-old/status`, { status: { terminatingReplicas: 1 } }),
      ],
      steps: [
        merge(`${plural}/ending/status`, { status: { replicas: 1, terminatingReplicas: 1 } }, 'status'),
        merge(`${plural}/ending-old/status`, { status: { replicas: 1, terminatingReplicas: 2 } }, 'status'),
      ],
    }),
  ),
  {
    gate: 'MutablePodResourcesForSuspendedJobs',
    name: 'another size for the pods of a job that waits',
    before: [post('jobs', job('waits'))],
    steps: [
      merge(
        'jobs/waits',
        { spec: { template: { spec: { containers: [{ ...container, resources: { requests: { cpu: '2' } } }] } } } },
        'spec/template/spec/containers/0/resources',
      ),
    ],
  },
  {
    gate: 'MutableSchedulingDirectivesForSuspendedJobs',
    name: 'another place for the pods of a job that has begun and waits',
    before: [
      post('jobs', job('began')),
      merge('jobs/began/status', {
        status: {
          startTime: '2025-01-01T00:00:00Z',
          conditions: [
            {
              type: 'Suspended',
              status: 'True',
              reason: 'JobSuspended',
              lastProbeTime: '2025-01-01T00:00:00Z',
              lastTransitionTime: '2025-01-01T00:00:00Z',
            },
          ],
        },
      }),
    ],
    steps: [merge('jobs/began', { spec: { template: { spec: { nodeSelector: { a: 'b' } } } } }, 'spec/template/spec/nodeSelector')],
  },
  {
    gate: 'HPAScaleToZero',
    name: 'an autoscaler down to nothing',
    before: [post('horizontalpodautoscalers', scaler('zero-old', { minReplicas: 0 })), post('horizontalpodautoscalers', scaler('zero-new', {}))],
    steps: [
      post('horizontalpodautoscalers', scaler('zero', { minReplicas: 0 }), 'spec/minReplicas'),
      merge('horizontalpodautoscalers/zero-old', { spec: { maxReplicas: 4 } }, 'spec/minReplicas'),
      merge('horizontalpodautoscalers/zero-new', { spec: { minReplicas: 0 } }, 'spec/minReplicas'),
      merge('horizontalpodautoscalers/zero-new', { spec: { minReplicas: -1 } }, 'spec/minReplicas'),
    ],
  },
  {
    gate: 'HPAConfigurableTolerance',
    name: 'what an autoscaler puts up with',
    before: [post('horizontalpodautoscalers', scaler('tolerant-old', tolerance))],
    steps: [
      post('horizontalpodautoscalers', scaler('tolerant', tolerance), 'spec/behavior/scaleDown/tolerance', 'spec/behavior/scaleUp/tolerance'),
      merge('horizontalpodautoscalers/tolerant-old', labels, 'spec/behavior/scaleDown/tolerance', 'spec/behavior/scaleUp/tolerance'),
    ],
  },
  {
    gate: 'CoordinatedLeaderElection',
    name: 'whom a lease would rather have',
    before: [post('leases', named('lease-old', { spec: { strategy: 'OldestEmulationVersion', preferredHolder: 'x', holderIdentity: 'y' } }))],
    steps: [
      post('leases', named('lease', { spec: { strategy: 'OldestEmulationVersion', preferredHolder: 'x', holderIdentity: 'y' } }), 'spec'),
      merge('leases/lease-old', labels, 'spec'),
    ],
  },
  {
    gate: 'VolumeLimitScaling',
    name: 'a driver that pods wait for',
    before: [post('csidrivers', named('driver-old', { spec: { preventPodSchedulingIfMissing: true } }))],
    steps: [
      post('csidrivers', named('driver', { spec: { preventPodSchedulingIfMissing: true } }), 'spec'),
      post('csidrivers', named('driver-default', { spec: {} }), 'spec'),
      merge('csidrivers/driver-old', labels, 'spec'),
    ],
  },
  {
    gate: 'CrossNamespaceVolumeDataSource',
    name: 'a claim filled from another namespace',
    before: [
      post(
        'persistentvolumeclaims',
        named('source-old', { spec: { ...sized, dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'x', namespace: 'other' } } }),
      ),
    ],
    steps: [
      post(
        'persistentvolumeclaims',
        named('source', { spec: { ...sized, dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'x', namespace: 'other' } } }),
        'spec/dataSourceRef',
        'spec/dataSource',
      ),
      merge('persistentvolumeclaims/source-old', labels, 'spec/dataSourceRef'),
    ],
  },
  {
    gate: 'MutablePVNodeAffinity',
    name: 'another place for a volume',
    before: [post('persistentvolumes', volume('moves', 'a'))],
    steps: [put('persistentvolumes/moves', volume('moves', 'b'), 'spec/nodeAffinity')],
  },
  {
    gate: 'ServiceCIDRStatusFieldWiping',
    name: 'the status of a range of addresses',
    before: [post('servicecidrs', named('range-old', { spec: { cidrs: ['10.9.0.0/24'] } }))],
    steps: [
      post('servicecidrs', named('range', { spec: { cidrs: ['10.8.0.0/24'] }, status: { conditions: [accepted] } }), 'status'),
      merge('servicecidrs/range-old', { metadata: labels.metadata, status: { conditions: [accepted] } }, 'status'),
    ],
  },
  {
    gate: 'CRDObservedGenerationTracking',
    name: 'which generation of a definition was seen',
    before: [post('customresourcedefinitions', definition('seens'))],
    steps: [
      merge('customresourcedefinitions/seens.example.com/status', { status: { observedGeneration: 7 } }, 'status/observedGeneration'),
      post('customresourcedefinitions', definition('laters')),
      get(`${pathOf('customresourcedefinitions')}/laters.example.com`, 'status/observedGeneration'),
    ],
  },
  {
    gate: 'NodeDeclaredFeatures',
    name: 'what a node says that it can do',
    before: [post('nodes', named('declares-old', { status: { declaredFeatures: ['A'] } }))],
    steps: [
      post('nodes', named('declares', { status: { declaredFeatures: ['A'] } }), 'status/declaredFeatures'),
      merge('nodes/declares-old/status', { status: { declaredFeatures: ['A', 'B'] } }, 'status/declaredFeatures'),
    ],
  },
  {
    gate: 'RelaxedServiceNameValidation',
    name: 'a service whose name begins with a digit',
    before: [post('services', named('1-old', { spec: { ports: [{ port: 80 }] } }))],
    steps: [post('services', named('1-new', { spec: { ports: [{ port: 80 }] } })), merge('services/1-old', labels)],
  },
  {
    gate: 'StrictIPCIDRValidation',
    name: 'an address with leading zeros',
    steps: [post('services', named('zeros', { spec: { ports: [{ port: 80 }], externalIPs: ['010.1.2.3'] } }), 'spec/externalIPs')],
  },
  {
    gate: 'MutatingAdmissionPolicy',
    name: 'a policy that changes what comes in',
    before: [
      post(
        'mutatingadmissionpolicies',
        named('changes', {
          spec: {
            ...policySpec,
            reinvocationPolicy: 'Never',
            failurePolicy: 'Fail',
            mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: "Object{data: {'a': 'b'}}" } }],
            matchConditions: [{ name: 'only', expression: "object.metadata.name == 'changed'" }],
          },
        }),
      ),
      post('mutatingadmissionpolicybindings', named('changes', { spec: { policyName: 'changes' } })),
    ],
    steps: [
      get('/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies', 'items/0/metadata/name'),
      post('configmaps', named('changed', { data: { c: 'd' } }), 'data'),
    ],
  },
  ...(
    [
      ['validatingadmissionpolicies', { spec: { ...policySpec, validations: [{ expression: 'true' }] } }],
      ['validatingadmissionpolicybindings', { spec: { policyName: 'p', validationActions: ['Deny'] } }],
      [
        'mutatingadmissionpolicies',
        {
          spec: {
            ...policySpec,
            reinvocationPolicy: 'Never',
            mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }],
          },
        },
      ],
      ['mutatingadmissionpolicybindings', { spec: { policyName: 'p' } }],
      ['validatingwebhookconfigurations', { webhooks: [] }],
      ['mutatingwebhookconfigurations', { webhooks: [] }],
    ] as const
  ).map(
    ([plural, more]): GateCase => ({
      gate: 'ManifestBasedAdmissionControlConfig',
      name: `names of ${plural} that are kept free`,
      steps: [post(plural, named(isStatic, more))],
    }),
  ),
];
