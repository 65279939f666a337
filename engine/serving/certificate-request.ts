/**
 * Reads certificate signing requests (PKCS #10, RFC 2986): subject, key, the names that are asked for, and whether the signature is that
 * of the key. As Go's crypto/x509.ParseCertificateRequest and CheckSignature see them.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier, Extensions, id_ce_subjectAltName, Name, SubjectAlternativeName } from '@peculiar/asn1-x509';
import type { CertificateRequestFacts } from '../contracts/certificates.ts';

export interface ReadRequest extends CertificateRequestFacts {
  readonly subject: Name;
  readonly key: KeyObject;
  /** Those that the certificate repeats, in the order in which it does. */
  readonly alternativeNames: SubjectAlternativeName | undefined;
  /** Whether who asks has the key. */
  isSigned(): boolean;
}

interface Piece {
  readonly tag: number;
  /** With its head. */
  readonly whole: Buffer;
  readonly body: Buffer;
}

const extensionRequestOid = '2a864886f70d01090e';
const commonNameOid = '2.5.4.3';
const organizationOid = '2.5.4.10';
const attributesTag = 0xa0;

/** By algorithm; null where the key says how to hash. */
const hashes: ReadonlyMap<string, string | null> = new Map([
  ['1.2.840.113549.1.1.11', 'sha256'],
  ['1.2.840.113549.1.1.12', 'sha384'],
  ['1.2.840.113549.1.1.13', 'sha512'],
  ['1.2.840.10045.4.3.2', 'sha256'],
  ['1.2.840.10045.4.3.3', 'sha384'],
  ['1.2.840.10045.4.3.4', 'sha512'],
  ['1.3.101.112', null],
]);

/** Throws an Error with upstream's words for what is no request. */
export function readCertificateRequest(pem: string): ReadRequest {
  const found = /-----BEGIN CERTIFICATE REQUEST-----\s*([A-Za-z0-9+/=\s]*?)-----END CERTIFICATE REQUEST-----/.exec(pem);
  if (found === null) throw new Error('PEM block type must be CERTIFICATE REQUEST');
  const [request] = piecesOf(Buffer.from(found[1] ?? '', 'base64'));
  const [info, algorithm, signature] = request === undefined ? [] : piecesOf(request.body);
  const [, subject, publicKey, ...rest] = info === undefined ? [] : piecesOf(info.body);
  if (info === undefined || algorithm === undefined || signature === undefined || subject === undefined || publicKey === undefined)
    throw new Error('asn1: structure error: not a certificate request');
  const key = createPublicKey({ key: publicKey.whole, format: 'der', type: 'spki' });
  const name = AsnConvert.parse(subject.whole, Name);
  const alternativeNames = namesOf(rest.find(({ tag }) => tag === attributesTag));
  const hash = hashes.get(AsnConvert.parse(algorithm.whole, AlgorithmIdentifier).algorithm);
  return {
    subject: name,
    key,
    alternativeNames,
    ...factsOf(name, alternativeNames),
    isSigned: () => hash !== undefined && verify(hash, info.whole, key, signature.body.subarray(1)),
  };
}

function factsOf(subject: Name, alternativeNames: SubjectAlternativeName | undefined): CertificateRequestFacts {
  const texts = (oid: string): readonly string[] =>
    subject.flatMap((part) => part.filter(({ type }) => type === oid).map(({ value }) => value.toString()));
  const names = alternativeNames === undefined ? [] : [...alternativeNames];
  return {
    commonName: texts(commonNameOid).at(-1) ?? '',
    organizations: texts(organizationOid),
    dnsNames: names.flatMap(({ dNSName }) => dNSName ?? []),
    ipAddresses: names.flatMap(({ iPAddress }) => iPAddress ?? []),
    emailAddresses: names.flatMap(({ rfc822Name }) => rfc822Name ?? []),
    uris: names.flatMap(({ uniformResourceIdentifier }) => uniformResourceIdentifier ?? []),
  };
}

function namesOf(attributes: Piece | undefined): SubjectAlternativeName | undefined {
  for (const attribute of attributes === undefined ? [] : piecesOf(attributes.body)) {
    const [type, values] = piecesOf(attribute.body);
    const [extensions] = values === undefined ? [] : piecesOf(values.body);
    if (type?.body.toString('hex') !== extensionRequestOid || extensions === undefined) continue;
    const found = [...AsnConvert.parse(extensions.whole, Extensions)].find(({ extnID }) => extnID === id_ce_subjectAltName);
    if (found !== undefined) return inGoOrder(AsnConvert.parse(found.extnValue.buffer, SubjectAlternativeName));
  }
  return undefined;
}

/** Go reads names into a list for each of four kinds and writes one list behind the other; names of another kind are gone. */
function inGoOrder(names: SubjectAlternativeName): SubjectAlternativeName | undefined {
  const kinds = ['dNSName', 'rfc822Name', 'iPAddress', 'uniformResourceIdentifier'] as const;
  const known = kinds.flatMap((kind) => names.filter((name) => name[kind] !== undefined));
  return known.length === 0 ? undefined : new SubjectAlternativeName(known);
}

/** What stands one after the other in DER: tags of one byte, lengths of up to four. */
function piecesOf(bytes: Buffer): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at + 1] ?? 0;
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    const start = at + 2 + lengthBytes;
    if (lengthBytes > 4 || start > bytes.length) throw new Error('asn1: syntax error: data truncated');
    const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
    if (start + length > bytes.length) throw new Error('asn1: syntax error: data truncated');
    pieces.push({ tag: bytes[at] ?? 0, whole: bytes.subarray(at, start + length), body: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return pieces;
}
