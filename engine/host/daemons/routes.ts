/**
 * What a daemon answers: its health, its metrics, its flags, what it does with its time. Mirrors the muxes of kube-controller-manager and
 * kube-scheduler; paths, words and codes were read from the real ones.
 */
import { type Sample, metricFamily } from '../../apiserver/metrics-text.ts';
import type { Identity } from '../../contracts/request.ts';
import type { Handler, PlainResponse, ServedRequest } from '../../serving/exchange.ts';
import type { Authentication } from './delegated-authentication.ts';
import type { Authorization } from './delegated-authorization.ts';
import type { FlagValues } from './flag-set.ts';
import type { HealthTally } from '../../apiserver/health-tally.ts';
import type { DaemonLog } from './log.ts';
import { profile } from './profiling.ts';

export interface HealthCheck {
  readonly name: string;
  /** Why it is not healthy; undefined when it is. */
  problem(): string | undefined;
}

export interface DaemonState {
  /** `kube-scheduler`. */
  readonly daemon: string;
  readonly flags: FlagValues;
  readonly log: DaemonLog;
  readonly release: () => string;
  readonly startedMs: number;
  readonly nowMs: () => number;
  /** Of a path of health; undefined when it is none. */
  readonly checks: (path: string) => readonly HealthCheck[] | undefined;
  readonly metrics: () => readonly Metric[];
  /** At `/metrics/resources`; undefined where there is no such path. */
  readonly resources: () => readonly Metric[] | undefined;
  /** JSON of the configuration in force. */
  readonly configz: () => string;
  /** Paths of health, as `/statusz` names them. */
  readonly healthPaths: readonly string[];
  readonly tally: HealthTally;
}

export interface Metric {
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** The handler of the port that asks for nothing. */
export function openHandler(state: DaemonState): Handler {
  return (request) => route(state, request);
}

/** The handler of the secure port. */
export function guardedHandler(state: DaemonState, authentication: Authentication, authorization: Authorization): Handler {
  return async (request) => {
    const identity = await authentication.identify(request);
    if (identity === undefined) return status(401, 'Unauthorized', 'Unauthorized');
    const verb = verbOf(request.method);
    const { isAllowed, reason } = await authorization.authorize(identity, verb, request.path);
    if (!isAllowed) return status(403, 'Forbidden', forbiddenText(identity, verb, request.path, reason));
    return route(state, request);
  };
}

function route(state: DaemonState, request: ServedRequest): PlainResponse | Promise<PlainResponse> {
  const { path } = request;
  const checks = state.checks(path);
  if (checks !== undefined) return health(checks, request, state.tally);
  if (path === '/metrics/slis') return text(200, state.tally.page(state.startedMs), 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores');
  if (path === '/metrics') return text(200, metricsText(state), 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores');
  const resources = path === '/metrics/resources' ? state.resources() : undefined;
  if (resources !== undefined) return text(200, familiesText(resources), 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores');
  if (path === '/configz') return json(state.configz());
  if (path === '/flagz') return text(200, flagz(state));
  if (path === '/statusz') return text(200, statusz(state));
  if (path === '/debug/flags/v') return verbosity(state, request);
  if (path.startsWith('/debug/pprof/') && state.flags.isOn('profiling')) return profile(request) ?? notFound();
  return notFound();
}

function health(checks: readonly HealthCheck[], { path, query }: ServedRequest, tally: HealthTally): PlainResponse {
  const results = checks.map(({ name, problem }) => ({ name, problem: problem() }));
  for (const { name, problem } of results) tally.count(name, path.split('/')[1] ?? '', problem === undefined);
  const name = path.slice(1);
  const lines = (isWhole: boolean): string =>
    results
      .map((one) => (one.problem === undefined ? `[+]${one.name} ok\n` : `[-]${one.name} failed: ${isWhole ? one.problem : 'reason withheld'}\n`))
      .join('');
  if (results.some(({ problem }) => problem !== undefined)) return text(500, `${lines(false)}${name} check failed\n`);
  return text(200, new URLSearchParams(query).has('verbose') ? `${lines(true)}${name} check passed\n` : 'ok');
}

const buildHelp =
  "[BETA] A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.";

function metricsText({ metrics, release, startedMs }: DaemonState): string {
  const { rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const always: readonly Metric[] = [
    { name: 'kubernetes_build_info', type: 'gauge', help: buildHelp, samples: [[{ git_version: release() }, 1]] },
    {
      name: 'process_cpu_seconds_total',
      type: 'counter',
      help: 'Total user and system CPU time spent in seconds.',
      samples: [[{}, (user + system) / 1e6]],
    },
    { name: 'process_resident_memory_bytes', type: 'gauge', help: 'Resident memory size in bytes.', samples: [[{}, rss]] },
    {
      name: 'process_start_time_seconds',
      type: 'gauge',
      help: 'Start time of the process since unix epoch in seconds.',
      samples: [[{}, startedMs / 1000]],
    },
  ];
  return familiesText([...always, ...metrics()]);
}

export function familiesText(metrics: readonly Metric[]): string {
  const families = metrics.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return families.map(({ name, type, help, samples }) => metricFamily(name, type, help, samples)).join('');
}

const notForMachines =
  'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.';

function flagz({ daemon, flags }: DaemonState): string {
  const lines = flags.entries().map(([name, value]) => `${name}: ${value}\n`);
  return `\n${daemon} flagz\n${notForMachines}\n${lines.join('')}`;
}

function statusz({ daemon, release, startedMs, nowMs, healthPaths }: DaemonState): string {
  const seconds = Math.floor((nowMs() - startedMs) / 1000);
  const up = `${Math.floor(seconds / 3600)} hr ${String(Math.floor(seconds / 60) % 60).padStart(2, '0')} min ${String(seconds % 60).padStart(2, '0')} sec`;
  const paths = ['/configz', '/flagz', '/metrics', ...healthPaths].sort().join(' ');
  return `\n${daemon} statusz\n${notForMachines}\n\nStarted  ${new Date(startedMs).toUTCString()}\nUp  ${up}\nNode.js version  ${process.version}\nBinary version  ${release()}\nPaths  ${paths}\n`;
}

/** How much is logged, changed while the daemon runs. Mirrors apiserver pkg/server/routes/flags.go. */
function verbosity({ log }: DaemonState, { method, body }: ServedRequest): PlainResponse {
  if (method !== 'PUT') return text(406, 'unsupported http method', 'text/plain');
  const given = new TextDecoder().decode(body);
  if (!/^\d{1,9}$/.test(given))
    return text(
      400,
      `failed to set klog.logging.verbosity ${given}: strconv.ParseInt: parsing ${JSON.stringify(given)}: invalid syntax`,
      'text/plain',
    );
  log.verbosity = Number(given);
  return text(200, `successfully set klog.logging.verbosity to ${given}`, 'text/plain');
}

/** Mirrors the verbs of apiserver pkg/endpoints/request for paths that are no resources. */
function verbOf(method: string): string {
  return method.toLowerCase();
}

function forbiddenText({ name }: Identity, verb: string, path: string, reason: string): string {
  return `forbidden: User ${JSON.stringify(name)} cannot ${verb} path ${JSON.stringify(path)}${reason === '' ? '' : `: ${reason}`}`;
}

function status(code: number, reason: string, message: string): PlainResponse {
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, ...(code === 403 ? { details: {} } : {}), code };
  return {
    status: code,
    headers: { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' },
    body: JSON.stringify(body, undefined, 2),
  };
}

function json(body: string): PlainResponse {
  return {
    status: 200,
    headers: { 'content-type': 'application/json', 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache, private' },
    body,
  };
}

function notFound(): PlainResponse {
  return text(404, '404 page not found\n');
}

function text(code: number, body: string, type = 'text/plain; charset=utf-8'): PlainResponse {
  return { status: code, headers: { 'content-type': type, 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache, no-store' }, body };
}
