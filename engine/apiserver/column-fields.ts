import type { ColumnFields } from '../contracts/release-documents.ts';

/** Those of columns that most kinds have. */
export const commonFields: { readonly [column: string]: string } = {
  Name: 'meta.v1.ObjectMeta.name',
  Age: 'meta.v1.ObjectMeta.creationTimestamp',
  'Created At': 'meta.v1.ObjectMeta.creationTimestamp',
};

const eventFields = {
  'Last Seen': 'core.v1.Event.lastTimestamp',
  Type: 'core.v1.Event.type',
  Reason: 'core.v1.Event.reason',
  Object: 'core.v1.Event.involvedObject',
  Subobject: 'core.v1.ObjectReference.fieldPath',
  Source: 'core.v1.Event.source',
  Message: 'core.v1.Event.message',
  'First Seen': 'core.v1.Event.firstTimestamp',
  Count: 'core.v1.Event.count',
};

/**
 * Fields whose descriptions stand at columns of tables, by kind and column: which they are was read from a real 1.36.3, whose printers
 * take them from there. The words are read where those of OpenAPI are (`openapi/descriptions.ts`); of types that the installed release has
 * as alpha only they stand there. Columns that upstream describes in words of their own are not here.
 */
export const columnFields: ColumnFields = {
  'CSIDriver.storage.k8s.io': {
    AttachRequired: 'storage.v1.CSIDriverSpec.attachRequired',
    PodInfoOnMount: 'storage.v1.CSIDriverSpec.podInfoOnMount',
    StorageCapacity: 'storage.v1.CSIDriverSpec.storageCapacity',
    TokenRequests: 'storage.v1.CSIDriverSpec.tokenRequests',
    RequiresRepublish: 'storage.v1.CSIDriverSpec.requiresRepublish',
    Modes: 'storage.v1.CSIDriverSpec.volumeLifecycleModes',
  },
  'CertificateSigningRequest.certificates.k8s.io': {
    RequestedDuration: 'certificates.v1.CertificateSigningRequestSpec.expirationSeconds',
  },
  'ClusterTrustBundle.certificates.k8s.io': {
    SignerName: 'certificates.v1alpha1.ClusterTrustBundleSpec.signerName',
  },
  ConfigMap: {
    Data: 'core.v1.ConfigMap.data',
  },
  'ControllerRevision.apps': {
    Revision: 'apps.v1.ControllerRevision.revision',
  },
  'CronJob.batch': {
    Schedule: 'batch.v1.CronJobSpec.schedule',
    Timezone: 'batch.v1.CronJobSpec.timeZone',
    Suspend: 'batch.v1.CronJobSpec.suspend',
    Active: 'batch.v1.CronJobStatus.active',
    'Last Schedule': 'batch.v1.CronJobStatus.lastScheduleTime',
    Selector: 'batch.v1.JobSpec.selector',
  },
  'DaemonSet.apps': {
    Desired: 'apps.v1.DaemonSetStatus.desiredNumberScheduled',
    Current: 'apps.v1.DaemonSetStatus.currentNumberScheduled',
    Ready: 'apps.v1.DaemonSetStatus.numberReady',
    'Up-to-date': 'apps.v1.DaemonSetStatus.updatedNumberScheduled',
    Available: 'apps.v1.DaemonSetStatus.numberAvailable',
    'Node Selector': 'core.v1.PodSpec.nodeSelector',
    Selector: 'apps.v1.DaemonSetSpec.selector',
  },
  'Deployment.apps': {
    Selector: 'apps.v1.DeploymentSpec.selector',
  },
  'DeviceTaintRule.resource.k8s.io': {
    Key: 'resource.v1.DeviceTaint.key',
    Value: 'resource.v1.DeviceTaint.value',
    Effect: 'resource.v1.DeviceTaint.effect',
    TimeAdded: 'resource.v1.DeviceTaint.timeAdded',
  },
  'EndpointSlice.discovery.k8s.io': {
    AddressType: 'discovery.v1.EndpointSlice.addressType',
    Ports: 'discovery.v1.EndpointSlice.ports',
    Endpoints: 'discovery.v1.EndpointSlice.endpoints',
  },
  Endpoints: {
    Endpoints: 'core.v1.Endpoints.subsets',
  },
  Event: eventFields,
  'Event.events.k8s.io': eventFields,
  'FlowSchema.flowcontrol.apiserver.k8s.io': {
    PriorityLevel: 'flowcontrol.v1.PriorityLevelConfigurationReference.name',
    MatchingPrecedence: 'flowcontrol.v1.FlowSchemaSpec.matchingPrecedence',
    DistinguisherMethod: 'flowcontrol.v1.FlowSchemaSpec.distinguisherMethod',
  },
  'HorizontalPodAutoscaler.autoscaling': {
    Reference: 'autoscaling.v2.HorizontalPodAutoscalerSpec.scaleTargetRef',
    Targets: 'autoscaling.v2.HorizontalPodAutoscalerSpec.metrics',
    MinPods: 'autoscaling.v1.HorizontalPodAutoscalerSpec.minReplicas',
    MaxPods: 'autoscaling.v2.HorizontalPodAutoscalerSpec.maxReplicas',
    Replicas: 'autoscaling.v2.HorizontalPodAutoscalerStatus.currentReplicas',
  },
  'IPAddress.networking.k8s.io': {
    ParentRef: 'networking.v1.IPAddressSpec.parentRef',
  },
  'Job.batch': {
    Completions: 'batch.v1.JobStatus.succeeded',
    Selector: 'batch.v1.JobSpec.selector',
  },
  'NetworkPolicy.networking.k8s.io': {
    'Pod-Selector': 'networking.v1.NetworkPolicySpec.podSelector',
  },
  Node: {
    Version: 'core.v1.NodeSystemInfo.kubeletVersion',
    'Internal-IP': 'core.v1.NodeStatus.addresses',
    'External-IP': 'core.v1.NodeStatus.addresses',
    'OS-Image': 'core.v1.NodeSystemInfo.osImage',
    'Kernel-Version': 'core.v1.NodeSystemInfo.kernelVersion',
    'Container-Runtime': 'core.v1.NodeSystemInfo.containerRuntimeVersion',
  },
  PersistentVolume: {
    Capacity: 'core.v1.PersistentVolumeSpec.capacity',
    'Access Modes': 'core.v1.PersistentVolumeSpec.accessModes',
    Claim: 'core.v1.PersistentVolumeSpec.claimRef',
    Reason: 'core.v1.PersistentVolumeStatus.reason',
    'Reclaim Policy': 'core.v1.PersistentVolumeSpec.persistentVolumeReclaimPolicy',
    Status: 'core.v1.PersistentVolumeStatus.phase',
    VolumeMode: 'core.v1.PersistentVolumeSpec.volumeMode',
  },
  PersistentVolumeClaim: {
    Volume: 'core.v1.PersistentVolumeClaimSpec.volumeName',
    Capacity: 'core.v1.PersistentVolumeClaimStatus.capacity',
    'Access Modes': 'core.v1.PersistentVolumeClaimStatus.accessModes',
    Status: 'core.v1.PersistentVolumeClaimStatus.phase',
    VolumeMode: 'core.v1.PersistentVolumeClaimSpec.volumeMode',
  },
  Pod: {
    IP: 'core.v1.PodStatus.podIP',
    Node: 'core.v1.PodSpec.nodeName',
    'Nominated Node': 'core.v1.PodStatus.nominatedNodeName',
    'Readiness Gates': 'core.v1.PodSpec.readinessGates',
  },
  'PriorityClass.scheduling.k8s.io': {
    Value: 'scheduling.v1.PriorityClass.value',
    'Global-Default': 'scheduling.v1.PriorityClass.globalDefault',
    PreemptionPolicy: 'scheduling.v1.PriorityClass.preemptionPolicy',
  },
  'PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io': {
    Type: 'flowcontrol.v1.PriorityLevelConfigurationSpec.type',
    NominalConcurrencyShares: 'flowcontrol.v1.LimitedPriorityLevelConfiguration.nominalConcurrencyShares',
    Queues: 'flowcontrol.v1.QueuingConfiguration.queues',
    HandSize: 'flowcontrol.v1.QueuingConfiguration.handSize',
    QueueLengthLimit: 'flowcontrol.v1.QueuingConfiguration.queueLengthLimit',
  },
  'ReplicaSet.apps': {
    Selector: 'apps.v1.ReplicaSetSpec.selector',
  },
  ReplicationController: {
    Desired: 'core.v1.ReplicationControllerSpec.replicas',
    Current: 'core.v1.ReplicationControllerStatus.replicas',
    Ready: 'core.v1.ReplicationControllerStatus.readyReplicas',
    Selector: 'core.v1.ReplicationControllerSpec.selector',
  },
  'ResourceSlice.resource.k8s.io': {
    Node: 'resource.v1.ResourceSliceSpec.nodeName',
    Driver: 'resource.v1.ResourceSliceSpec.driver',
    Pool: 'resource.v1.ResourcePool.name',
  },
  'Scale.autoscaling': {
    Desired: 'autoscaling.v1.ScaleSpec.replicas',
    Available: 'autoscaling.v1.ScaleStatus.replicas',
  },
  Secret: {
    Type: 'core.v1.Secret.type',
    Data: 'core.v1.Secret.data',
  },
  Service: {
    'Cluster-IP': 'core.v1.ServiceSpec.clusterIP',
    'External-IP': 'core.v1.ServiceSpec.externalIPs',
    'Port(s)': 'core.v1.ServiceSpec.ports',
    Selector: 'core.v1.ServiceSpec.selector',
    Type: 'core.v1.ServiceSpec.type',
  },
  'ServiceCIDR.networking.k8s.io': {
    CIDRs: 'networking.v1.ServiceCIDRSpec.cidrs',
  },
  'StorageClass.storage.k8s.io': {
    Provisioner: 'storage.v1.StorageClass.provisioner',
    AllowVolumeExpansion: 'storage.v1.StorageClass.allowVolumeExpansion',
    ReclaimPolicy: 'storage.v1.StorageClass.reclaimPolicy',
    VolumeBindingMode: 'storage.v1.StorageClass.volumeBindingMode',
  },
  'StorageVersion.internal.apiserver.k8s.io': {
    CommonEncodingVersion: 'apiserverinternal.v1alpha1.StorageVersionStatus.commonEncodingVersion',
  },
  'VolumeAttachment.storage.k8s.io': {
    Attacher: 'storage.v1.VolumeAttachmentSpec.attacher',
    PV: 'storage.v1.VolumeAttachmentSource.persistentVolumeName',
    Node: 'storage.v1.VolumeAttachmentSpec.nodeName',
    Attached: 'storage.v1.VolumeAttachmentStatus.attached',
  },
  'VolumeAttributesClass.storage.k8s.io': {
    DriverName: 'storage.v1.VolumeAttributesClass.driverName',
  },
};
