/** What is wrong with the authorities of a webhook. Mirrors client-go transport.TLSConfigFor, as pkg/util/webhook of apiserver asks it. */
import { readPem } from '../apimachinery/pem.ts';
import type { CertificateJudge } from '../contracts/certificates.ts';

/** `bundle` is base64 of PEM; none is right. Undefined for one of which some certificate can be read. */
export function caBundleFault(bundle: string | undefined, judge: CertificateJudge | undefined): string | undefined {
  if (!bundle || judge === undefined) return undefined;
  const { blocks, hasRest } = readPem(atob(bundle));
  const faults = blocks.filter(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders).map(({ bytes }) => judge.certificateFault(bytes));
  if (faults.includes(undefined)) return undefined;
  const why =
    faults[0] === undefined
      ? hasRest
        ? 'unable to parse bytes as PEM block'
        : 'no valid certificate authority data seen'
      : `failed to parse certificate: ${faults[0]}`;
  return `unable to load root certificates: ${why}`;
}
