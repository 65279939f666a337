/** The options `--service-account-…` and `--api-audiences`: files of this machine, and so no part of a session. Refusals are upstream's. */
import { readNamed } from '../named-file.ts';
import { parseDuration } from '../../apimachinery/time.ts';
import { CommandError } from '../command-error.ts';
import { privateKeyIn, publicKeysIn, type ServiceAccountKeys } from '../service-account-keys.ts';
import { type Given, text } from './given.ts';
import { texts } from './options.ts';

const yearSeconds = 2 ** 32;

/** Each may be given more than once. */
export const repeatedFlags: ReadonlySet<string> = new Set(['service-account-issuer', 'service-account-key-file']);

export const serviceAccountFlags = [
  {
    name: 'api-audiences',
    value: 'list',
    default: '',
    help: 'Audiences of which a token must have one to open the API server; the issuers without it',
  },
  {
    name: 'service-account-extend-token-expiration',
    value: 'true|false',
    default: 'true',
    help: 'Tokens that pods mount go on working for a year, however long they are good',
  },
  {
    name: 'service-account-issuer',
    value: 'name',
    default: '',
    help: 'Who signs tokens of service accounts; more than once: tokens of the others are believed too',
  },
  { name: 'service-account-jwks-uri', value: 'url', default: '', help: 'Where the discovery document says that the keys are' },
  {
    name: 'service-account-key-file',
    value: 'file',
    default: '',
    help: "RSA or ECDSA keys that tokens of service accounts are signed with; more than once. The signing key's without it",
  },
  {
    name: 'service-account-max-token-expiration',
    value: 'duration',
    default: '0s',
    help: 'No token that is asked for lives longer; an hour at least',
  },
  {
    name: 'service-account-signing-key-file',
    value: 'file',
    default: '',
    help: 'The RSA or ECDSA key that signs tokens of service accounts; one of this cluster without it',
  },
] as const;

/** Undefined where nothing is given. Throws CommandError. */
export function readServiceAccountKeys(given: Given): ServiceAccountKeys | undefined {
  if (serviceAccountFlags.every(({ name }) => text(given, name) === undefined && texts(given, name).length === 0)) return undefined;
  const issuers = texts(given, 'service-account-issuer');
  checkIssuers(issuers);
  const audiences = (text(given, 'api-audiences') ?? '').split(',').filter((audience) => audience !== '');
  const keysUrl = text(given, 'service-account-jwks-uri') ?? '';
  checkKeysUrl(keysUrl);
  const seconds = expirationSeconds(text(given, 'service-account-max-token-expiration') ?? '0s');
  const signingFile = text(given, 'service-account-signing-key-file') ?? '';
  return {
    publicKeys: texts(given, 'service-account-key-file').flatMap(publicKeysOf),
    extendsExpiration: isTrue(given, 'service-account-extend-token-expiration'),
    ...(issuers.length === 0 ? {} : { issuers }),
    ...(audiences.length === 0 ? {} : { audiences }),
    ...(keysUrl === '' ? {} : { keysUrl }),
    ...(seconds === 0 ? {} : { expirationSecondsMax: seconds }),
    ...(signingFile === '' ? {} : { signingKey: signingKeyOf(signingFile) }),
  };
}

function checkIssuers(issuers: readonly string[]): void {
  const seen = new Set<string>();
  for (const issuer of issuers) {
    if (issuer === '') throw new CommandError('service-account-issuer should not be an empty string', 1);
    if (issuer.includes(':') && !URL.canParse(issuer))
      throw new CommandError(`service-account-issuer ${JSON.stringify(issuer)} contained a ':' but was not a valid URL`, 1);
    if (seen.has(issuer)) throw new CommandError(`service-account-issuer ${JSON.stringify(issuer)} is already specified`, 1);
    seen.add(issuer);
  }
}

function checkKeysUrl(url: string): void {
  if (url !== '' && (!URL.canParse(url) || new URL(url).protocol !== 'https:'))
    throw new CommandError(`service-account-jwks-uri requires https scheme, parsed as: ${url}`, 1);
}

function expirationSeconds(value: string): number {
  const ms = parseDuration(value);
  if (ms === undefined)
    throw new CommandError(`invalid value ${JSON.stringify(value)} for --service-account-max-token-expiration: expected a duration such as 24h`);
  if (ms !== 0 && (ms < 3_600_000 || ms > yearSeconds * 1000))
    throw new CommandError('the service-account-max-token-expiration must be between 1 hour and 2^32 seconds', 1);
  return Math.floor(ms / 1000);
}

function isTrue(given: Given, name: string): boolean {
  const value = text(given, name) ?? 'true';
  if (value !== 'true' && value !== 'false') throw new CommandError(`invalid value ${JSON.stringify(value)} for --${name}: expected true or false`);
  return value === 'true';
}

function publicKeysOf(file: string): ServiceAccountKeys['publicKeys'] {
  const keys = publicKeysIn(readFile(file, (why) => `error reading public key file ${file}: ${why}`));
  if (keys.length === 0) throw new CommandError(`error reading public key file ${file}: data does not contain any valid RSA or ECDSA public keys`, 1);
  return keys;
}

function signingKeyOf(file: string): NonNullable<ServiceAccountKeys['signingKey']> {
  const said = (why: string): string => `failed to parse service-account-issuer-key-file: error reading private key file ${file}: ${why}`;
  const key = privateKeyIn(readFile(file, said));
  if (key === undefined)
    throw new CommandError(
      `failed to parse service-account-issuer-key-file: error parsing private key file ${file}: data does not contain a valid RSA or ECDSA private key`,
      1,
    );
  return key;
}

function readFile(file: string, said: (why: string) => string): string {
  return readNamed(file, 1, said);
}
