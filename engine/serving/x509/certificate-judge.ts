/** What Go's crypto/x509.ParseCertificate finds wrong with a certificate, as far as OpenSSL finds it too. */
import { X509Certificate } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { BasicConstraints, Certificate, id_ce_basicConstraints, id_ce_subjectAltName, SubjectAlternativeName } from '@peculiar/asn1-x509';
import type { CertificateJudge, IssuedFacts } from '../../contracts/certificates.ts';
import { readDer } from './der.ts';
import { isOnOddCurve, isSameKey, keyFault, requestKeyFault } from './key-judge.ts';
import { pairFault } from './pair-judge.ts';
import { requestFault, requestKey } from './request-judge.ts';
import { serverFault } from './server-judge.ts';

export const certificateJudge: CertificateJudge = {
  ...{ requestFault, requestKey, requestKeyFault, keyFault, isSameKey },
  ...{ certificateFault, pairFault, isAuthority, issued, serverFault },
};

function certificateFault(der: Uint8Array): string | undefined {
  const bytes = Buffer.from(der);
  let next: number;
  try {
    next = readDer(bytes, { kind: 'list', name: '', item: { kind: 'raw' } }).next;
  } catch {
    return 'x509: malformed certificate';
  }
  if (next !== bytes.length) return 'x509: trailing data';
  try {
    const read = new X509Certificate(bytes);
    if (!read.raw.equals(bytes)) return 'x509: malformed certificate';
    return isOnOddCurve(read.publicKey) ? 'x509: unsupported elliptic curve' : contentFault(bytes);
  } catch {
    return 'x509: malformed certificate';
  }
}

function contentFault(bytes: Buffer): string | undefined {
  const { serialNumber, extensions = [] } = AsnConvert.parse(bytes, Certificate).tbsCertificate;
  if ((new Uint8Array(serialNumber)[0] ?? 0) >= 0x80) return 'x509: negative serial number';
  const seen = new Set<string>();
  for (const { extnID } of extensions) {
    if (seen.has(extnID)) return `x509: certificate contains duplicate extension with OID ${JSON.stringify(extnID)}`;
    seen.add(extnID);
  }
  return undefined;
}

/** Of a certificate without fault. */
function isAuthority(der: Uint8Array): boolean {
  const found = AsnConvert.parse(der, Certificate).tbsCertificate.extensions?.find(({ extnID }) => extnID === id_ce_basicConstraints);
  return found !== undefined && AsnConvert.parse(found.extnValue.buffer, BasicConstraints).cA;
}

function issued(der: Uint8Array): IssuedFacts {
  const bytes = Buffer.from(der);
  const { publicKey, validFromDate, validToDate } = new X509Certificate(bytes);
  const found = AsnConvert.parse(bytes, Certificate).tbsCertificate.extensions?.find(({ extnID }) => extnID === id_ce_subjectAltName);
  const names = found === undefined ? [] : [...AsnConvert.parse(found.extnValue.buffer, SubjectAlternativeName)];
  return {
    notBeforeMs: validFromDate.getTime(),
    notAfterMs: validToDate.getTime(),
    dnsNames: names.flatMap(({ dNSName }) => dNSName ?? []),
    emailAddresses: names.flatMap(({ rfc822Name }) => rfc822Name ?? []),
    key: publicKey.export({ format: 'der', type: 'spki' }),
  };
}
