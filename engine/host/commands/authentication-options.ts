/**
 * The options that say who is believed, under upstream's names: files of this machine, and so no part of a session. Who asked is written
 * down with what was asked.
 */
import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { ConfigurationFault, Fields, mustBeKind, parseDocument } from '../../apiserver/configuration-reader.ts';
import type { AnonymousPolicy, RequestHeaderTrust } from '../../apiserver/auth/authentication.ts';
import { createTokenFileAuthenticator, TokenFileError } from '../../apiserver/auth/token-file.ts';
import type { Ways } from '../authentication.ts';
import { CommandError } from '../command-error.ts';
import type { AuditFlag } from './audit-options.ts';
import { type Given, text } from './options.ts';

const flag = (name: string, value: string, standard: string, help: string): AuditFlag => ({ name, value, default: standard, help });

export const authenticationFlags: readonly AuditFlag[] = [
  flag('anonymous-auth', 'true|false', 'true', 'Requests that nobody knows are those of system:anonymous; else they are refused'),
  flag('authentication-config', 'file', '', 'An AuthenticationConfiguration: about which paths anonymous requests may ask'),
  flag(
    'enable-bootstrap-token-auth',
    'true|false',
    'false',
    'Secrets of the type bootstrap.kubernetes.io/token in kube-system hold tokens by which machines join',
  ),
  flag('requestheader-allowed-names', 'list', '', 'Common names that a proxy may have; none: any that its authority has signed'),
  flag('requestheader-client-ca-file', 'file', '', 'Authorities of proxies that say in headers for whom they ask'),
  flag('requestheader-extra-headers-prefix', 'list', '', 'Beginnings of headers that say more of a user; X-Remote-Extra- is suggested'),
  flag('requestheader-group-headers', 'list', '', 'Headers that name groups; X-Remote-Group is suggested'),
  flag('requestheader-uid-headers', 'list', '', 'Headers that name the uid; X-Remote-Uid is suggested'),
  flag('requestheader-username-headers', 'list', '', 'Headers that name the user; X-Remote-User is common'),
  flag('token-auth-file', 'file', '', 'Tokens and their users: token,user,uid,"group1,group2"'),
];

const versions = ['v1', 'v1beta1', 'v1alpha1'].map((version) => `apiserver.config.k8s.io/${version}`);
const pathsMax = 64;

/** Throws CommandError, in upstream's words where they are known. */
export function readAuthentication(given: Given): Ways {
  const file = text(given, 'token-auth-file') ?? '';
  const tokens = file === '' ? undefined : readFile('token-auth-file', file);
  if (tokens !== undefined) inWords(() => createTokenFileAuthenticator(tokens, file, []));
  const requestHeader = readRequestHeader(given);
  return {
    anonymous: readAnonymous(given),
    bootstrapTokens: booleanOf(given, 'enable-bootstrap-token-auth', false),
    ...(tokens === undefined ? {} : { fromFile: (audiences) => createTokenFileAuthenticator(tokens, file, audiences) }),
    ...(requestHeader === undefined ? {} : { requestHeader }),
  };
}

function readAnonymous(given: Given): AnonymousPolicy {
  const isEnabled = booleanOf(given, 'anonymous-auth', true);
  const file = text(given, 'authentication-config') ?? '';
  if (file === '') return { isEnabled };
  const anonymous = inWords(() => readConfiguration(readFile('authentication-config', file)));
  if (anonymous === undefined) return { isEnabled };
  if (text(given, 'anonymous-auth') !== undefined)
    throw new CommandError('--anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file');
  return anonymous;
}

function readConfiguration(document: string): AnonymousPolicy | undefined {
  const parsed = parseDocument(document);
  mustBeKind(parsed, versions, 'AuthenticationConfiguration');
  const fields = new Fields(parsed, '', ['apiVersion', 'kind', 'jwt', 'anonymous']);
  if (fields.list('jwt').length > 0) throw new ConfigurationFault('jwt: authenticators of JSON Web Tokens are not built');
  if (!fields.has('anonymous')) return undefined;
  const anonymous = fields.fields('anonymous', ['enabled', 'conditions']);
  const isEnabled = anonymous.boolean('enabled') === true;
  const conditions = anonymous.each('conditions', ['path']);
  if (conditions.length === 0) return { isEnabled };
  if (!isEnabled)
    throw new ConfigurationFault(
      `anonymous.conditions: Invalid value: ${conditions.length}: enabled should be set to true when conditions are defined`,
    );
  if (conditions.length > pathsMax)
    throw new ConfigurationFault(`anonymous.conditions: Too many: ${conditions.length}: must have at most ${pathsMax} items`);
  return { isEnabled, paths: conditions.map((condition) => condition.text('path')) };
}

function readRequestHeader(given: Given): (RequestHeaderTrust & { readonly authoritiesPem: string }) | undefined {
  const headers = (name: string): readonly string[] => listOf(given, `requestheader-${name}`).map((header) => header.toLowerCase());
  const file = text(given, 'requestheader-client-ca-file') ?? '';
  if (file === '') return undefined;
  const pem = readFile('requestheader-client-ca-file', file);
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0)
    throw new CommandError(
      `unable to load client CA provider: error loading CA file ${file}: data does not contain any valid RSA or ECDSA certificates`,
    );
  const userHeaders = headers('username-headers');
  if (userHeaders.length === 0) throw new CommandError('--requestheader-client-ca-file needs --requestheader-username-headers');
  return {
    authoritiesPem: pem,
    roots: inWords(() => new Set(blocks.map((block) => new X509Certificate(block).fingerprint256.replaceAll(':', '').toLowerCase()))),
    allowedNames: listOf(given, 'requestheader-allowed-names'),
    userHeaders,
    uidHeaders: headers('uid-headers'),
    groupHeaders: headers('group-headers'),
    extraPrefixes: headers('extra-headers-prefix'),
  };
}

function readFile(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(`--${option}: ${(error as Error).message}`);
  }
}

/** What is wrong with a file is the user's affair. */
function inWords<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const isTheirs = error instanceof ConfigurationFault || error instanceof TokenFileError || (error as NodeJS.ErrnoException).code !== undefined;
    if (isTheirs) throw new CommandError((error as Error).message);
    throw error;
  }
}

function listOf(given: Given, name: string): readonly string[] {
  return (text(given, name) ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function booleanOf(given: Given, name: string, standard: boolean): boolean {
  const value = text(given, name);
  if (value === undefined) return standard;
  if (value === 'true' || value === 'false') return value === 'true';
  throw new CommandError(`invalid value ${JSON.stringify(value)} for --${name}: expected true or false`);
}
