/** What Go's crypto/x509.ParseCertificateRequest and CheckSignature find wrong with a request, in their words. */
import { constants, createPublicKey, type KeyObject, verify, type VerifyKeyObjectInput } from 'node:crypto';
import { goQuote } from '../../apimachinery/quote.ts';
import { type DerValue, readDer, readOid, readWholeDer, type Shape } from './der.ts';

const oid: Shape = { kind: 'oid' };
const raw: Shape = { kind: 'raw' };
const algorithmShape: Shape = { kind: 'struct', name: 'AlgorithmIdentifier', fields: [{ shape: oid }, { shape: raw, isOptional: true }] };
const keyShape: Shape = { kind: 'struct', name: 'publicKeyInfo', fields: [{ shape: algorithmShape }, { shape: { kind: 'bits' } }] };
const bodyShape: Shape = {
  kind: 'struct',
  name: 'tbsCertificateRequest',
  fields: [{ shape: { kind: 'integer' } }, { shape: raw }, { shape: keyShape }, { shape: { kind: 'list', name: '', item: raw }, tag: 0 }],
};
const requestShape: Shape = {
  kind: 'struct',
  name: 'certificateRequest',
  fields: [{ shape: bodyShape }, { shape: algorithmShape }, { shape: { kind: 'bits' } }],
};
const nameShape: Shape = {
  kind: 'list',
  name: 'RDNSequence',
  item: {
    kind: 'list',
    name: 'RelativeDistinguishedNameSET',
    isSet: true,
    item: { kind: 'struct', name: 'AttributeTypeAndValue', fields: [{ shape: oid }, { shape: { kind: 'any' } }] },
  },
};
const attributeShape: Shape = {
  kind: 'struct',
  name: 'pkcs10Attribute',
  fields: [{ shape: oid }, { shape: { kind: 'list', name: '', item: raw }, isSet: true }],
};
const extensionsShape: Shape = {
  kind: 'list',
  name: '',
  item: {
    kind: 'struct',
    name: 'Extension',
    fields: [{ shape: oid }, { shape: { kind: 'boolean' }, isOptional: true }, { shape: { kind: 'bytes' } }],
  },
};

const extensionRequest = '1.2.840.113549.1.9.14';
const alternativeNames = '2.5.29.17';
const nullHex = '0500';
/** Go's own answer to an algorithm that it does not know. */
const unknownAlgorithm = 'x509: cannot verify signature: algorithm unimplemented';

const curves: ReadonlyMap<string, { readonly name: string; readonly bytes: number }> = new Map([
  ['1.3.132.0.33', { name: 'P224', bytes: 28 }],
  ['1.2.840.10045.3.1.7', { name: 'P256', bytes: 32 }],
  ['1.3.132.0.34', { name: 'P384', bytes: 48 }],
  ['1.3.132.0.35', { name: 'P521', bytes: 66 }],
]);

type KeyFamily = 'RSA' | 'ECDSA' | 'Ed25519' | 'DSA';

const families: ReadonlyMap<string, KeyFamily> = new Map([
  ['1.2.840.113549.1.1.1', 'RSA'],
  ['1.2.840.10045.2.1', 'ECDSA'],
  ['1.3.101.112', 'Ed25519'],
]);
const goTypes: Readonly<Record<KeyFamily, string>> = {
  RSA: '*rsa.PublicKey',
  ECDSA: '*ecdsa.PublicKey',
  Ed25519: 'ed25519.PublicKey',
  DSA: '*dsa.PublicKey',
};

interface Algorithm {
  readonly family: KeyFamily;
  /** Null where the key says how to hash. */
  readonly hash: string | null;
  /** Bytes of salt of RSA-PSS. */
  readonly salt?: number;
}

const algorithms: ReadonlyMap<string, Algorithm> = new Map<string, Algorithm>([
  ['1.2.840.113549.1.1.4', { family: 'RSA', hash: 'md5' }],
  ['1.2.840.113549.1.1.5', { family: 'RSA', hash: 'sha1' }],
  ['1.3.14.3.2.29', { family: 'RSA', hash: 'sha1' }],
  ['1.2.840.113549.1.1.11', { family: 'RSA', hash: 'sha256' }],
  ['1.2.840.113549.1.1.12', { family: 'RSA', hash: 'sha384' }],
  ['1.2.840.113549.1.1.13', { family: 'RSA', hash: 'sha512' }],
  ['1.2.840.10040.4.3', { family: 'DSA', hash: 'sha1' }],
  ['2.16.840.1.101.3.4.3.2', { family: 'DSA', hash: 'sha256' }],
  ['1.2.840.10045.4.1', { family: 'ECDSA', hash: 'sha1' }],
  ['1.2.840.10045.4.3.2', { family: 'ECDSA', hash: 'sha256' }],
  ['1.2.840.10045.4.3.3', { family: 'ECDSA', hash: 'sha384' }],
  ['1.2.840.10045.4.3.4', { family: 'ECDSA', hash: 'sha512' }],
  ['1.3.101.112', { family: 'Ed25519', hash: null }],
]);
const pss = '1.2.840.113549.1.1.10';

/** Undefined for a request that is well-formed and signed with its own key. */
export function requestFault(der: Uint8Array): string | undefined {
  try {
    judge(Buffer.from(der));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** PKIX; undefined for what is no request. */
export function requestKey(der: Uint8Array): Uint8Array | undefined {
  try {
    const [body] = mustHave(readWholeDer(Buffer.from(der), requestShape).parts);
    return mustHave(body?.parts ?? [])[2]?.whole;
  } catch {
    return undefined; // what cannot be read has none
  }
}

function judge(der: Buffer): void {
  const [body, algorithm, signature] = mustHave(readWholeDer(der, requestShape).parts);
  const [, subject, keyInfo, attributes] = mustHave(body?.parts ?? []);
  if (body === undefined || algorithm === undefined || signature === undefined || subject === undefined || keyInfo === undefined) return;
  const family = families.get(oidOf(keyInfo.parts[0]));
  const key = family === undefined ? undefined : keyOf(keyInfo, family);
  const name = readDer(subject.whole, nameShape);
  if (name.next !== subject.whole.length) throw new Error('x509: trailing data after X.509 Subject');
  checkExtensions(mustHave(attributes?.parts ?? []));
  checkSignature({ algorithm: algorithmOf(algorithm), family, key, signed: body.whole, signature: signature.body.subarray(1) });
}

function mustHave(parts: readonly (DerValue | undefined)[]): readonly DerValue[] {
  return parts.filter((part) => part !== undefined);
}

/** Of an AlgorithmIdentifier. */
function oidOf(value: DerValue | undefined): string {
  const first = value?.parts[0];
  return first === undefined ? '' : readOid(first.body);
}

function keyOf(info: DerValue, family: KeyFamily): KeyObject | undefined {
  const [algorithm, bits] = info.parts;
  const parameters = algorithm?.parts[1]?.whole ?? Buffer.alloc(0);
  const data = bits?.body.subarray(1) ?? Buffer.alloc(0);
  const wrong = { RSA: wrongForRsa, ECDSA: wrongForCurve, Ed25519: wrongForEd25519, DSA: () => undefined }[family](parameters, data);
  if (wrong !== undefined) throw new Error(wrong);
  try {
    return createPublicKey({ key: info.whole, format: 'der', type: 'spki' });
  } catch {
    if (family === 'ECDSA') throw new Error(`${curves.get(curveOf(parameters))?.name ?? ''} point not on curve`);
    // Go takes keys that OpenSSL will not; no signature is good with them.
    return undefined;
  }
}

function wrongForRsa(parameters: Buffer, data: Buffer): string | undefined {
  if (parameters.toString('hex') !== nullHex) return 'x509: RSA key missing NULL parameters';
  const list = valueOrNone(data, raw);
  if (list?.whole[0] !== 0x30) return 'x509: invalid RSA public key';
  const modulus = valueOrNone(list.body, raw);
  const exponent = valueOrNone(list.body.subarray(modulus?.whole.length ?? 0), raw);
  if (modulus?.tag !== 2 || modulus.body.length === 0) return 'x509: invalid RSA modulus';
  if (exponent?.tag !== 2 || exponent.body.length === 0 || exponent.body.length > 8) return 'x509: invalid RSA public exponent';
  if (!isPositive(modulus.body)) return 'x509: RSA modulus is not a positive number';
  return isPositive(exponent.body) ? undefined : 'x509: RSA public exponent is not a positive number';
}

function isPositive(integer: Buffer): boolean {
  return (integer[0] ?? 0) < 0x80 && integer.some((byte) => byte !== 0);
}

function partsOrNone(data: Buffer, shape: Shape): readonly (DerValue | undefined)[] | undefined {
  return valueOrNone(data, shape)?.parts;
}

function valueOrNone(data: Buffer, shape: Shape): DerValue | undefined {
  try {
    return readDer(data, shape).value;
  } catch {
    // Go's other reader says only that it could not.
    return undefined;
  }
}

function curveOf(parameters: Buffer): string {
  try {
    return readOid(readDer(parameters, oid).value.body);
  } catch {
    return '';
  }
}

function wrongForCurve(parameters: Buffer, data: Buffer): string | undefined {
  const named = curveOf(parameters);
  if (named === '') return 'x509: invalid ECDSA parameters';
  const curve = curves.get(named);
  if (curve === undefined) return 'x509: unsupported elliptic curve';
  if (data[0] !== 4) return 'ecdsa: invalid uncompressed public key';
  return data.length === 1 + 2 * curve.bytes ? undefined : `invalid ${curve.name} point encoding`;
}

function wrongForEd25519(parameters: Buffer, data: Buffer): string | undefined {
  if (parameters.length > 0) return 'x509: Ed25519 key encoded with illegal parameters';
  return data.length === 32 ? undefined : 'x509: wrong Ed25519 public key size';
}

function checkExtensions(attributes: readonly DerValue[]): void {
  const seen = new Set<string>();
  for (const attribute of attributes) {
    const parts = mustHave(partsOrNone(attribute.whole, attributeShape) ?? []);
    const values = mustHave(parts[1]?.parts ?? []);
    if (parts[0] === undefined || values[0] === undefined || readOid(parts[0].body) !== extensionRequest) continue;
    const extensions = mustHave(readDer(values[0].whole, extensionsShape).value.parts);
    for (const extension of extensions) {
      if (seen.has(oidOf(extension))) throw new Error('x509: certificate request contains duplicate requested extensions');
      seen.add(oidOf(extension));
    }
    for (const extension of extensions) if (oidOf(extension) === alternativeNames) checkNames(extension.parts[2]?.body ?? Buffer.alloc(0));
  }
}

const ascii = { 1: 'rfc822Name', 2: 'dNSName', 6: 'uniformResourceIdentifier' } as const;

function checkNames(bytes: Buffer): void {
  const list = valueOrNone(bytes, raw);
  if (list?.whole[0] !== 0x30) throw new Error('x509: invalid subject alternative names');
  for (let rest = list.body; rest.length > 0; ) {
    const name = valueOrNone(rest, raw);
    if (name === undefined) throw new Error('x509: invalid subject alternative name');
    const { tag, whole, body } = name;
    rest = rest.subarray(whole.length);
    // Only names of the context's class, and not built of others, count.
    const kind = (whole[0] ?? 0) >> 5 === 4 ? tag : -1;
    if ((kind === 1 || kind === 2 || kind === 6) && body.some((byte) => byte > 0x7f)) throw new Error(`x509: SAN ${ascii[kind]} is malformed`);
    if (kind === 6) checkUri(body.toString('latin1'));
    if (kind === 7 && body.length !== 4 && body.length !== 16) throw new Error(`x509: cannot parse IP address of length ${body.length}`);
  }
}

function checkUri(text: string): void {
  const host = /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]*)/.exec(text)?.[1] ?? '';
  const isName = host.split('.').every((part) => /^[!-~]+$/.test(part));
  if (host !== '' && !isName) throw new Error(`x509: cannot parse URI ${goQuote(text)}: invalid domain`);
}

function algorithmOf(value: DerValue): Algorithm | undefined {
  const id = oidOf(value);
  const parameters = value.parts[1]?.whole ?? Buffer.alloc(0);
  if (id === pss) return pssAlgorithm(parameters.toString('hex'));
  return id === '1.3.101.112' && parameters.length > 0 ? undefined : algorithms.get(id);
}

/** The three sets of parameters of RFC 3447 that Go knows, in the form in which they are written. */
function pssAlgorithm(parameters: string): Algorithm | undefined {
  for (const [hash, digit, salt] of [
    ['sha256', 1, 32],
    ['sha384', 2, 48],
    ['sha512', 3, 64],
  ] as const) {
    const hashed = `300d060960864801650304020${digit}0500`;
    if (parameters === `3034a00f${hashed}a11c301a06092a864886f70d010108${hashed}a2030201${salt.toString(16)}`) return { family: 'RSA', hash, salt };
  }
  return undefined;
}

interface Signed {
  readonly algorithm: Algorithm | undefined;
  readonly family: KeyFamily | undefined;
  readonly key: KeyObject | undefined;
  readonly signed: Buffer;
  readonly signature: Buffer;
}

function checkSignature({ algorithm, family, key, signed, signature }: Signed): void {
  if (algorithm === undefined) throw new Error(unknownAlgorithm);
  if (algorithm.hash === 'md5') throw new Error('x509: cannot verify signature: insecure algorithm MD5-RSA');
  if (family === undefined) throw new Error(unknownAlgorithm);
  if (algorithm.family !== family)
    throw new Error(`x509: signature algorithm specifies an ${algorithm.family} public key, but have public key of type ${goTypes[family]}`);
  const size = key?.asymmetricKeyDetails?.modulusLength;
  if (size !== undefined && size < 1024)
    throw new Error(`crypto/rsa: ${size}-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)`);
  if (key !== undefined && isSigned(algorithm, key, signed, signature)) return;
  throw new Error(family === 'RSA' ? 'crypto/rsa: verification error' : `x509: ${family} verification failure`);
}

function isSigned({ hash, salt }: Algorithm, key: KeyObject, signed: Buffer, signature: Buffer): boolean {
  const input: VerifyKeyObjectInput = salt === undefined ? { key } : { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: salt };
  try {
    return verify(hash, signed, input, signature);
  } catch {
    // A key that OpenSSL will not use.
    return false;
  }
}
