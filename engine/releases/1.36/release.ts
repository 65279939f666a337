/** Release 1.36, with the versions that the seeds name and it has no longer: they answer, and are not listed. */
import type { Release } from '../../contracts/release.ts';
import { bootstrapPolicy } from './bootstrap-policy.gen.ts';
import { featureGates } from './feature-gates.gen.ts';

export const release: Release = {
  name: '1.36',
  gitVersion: 'v1.36.3',
  version: { major: '1', minor: '36', emulationMajor: '1', emulationMinor: '36', minCompatibilityMajor: '1', minCompatibilityMinor: '35' },
  versions: {
    hidden: ['apps/v1beta1', 'apps/v1beta2', 'batch/v1beta1', 'extensions/v1beta1', 'federation/v1beta1', 'policy/v1beta1'],
    off: [
      'admissionregistration.k8s.io/v1alpha1',
      'admissionregistration.k8s.io/v1beta1',
      'certificates.k8s.io/v1alpha1',
      'certificates.k8s.io/v1beta1',
      'coordination.k8s.io/v1alpha2',
      'coordination.k8s.io/v1beta1',
      'internal.apiserver.k8s.io/v1alpha1',
      'networking.k8s.io/v1beta1',
      'resource.k8s.io/v1alpha3',
      'resource.k8s.io/v1beta1',
      'resource.k8s.io/v1beta2',
      'scheduling.k8s.io/v1alpha2',
      'storage.k8s.io/v1beta1',
      'storagemigration.k8s.io/v1beta1',
    ],
  },
  groupPriorities: {},
  fields: { later: {}, writtenZeros: {}, gated: {}, laterValues: {} },
  kinds: {},
  judgesUnknownFields: true,
  servesApply: true,
  ratchets: { JobLabelPrefix: true, MutableDisruptionBudgets: true, NamespaceNameLabel: true, BareFinalizers: true },
  selfLinks: false,
  warnsOfDeprecation: true,
  featureGates,
  // NodeRestriction is on as an installer (kubeadm) switches it on; upstream leaves it to them.
  admissionOrder: [
    'NamespaceLifecycle',
    'LimitRanger',
    'ServiceAccount',
    'NodeRestriction',
    'TaintNodesByCondition',
    'Priority',
    'DefaultTolerationSeconds',
    'DefaultStorageClass',
    'StorageObjectInUseProtection',
    'RuntimeClass',
    'DefaultIngressClass',
    'Webhooks',
    'ResourceQuota',
  ],
  bootstrapPolicy,
  timing: { jobBackoffMaxMs: 600_000, nodeStatusReportMs: 300_000 },
  flagDefaults: { 'leader-elect-resource-lock': 'leases', 'node-monitor-grace-period': '50s' },
};
