/** Certificate signing requests. Mirrors pkg/registry/certificates/certificates/strategy.go. */
import type { CertificateSigningRequest } from '../../../api/certificates/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { humanDuration } from '../../../apimachinery/time.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { csrHooks } from './request-strategy.ts';

export const certificateSigningRequestKind = defineKind<CertificateSigningRequest>({
  group: 'certificates.k8s.io',
  version: 'v1',
  kind: 'CertificateSigningRequest',
  metaChecks: { update: 'MU', status: 'MU' },
  plural: 'certificatesigningrequests',
  singular: 'certificatesigningrequest',
  shortNames: ['csr'],
  namespaced: false,
  schema: 'io.k8s.api.certificates.v1.CertificateSigningRequest',
  storagePrefix: 'certificatesigningrequests',
  hasGeneration: false,
  nameValidation: 'none',
  selectableFields: { 'spec.signerName': (object) => object.spec?.signerName ?? '' },
  fieldLabels: { withoutNamespace: true },
  ...csrHooks,
  columns: columns('Name', 'Age', 'SignerName', 'Requestor', 'RequestedDuration', 'Condition'),
  row(object, context) {
    const types = (object.status?.conditions ?? []).map((condition) => condition.type);
    const verdict = types.includes('Denied') ? 'Denied' : types.includes('Approved') ? 'Approved' : 'Pending';
    const condition = verdict + (types.includes('Failed') ? ',Failed' : '') + (object.status?.certificate ? ',Issued' : '');
    const seconds = object.spec?.expirationSeconds;
    const duration = seconds === undefined ? '<none>' : humanDuration(seconds * 1000);
    return [nameOf(object), ageOf(object, context), object.spec?.signerName || '<none>', object.spec?.username ?? '', duration, condition];
  },
});
