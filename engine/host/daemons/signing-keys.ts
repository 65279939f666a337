/**
 * Keys that a controller manager is given as files: authorities that sign certificates, the CA that clients in pods trust, the key of
 * service accounts' tokens. Mirrors cmd/kube-controller-manager/app/certificates.go and options/csrsigningcontroller.go.
 */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import type { CertificateReader, CertificateSigner } from '../../contracts/certificates.ts';
import type { TokenSecretOptions } from '../../controllers/controller.ts';
import { createCertificateSigner, plainCertificateReader } from '../../serving/certificate-signer.ts';
import { algorithmOf, JwtIssuer } from '../jwt.ts';
import { secretIssuer, toSecretJwt } from '../tokens.ts';
import { badUsage, type FlagValues } from './flag-set.ts';
import { FileFault, readInGo } from '../go-files.ts';
import { readFileOf } from './daemon-certificates.ts';
import { isWanted, notStarted } from './start-faults.ts';

/** Flags of one signer, by `spec.signerName`, and what upstream calls them in its refusals. */
const signers: Readonly<Record<string, { readonly flag: string; readonly said: string }>> = {
  'kubernetes.io/kubelet-serving': { flag: 'cluster-signing-kubelet-serving', said: 'cluster-signing-kubelet-serving' },
  'kubernetes.io/kube-apiserver-client-kubelet': { flag: 'cluster-signing-kubelet-client', said: 'cluster-signing-kube-apiserver-client' },
  'kubernetes.io/kube-apiserver-client': { flag: 'cluster-signing-kube-apiserver-client', said: 'cluster-signing-kube-apiserver' },
  'kubernetes.io/legacy-unknown': { flag: 'cluster-signing-legacy-unknown', said: 'cluster-signing-legacy-unknown' },
};
const forAll = 'cluster-signing';
/** Of which `-cert-file` and `-key-file` are flags. */
export const signerFlagNames: readonly string[] = Object.values(signers).map(({ flag }) => flag);
/** Where upstream's controller managers of old look by default; what is not there is no key. */
export const defaultSigningFolder = '/etc/kubernetes/ca';

/** Flags that do not go together, in upstream's words. Files are read later, as upstream does. */
export function signingFaults(flags: FlagValues): readonly string[] {
  const given = (flag: string): { cert: boolean; key: boolean } => ({
    cert: flags.text(`${flag}-cert-file`) !== '',
    key: flags.text(`${flag}-key-file`) !== '',
  });
  const halves = Object.values(signers).flatMap(({ flag, said }) => {
    const { cert, key } = given(flag);
    return cert === key ? [] : [`${JSON.stringify(said)}: cannot specify ${key ? 'key without cert' : 'cert without key'}`];
  });
  const one = given(forAll);
  const isOwn = Object.values(signers).some(({ flag }) => given(flag).cert);
  const both = 'cannot specify --cluster-signing-{cert,key}-file and other --cluster-signing-*-file flags at the same time';
  return (one.cert || one.key) && isOwn ? [...halves, both] : halves;
}

/** Throws a CommandError for keys that cannot be read. */
export function certificatesOf(flags: FlagValues): CertificateReader {
  const all = signerOf(flags, forAll, '');
  const own = new Map(
    Object.entries(signers).flatMap(([name, { flag }]) => {
      const signer = signerOf(flags, flag, name);
      return signer === undefined ? [] : [[name, signer] as const];
    }),
  );
  if (all === undefined && own.size === 0) return plainCertificateReader;
  return { ...plainCertificateReader, signerFor: (name) => (all ?? own.get(name))?.() };
}

/** The CA of `--root-ca-file`; `fallback` where there is none. Throws a CommandError for what is no certificate. */
export function rootCaOf(flags: FlagValues, fallback: string): string {
  const file = flags.text('root-ca-file');
  // Who gave out no tokens had no use for it.
  const isRead = flags.dialect === 'present' || (flags.text(tokenKey) !== '' && isWanted(flags, 'serviceaccount-token'));
  if (file === '' || !isRead) return fallback;
  const text = readFor(flags, file, `error parsing root-ca-file at ${file}`);
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw notStarted(flags, `error parsing root-ca-file at ${file}: data does not contain any valid RSA or ECDSA certificates`);
  return text;
}

/** The text of a file that is wanted as what is said. */
function readFor(flags: FlagValues, file: string, purpose: string): string {
  try {
    return readInGo(file);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw notStarted(flags, `${purpose}: ${error.message}`);
  }
}

const tokenKey = 'service-account-private-key-file';

/** Who fills Secrets with tokens, of each account in releases whose pods mount them; undefined without a key: then nobody does. Throws a CommandError for what is no key. */
export function tokenSecretsOf(flags: FlagValues, forEveryAccount = false): TokenSecretOptions | undefined {
  const file = flags.text(tokenKey);
  if (file === '' || (flags.dialect === 'old' && !isWanted(flags, 'serviceaccount-token'))) return undefined;
  const key = privateKey(flags, file);
  if (algorithmOf(key) === undefined) throw noKey(flags, file);
  const issuer = new JwtIssuer([secretIssuer], key);
  return { sign: (claims) => issuer.sign(toSecretJwt(claims)), forEveryAccount };
}

const forTokens = 'error reading key for service account token controller';

function privateKey(flags: FlagValues, file: string): KeyObject {
  const text = readFor(flags, file, forTokens);
  try {
    return createPrivateKey(text);
  } catch {
    // Node.js's own words name a decoder.
    throw noKey(flags, file);
  }
}

function noKey(flags: FlagValues, file: string): Error {
  return notStarted(flags, `${forTokens}: error reading private key file ${file}: data does not contain a valid RSA or ECDSA private key`);
}

/** Reads the pair again when its files have changed; what then does not fit is left alone, and the old pair goes on. */
function signerOf(flags: FlagValues, flag: string, name: string): (() => CertificateSigner) | undefined {
  const files = filesOf(flags, flag);
  if (files === undefined) return undefined;
  const read = (): CertificateSigner => createCertificateSigner({ certificatePem: readFileOf(files[0]), keyPem: readFileOf(files[1]) });
  let signer = flags.dialect === 'old' ? mustReadThen(flags, files, read) : mustRead(read, name === '' ? (Object.keys(signers)[0] ?? '') : name);
  let seen = changesOf(files);
  return () => {
    const now = changesOf(files);
    if (now === seen) return signer;
    seen = now;
    try {
      signer = read();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
    }
    return signer;
  };
}

function filesOf(flags: FlagValues, flag: string): readonly [cert: string, key: string] | undefined {
  const cert = flags.text(`${flag}-cert-file`);
  const key = flags.text(`${flag}-key-file`);
  const standard = [`${defaultSigningFolder}/ca.pem`, `${defaultSigningFolder}/ca.key`] as const;
  if (flags.dialect === 'old' && flag === forAll) return filesThen(flags, standard);
  if (cert !== '' && key !== '') return [cert, key];
  const isStandard =
    flag === forAll && signerFlagNames.every((own) => !flags.isGiven(`${own}-cert-file`)) && standard.every((file) => existsSync(file));
  return isStandard ? standard : undefined;
}

/** One of the two alone was taken with the other's place of old; where neither was said, neither had to be there. */
function filesThen(flags: FlagValues, standard: readonly [cert: string, key: string]): readonly [cert: string, key: string] | undefined {
  const [cert, key] = (['cert', 'key'] as const).map((part, index) => {
    const flag = `${forAll}-${part}-file`;
    return flags.isGiven(flag) ? flags.text(flag) : (standard[index] ?? '');
  }) as [string, string];
  if (cert === '' || key === '' || !isWanted(flags, 'csrsigning')) return undefined;
  return standard.includes(cert) && standard.includes(key) && !existsSync(cert) && !existsSync(key) ? undefined : [cert, key];
}

/** In the words of the library that release 1.13 signed with. */
function mustReadThen(flags: FlagValues, [cert, key]: readonly [string, string], read: () => CertificateSigner): CertificateSigner {
  const start = 'failed to start certificate controller';
  const told = (why: string, code: number, message: string): Error => notStarted(flags, `${start}: ${why} ${JSON.stringify({ code, message })}`);
  const text = readFor(flags, cert, `${start}: error reading CA cert file ${JSON.stringify(cert)}`);
  const keyText = readFor(flags, key, `${start}: error reading CA key file ${JSON.stringify(key)}`);
  const parsing = `error parsing CA cert file ${JSON.stringify(cert)}:`;
  if (!/^-----BEGIN [^-]+-----$/m.test(text)) throw told(parsing, 1002, 'Failed to decode certificate');
  if (!/^-----BEGIN [^-]+-----$/m.test(keyText)) throw told('Malformed private key', 2002, 'Failed to decode private key');
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw told(parsing, 1003, 'Failed to parse certificate');
  }
}

function mustRead(read: () => CertificateSigner, name: string): CertificateSigner {
  try {
    return read();
  } catch (error) {
    throw badUsage(`failed to init ${name} certificate controller: error reading CA cert file: ${(error as Error).message}`);
  }
}

function changesOf(files: readonly string[]): string {
  return files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0).join(' ');
}
