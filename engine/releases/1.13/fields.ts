/** Fields and values of release 1.13, told from the present ones. Mirrors its pkg/apis (types, validation, DropDisabledFields). */
import type { ReleaseFields } from '../../contracts/release.ts';
import { laterFields, writtenZeros } from './fields.gen.ts';

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

export const fields: ReleaseFields = {
  later: laterFields,
  writtenZeros,
  gated: {
    'io.k8s.api.batch.v1.JobSpec': { ttlSecondsAfterFinished: 'TTLAfterFinished' },
    'io.k8s.api.core.v1.Container': { volumeDevices: 'BlockVolume' },
    'io.k8s.api.core.v1.EmptyDirVolumeSource': { sizeLimit: 'LocalStorageCapacityIsolation' },
    'io.k8s.api.core.v1.PersistentVolumeClaimSpec': { volumeMode: 'BlockVolume' },
    'io.k8s.api.core.v1.PersistentVolumeSpec': { volumeMode: 'BlockVolume' },
    'io.k8s.api.core.v1.PodSecurityContext': { runAsGroup: 'RunAsGroup' },
    'io.k8s.api.core.v1.PodSpec': { priority: 'PodPriority', priorityClassName: 'PodPriority', runtimeClassName: 'RuntimeClass' },
    'io.k8s.api.core.v1.SecurityContext': { procMount: 'ProcMountType', runAsGroup: 'RunAsGroup' },
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
  },
};
