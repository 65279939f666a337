import { describe, expect, it } from 'vitest';
import type { CertificateSigningRequest } from '../../api/certificates/v1/types.gen.ts';
import { aCluster } from '../../../test/support/cluster.ts';
import { janesRequest, kubeletRequest } from '../../../test/support/certificate-requests.ts';

const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const spec = {
  request: btoa(kubeletRequest),
  signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
  usages: ['digital signature', 'client auth'],
};

/** Asked by the admin, who may everything. */
async function asked(changes: object): Promise<CertificateSigningRequest> {
  const tank = await aCluster({ nodes: 0, options: { controllers: 'csrapproving' } });
  const metadata = { name: 'r' };
  tank.call('POST', path, { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata, spec: { ...spec, ...changes } });
  await tank.advance(5_000);
  return tank.call<CertificateSigningRequest>('GET', `${path}/r`);
}

describe('certificatesigningrequest-approving-controller', () => {
  it('approves what a kubelet needs, for who may ask for it', async () => {
    expect((await asked({})).status?.conditions).toMatchObject([
      {
        type: 'Approved',
        status: 'True',
        reason: 'AutoApproved',
        message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
      },
    ]);
  });

  it.each([
    ['another signer', { signerName: 'kubernetes.io/kube-apiserver-client' }],
    ['other usages', { usages: ['digital signature', 'server auth'] }],
    ['another subject', { request: btoa(janesRequest) }],
  ])('leaves %s to people', async (_what, changes) => {
    expect((await asked(changes)).status?.conditions ?? []).toEqual([]);
  });
});
