/** Trust bundles of a signer. */
import type { ClusterTrustBundle } from '../../../api/certificates/v1alpha1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { storedAs } from '../../shared/convert.ts';
import { columns, nameOf } from '../../shared/table.ts';
import { trustBundleNameFaults, validateTrustBundle, validateTrustBundleUpdate } from '../v1beta1/trust-bundle-validation.ts';
import { deprecationText } from '../../shared/deprecation.ts';

export const clusterTrustBundleKind = defineKind<ClusterTrustBundle>({
  group: 'certificates.k8s.io',
  version: 'v1alpha1',
  kind: 'ClusterTrustBundle',
  plural: 'clustertrustbundles',
  singular: 'clustertrustbundle',
  namespaced: false,
  schema: 'io.k8s.api.certificates.v1alpha1.ClusterTrustBundle',
  deprecation: deprecationText({ of: 'certificates.k8s.io/v1alpha1 ClusterTrustBundle', deprecated: 34, removed: 37 }),
  storagePrefix: 'clustertrustbundles',
  gate: 'ClusterTrustBundle',
  storage: storedAs('certificates.k8s.io', 'v1alpha1', 'v1beta1'),
  hasGeneration: false,
  allowUnconditionalUpdate: false,
  metaChecks: { update: 'M U' },
  nameValidation: 'none',
  nameFaults: trustBundleNameFaults,
  validate: validateTrustBundle,
  validateUpdate: validateTrustBundleUpdate,
  fieldLabels: { withoutNamespace: true },
  selectableFields: { 'spec.signerName': (object) => object.spec?.signerName ?? '' },
  columns: columns('Name', 'SignerName'),
  row: (object) => [nameOf(object), object.spec?.signerName || '<none>'],
});
