/**
 * `/healthz`, `/livez`, `/readyz`, and each check of them. Mirrors apiserver pkg/server/healthz/healthz.go; the names are those that a real 1.36.3 lists, in
 * its order.
 */
import { goQuote } from '../apimachinery/quote.ts';
import type { HealthTally } from './health-tally.ts';
import type { HttpPlainResponse } from './http-types.ts';
import { text } from './non-resource.ts';

export interface HealthCheck {
  readonly name: string;
  /** Undefined when healthy. */
  check(): string | undefined;
}

/** What a server does once it has started, and what it runs from then on. */
const startHooks = [
  'start-apiserver-admission-initializer',
  'generic-apiserver-start-informers',
  'priority-and-fairness-config-consumer',
  'priority-and-fairness-filter',
  'storage-object-count-tracker-hook',
  'start-apiextensions-informers',
  'start-apiextensions-controllers',
  'crd-informer-synced',
  'start-system-namespaces-controller',
  'peer-endpoint-reconciler-controller',
  'start-cluster-authentication-info-controller',
  'start-kube-apiserver-identity-lease-controller',
  'start-kube-apiserver-identity-lease-garbage-collector',
  'storage-readiness',
  'start-legacy-token-tracking-controller',
  'start-service-ip-repair-controllers',
  'rbac/bootstrap-roles',
  'scheduling/bootstrap-system-priority-classes',
  'priority-and-fairness-config-producer',
  'bootstrap-controller',
  'start-kubernetes-service-cidr-controller',
  'start-kube-aggregator-informers',
  'apiservice-status-local-available-controller',
  'apiservice-status-remote-available-controller',
  'apiservice-registration-controller',
  'apiservice-discovery-controller',
  'kube-apiserver-autoregistration',
  'autoregister-completion',
  'apiservice-openapi-controller',
  'apiservice-openapiv3-controller',
].map((name) => (name === 'autoregister-completion' ? name : `poststarthook/${name}`));

const live = ['ping', 'log', 'loopback-serving-certificate', 'etcd', ...startHooks];
const ready = ['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync', ...startHooks, 'shutdown'];

/** Where none are given all are well as long as there is somebody who answers. */
function checksOf(endpoint: string, given: readonly HealthCheck[] | undefined): readonly HealthCheck[] {
  return given ?? checksNamed(endpoint === 'readyz' ? ready : live);
}

/** Each check by its path, as they are listed with all others. */
export function pathsOfChecks(): readonly string[] {
  return ['healthz', 'livez', 'readyz'].flatMap((endpoint) => checksOf(endpoint, undefined).map(({ name }) => `/${endpoint}/${name}`));
}

/** Of a server that serves: all are well. */
export function checksNamed(names: readonly string[]): readonly HealthCheck[] {
  return names.map((name) => ({ name, check: () => undefined }));
}

/** Undefined where nobody checks what the path names. What all checks together say is counted, and what one is asked alone is not. */
export function health(
  path: string,
  query: Pick<URLSearchParams, 'has' | 'getAll'>,
  tally: HealthTally,
  given?: readonly HealthCheck[],
): HttpPlainResponse | undefined {
  const [, endpoint = '', one] = /^\/(healthz|livez|readyz)(?:\/(.+))?$/.exec(path) ?? [];
  if (endpoint === '') return undefined;
  const checks = checksOf(endpoint, given);
  return one === undefined ? whole(endpoint, checks, query, tally) : single(checks.find(({ name }) => name === one));
}

function single(check: HealthCheck | undefined): HttpPlainResponse | undefined {
  const fault = check?.check();
  if (fault !== undefined) return text(500, `internal server error: ${fault}\n`);
  return check === undefined ? undefined : { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'ok' };
}

function whole(
  endpoint: string,
  checks: readonly HealthCheck[],
  query: Pick<URLSearchParams, 'has' | 'getAll'>,
  tally: HealthTally,
): HttpPlainResponse {
  const excluded = new Set(query.getAll('exclude'));
  let failed = false;
  const lines = checks.map(({ name, check }) => {
    if (excluded.delete(name)) return `[+]${name} excluded: ok`;
    const isWell = check() === undefined;
    tally.count(name, endpoint, isWell);
    if (!isWell) failed = true;
    return isWell ? `[+]${name} ok` : `[-]${name} failed: reason withheld`;
  });
  const unmatched = [...excluded].sort().map((name) => goQuote(name));
  if (unmatched.length > 0) lines.push(`warn: some health checks cannot be excluded: no matches for ${unmatched.join(',')}`);
  if (failed) return text(500, `${lines.join('\n')}\n${endpoint} check failed\n`);
  return text(200, query.has('verbose') ? `${lines.join('\n')}\n${endpoint} check passed\n` : 'ok');
}
