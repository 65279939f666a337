/**
 * How often somebody who asked for a certificate of a certain length got one, and how often of that length, since the process began. Mirrors
 * pkg/registry/certificates/certificates/storage/metrics.go.
 */
import type { CertificateSigningRequest } from '../api/certificates/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { readPem } from '../apimachinery/pem.ts';
import { metricFamily, type Sample } from '../apiserver/metrics-text.ts';
import type { CertificateJudge } from '../contracts/certificates.ts';
import type { Store } from '../store/store.ts';

/** Names of signers that anybody makes up below `kubernetes.io/` count no more beyond so many. */
const signersMax = 10_000;
/** Certificates that live for a short while begin earlier than they are issued. */
const backdatedMs = 5 * 60_000;

export class SigningMetrics {
  readonly #judge: Pick<CertificateJudge, 'certificateFault' | 'issued'> | undefined;
  readonly #requested = new Map<string, number>();
  readonly #honored = new Map<string, number>();

  constructor(judge: Pick<CertificateJudge, 'certificateFault' | 'issued'> | undefined) {
    this.#judge = judge;
  }

  /** Hears of each change of a stored request. */
  onChange(before: KubeObject | undefined, after: KubeObject | undefined): void {
    if (before === undefined || after === undefined) return;
    const { spec, status } = before as CertificateSigningRequest;
    const issued = (after as CertificateSigningRequest).status?.certificate;
    const seconds = spec?.expirationSeconds;
    if (status?.certificate || !issued || seconds === undefined || seconds === null) return;
    const signer = spec?.signerName?.startsWith('kubernetes.io/') === true ? spec.signerName : 'other';
    count(this.#requested, signer);
    const livesMs = this.#livesMs(issued);
    if (livesMs !== undefined && Math.abs(seconds * 1000 - livesMs) < backdatedMs + seconds * 50) count(this.#honored, signer);
  }

  /** In Prometheus' text form. */
  text(): string {
    const family = (name: string, how: string, counts: ReadonlyMap<string, number>): string => {
      const samples = [...counts].map(([signerName, value]): Sample => [{ signerName }, value]);
      const help = `[ALPHA] Total number of issued CSRs with a requested duration${how}, sliced by signer (only kubernetes.io signer names are specifically identified)`;
      return samples.length === 0 ? '' : metricFamily(`apiserver_certificates_registry_csr_${name}_duration_total`, 'counter', help, samples);
    };
    return family('honored', ' that was honored', this.#honored) + family('requested', '', this.#requested);
  }

  /** Of the first certificate; undefined where nobody can tell. */
  #livesMs(base64: string): number | undefined {
    const block = readPem(atob(base64)).blocks.find(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders);
    if (block === undefined || this.#judge === undefined || this.#judge.certificateFault(block.bytes) !== undefined) return undefined;
    const { notBeforeMs, notAfterMs } = this.#judge.issued(block.bytes);
    return notAfterMs - notBeforeMs;
  }
}

/** They hear of what becomes of stored requests from now on. */
export function signingMetrics(store: Store<KubeObject>, judge: CertificateJudge | undefined): SigningMetrics {
  const metrics = new SigningMetrics(judge);
  store.watch({
    prefix: '/registry/certificatesigningrequests/',
    onChanges: (changes) => changes.forEach(({ previous, current }) => metrics.onChange(previous?.value, current?.value)),
  });
  return metrics;
}

function count(counts: Map<string, number>, signer: string): void {
  const known = counts.get(signer);
  if (known !== undefined || counts.size < signersMax) counts.set(signer, (known ?? 0) + 1);
}
