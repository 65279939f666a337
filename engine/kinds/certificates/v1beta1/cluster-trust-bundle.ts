/** Trust bundles of a signer. */
import type { ClusterTrustBundle } from '../../../api/certificates/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { columns, nameOf } from '../../shared/table.ts';
import { trustBundleNameFaults, validateTrustBundle, validateTrustBundleUpdate } from './trust-bundle-validation.ts';

export const clusterTrustBundleKind = defineKind<ClusterTrustBundle>({
  group: 'certificates.k8s.io',
  version: 'v1beta1',
  kind: 'ClusterTrustBundle',
  plural: 'clustertrustbundles',
  singular: 'clustertrustbundle',
  namespaced: false,
  schema: 'io.k8s.api.certificates.v1beta1.ClusterTrustBundle',
  storagePrefix: 'clustertrustbundles',
  gate: 'ClusterTrustBundle',
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
