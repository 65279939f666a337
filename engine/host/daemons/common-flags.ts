/**
 * Flags that both daemons have: how they are reached, whom they believe, whom they let in, who leads, what they log. Names and
 * defaults are those of the seeds; what later releases added stands beside them.
 */
import type { Release } from '../../contracts/release.ts';
import type { DaemonFlag } from './flag-set.ts';
import type { FlagType } from './go-values.ts';

type Extra = Pick<DaemonFlag, 'short' | 'alone' | 'deprecated' | 'noEffect'>;

/** Flags under one heading. */
export function section(name: string): (flag: string, type: FlagType, standard: string, help: string, extra?: Extra) => DaemonFlag {
  return (flag, type, standard, help, extra = {}) => ({ name: flag, type, default: standard, help, section: name, ...extra });
}

const secure = section('Secure serving');
const insecure = section('Insecure serving');
const authentication = section('Authentication');
const authorization = section('Authorization');
const election = section('Leader election');
const debugging = section('Debugging');
const logs = section('Logs');
const misc = section('Misc');

export interface DaemonPorts {
  readonly secure: number;
  readonly insecure: number;
}

const servingFlags = (ports: DaemonPorts): readonly DaemonFlag[] => [
  secure('bind-address', 'ip', '0.0.0.0', 'Where the secure port listens; blank means all interfaces'),
  secure('secure-port', 'int', String(ports.secure), 'HTTPS with authentication and authorization; 0 does not serve it'),
  secure('cert-dir', 'string', '', 'Where TLS certificates lie; not read when both files are given'),
  secure('tls-cert-file', 'string', '', 'File with the certificate of the secure port, and those above it'),
  secure('tls-private-key-file', 'string', '', 'File with the key of --tls-cert-file'),
  secure('tls-sni-cert-key', 'certkey', '', 'Certificate and key files, with the names they are for: cert,key:*.example.org; may come again'),
  secure('tls-min-version', 'string', '', 'VersionTLS10, VersionTLS11, VersionTLS12 or VersionTLS13'),
  secure('tls-cipher-suites', 'strings', '', 'Names of cipher suites; those of Node.js when empty'),
  secure('http2-max-streams-per-connection', 'int', '0', 'Requests at once on one HTTP/2 connection; 0 takes the standard number'),
  secure('disable-http2-serving', 'bool', 'false', 'Serve HTTP/1.1 alone'),
  insecure('port', 'int', String(ports.insecure), 'HTTP without authentication and authorization; 0 does not serve it', {
    deprecated: 'use --secure-port',
  }),
  insecure('address', 'ip', '0.0.0.0', 'Where the insecure port listens', { deprecated: 'use --bind-address' }),
];

const authenticationFlags: readonly DaemonFlag[] = [
  authentication('authentication-kubeconfig', 'string', '', 'How to reach the server that reviews tokens; empty takes every token for anonymous'),
  authentication('authentication-skip-lookup', 'bool', 'false', 'Do not look up missing configuration in the cluster'),
  authentication('authentication-token-webhook-cache-ttl', 'duration', '10s', 'How long the answer of a token review is kept'),
  authentication('authentication-tolerate-lookup-failure', 'bool', 'false', 'Start also when the configuration cannot be looked up'),
  authentication('client-ca-file', 'string', '', 'Who signed the certificates of clients'),
  authentication('requestheader-client-ca-file', 'string', '', 'Who signed the certificates of proxies that name users in headers'),
  authentication('requestheader-allowed-names', 'strings', '', 'Common names of such proxies; empty believes every one that is signed'),
  authentication('requestheader-username-headers', 'strings', 'x-remote-user', 'Headers with the name of the user'),
  authentication('requestheader-group-headers', 'strings', 'x-remote-group', 'Headers with groups'),
  authentication('requestheader-extra-headers-prefix', 'strings', 'x-remote-extra-', 'Prefixes of headers with more about the user'),
];

const authorizationFlags: readonly DaemonFlag[] = [
  authorization('authorization-kubeconfig', 'string', '', 'How to reach the server that reviews access; empty forbids what is not always allowed'),
  authorization('authorization-always-allow-paths', 'strings', '/healthz', 'Paths that need no authorization'),
  authorization('authorization-webhook-cache-authorized-ttl', 'duration', '10s', 'How long a permission is kept'),
  authorization('authorization-webhook-cache-unauthorized-ttl', 'duration', '10s', 'How long a refusal is kept'),
];

const electionFlags: readonly DaemonFlag[] = [
  election('leader-elect', 'bool', 'true', 'Work only while this one of several replicas leads'),
  election('leader-elect-lease-duration', 'duration', '15s', 'How long a leader that is silent is left in its place'),
  election('leader-elect-renew-deadline', 'duration', '10s', 'How long a leader tries to renew before it gives up'),
  election('leader-elect-retry-period', 'duration', '2s', 'Wait between two tries'),
  election('leader-elect-resource-lock', 'string', '', 'What the leader holds: leases, endpoints or configmaps; empty takes what the release does'),
];

const debuggingFlags: readonly DaemonFlag[] = [
  debugging('profiling', 'bool', 'true', 'Serve profiles below /debug/pprof/'),
  debugging('contention-profiling', 'bool', 'false', 'Profile waiting for locks', { noEffect: 'one thread has no locks to wait for' }),
];

const logFlags: readonly DaemonFlag[] = [
  logs('v', 'uint', '0', 'How much is logged', { short: 'v' }),
  logs('vmodule', 'vmodule', '', 'How much is logged by file, as pattern=N', { noEffect: 'lines of a file are not told apart' }),
  logs('logtostderr', 'bool', 'true', 'Log to standard error and not to files'),
  logs('alsologtostderr', 'bool', 'false', 'Log to files and to standard error'),
  logs('stderrthreshold', 'severity', '2', 'Lines of this severity and above go to standard error too: INFO 0, WARNING 1, ERROR 2, FATAL 3'),
  logs('log-dir', 'string', '', 'Folder for a file of this process'),
  logs('log-file', 'string', '', 'File to log to'),
  logs('log-flush-frequency', 'duration', '5s', 'Longest time that a line waits before it is written to a file'),
  logs('skip-headers', 'bool', 'false', 'Leave out severity, time, process and file'),
  logs('log-backtrace-at', 'string', ':0', 'Log the stack where a file and line logs', { noEffect: 'no line of the log has a number' }),
  logs('logging-format', 'string', 'text', 'text or json'),
];

/** Those of the kubeconfig, the server, and the program itself. */
const miscFlags: readonly DaemonFlag[] = [
  misc('kubeconfig', 'string', '', 'How to reach the API server'),
  misc('master', 'string', '', "Address of the API server; in place of the kubeconfig's"),
  misc('emulate', 'string', '', "Whose times and defaults are in force; the server's when empty"),
  misc('help', 'bool', 'false', 'Show the flags', { short: 'h' }),
  misc('version', 'version', 'false', 'Show the version', { alone: 'true' }),
];

export type DefaultsOfRelease = Pick<Release, 'flagDefaults'>;

/** Flags whose default a release decides, beside those of the control plane. */
const ofRelease: ReadonlySet<string> = new Set(['authorization-always-allow-paths', 'profiling']);

/** All of the above, with the ports of a daemon and the defaults of a release. */
export function commonFlags(ports: DaemonPorts, { flagDefaults }: DefaultsOfRelease): readonly DaemonFlag[] {
  const flags = [
    ...servingFlags(ports),
    ...authenticationFlags,
    ...authorizationFlags,
    ...electionFlags,
    ...debuggingFlags,
    ...logFlags,
    ...miscFlags,
  ];
  return flags.map((flag) => (ofRelease.has(flag.name) ? { ...flag, default: flagDefaults[flag.name] ?? flag.default } : flag));
}
