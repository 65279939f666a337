/** Keys and names that tokens of service accounts have, as the options `--service-account-…` say. */
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { algorithmOf } from './jwt.ts';

export interface ServiceAccountKeys {
  /** The first signs. */
  readonly issuers?: readonly string[];
  /** Of the API server; the issuers when absent. */
  readonly audiences?: readonly string[];
  readonly signingKey?: KeyObject;
  /** Whoever signed with one of them is believed. */
  readonly publicKeys: readonly KeyObject[];
  readonly keysUrl?: string;
  readonly expirationSecondsMax?: number;
  readonly extendsExpiration: boolean;
}

const blocks = /-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----/g;

/** The first key of a PEM file that can sign; undefined where there is none. */
export function privateKeyIn(pem: string): KeyObject | undefined {
  for (const [block, label = ''] of pem.matchAll(blocks)) {
    const key = label.endsWith('PRIVATE KEY') ? readable(() => createPrivateKey(block)) : undefined;
    if (key !== undefined && signs(key)) return key;
  }
  return undefined;
}

/** All keys of a PEM file that tell who signed: public ones, those of certificates, and the public halves of private ones. */
export function publicKeysIn(pem: string): readonly KeyObject[] {
  return [...pem.matchAll(blocks)].flatMap(([block, label = '']) => {
    const key = readable(() => (label === 'CERTIFICATE' ? new X509Certificate(block).publicKey : createPublicKey(block)));
    return key !== undefined && signs(key) ? [key] : [];
  });
}

/** Upstream's are RSA and ECDSA. */
function signs(key: KeyObject): boolean {
  return key.asymmetricKeyType !== 'ed25519' && algorithmOf(key) !== undefined;
}

/** What OpenSSL cannot read is no key; a file may hold parameters of curves and the like beside keys. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
