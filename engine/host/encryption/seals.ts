/**
 * Seals and opens lines of a session by an EncryptionConfiguration, in the forms that upstream's providers give what they store. Mirrors
 * apiserver pkg/storage/value/encrypt.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { kinds } from '../../kinds/index.gen.ts';
import { type LineSeals, SealError } from '../../persistence/sealed-lines.ts';
import { type Algorithm, type EncryptedResources, type EncryptionKey, type Provider, splitResource } from './configuration.ts';

interface Cipher {
  encrypt(secret: Buffer, plain: Buffer): Buffer;
  /** Throws an Error of the platform for what it does not open. */
  decrypt(secret: Buffer, sealed: Buffer): Buffer;
}

const ciphers: { readonly [algorithm in Algorithm]: Cipher } = {
  aescbc: {
    encrypt(secret, plain) {
      const iv = randomBytes(16);
      const cipher = createCipheriv(`aes-${secret.length * 8}-cbc`, secret, iv);
      return Buffer.concat([iv, cipher.update(plain), cipher.final()]);
    },
    decrypt(secret, sealed) {
      const cipher = createDecipheriv(`aes-${secret.length * 8}-cbc`, secret, sealed.subarray(0, 16));
      return Buffer.concat([cipher.update(sealed.subarray(16)), cipher.final()]);
    },
  },
  aesgcm: {
    encrypt(secret, plain) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv(gcm(secret), secret, nonce);
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    decrypt(secret, sealed) {
      const cipher = createDecipheriv(gcm(secret), secret, sealed.subarray(0, 12));
      cipher.setAuthTag(sealed.subarray(-16));
      return Buffer.concat([cipher.update(sealed.subarray(12, -16)), cipher.final()]);
    },
  },
  secretbox: {
    encrypt(secret, plain) {
      const nonce = randomBytes(24);
      return Buffer.concat([nonce, xsalsa20poly1305(secret, nonce).encrypt(plain)]);
    },
    decrypt: (secret, sealed) => Buffer.from(xsalsa20poly1305(secret, sealed.subarray(0, 24)).decrypt(sealed.subarray(24))),
  },
};

function gcm(secret: Buffer): 'aes-128-gcm' | 'aes-192-gcm' | 'aes-256-gcm' {
  return secret.length === 16 ? 'aes-128-gcm' : secret.length === 24 ? 'aes-192-gcm' : 'aes-256-gcm';
}

interface Sealing {
  readonly algorithm: Algorithm;
  readonly key: EncryptionKey;
}

/** Lines about one object are sealed as its resource is; others, which are about many, as the first resources that are sealed at all. */
export function createSeals(configuration: readonly EncryptedResources[]): LineSeals {
  const stored = Map.groupBy(kinds, ({ storagePrefix }) => storagePrefix);
  const sealings = configuration.map(({ resources, providers }) => ({ resources: resources.map(splitResource), sealing: sealingOf(providers[0]) }));
  const common = sealings.find(({ sealing }) => sealing !== undefined)?.sealing;
  const known = new Map<string, Sealing | undefined>();
  const ofKey = (key: string): Sealing | undefined => {
    const prefix = prefixOf(key);
    if (known.has(prefix)) return known.get(prefix);
    const served = stored.get(prefix) ?? [customOf(prefix)];
    const isOne = ([resource, of]: readonly [string, string]): boolean =>
      served.some(({ group, plural }) => (of === '*' || of === group) && (resource === '*' || resource === plural));
    const found = sealings.find(({ resources }) => resources.some(isOne));
    known.set(prefix, found?.sealing);
    return found?.sealing;
  };
  return {
    seal(line, key) {
      const sealing = key === undefined ? common : ofKey(key);
      if (sealing === undefined) return undefined;
      const { algorithm, key: by } = sealing;
      return `${prefix}${algorithm}:v1:${by.name}:${ciphers[algorithm].encrypt(by.secret, line).toString('base64')}`;
    },
    open: (sealed) => opened(sealed, configuration),
  };
}

const prefix = 'k8s:enc:';

function sealingOf(provider: Provider | undefined): Sealing | undefined {
  const [key] = provider?.keys ?? [];
  return provider?.algorithm === undefined || key === undefined ? undefined : { algorithm: provider.algorithm, key };
}

/** `/registry/PREFIX/…`: of one segment, or two where the first is a group. */
function prefixOf(key: string): string {
  const [, , first = '', second = ''] = key.split('/', 4);
  return first.includes('.') || first === 'services' ? `${first}/${second}` : first;
}

function customOf(prefix: string): { readonly group: string; readonly plural: string } {
  const [group = '', plural = ''] = prefix.split('/');
  return plural === '' ? { group: '', plural: group } : { group, plural };
}

/** Each key that has the name is tried. */
function opened(sealed: string, configuration: readonly EncryptedResources[]): Buffer {
  const [, , algorithm = '', , name = ''] = sealed.split(':', 5);
  const head = `${prefix}${algorithm}:v1:${name}:`;
  const bytes = Buffer.from(sealed.slice(head.length), 'base64');
  const providers = configuration.flatMap((entry) => entry.providers).filter((provider) => provider.algorithm === algorithm);
  const keys = providers.flatMap((provider) => provider.keys).filter((key) => key.name === name);
  if (keys.length === 0)
    throw new SealError(`holds lines that are sealed by ${head.slice(0, -1)}; give that key too in --encryption-provider-config`);
  for (const key of keys) {
    const line = attempted(() => ciphers[algorithm as Algorithm].decrypt(key.secret, bytes));
    if (line !== undefined) return line;
  }
  throw new SealError(
    `holds lines that the key ${head.slice(0, -1)} of --encryption-provider-config does not open; give the one that they were sealed with`,
  );
}

/** A wrong key, or bytes that are no sealed text: the caller says so. */
function attempted(decrypt: () => Buffer): Buffer | undefined {
  try {
    return decrypt();
  } catch {
    return undefined;
  }
}
