import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../apimachinery/object.ts';
import { createAuthority } from '../serving/certificates.ts';
import { certificateJudge } from '../serving/x509/certificate-judge.ts';
import { SigningMetrics } from './signing-metrics.ts';

const { certificatePem } = createAuthority('ca');
const { validFromDate, validToDate } = new X509Certificate(certificatePem);
const livesSeconds = (validToDate.getTime() - validFromDate.getTime()) / 1000;
const certificate = btoa(certificatePem);

function request(expirationSeconds: number | undefined, signerName: string, status: object = {}): KubeObject {
  const spec = { signerName, ...(expirationSeconds !== undefined && { expirationSeconds }) };
  return { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { name: 'r' }, spec, status } as KubeObject;
}

function told(...issued: readonly (readonly [number | undefined, string, string?])[]): readonly string[] {
  const metrics = new SigningMetrics(certificateJudge);
  for (const [seconds, signer, text = certificate] of issued)
    metrics.onChange(request(seconds, signer), request(seconds, signer, { certificate: text }));
  return metrics
    .text()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.replaceAll('apiserver_certificates_registry_csr_', ''));
}

describe('metrics of signing requests', () => {
  it('tell of each signer of kubernetes.io, and of all others together', () => {
    const client = 'kubernetes.io/kube-apiserver-client';
    expect(
      told([livesSeconds, client], [livesSeconds, client], [600, client], [livesSeconds, 'example.com/a'], [livesSeconds, 'example.com/b']),
    ).toEqual([
      `honored_duration_total{signerName="${client}"} 2`,
      'honored_duration_total{signerName="other"} 2',
      `requested_duration_total{signerName="${client}"} 3`,
      'requested_duration_total{signerName="other"} 2',
    ]);
  });

  it('count a length within a twentieth and five minutes of what was asked for', () => {
    expect(told([livesSeconds * 1.04, 'a.b/c'], [livesSeconds * 1.1, 'a.b/c'])).toEqual([
      'honored_duration_total{signerName="other"} 1',
      'requested_duration_total{signerName="other"} 2',
    ]);
  });

  it('count no certificate that nobody can read as honored', () => {
    expect(told([600, 'a.b/c', btoa('no certificate')])).toEqual(['requested_duration_total{signerName="other"} 1']);
  });

  it('say nothing of who asked for no length, nor of what was issued before', () => {
    expect(told([undefined, 'a.b/c'])).toEqual([]);
    const metrics = new SigningMetrics(certificateJudge);
    const issued = request(livesSeconds, 'a.b/c', { certificate });
    metrics.onChange(issued, issued);
    metrics.onChange(undefined, issued);
    metrics.onChange(issued, undefined);
    expect(metrics.text()).toBe('');
  });
});
