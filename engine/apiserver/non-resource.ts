/**
 * Paths that are no resources: version, health, metrics, the index. Mirrors apiserver pkg/server/{routes,healthz}.
 */
import type { Release } from '../contracts/release.ts';
import type { HttpPlainResponse } from './http-types.ts';

/** What tells the release of a server. */
export type ServedRelease = Pick<
  Release,
  | 'gitVersion'
  | 'version'
  | 'groupPriorities'
  | 'versionPriorities'
  | 'discovers'
  | 'words'
  | 'retell'
  | 'openApi'
  | 'paths'
  | 'judgesUnknownFields'
  | 'servesApply'
>;

/** Of a server that says of itself no more than that it serves. */
export const noRelease: ServedRelease = {
  gitVersion: 'v0.0.0',
  version: {},
  groupPriorities: {},
  versionPriorities: {},
  discovers: { singularNames: true, coreVersions: true, storageVersionHashes: false },
  words: [],
  judgesUnknownFields: true,
  servesApply: true,
};

/** `/version`. The build metadata says that no real API server answers. */
export function describeVersion({ gitVersion, version }: ServedRelease): { readonly [member: string]: string } {
  return {
    ...version,
    gitVersion: `${gitVersion}+wavetank`,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: 'none (simulated)',
    compiler: 'none',
    platform: 'wavetank/simulated',
  };
}

export interface HealthCheck {
  readonly name: string;
  /** Undefined when healthy. */
  check(): string | undefined;
}

const plainText = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };

export function text(status: number, body: string): HttpPlainResponse {
  return { status, headers: plainText, body };
}

export function json(value: unknown, pretty = true): HttpPlainResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: pretty ? JSON.stringify(value, null, 2) : JSON.stringify(value) };
}

/** `/healthz`, `/livez`, `/readyz`, and one check of them; undefined where there is no such check. */
export function health(
  segments: readonly string[],
  checks: readonly HealthCheck[],
  query: Pick<URLSearchParams, 'has' | 'getAll'>,
): HttpPlainResponse | undefined {
  const [endpoint = '', ...names] = segments;
  const one = names.length === 0 ? undefined : names.join('/');
  const excluded = new Set(query.getAll('exclude'));
  const wanted = checks.filter((check) => (one === undefined ? !excluded.has(check.name) : check.name === one));
  if (one !== undefined && wanted.length === 0) return undefined;
  const results = wanted.map((check) => ({ name: check.name, fault: check.check() }));
  const failed = results.some((result) => result.fault !== undefined);
  const lines = results.map(({ name, fault }) => (fault === undefined ? `[+]${name} ok` : `[-]${name} failed: reason withheld`)).join('\n');
  if (failed) return text(500, `${lines}\n${endpoint} check failed\n`);
  if (one !== undefined || !query.has('verbose')) return { status: 200, headers: plainText, body: 'ok' };
  return text(200, `${lines}\n${endpoint} check passed\n`);
}

export const defaultChecks: readonly HealthCheck[] = checksNamed(['ping', 'log', 'etcd', 'poststarthook/start-apiextensions-controllers']);

/** Of a server that serves: all are well. */
export function checksNamed(names: readonly string[]): readonly HealthCheck[] {
  return names.map((name) => ({ name, check: () => undefined }));
}
