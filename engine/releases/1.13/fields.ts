/** Fields and values of release 1.13, told from the present ones. Mirrors its pkg/apis (types, validation, DropDisabledFields). */
import type { GatedRefusal, ReleaseFields } from '../../contracts/release.ts';
import { isEnvVarName } from '../../apimachinery/formats.ts';
import { laterFields, writtenZeros } from './fields.gen.ts';
import { driverFaults } from './refusals/unjudged.ts';

const accessModes = { later: ['ReadWriteOncePod'], known: ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce'] };
const quotaScopes = {
  later: ['CrossNamespacePodAffinity', 'VolumeAttributesClass'],
  known: ['BestEffort', 'NotBestEffort', 'NotTerminating', 'PriorityClass', 'Terminating'],
};
const protocol = { later: ['SCTP'], known: ['TCP', 'UDP'], gate: 'SCTPSupport' };
const fieldPath = {
  later: ['status.hostIPs', 'status.podIPs'],
  known: ['metadata.name', 'metadata.namespace', 'metadata.uid', 'spec.nodeName', 'spec.serviceAccountName', 'status.hostIP', 'status.podIP'],
};

/** Where a policy says what nobody can ask for yet. */
const classGates = { allowedTopologies: 'VolumeScheduling', allowVolumeExpansion: 'ExpandPersistentVolumes', volumeBindingMode: 'VolumeScheduling' };

const isolation = 'LocalStorageCapacityIsolation';
const ephemeral = 'ephemeral-storage';
const storageOff = 'ResourceEphemeralStorage field disabled by feature-gate for';
const noStorage: GatedRefusal = {
  gate: isolation,
  why: (name) => (name === ephemeral ? `${storageOff} Resource LimitRange` : undefined),
  named: true,
};

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const one = { card: 'one', omitEmpty: true, pointer: false } as const;
const stateOfSeries = { ...one, name: 'state', number: 3, type: 'string' } as const;
const earlier: ReleaseFields['earlier'] = {
  fields: {
    [`${meta}.ObjectMeta`]: [
      {
        field: { ...one, name: 'initializers', number: 16, type: { message: `${meta}.Initializers` }, pointer: true },
        before: 'finalizers',
        gate: 'Initializers',
      },
      // Nobody keeps it of an object of its own (pkg/registry/rest/create.go), templates do; protobuf writes it always.
      { field: { ...one, name: 'clusterName', number: 15, type: 'string' } },
    ],
    'io.k8s.api.core.v1.EventSeries': [{ field: stateOfSeries }],
    'io.k8s.api.events.v1beta1.EventSeries': [{ field: { ...stateOfSeries, omitEmpty: false } }],
  },
  messages: [
    {
      name: `${meta}.Initializers`,
      fields: [
        {
          name: 'pending',
          number: 1,
          type: { message: `${meta}.Initializer` },
          card: 'list',
          omitEmpty: false,
          pointer: false,
          patchStrategy: 'merge',
          patchMergeKey: 'name',
        },
        { ...one, name: 'result', number: 2, type: { message: `${meta}.Status` }, pointer: true },
      ],
    },
    { name: `${meta}.Initializer`, fields: [{ ...one, name: 'name', number: 1, type: 'string', omitEmpty: false }] },
  ],
};

export const fields: ReleaseFields = {
  later: laterFields,
  earlier,
  writtenZeros,
  gated: {
    'io.k8s.api.core.v1.Container': { volumeDevices: 'BlockVolume' },
    'io.k8s.api.core.v1.EmptyDirVolumeSource': { sizeLimit: 'LocalStorageCapacityIsolation' },
    'io.k8s.api.core.v1.NodeSpec': { configSource: 'DynamicKubeletConfig' },
    'io.k8s.api.core.v1.NodeStatus': { config: 'DynamicKubeletConfig' },
    'io.k8s.api.core.v1.PersistentVolumeClaimSpec': { volumeMode: 'BlockVolume' },
    'io.k8s.api.core.v1.PersistentVolumeSource': { csi: 'CSIPersistentVolume' },
    'io.k8s.api.core.v1.PersistentVolumeSpec': { volumeMode: 'BlockVolume' },
    'io.k8s.api.storage.v1.StorageClass': classGates,
    'io.k8s.api.storage.v1beta1.StorageClass': classGates,
  },
  refused: {
    'io.k8s.api.batch.v1.JobSpec': { ttlSecondsAfterFinished: { gate: 'TTLAfterFinished', why: 'disabled by feature-gate' } },
    'io.k8s.api.core.v1.EmptyDirVolumeSource': {
      medium: { gate: 'HugePages', why: 'HugePages medium is disabled by feature-gate for EmptyDir volumes', value: 'HugePages' },
    },
    'io.k8s.api.core.v1.LimitRangeItem': { max: noStorage, min: noStorage, default: noStorage, defaultRequest: noStorage },
    'io.k8s.api.core.v1.PersistentVolumeClaimSpec': {
      dataSource: { gate: 'VolumeSnapshotDataSource', why: 'VolumeSnapshotDataSource is disabled by feature-gate' },
    },
    'io.k8s.api.core.v1.PersistentVolumeSpec': {
      local: { gate: 'PersistentLocalVolumes', why: 'Local volumes are disabled by feature-gate' },
      nodeAffinity: { gate: 'VolumeScheduling', why: 'Volume node affinity is disabled by feature-gate' },
    },
    'io.k8s.api.core.v1.PodSecurityContext': { sysctls: { gate: 'Sysctls', why: 'Sysctls are disabled by Sysctls feature-gate' } },
    'io.k8s.api.core.v1.PodSpec': {
      dnsConfig: { gate: 'CustomPodDNS', why: 'DNSConfig: custom pod DNS is disabled by feature gate' },
      readinessGates: { gate: 'PodReadinessGates', why: 'PodReadinessGates is disabled by feature gate' },
      shareProcessNamespace: {
        gate: 'PodShareProcessNamespace',
        why: 'Process Namespace Sharing is disabled by PodShareProcessNamespace feature-gate',
        in: 'securityContext',
      },
    },
    'io.k8s.api.core.v1.ResourceRequirements': {
      limits: [
        {
          gate: 'HugePages',
          why: (name) => (name.startsWith('hugepages-') ? `${name} field disabled by feature-gate for ResourceRequirements` : undefined),
        },
        { gate: isolation, why: (name) => (name === ephemeral ? `${storageOff} ResourceRequirements` : undefined) },
      ],
    },
    'io.k8s.api.core.v1.ResourceQuotaSpec': {
      scopeSelector: { gate: 'ResourceQuotaScopeSelectors', why: 'ResourceQuotaScopeSelectors feature-gate is disabled' },
    },
    'io.k8s.api.core.v1.VolumeMount': { subPath: { gate: 'VolumeSubpath', why: 'subPath is disabled by feature-gate', ofList: true } },
    'io.k8s.api.core.v1.VolumeProjection': {
      serviceAccountToken: { gate: 'TokenRequestProjection', why: 'TokenRequestProjection feature is not enabled' },
    },
  },
  judged: {
    'io.k8s.api.core.v1.EnvFromSource': { prefix: isEnvVarName },
    'io.k8s.api.core.v1.EnvVar': { name: isEnvVarName },
    'io.k8s.api.storage.v1.VolumeAttachmentSpec': { attacher: driverFaults },
  },
  laterValues: {
    'io.k8s.api.core.v1.ContainerPort': { protocol },
    'io.k8s.api.core.v1.EndpointPort': { protocol },
    'io.k8s.api.core.v1.ObjectFieldSelector': { fieldPath },
    'io.k8s.api.core.v1.PersistentVolumeClaimSpec': { accessModes },
    'io.k8s.api.core.v1.PersistentVolumeSpec': { accessModes },
    'io.k8s.api.core.v1.ResourceQuotaSpec': { scopes: quotaScopes },
    'io.k8s.api.core.v1.ScopedResourceSelectorRequirement': { scopeName: quotaScopes },
    'io.k8s.api.core.v1.ServicePort': { protocol },
    'io.k8s.api.extensions.v1beta1.NetworkPolicyPort': { protocol },
    'io.k8s.api.networking.v1.NetworkPolicyPort': { protocol },
  },
};
