/** What release 1.13 serves, and what it does not know. */
import type { Release } from '../../contracts/release.ts';

/** Resources of a real 1.13 server, and the clusters of the seeds. What is not built in a version is not there. */
export const listed: NonNullable<Release['versions']['listed']> = {
  'admissionregistration.k8s.io/v1beta1': ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
  'apiextensions.k8s.io/v1beta1': ['customresourcedefinitions'],
  'apiregistration.k8s.io/v1': ['apiservices'],
  'apiregistration.k8s.io/v1beta1': ['apiservices'],
  'apps/v1': ['controllerrevisions', 'daemonsets', 'deployments', 'replicasets', 'statefulsets'],
  'apps/v1beta1': ['controllerrevisions', 'deployments', 'statefulsets'],
  'apps/v1beta2': ['controllerrevisions', 'daemonsets', 'deployments', 'replicasets', 'statefulsets'],
  'authentication.k8s.io/v1': ['tokenreviews'],
  'authentication.k8s.io/v1beta1': ['tokenreviews'],
  'authorization.k8s.io/v1': ['localsubjectaccessreviews', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'subjectaccessreviews'],
  'authorization.k8s.io/v1beta1': ['localsubjectaccessreviews', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'subjectaccessreviews'],
  'autoscaling/v1': ['horizontalpodautoscalers'],
  'autoscaling/v2beta1': ['horizontalpodautoscalers'],
  'autoscaling/v2beta2': ['horizontalpodautoscalers'],
  'batch/v1': ['jobs'],
  'batch/v1beta1': ['cronjobs'],
  'certificates.k8s.io/v1beta1': ['certificatesigningrequests'],
  'coordination.k8s.io/v1beta1': ['leases'],
  'events.k8s.io/v1beta1': ['events'],
  'extensions/v1beta1': ['daemonsets', 'deployments', 'ingresses', 'networkpolicies', 'podsecuritypolicies', 'replicasets', 'replicationcontrollers'],
  'networking.k8s.io/v1': ['networkpolicies'],
  'policy/v1beta1': ['poddisruptionbudgets', 'podsecuritypolicies'],
  'rbac.authorization.k8s.io/v1': ['clusterrolebindings', 'clusterroles', 'rolebindings', 'roles'],
  'rbac.authorization.k8s.io/v1beta1': ['clusterrolebindings', 'clusterroles', 'rolebindings', 'roles'],
  'scheduling.k8s.io/v1beta1': ['priorityclasses'],
  'storage.k8s.io/v1': ['storageclasses', 'volumeattachments'],
  'storage.k8s.io/v1beta1': ['storageclasses', 'volumeattachments'],
  v1: [
    'bindings',
    'componentstatuses',
    'configmaps',
    'endpoints',
    'events',
    'limitranges',
    'namespaces',
    'nodes',
    'persistentvolumeclaims',
    'persistentvolumes',
    'pods',
    'podtemplates',
    'replicationcontrollers',
    'resourcequotas',
    'secrets',
    'serviceaccounts',
    'services',
  ],
  'federation/v1beta1': ['clusters'],
};

/** Its own first versions, which its scheme knows; everybody who wants them served says `--runtime-config=api/all=true`. */
export const unserved: { readonly [groupVersion: string]: readonly string[] } = {
  'admissionregistration.k8s.io/v1alpha1': ['initializerconfigurations'],
  'auditregistration.k8s.io/v1alpha1': ['auditsinks'],
  'batch/v2alpha1': ['cronjobs'],
  'rbac.authorization.k8s.io/v1alpha1': ['clusterrolebindings', 'clusterroles', 'rolebindings', 'roles'],
  'scheduling.k8s.io/v1alpha1': ['priorityclasses'],
  'settings.k8s.io/v1alpha1': ['podpresets'],
  'storage.k8s.io/v1alpha1': ['volumeattachments'],
};

export const off = Object.keys(unserved);

/** What came later and is off now: not even components ask for it. */
export const absent: Release['versions']['absent'] = {
  'admissionregistration.k8s.io/v1alpha1': ['mutatingadmissionpolicies', 'mutatingadmissionpolicybindings'],
  'admissionregistration.k8s.io/v1beta1': ['mutatingadmissionpolicies', 'mutatingadmissionpolicybindings'],
  'certificates.k8s.io/v1alpha1': ['clustertrustbundles'],
  'certificates.k8s.io/v1beta1': ['clustertrustbundles', 'podcertificaterequests'],
  'coordination.k8s.io/v1alpha2': ['leasecandidates'],
  'coordination.k8s.io/v1beta1': ['leasecandidates'],
  'internal.apiserver.k8s.io/v1alpha1': ['storageversions'],
  'networking.k8s.io/v1beta1': ['ipaddresses', 'servicecidrs'],
  'resource.k8s.io/v1alpha3': ['devicetaintrules', 'resourcepoolstatusrequests'],
  'resource.k8s.io/v1beta1': ['deviceclasses', 'resourceclaims', 'resourceclaimtemplates', 'resourceslices'],
  'resource.k8s.io/v1beta2': ['deviceclasses', 'devicetaintrules', 'resourceclaims', 'resourceclaimtemplates', 'resourceslices'],
  'scheduling.k8s.io/v1alpha2': ['podgroups', 'workloads'],
  'storage.k8s.io/v1beta1': ['volumeattributesclasses'],
  'storagemigration.k8s.io/v1beta1': ['storageversionmigrations'],
};
