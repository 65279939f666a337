/** Whether a server's certificate is trusted. Mirrors Verify of Go's crypto/x509, as far as OpenSSL tells what is in a certificate. */
import { X509Certificate } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { Certificate } from '@peculiar/asn1-x509';
import type { ServerTrust } from '../../contracts/certificates.ts';
import { nameFault } from './server-name.ts';

const signaturesMax = 100;
const serverAuth = '1.3.6.1.5.5.7.3.1';
const anyUsage = '2.5.29.37.0';
const unknownAuthority = 'certificate signed by unknown authority';

/** In Go's words, without `x509: `. Undefined for one that is trusted, and for a text that begins with no certificate. */
export function serverFault(chain: string, { authorities, name, nowMs }: ServerTrust): string | undefined {
  const [leaf, ...between] = certificatesIn(chain);
  if (leaf === undefined) return undefined;
  const named = expiryFault(leaf, nowMs) ?? nameFault(name, leaf.toLegacyObject());
  if (named !== undefined) return named;
  const { keyUsage: usages } = leaf as { readonly keyUsage: readonly string[] | undefined };
  const way = new Way(certificatesIn(authorities), between, nowMs);
  const fault = way.faultOf(leaf, [leaf]);
  if (fault !== undefined) return fault;
  if (usages !== undefined && !usages.includes(serverAuth) && !usages.includes(anyUsage)) return 'certificate specifies an incompatible key usage';
  return undefined;
}

function certificatesIn(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.flatMap((block) => {
    try {
      return [new X509Certificate(block)];
    } catch {
      // Go's pools leave out what is none.
      return [];
    }
  });
}

/** From when on it is good is not asked: whoever made it may live by another clock. */
function expiryFault(certificate: X509Certificate, nowMs: number): string | undefined {
  const untilMs = Date.parse(certificate.validTo);
  if (nowMs <= untilMs) return undefined;
  return `certificate has expired or is not yet valid: current time ${inSeconds(nowMs)} is after ${inSeconds(untilMs)}`;
}

function inSeconds(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The search for a way from a certificate to an authority. */
class Way {
  readonly #roots: readonly X509Certificate[];
  readonly #between: readonly X509Certificate[];
  readonly #nowMs: number;
  #signatures = 0;
  #hint: string | undefined;

  constructor(roots: readonly X509Certificate[], between: readonly X509Certificate[], nowMs: number) {
    this.#roots = roots;
    this.#between = between;
    this.#nowMs = nowMs;
  }

  faultOf(certificate: X509Certificate, path: readonly X509Certificate[]): string | undefined {
    if (path.length === 1 && this.#roots.some(({ raw }) => raw.equals(certificate.raw))) return undefined;
    let found: string | undefined;
    for (const [isRoot, parents] of [
      [true, this.#roots],
      [false, this.#between],
    ] as const)
      for (const parent of parents) {
        if (parent.subject !== certificate.issuer || path.some(({ raw }) => raw.equals(parent.raw))) continue;
        if (++this.#signatures > signaturesMax) return 'signature check attempts limit reached while verifying certificate chain';
        const fault =
          this.#signedFault(certificate, parent) ??
          expiryFault(parent, this.#nowMs) ??
          (isRoot ? undefined : this.faultOf(parent, [...path, parent]));
        if (fault === undefined) return undefined;
        if (fault !== unknownAuthority) found ??= fault;
      }
    return found ?? unknownAuthority + (path.length === 1 ? (this.#hint ?? '') : '');
  }

  /** Somebody of that name who did not sign it is told of, where nobody did. */
  #signedFault(certificate: X509Certificate, parent: X509Certificate): string | undefined {
    const why = signatureFault(certificate, parent);
    if (why === undefined) return undefined;
    this.#hint ??= ` (possibly because of ${JSON.stringify(why)} while trying to verify candidate authority certificate ${JSON.stringify(nameOf(parent))})`;
    return unknownAuthority;
  }
}

function signatureFault(certificate: X509Certificate, parent: X509Certificate): string | undefined {
  if (!parent.ca) return 'x509: invalid signature: parent certificate cannot sign this kind of certificate';
  const { asymmetricKeyType = '' } = parent.publicKey;
  const algorithm = AsnConvert.parse(certificate.raw, Certificate).signatureAlgorithm.algorithm;
  const [signed, key] = [algorithms.find(({ oid }) => algorithm.startsWith(oid)), algorithms.find(({ type }) => type === asymmetricKeyType)];
  if (signed !== undefined && key !== undefined && signed !== key)
    return `x509: signature algorithm specifies an ${signed.name} public key, but have public key of type ${key.goType}`;
  return certificate.verify(parent.publicKey) ? undefined : (key?.fault ?? 'x509: cannot verify signature: algorithm unimplemented');
}

const algorithms = [
  { type: 'ec', oid: '1.2.840.10045.4.', name: 'ECDSA', goType: '*ecdsa.PublicKey', fault: 'x509: ECDSA verification failure' },
  { type: 'rsa', oid: '1.2.840.113549.1.1.', name: 'RSA', goType: '*rsa.PublicKey', fault: 'crypto/rsa: verification error' },
  { type: 'ed25519', oid: '1.3.101.112', name: 'Ed25519', goType: 'ed25519.PublicKey', fault: 'x509: Ed25519 verification failure' },
];

function nameOf({ subject, serialNumber }: X509Certificate): string {
  const part = (key: string): string | undefined =>
    subject
      .split('\n')
      .find((line) => line.startsWith(`${key}=`))
      ?.slice(key.length + 1);
  return part('CN') ?? part('O') ?? `serial:${BigInt(`0x${serialNumber}`)}`;
}
