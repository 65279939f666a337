/**
 * Signs certificate signing requests with the cluster's authority. Mirrors pkg/controller/certificates/authority: names of the request
 * stay, usages come from the order, nothing else of the request counts. The same order gives the same certificate.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign as signBytes, X509Certificate } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  KeyIdentifier,
  KeyUsage,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';
import type { CertificateReader, CertificateSigner, SigningOrder } from '../contracts/certificates.ts';
import type { KeyPair } from './certificates.ts';
import { readCertificateRequest } from './certificate-request.ts';
import { signDeterministically } from './deterministic-ecdsa.ts';

const ecdsaWithSha256 = '1.2.840.10045.4.3.2';
const rsaWithSha256 = '1.2.840.113549.1.1.11';
/** DER of NULL, which parameters of RSA are. */
const asn1Null = new Uint8Array([5, 0]).buffer;

/** Bits of the key usage extension. */
const keyUsages: ReadonlyMap<string, number> = new Map([
  ['signing', 1],
  ['digital signature', 1],
  ['content commitment', 2],
  ['key encipherment', 4],
  ['data encipherment', 8],
  ['key agreement', 16],
  ['cert sign', 32],
  ['crl sign', 64],
  ['encipher only', 128],
  ['decipher only', 256],
]);

/** In the order in which they stand in a certificate. */
const extendedUsages: ReadonlyMap<string, string> = new Map([
  ['any', '2.5.29.37.0'],
  ['server auth', '1.3.6.1.5.5.7.3.1'],
  ['client auth', '1.3.6.1.5.5.7.3.2'],
  ['code signing', '1.3.6.1.5.5.7.3.3'],
  ['email protection', '1.3.6.1.5.5.7.3.4'],
  ['s/mime', '1.3.6.1.5.5.7.3.4'],
  ['ipsec end system', '1.3.6.1.5.5.7.3.5'],
  ['ipsec tunnel', '1.3.6.1.5.5.7.3.6'],
  ['ipsec user', '1.3.6.1.5.5.7.3.7'],
  ['timestamping', '1.3.6.1.5.5.7.3.8'],
  ['ocsp signing', '1.3.6.1.5.5.7.3.9'],
  ['microsoft sgc', '1.3.6.1.4.1.311.10.3.3'],
  ['netscape sgc', '2.16.840.1.113730.4.1'],
]);

/** Reads certificates, and signs whatever the signer's name with one authority. */
export function createCertificateReader(authority: KeyPair): CertificateReader {
  const signer = createCertificateSigner(authority);
  return { ...plainCertificateReader, signerFor: () => signer };
}

/** `authority` has an RSA key or one on P-256. Throws an Error for anything else. */
export function createCertificateSigner(authority: KeyPair): CertificateSigner {
  const certificate = new X509Certificate(authority.certificatePem);
  const key = createPrivateKey(authority.keyPem);
  if (!isRsa(key) && key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new Error('the key of an authority is one of RSA or on the curve P-256');
  if (!certificate.checkPrivateKey(key)) throw new Error('the key is not that of the certificate');
  return { sign: (order) => sign(order, certificate, key), notAfterMs: certificate.validToDate.getTime() };
}

/** Reads certificates and requests, and signs nothing. */
export const plainCertificateReader: CertificateReader = { expiryMs, read: readCertificateRequest };

function isRsa(key: KeyObject): boolean {
  return key.asymmetricKeyType === 'rsa';
}

function expiryMs(base64: string): number | undefined {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64')).validToDate.getTime();
  } catch {
    // Somebody wrote another text there.
    return undefined;
  }
}

function sign({ request, serial, notBeforeMs, notAfterMs, usages }: SigningOrder, authority: X509Certificate, key: KeyObject): string {
  const asked = readCertificateRequest(request);
  if (!asked.isSigned()) throw new Error('unable to verify certificate request signature: x509: verification failure');
  const algorithm = new AlgorithmIdentifier(isRsa(key) ? { algorithm: rsaWithSha256, parameters: asn1Null } : { algorithm: ecdsaWithSha256 });
  const number = Buffer.from(serial, 'hex');
  number[0] = (number[0] ?? 0) & 0x7f;
  const body = new TBSCertificate({
    version: Version.v3,
    serialNumber: toArrayBuffer(number),
    signature: algorithm,
    issuer: AsnConvert.parse(authority.raw, Certificate).tbsCertificate.subject,
    validity: new Validity({ notBefore: new Date(notBeforeMs), notAfter: new Date(notAfterMs) }),
    subject: asked.subject,
    subjectPublicKeyInfo: AsnConvert.parse(asked.key.export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo),
    extensions: new Extensions([
      ...usageExtensions(usages),
      extension(id_ce_basicConstraints, new BasicConstraints({ cA: false }), true),
      extension(
        id_ce_authorityKeyIdentifier,
        new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(ownIdentifier(authority) ?? identifierOf(key)) }),
      ),
      ...(asked.alternativeNames === undefined ? [] : [extension(id_ce_subjectAltName, asked.alternativeNames)]),
    ]),
  });
  const text = new Uint8Array(AsnConvert.serialize(body));
  // PKCS #1 v1.5 draws nothing either.
  const signature = isRsa(key) ? signBytes('sha256', text, key) : signDeterministically(text, key);
  const made = new Certificate({ tbsCertificate: body, signatureAlgorithm: algorithm, signatureValue: toArrayBuffer(signature) });
  return new X509Certificate(Buffer.from(AsnConvert.serialize(made))).toString();
}

function usageExtensions(usages: readonly string[]): readonly Extension[] {
  const unknown = usages.filter((usage) => !keyUsages.has(usage) && !extendedUsages.has(usage));
  if (unknown.length > 0) throw new Error(`unrecognized usage values: [${unknown.map((usage) => JSON.stringify(usage)).join(' ')}]`);
  const bits = usages.reduce((all, usage) => all | (keyUsages.get(usage) ?? 0), 0);
  const extended = new Set([...extendedUsages].filter(([usage]) => usages.includes(usage)).map(([, oid]) => oid));
  return [
    ...(bits === 0 ? [] : [extension(id_ce_keyUsage, new KeyUsage(bits), true)]),
    ...(extended.size === 0 ? [] : [extension(id_ce_extKeyUsage, new ExtendedKeyUsage([...extended]))]),
  ];
}

function extension(id: string, value: object, critical = false): Extension {
  return new Extension({ extnID: id, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

/** As the authority's certificate names its key; undefined where it does not. */
function ownIdentifier({ raw }: X509Certificate): ArrayBuffer | undefined {
  const named = AsnConvert.parse(raw, Certificate).tbsCertificate.extensions?.find(({ extnID }) => extnID === id_ce_subjectKeyIdentifier);
  return named === undefined ? undefined : AsnConvert.parse(named.extnValue.buffer, SubjectKeyIdentifier).buffer;
}

function identifierOf(key: KeyObject): ArrayBuffer {
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return toArrayBuffer(createHash('sha1').update(spki).digest());
}

function toArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
