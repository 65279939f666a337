/**
 * The options that say who is believed, under upstream's names: files of this machine, and so no part of a session. Who asked is written
 * down with what was asked.
 */
import { partsOf } from '../../base/text.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import { readNamed } from '../named-file.ts';
import { ConfigurationFault, Fields, mustBeKind, parseDocument } from '../../apiserver/configuration-reader.ts';
import { allAlgorithms, type JwtIssuerConfiguration, readIssuers, urlFaults } from '../../apiserver/auth/jwt/configuration.ts';
import { CsvFault } from '../../apimachinery/go-csv.ts';
import { aggregateText, root } from '../../apimachinery/field-errors.ts';
import type { AnonymousPolicy, RequestHeaderTrust } from '../../apiserver/auth/authentication.ts';
import type { TokenAuthenticator } from '../../apiserver/auth/authenticator.ts';
import { createPasswordAuthenticator } from '../../apiserver/auth/password-file.ts';
import { createTokenFileAuthenticator, TokenFileError } from '../../apiserver/auth/token-file.ts';
import { parseDuration } from '../../apimachinery/time.ts';
import { mustReadWebhookFile } from './configuration-files.ts';
import { FeatureGates } from '../../releases/feature-gates.ts';
import { defaultRelease } from '../../releases/releases.ts';
import type { Ways } from '../authentication.ts';
import type { JsonObject } from '../../base/json.ts';
import { AuthenticationFile, type Configured } from './authentication-file.ts';
import { CommandError } from '../command-error.ts';
import { OidcIssuer } from '../oidc.ts';
import { issuer, secretIssuer } from '../tokens.ts';
import { fingerprints } from '../trust.ts';
import type { AuditFlag } from './audit-options.ts';
import { type Given, text } from './given.ts';
import { releaseOf } from './options.ts';
import { readServiceAccountKeys } from './service-account-options.ts';

const flag = (name: string, value: string, standard: string, help: string): AuditFlag => ({ name, value, default: standard, help });

export const authenticationFlags: readonly AuditFlag[] = [
  flag('anonymous-auth', 'true|false', 'true', 'Requests that nobody knows are those of system:anonymous; else they are refused'),
  flag(
    'authentication-config',
    'file',
    '',
    'An AuthenticationConfiguration: issuers of JSON Web Tokens, and about which paths anonymous requests may ask',
  ),
  flag('client-ca-file', 'file', '', "Authorities that sign certificates of clients, besides this machine's"),
  flag('basic-auth-file', 'file', '', 'Releases before 1.19: passwords and their users: password,user,uid,"group1,group2"'),
  flag(
    'enable-bootstrap-token-auth',
    'true|false',
    'false',
    'Secrets of the type bootstrap.kubernetes.io/token in kube-system hold tokens by which machines join',
  ),
  flag('authentication-token-webhook-cache-ttl', 'duration', '2m0s', 'How long what the webhook said of a token counts, in virtual time'),
  flag('authentication-token-webhook-config-file', 'file', '', 'A kubeconfig that says who is asked about tokens that nobody else knows'),
  flag('authentication-token-webhook-version', 'version', 'v1beta1', 'Version of the TokenReview that is sent: v1 or v1beta1'),
  flag('oidc-ca-file', 'file', '', "Authorities that vouch for the OpenID issuer; this machine's without it"),
  flag('oidc-client-id', 'id', '', 'The audience that tokens of the OpenID issuer are for'),
  flag('oidc-groups-claim', 'claim', '', 'The claim that names groups'),
  flag('oidc-groups-prefix', 'prefix', '', 'What stands before the names of groups'),
  flag('oidc-issuer-url', 'url', '', 'The OpenID issuer whose tokens are believed; https alone'),
  flag('oidc-required-claim', 'list', '', 'Claims that tokens must have: key=value,…'),
  flag('oidc-signing-algs', 'list', 'RS256', 'Algorithms that tokens may be signed by'),
  flag('oidc-username-claim', 'claim', 'sub', 'The claim that names the user'),
  flag('oidc-username-prefix', 'prefix', '', 'What stands before the name; `-` is nothing. Without it the issuer does, but for the claim `email`'),
  flag('requestheader-allowed-names', 'list', '', 'Common names that a proxy may have; none: any that its authority has signed'),
  flag('requestheader-client-ca-file', 'file', '', 'Authorities of proxies that say in headers for whom they ask'),
  flag('requestheader-extra-headers-prefix', 'list', '', 'Beginnings of headers that say more of a user; X-Remote-Extra- is suggested'),
  flag('requestheader-group-headers', 'list', '', 'Headers that name groups; X-Remote-Group is suggested'),
  flag('requestheader-uid-headers', 'list', '', 'Headers that name the uid; X-Remote-Uid is suggested'),
  flag('requestheader-username-headers', 'list', '', 'Headers that name the user; X-Remote-User is common'),
  flag('token-auth-file', 'file', '', 'Tokens and their users: token,user,uid,"group1,group2"'),
];

const versions = ['v1', 'v1beta1', 'v1alpha1'].map((version) => `apiserver.config.k8s.io/${version}`);

/** Throws CommandError, in upstream's words where they are known. */
export function readAuthentication(given: Given): Ways {
  const file = text(given, 'token-auth-file') ?? '';
  const tokens = file === '' ? undefined : readFile(file);
  const { daemonFlags } = releaseOf(given) ?? defaultRelease;
  const fromFile = (audiences: readonly string[]): TokenAuthenticator => createTokenFileAuthenticator(tokens ?? '', file, audiences, daemonFlags);
  inWords(() => fromFile([]));
  checkUidHeaders(given);
  const clients = readAuthorities(text(given, 'client-ca-file') ?? '', noProvider);
  const requestHeader = readRequestHeader(given, clients?.roots);
  const configured = readConfigurationFile(given);
  const serviceAccounts = readServiceAccountKeys(given);
  const issuers = configured === undefined ? oidcOptions(given).map(makeIssuer) : [];
  return {
    get issuers() {
      return configured?.issuers ?? issuers;
    },
    ...(configured === undefined ? {} : { metrics: () => configured.metrics(), watch: (log) => configured.watch(log) }),
    anonymous: anonymousOf(given, configured?.anonymous),
    bootstrapTokens: booleanOf(given, 'enable-bootstrap-token-auth', false),
    ...(tokens === undefined ? {} : { fromFile }),
    ...passwordsOf(given),
    ...(clients === undefined ? {} : { clientAuthoritiesPem: clients.pem }),
    ...(requestHeader === undefined ? {} : { requestHeader }),
    ...tokenWebhookOf(given),
    ...(serviceAccounts === undefined ? {} : { serviceAccounts }),
  };
}

function passwordsOf(given: Given): Pick<Ways, 'passwords'> {
  const file = text(given, 'basic-auth-file') ?? '';
  if (file === '') return {};
  const { name, takesPasswords, daemonFlags } = releaseOf(given) ?? defaultRelease;
  if (!takesPasswords) throw new CommandError(`--basic-auth-file is not for release ${name}`);
  const lines = readFile(file);
  return { passwords: inWords(() => createPasswordAuthenticator(lines, file, daemonFlags)) };
}

/** Where all is allowed the option is nothing: nobody would have to say who he is. */
function anonymousOf(given: Given, configured: AnonymousPolicy | undefined): AnonymousPolicy {
  if (configured === undefined) {
    const modes = partsOf(text(given, 'authorization-mode') ?? '');
    return { isEnabled: booleanOf(given, 'anonymous-auth', true) && !modes.includes('AlwaysAllow') };
  }
  if (text(given, 'anonymous-auth') !== undefined)
    throw new CommandError('--anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file');
  return configured;
}

function makeIssuer(configuration: JwtIssuerConfiguration): OidcIssuer {
  return inWords(() => new OidcIssuer(configuration, wallMs));
}

const wallMs = (): number => Date.now();

function readConfigurationFile(given: Given): AuthenticationFile | undefined {
  const file = text(given, 'authentication-config') ?? '';
  if (file === '') return undefined;
  if (oidcNames.some((name) => text(given, name) !== undefined))
    throw new CommandError('authentication-config file and oidc-* flags are mutually exclusive');
  const now = readFile(file, `failed to load authentication configuration from file ${goQuote(file)}: `);
  return inWords(() => new AuthenticationFile({ file, text: now, parse: parseConfiguration, read: readConfiguration, makeIssuer, nowMs: wallMs }));
}

export function parseConfiguration(document: string): JsonObject {
  const parsed = parseDocument(document);
  mustBeKind(parsed, versions, 'AuthenticationConfiguration');
  return parsed;
}

export function readConfiguration(document: string): Configured {
  const parsed = parseConfiguration(document);
  const fields = new Fields(parsed, '', ['apiVersion', 'kind', 'jwt', 'anonymous']);
  return { issuers: readIssuers(fields, [issuer, secretIssuer]), anonymous: fields.has('anonymous') ? readAnonymous(fields) : undefined };
}

function readAnonymous(configuration: Fields): AnonymousPolicy {
  const fields = configuration.fields('anonymous', ['enabled', 'conditions']);
  const isEnabled = fields.boolean('enabled') === true;
  const conditions = fields.each('conditions', ['path']);
  if (conditions.length === 0) return { isEnabled };
  if (!isEnabled)
    throw new ConfigurationFault(
      `anonymous.conditions: Invalid value: ${conditions.length}: enabled should be set to true when conditions are defined`,
    );
  return { isEnabled, paths: conditions.map((condition) => condition.text('path')) };
}

const oidcNames = authenticationFlags.map(({ name }) => name).filter((name) => name.startsWith('oidc-'));

/** One issuer by options, as there was before the file. */
function oidcOptions(given: Given): readonly JwtIssuerConfiguration[] {
  if (oidcNames.every((name) => text(given, name) === undefined)) return [];
  const valueOf = (name: string): string => text(given, `oidc-${name}`) ?? '';
  const [url, audience] = [valueOf('issuer-url'), valueOf('client-id')];
  if (url === '' || audience === '')
    throw new CommandError('oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set');
  const faults = urlFaults(url, root('issuer').child('url'), [issuer, secretIssuer]);
  if (faults.length > 0) throw new CommandError(aggregateText(faults));
  const claim = valueOf('username-claim') || 'sub';
  const prefix = valueOf('username-prefix');
  const ownPrefix = prefix === '' && claim !== 'email' ? `${url}#` : prefix === '-' ? '' : prefix;
  const algorithms = listOf(given, 'oidc-signing-algs');
  const unknown = algorithms.find((algorithm) => !allAlgorithms.includes(algorithm));
  if (unknown !== undefined) throw new CommandError(`oidc: unsupported signing alg: ${JSON.stringify(unknown)}`);
  return [
    {
      url,
      discoveryUrl: '',
      authoritiesPem: valueOf('ca-file') === '' ? '' : readFile(valueOf('ca-file')),
      audiences: [audience],
      algorithms: algorithms.length === 0 ? ['RS256'] : algorithms,
      username: { claim, prefix: ownPrefix, expression: '' },
      groups: { claim: valueOf('groups-claim'), prefix: valueOf('groups-prefix'), expression: '' },
      uid: { claim: '', prefix: '', expression: '' },
      extra: [],
      claimRules: listOf(given, 'oidc-required-claim').map((pair) => {
        const equals = pair.indexOf('=');
        if (equals < 0) throw new CommandError(`invalid value ${JSON.stringify(pair)} for --oidc-required-claim: expected key=value pairs`);
        return { claim: pair.slice(0, equals).trim(), requiredValue: pair.slice(equals + 1).trim(), expression: '', message: '' };
      }),
      userRules: [],
    },
  ];
}

function tokenWebhookOf(given: Given): Pick<Ways, 'tokenWebhook'> {
  const file = text(given, 'authentication-token-webhook-config-file') ?? '';
  const lasting = text(given, 'authentication-token-webhook-cache-ttl') ?? '2m0s';
  const keptMs = parseDuration(lasting);
  if (keptMs === undefined)
    throw new CommandError(`invalid value ${JSON.stringify(lasting)} for --authentication-token-webhook-cache-ttl: expected a duration such as 2m0s`);
  if (file === '') return {};
  const kubeconfig = mustReadWebhookFile(file);
  const version = text(given, 'authentication-token-webhook-version') ?? 'v1beta1';
  if (version !== 'v1' && version !== 'v1beta1')
    throw new CommandError(`unsupported authentication webhook version ${JSON.stringify(version)}, supported versions are "v1", "v1beta1"`);
  return { tokenWebhook: { kubeconfig, version, keptMs } };
}

/** Mirrors Validate of apiserver pkg/server/options/authentication.go. */
function checkUidHeaders(given: Given): void {
  const headers = listOf(given, 'requestheader-uid-headers');
  if (headers.length === 0) return;
  const { featureGates } = releaseOf(given) ?? defaultRelease;
  if (!new FeatureGates(featureGates, text(given, 'feature-gates') ?? '').enabled('RemoteRequestHeaderUID'))
    throw new CommandError('--requestheader-uid-headers requires the "RemoteRequestHeaderUID" feature to be enabled');
  if (!headers.some((header) => header.toLowerCase() === 'x-remote-uid'))
    throw new CommandError('--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header - API aggregation will not work');
}

const noProvider = 'unable to load client CA provider: ';

interface Authorities {
  readonly pem: string;
  /** SHA-256 of each, as hex. */
  readonly roots: ReadonlySet<string>;
}

/** Undefined where no file is said. */
function readAuthorities(file: string, before = ''): Authorities | undefined {
  if (file === '') return undefined;
  const pem = readFile(file, before);
  const roots = inWords(() => fingerprints(pem));
  if (roots.size === 0)
    throw new CommandError(`${noProvider}error loading CA file ${file}: data does not contain any valid RSA or ECDSA certificates`);
  return { pem, roots };
}

function readRequestHeader(
  given: Given,
  clientRoots: ReadonlySet<string> | undefined,
): (RequestHeaderTrust & { readonly authoritiesPem: string }) | undefined {
  const headers = (name: string): readonly string[] => listOf(given, `requestheader-${name}`).map((header) => header.toLowerCase());
  const authorities = readAuthorities(text(given, 'requestheader-client-ca-file') ?? '');
  if (authorities === undefined) return undefined;
  const userHeaders = headers('username-headers');
  if (userHeaders.length === 0) throw new CommandError('--requestheader-client-ca-file needs --requestheader-username-headers');
  return {
    authoritiesPem: authorities.pem,
    roots: authorities.roots,
    ...(clientRoots === undefined ? {} : { clientRoots }),
    allowedNames: listOf(given, 'requestheader-allowed-names'),
    userHeaders,
    uidHeaders: headers('uid-headers'),
    groupHeaders: headers('group-headers'),
    extraPrefixes: headers('extra-headers-prefix'),
  };
}

function readFile(file: string, before = ''): string {
  return readNamed(file, 2, (why) => `${before}${why}`);
}

/** What is wrong with a file is the user's affair. */
function inWords<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const isTheirs =
      error instanceof ConfigurationFault ||
      error instanceof TokenFileError ||
      error instanceof CsvFault ||
      (error as NodeJS.ErrnoException).code !== undefined;
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
