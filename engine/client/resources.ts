/** The resources that components of the engine use, with their types. */
import type { Deployment, ReplicaSet, ControllerRevision, DaemonSet, StatefulSet } from '../api/apps/v1/types.gen.ts';
import type { HorizontalPodAutoscaler } from '../api/autoscaling/v2/types.gen.ts';
import type { CronJob, Job } from '../api/batch/v1/types.gen.ts';
import type { Lease } from '../api/coordination/v1/types.gen.ts';
import type {
  ConfigMap,
  Endpoints,
  Event,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ReplicationController,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
} from '../api/core/v1/types.gen.ts';
import type { Event as NewEvent } from '../api/events/v1/types.gen.ts';
import type { EndpointSlice } from '../api/discovery/v1/types.gen.ts';
import type { DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice } from '../api/resource/v1/types.gen.ts';
import type { DeviceTaintRule } from '../api/resource/v1beta2/types.gen.ts';
import type { PodGroup, Workload } from '../api/scheduling/v1alpha2/types.gen.ts';
import type { PodDisruptionBudget } from '../api/policy/v1/types.gen.ts';
import type { CSIDriver, CSINode, CSIStorageCapacity, StorageClass, VolumeAttachment, VolumeAttributesClass } from '../api/storage/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { type Codec, flag, shape, text } from '../base/codecs.ts';
import type { ResourceType } from './client.ts';

/** As plain data, for those who remember it. */
export const resourceTypeCodec: Codec<ResourceType> = shape<ResourceType>({
  group: text,
  version: text,
  resource: text,
  kind: text,
  namespaced: flag,
} as never);

/** Names a resource; `resourceType<Pod>('', 'v1', 'pods', 'Pod')`. */
export function resourceType<T extends KubeObject>(
  group: string,
  version: string,
  resource: string,
  kind: string,
  namespaced = true,
): ResourceType<T> {
  return { group, version, resource, kind, namespaced };
}

export const pods = resourceType<Pod>('', 'v1', 'pods', 'Pod');
export const nodes = resourceType<Node>('', 'v1', 'nodes', 'Node', false);
export const namespaces = resourceType<Namespace>('', 'v1', 'namespaces', 'Namespace', false);
export const services = resourceType<Service>('', 'v1', 'services', 'Service');
export const endpoints = resourceType<Endpoints>('', 'v1', 'endpoints', 'Endpoints');
export const events = resourceType<Event>('', 'v1', 'events', 'Event');
/** Events in the form that the scheduler writes. */
export const newEvents = resourceType<NewEvent>('events.k8s.io', 'v1', 'events', 'Event');
export const configMaps = resourceType<ConfigMap>('', 'v1', 'configmaps', 'ConfigMap');
export const secrets = resourceType<Secret>('', 'v1', 'secrets', 'Secret');
export const serviceAccounts = resourceType<ServiceAccount>('', 'v1', 'serviceaccounts', 'ServiceAccount');
export const persistentVolumes = resourceType<PersistentVolume>('', 'v1', 'persistentvolumes', 'PersistentVolume', false);
export const persistentVolumeClaims = resourceType<PersistentVolumeClaim>('', 'v1', 'persistentvolumeclaims', 'PersistentVolumeClaim');
export const replicationControllers = resourceType<ReplicationController>('', 'v1', 'replicationcontrollers', 'ReplicationController');
export const resourceQuotas = resourceType<ResourceQuota>('', 'v1', 'resourcequotas', 'ResourceQuota');
export const deployments = resourceType<Deployment>('apps', 'v1', 'deployments', 'Deployment');
export const replicaSets = resourceType<ReplicaSet>('apps', 'v1', 'replicasets', 'ReplicaSet');
export const statefulSets = resourceType<StatefulSet>('apps', 'v1', 'statefulsets', 'StatefulSet');
export const daemonSets = resourceType<DaemonSet>('apps', 'v1', 'daemonsets', 'DaemonSet');
export const controllerRevisions = resourceType<ControllerRevision>('apps', 'v1', 'controllerrevisions', 'ControllerRevision');
export const jobs = resourceType<Job>('batch', 'v1', 'jobs', 'Job');
export const cronJobs = resourceType<CronJob>('batch', 'v1', 'cronjobs', 'CronJob');
export const workloads = resourceType<Workload>('scheduling.k8s.io', 'v1alpha2', 'workloads', 'Workload');
export const podGroups = resourceType<PodGroup>('scheduling.k8s.io', 'v1alpha2', 'podgroups', 'PodGroup');
export const leases = resourceType<Lease>('coordination.k8s.io', 'v1', 'leases', 'Lease');
export const endpointSlices = resourceType<EndpointSlice>('discovery.k8s.io', 'v1', 'endpointslices', 'EndpointSlice');
export const horizontalPodAutoscalers = resourceType<HorizontalPodAutoscaler>(
  'autoscaling',
  'v2',
  'horizontalpodautoscalers',
  'HorizontalPodAutoscaler',
);
export const podDisruptionBudgets = resourceType<PodDisruptionBudget>('policy', 'v1', 'poddisruptionbudgets', 'PodDisruptionBudget');
export const volumeAttributesClasses = resourceType<VolumeAttributesClass>(
  'storage.k8s.io',
  'v1',
  'volumeattributesclasses',
  'VolumeAttributesClass',
  false,
);

const storage = <T extends KubeObject>(resource: string, kind: string, namespaced = false): ResourceType<T> =>
  resourceType('storage.k8s.io', 'v1', resource, kind, namespaced);
export const storageClasses = storage<StorageClass>('storageclasses', 'StorageClass');
export const csiDrivers = storage<CSIDriver>('csidrivers', 'CSIDriver');
export const csiNodes = storage<CSINode>('csinodes', 'CSINode');
export const csiStorageCapacities = storage<CSIStorageCapacity>('csistoragecapacities', 'CSIStorageCapacity', true);
export const volumeAttachments = storage<VolumeAttachment>('volumeattachments', 'VolumeAttachment');

export const resourceClaims = resourceType<ResourceClaim>('resource.k8s.io', 'v1', 'resourceclaims', 'ResourceClaim');
export const resourceClaimTemplates = resourceType<ResourceClaimTemplate>('resource.k8s.io', 'v1', 'resourceclaimtemplates', 'ResourceClaimTemplate');
export const deviceClasses = resourceType<DeviceClass>('resource.k8s.io', 'v1', 'deviceclasses', 'DeviceClass', false);
export const deviceTaintRules = resourceType<DeviceTaintRule>('resource.k8s.io', 'v1beta2', 'devicetaintrules', 'DeviceTaintRule', false);
export const resourceSlices = resourceType<ResourceSlice>('resource.k8s.io', 'v1', 'resourceslices', 'ResourceSlice', false);
