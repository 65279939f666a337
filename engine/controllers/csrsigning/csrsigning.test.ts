import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { must } from '../../base/assert.ts';
import { createAuthority } from '../../serving/certificates.ts';
import { createCertificateReader } from '../../serving/certificate-signer.ts';
import { janesRequest, kubeletRequest, servingRequest } from '../../../test/support/certificate-requests.ts';
import { certificateSigningRequests } from '../lib/certificates.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { certificateSigningRequestSigningController } from './controller.ts';

const times = { lastUpdateTime: '2026-01-01T00:00:00Z', lastTransitionTime: '2026-01-01T00:00:00Z' };
const approved = { conditions: [{ type: 'Approved', status: 'True', ...times }] };

async function signed(spec: object, status: object = approved) {
  const authority = createAuthority('ca');
  // Authorities are of the machine's present; so is the bench.
  const nowMs = Math.floor(new X509Certificate(authority.certificatePem).validFromDate.getTime() / 1000) * 1000 + 7_200_000;
  const bench = new ControllerBench({ nowMs, options: { certificates: createCertificateReader(authority) } });
  bench.add(certificateSigningRequests, { metadata: { name: 'r' }, spec, status });
  await bench.run(certificateSigningRequestSigningController);
  const written = must(bench.get(certificateSigningRequests, undefined, 'r'), 'a request').status;
  const text = written?.certificate;
  const certificate = text ? new X509Certificate(Buffer.from(text, 'base64')) : undefined;
  return { bench, nowMs, authority, written, certificate };
}

const kubelet = {
  request: btoa(kubeletRequest),
  signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
  usages: ['digital signature', 'client auth'],
};
const jane = { request: btoa(janesRequest), signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] };
const serving = { request: btoa(servingRequest), signerName: 'kubernetes.io/kubelet-serving', usages: ['digital signature', 'server auth'] };

describe('certificatesigningrequest-signing-controller', () => {
  it.each([
    ['a kubelet as a client', kubelet, 'O=system:nodes\nCN=system:node:a'],
    ['a kubelet as a server', serving, 'O=system:nodes\nCN=system:node:a'],
    ['a client with an RSA key', jane, 'O=team\nCN=jane'],
    ['whatever the legacy signer is asked', { ...jane, signerName: 'kubernetes.io/legacy-unknown', usages: ['any'] }, 'O=team\nCN=jane'],
  ])('signs for %s with the cluster authority', async (_what, spec, subject) => {
    const { certificate, authority } = await signed(spec);
    expect(certificate?.subject).toBe(subject);
    expect(certificate?.verify(new X509Certificate(authority.certificatePem).publicKey)).toBe(true);
  });

  it.each([
    ['nothing asked', undefined, 365 * 86_400_000 - 300_000],
    ['a day', 86_400, 86_400_000 - 300_000],
    ['an hour, not shortened', 3_600, 3_600_000],
    ['ten minutes', 600, 600_000],
    ['more than the option allows', 400 * 86_400, 365 * 86_400_000 - 300_000],
  ])('%s: begins five minutes ago and ends in time', async (_what, expirationSeconds, lastsMs) => {
    const { certificate, nowMs } = await signed({ ...jane, ...(expirationSeconds && { expirationSeconds }) });
    expect((certificate?.validFromDate.getTime() ?? 0) - nowMs).toBe(-300_000);
    expect((certificate?.validToDate.getTime() ?? 0) - nowMs).toBe(lastsMs);
  });

  it.each([
    ['usages of another kind', { ...jane, usages: ['server auth'] }, 'invalid usage for client certificate: server auth'],
    ['no usage', { ...jane, usages: ['key encipherment'] }, 'missing required usage for client certificate: client auth'],
    ['another organization', { ...jane, signerName: kubelet.signerName }, 'subject organization is not system:nodes'],
    ['names for a client', { ...serving, signerName: kubelet.signerName }, 'DNS subjectAltNames are not allowed'],
    ['no names for a server', { ...kubelet, signerName: serving.signerName }, 'DNS or IP subjectAltName is required'],
    ['odd usages of a kubelet', { ...kubelet, usages: ['client auth'] }, 'usages did not match [client auth digital signature key encipherment]'],
  ])('fails a request with %s', async (_what, spec, message) => {
    const { written } = await signed(spec);
    expect(written?.certificate).toBeUndefined();
    expect(written?.conditions?.at(-1)).toMatchObject({ type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message });
  });

  it.each([
    ['that nobody has approved', kubelet, {}],
    ['that was denied', kubelet, { conditions: [...approved.conditions, { type: 'Denied', status: 'True' }] }],
    ['that has failed', kubelet, { conditions: [...approved.conditions, { type: 'Failed', status: 'True' }] }],
    ["of somebody else's signer", { ...jane, signerName: 'example.com/mine' }, approved],
  ])('leaves a request alone %s', async (_what, spec, status) => {
    const { bench } = await signed(spec, status);
    expect(bench.writes).toEqual([]);
  });

  it('tries again what cannot be read', async () => {
    const { bench } = await signed({ ...jane, request: btoa('hello') });
    expect(bench.errors[0]).toBe('unable to parse csr "r": PEM block type must be CERTIFICATE REQUEST');
  });
});
