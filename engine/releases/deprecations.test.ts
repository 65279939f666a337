import { describe, expect, it } from 'vitest';
import { formatGroupVersion } from '../apimachinery/object.ts';
import { kinds } from '../kinds/index.gen.ts';

/** Alpha and beta versions that later releases than 1.36 deprecate, or none. */
const notYet = [
  'admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicyBinding',
  'certificates.k8s.io/v1beta1 ClusterTrustBundle',
  'certificates.k8s.io/v1beta1 PodCertificateRequest',
  'internal.apiserver.k8s.io/v1alpha1 StorageVersion',
  'resource.k8s.io/v1alpha3 ResourcePoolStatusRequest',
  'resource.k8s.io/v1beta2 DeviceTaintRule',
  'scheduling.k8s.io/v1alpha2 PodGroup',
  'scheduling.k8s.io/v1alpha2 Workload',
  'storagemigration.k8s.io/v1beta1 StorageVersionMigration',
];
/** Of release 1.13, which tells of none. */
const goneSilently = [
  'admissionregistration.k8s.io/v1alpha1 InitializerConfiguration',
  'auditregistration.k8s.io/v1alpha1 AuditSink',
  'settings.k8s.io/v1alpha1 PodPreset',
];
const ours = /^(sim\.wavetank\.dev|kwok\.x-k8s\.io|metrics\.k8s\.io|snapshot\.storage\.k8s\.io)$/;
const unstable = kinds.filter(({ group, version }) => /alpha|beta/.test(version) && !ours.test(group));
const labelOf = (kind: (typeof kinds)[number]): string => `${formatGroupVersion(kind)} ${kind.kind}`;

describe('deprecations', () => {
  it('are told of each version that is not stable, in its own name', () => {
    const silent = unstable.filter(({ deprecation }) => deprecation === undefined).map(labelOf);
    expect(silent.filter((label) => !notYet.includes(label) && !goneSilently.includes(label))).toEqual([]);
  });

  it.each([
    ['resource.k8s.io/v1beta1 ResourceSlice', 'is deprecated in v1.35+, unavailable in v1.38+'],
    ['coordination.k8s.io/v1beta1 LeaseCandidate', 'is deprecated in v1.36+, unavailable in v1.39+'],
    ['storage.k8s.io/v1beta1 VolumeAttributesClass', 'is deprecated in v1.34+, unavailable in v1.37+; use storage.k8s.io/v1 VolumeAttributesClass'],
  ])('%s', (label, text) => {
    expect(unstable.find((kind) => labelOf(kind) === label)?.deprecation).toBe(`${label} ${text}`);
  });
});
