/** Signing requests before they were stable: nobody has to say who signs and what for. Mirrors pkg/apis/certificates/v1beta1/defaults.go. */
import type { CertificateSigningRequest } from '../../../api/certificates/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderForm } from '../../shared/older.ts';
import { certificateSigningRequestKind as stored } from '../v1/certificate-signing-request.ts';
import { edit, fill } from '../../shared/defaulting.ts';

/** Upstream guesses from the request which signer is meant; nothing signs here. */
const specDefaults = Object.freeze({ usages: ['digital signature', 'key encipherment'], signerName: 'kubernetes.io/legacy-unknown' });

export const certificateSigningRequestKind = defineKind<CertificateSigningRequest>({
  ...olderForm(stored, {
    group: 'certificates.k8s.io',
    version: 'v1beta1',
    schema: 'io.k8s.api.certificates.v1beta1.CertificateSigningRequest',
    deprecated: 19,
    removed: 22,
    defaults: (object) => edit(object, 'spec', (spec) => fill(spec, specDefaults)),
    subresources: { approval: { verbs: ['update'] } },
  }),
  sparedByDefaults: [['spec', 'usages']],
  sparedWhenNew: true,
});
