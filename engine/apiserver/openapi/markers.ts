/** Defaults and unions that upstream marks on single types, beyond what the shape of a type says. */
import type { JsonObject } from '../../base/json.ts';

/** By definition and field. */
export const markedDefaults: { readonly [definition: string]: JsonObject } = {
  'io.k8s.api.autoscaling.v1.ScaleSpec': { replicas: 0 },
  'io.k8s.api.certificates.v1beta1.PodCertificateRequestSpec': { maxExpirationSeconds: 86400 },
  'io.k8s.api.core.v1.AzureDiskVolumeSource': { cachingMode: 'ReadWrite', fsType: 'ext4', kind: 'Shared', readOnly: false },
  'io.k8s.api.core.v1.ConfigMapEnvSource': { name: '' },
  'io.k8s.api.core.v1.ConfigMapKeySelector': { name: '' },
  'io.k8s.api.core.v1.ConfigMapProjection': { name: '' },
  'io.k8s.api.core.v1.ConfigMapVolumeSource': { name: '' },
  'io.k8s.api.core.v1.ContainerPort': { protocol: 'TCP' },
  'io.k8s.api.core.v1.FileKeySelector': { optional: false },
  'io.k8s.api.core.v1.GRPCAction': { service: '' },
  'io.k8s.api.core.v1.ISCSIPersistentVolumeSource': { iscsiInterface: 'default' },
  'io.k8s.api.core.v1.ISCSIVolumeSource': { iscsiInterface: 'default' },
  'io.k8s.api.core.v1.LocalObjectReference': { name: '' },
  'io.k8s.api.core.v1.RBDPersistentVolumeSource': { keyring: '/etc/ceph/keyring', pool: 'rbd', user: 'admin' },
  'io.k8s.api.core.v1.RBDVolumeSource': { keyring: '/etc/ceph/keyring', pool: 'rbd', user: 'admin' },
  'io.k8s.api.core.v1.ReplicationControllerSpec': { minReadySeconds: 0, replicas: 1 },
  'io.k8s.api.core.v1.ScaleIOPersistentVolumeSource': { fsType: 'xfs', storageMode: 'ThinProvisioned' },
  'io.k8s.api.core.v1.ScaleIOVolumeSource': { fsType: 'xfs', storageMode: 'ThinProvisioned' },
  'io.k8s.api.core.v1.SecretEnvSource': { name: '' },
  'io.k8s.api.core.v1.SecretKeySelector': { name: '' },
  'io.k8s.api.core.v1.SecretProjection': { name: '' },
  'io.k8s.api.core.v1.ServicePort': { protocol: 'TCP' },
  'io.k8s.api.resource.v1.DeviceToleration': { operator: 'Equal' },
  'io.k8s.api.resource.v1alpha3.ResourcePoolStatusRequestSpec': { limit: 100 },
  'io.k8s.api.resource.v1beta1.DeviceToleration': { operator: 'Equal' },
  'io.k8s.api.resource.v1beta2.DeviceToleration': { operator: 'Equal' },
  'io.k8s.api.scheduling.v1alpha2.PodGroupSpec': { disruptionMode: 'Pod' },
};

/** `x-kubernetes-unions`. */
export const markedUnions: { readonly [definition: string]: JsonObject } = {
  'io.k8s.api.core.v1.AppArmorProfile': { discriminator: 'type', 'fields-to-discriminateBy': { localhostProfile: 'LocalhostProfile' } },
  'io.k8s.api.core.v1.PodSchedulingGroup': { 'fields-to-discriminateBy': { podGroupName: 'PodGroupName' } },
  'io.k8s.api.core.v1.SeccompProfile': { discriminator: 'type', 'fields-to-discriminateBy': { localhostProfile: 'LocalhostProfile' } },
  'io.k8s.api.flowcontrol.v1.LimitResponse': { discriminator: 'type', 'fields-to-discriminateBy': { queuing: 'Queuing' } },
  'io.k8s.api.flowcontrol.v1.PriorityLevelConfigurationSpec': {
    discriminator: 'type',
    'fields-to-discriminateBy': { exempt: 'Exempt', limited: 'Limited' },
  },
  'io.k8s.api.flowcontrol.v1.Subject': {
    discriminator: 'kind',
    'fields-to-discriminateBy': { group: 'Group', serviceAccount: 'ServiceAccount', user: 'User' },
  },
  'io.k8s.api.scheduling.v1alpha2.PodGroupSchedulingPolicy': { 'fields-to-discriminateBy': { basic: 'Basic', gang: 'Gang' } },
  'io.k8s.api.scheduling.v1alpha2.PodGroupTemplateReference': { 'fields-to-discriminateBy': { workload: 'Workload' } },
};

/** What answers itself when it is deleted, though it is described otherwise. */
export const saidToAnswerStatus: ReadonlySet<string> = new Set(['io.k8s.api.core.v1.Namespace']);

/** Objects of which upstream does not say what their metadata is for. */
export const withBareMetadata: ReadonlySet<string> = new Set([
  'io.k8s.api.certificates.v1.CertificateSigningRequest',
  'io.k8s.api.certificates.v1.CertificateSigningRequestList',
]);
