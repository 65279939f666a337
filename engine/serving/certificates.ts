/**
 * The cluster's certificate authority: an EC key made at first start by the machine's own randomness, never from the seed, and
 * the server and client certificates it signs. Keys are P-256 because RSA costs a tenth of a second each, but for those that clients
 * are given: some read no others (fabric8's without a library beside it).
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_basicConstraints,
  id_ce_authorityKeyIdentifier,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_clientAuth,
  id_kp_serverAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';
import { createHash } from 'node:crypto';

export interface KeyPair {
  readonly certificatePem: string;
  readonly keyPem: string;
}

export interface CertificateRequest {
  readonly commonName: string;
  /** Groups, for client certificates. */
  readonly organizations?: readonly string[];
  /** DNS names and addresses, for servers. */
  readonly names?: readonly string[];
  readonly usage: 'server' | 'client';
  /** RSA of 2,048 bits, its key in PKCS #1 as kubeadm writes it. Without it P-256 in PKCS #8. */
  readonly keyType?: 'rsa';
  readonly days: number;
}

const ecdsaWithSha256 = '1.2.840.10045.4.3.2';
const commonNameOid = '2.5.4.3';
const organizationOid = '2.5.4.10';
const dayMs = 86_400_000;

/** A self-signed authority, valid for ten years from now. */
export function createAuthority(commonName: string): KeyPair {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const extensions = [
    extension(id_ce_basicConstraints, new BasicConstraints({ cA: true }), true),
    extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign), true),
    extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(keyIdentifier(keys.publicKey))),
  ];
  const subject = nameOf(commonName, []);
  return { certificatePem: build(subject, keys.publicKey, subject, keys.privateKey, extensions, validFor(3650)), keyPem: toPem(keys.privateKey) };
}

/** A certificate signed by `authority`. */
export function issueCertificate(authority: KeyPair, { commonName, organizations = [], names, usage, keyType, days }: CertificateRequest): KeyPair {
  const validity = validFor(days);
  const subject = nameOf(commonName, organizations);
  return certify(authority, { subject, usage, validity, ...(names && { names }), ...(keyType && { keyType }) });
}

/** What a certificate says, as it is written into it. */
export interface CertificateContent extends Pick<CertificateRequest, 'names' | 'usage' | 'keyType'> {
  readonly subject: Name;
  readonly validity: Validity;
}

export function certify(authority: KeyPair, { subject, names, usage, keyType, validity }: CertificateContent): KeyPair {
  const keys = keyType === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const authorityKey = createPrivateKey(authority.keyPem);
  const issuer = AsnConvert.parse(new X509Certificate(authority.certificatePem).raw, Certificate).tbsCertificate.subject;
  const extensions = [
    extension(id_ce_basicConstraints, new BasicConstraints({ cA: false }), true),
    extension(
      id_ce_keyUsage,
      new KeyUsage(keyType === 'rsa' ? KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment : KeyUsageFlags.digitalSignature),
      true,
    ),
    extension(id_ce_extKeyUsage, new ExtendedKeyUsage([usage === 'server' ? id_kp_serverAuth : id_kp_clientAuth])),
    extension(
      id_ce_authorityKeyIdentifier,
      new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(keyIdentifier(createPublicKey(authorityKey))) }),
    ),
  ];
  if (names !== undefined) extensions.push(extension(id_ce_subjectAltName, new SubjectAlternativeName(names.map(alternativeName))));
  return { certificatePem: build(subject, keys.publicKey, issuer, authorityKey, extensions, validity), keyPem: toPem(keys.privateKey) };
}

/** Whether a certificate is still good for at least `days` more. */
export function isCurrent(certificatePem: string, days: number): boolean {
  return new X509Certificate(certificatePem).validToDate.getTime() > Date.now() + days * dayMs;
}

/** Whether the key is the certificate's, and the certificate signed by `authority`, where one is named. */
export function isPair({ certificatePem, keyPem }: KeyPair, authority?: KeyPair): boolean {
  const certificate = new X509Certificate(certificatePem);
  if (!certificate.checkPrivateKey(createPrivateKey(keyPem))) return false;
  return authority === undefined || certificate.verify(new X509Certificate(authority.certificatePem).publicKey);
}

function build(
  subject: Name,
  subjectKey: KeyObject,
  issuer: Name,
  issuerKey: KeyObject,
  extensions: readonly Extension[],
  validity: Validity,
): string {
  const algorithm = new AlgorithmIdentifier({ algorithm: ecdsaWithSha256 });
  const serial = randomBytes(16);
  serial[0] = ((serial[0] as number) & 0x7f) | 0x40;
  const body = new TBSCertificate({
    version: Version.v3,
    serialNumber: toArrayBuffer(serial),
    signature: algorithm,
    issuer,
    validity,
    subject,
    subjectPublicKeyInfo: AsnConvert.parse(subjectKey.export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo),
    extensions: new Extensions([...extensions]),
  });
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(body)), issuerKey);
  const certificate = new Certificate({ tbsCertificate: body, signatureAlgorithm: algorithm, signatureValue: toArrayBuffer(signature) });
  return new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))).toString();
}

/** From a little in the past, for clients whose clock is behind. */
function validFor(days: number): Validity {
  const now = Date.now();
  return new Validity({ notBefore: new Date(now - dayMs / 24), notAfter: new Date(now + days * dayMs) });
}

function nameOf(commonName: string, organizations: readonly string[]): Name {
  const part = (type: string, text: string): RelativeDistinguishedName =>
    new RelativeDistinguishedName([new AttributeTypeAndValue({ type, value: new AttributeValue({ utf8String: text }) })]);
  return new Name([...organizations.map((organization) => part(organizationOid, organization)), part(commonNameOid, commonName)]);
}

function alternativeName(name: string): GeneralName {
  if (isIPv4(name) || name.includes(':')) return new GeneralName({ iPAddress: name });
  return new GeneralName({ dNSName: name });
}

function extension(id: string, value: object, critical = false): Extension {
  return new Extension({ extnID: id, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

function keyIdentifier(key: KeyObject): ArrayBuffer {
  return toArrayBuffer(
    createHash('sha1')
      .update(key.export({ type: 'spki', format: 'der' }))
      .digest(),
  );
}

function toPem(key: KeyObject): string {
  return key.export({ type: key.asymmetricKeyType === 'rsa' ? 'pkcs1' : 'pkcs8', format: 'pem' }).toString();
}

function toArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
