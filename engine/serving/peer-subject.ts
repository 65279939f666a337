/**
 * The subject of a client certificate, read from its own bytes: Node.js shows a repeated attribute as a list and loses the order. As
 * Go's crypto/x509/pkix reads it: every attribute is text, the last common name counts, organizations add up.
 */
import { createHash, X509Certificate } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { type AttributeValue, Certificate } from '@peculiar/asn1-x509';
import type { PeerSubject } from '../contracts/credentials.ts';

const commonNameOid = '2.5.4.3';
const organizationOid = '2.5.4.10';
const uidOid = '1.3.6.1.4.1.57683.2';
const numericStringTag = 0x12;
const replacement = '\ufffd';

/** `der` is of a certificate whose signature, time and purpose have been found right. */
export function readSubject(der: Uint8Array): PeerSubject {
  const names: { readonly type: string; readonly text: string }[] = [];
  for (const part of AsnConvert.parse(der, Certificate).tbsCertificate.subject) {
    for (const { type, value } of part) {
      const text = textOf(value);
      if (text === undefined) return { problem: `x509: attribute ${type} of the subject is no text` };
      names.push({ type, text });
    }
  }
  const of = (oid: string): readonly string[] => names.filter(({ type }) => type === oid).map(({ text }) => text);
  return {
    commonName: of(commonNameOid).at(-1) ?? '',
    organizations: of(organizationOid),
    uids: of(uidOid),
    fingerprint: createHash('sha256').update(der).digest('hex'),
  };
}

/** Why a certificate was not accepted: `reason` is OpenSSL's code. Mirrors the words of request/x509. */
export function refusedSubject(der: Uint8Array, reason: string): PeerSubject {
  return { problem: `verifying certificate SN=${BigInt(`0x${new X509Certificate(der).serialNumber}`)} failed: x509: ${reason}` };
}

function textOf(value: AttributeValue): string | undefined {
  const text = value.utf8String ?? value.printableString ?? value.ia5String ?? value.bmpString ?? value.teletexString ?? numericText(value.anyValue);
  return text === undefined || text.includes(replacement) ? undefined : text;
}

/** A NumericString, which the library leaves as it is. */
function numericText(bytes: ArrayBuffer | undefined): string | undefined {
  const view = bytes === undefined ? undefined : new Uint8Array(bytes);
  if (view?.[0] !== numericStringTag || (view[1] ?? 0x80) >= 0x80) return undefined;
  return String.fromCharCode(...view.subarray(2, 2 + (view[1] as number)));
}
