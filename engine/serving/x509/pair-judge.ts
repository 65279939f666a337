/** Whether a private key is that of a certificate, in the words of Go's crypto/tls.X509KeyPair for what it finds behind the PEM. */
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { isOnOddCurve } from './key-judge.ts';

const forms = ['pkcs1', 'pkcs8', 'sec1'] as const;
const served: readonly string[] = ['rsa', 'ec', 'ed25519'];
/** Kinds of keys that Go reads, though a server of TLS has no use for them. */
const known: readonly string[] = [...served, 'x25519'];

/** Of a certificate without fault and a key (both DER); undefined where they belong together. */
export function pairFault(certificate: Uint8Array, key: Uint8Array): string | undefined {
  const own = readKey(Buffer.from(key));
  if (own === undefined || !known.includes(own.asymmetricKeyType ?? '') || isOnOddCurve(own)) return 'tls: failed to parse private key';
  if (!isServed(own)) return 'tls: found unknown private key type in PKCS#8 wrapping';
  const { publicKey } = new X509Certificate(Buffer.from(certificate));
  if (!isServed(publicKey)) return 'tls: unknown public key algorithm';
  if (own.asymmetricKeyType !== publicKey.asymmetricKeyType) return 'tls: private key type does not match public key type';
  return createPublicKey(own).equals(publicKey) ? undefined : 'tls: private key does not match public key';
}

function isServed({ asymmetricKeyType }: KeyObject): boolean {
  return served.includes(asymmetricKeyType ?? '');
}

function readKey(der: Buffer): KeyObject | undefined {
  for (const type of forms) {
    try {
      return createPrivateKey({ key: der, format: 'der', type });
    } catch {
      // Not of this form: the next is tried, as Go tries them.
    }
  }
  return undefined;
}
