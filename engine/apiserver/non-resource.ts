/**
 * Paths that are no resources: version, health, metrics, the index. Mirrors apiserver pkg/server/{routes,healthz}.
 */
import type { HttpPlainResponse } from './http-types.ts';

export interface VersionInfo {
  readonly major: string;
  readonly minor: string;
  readonly emulationMajor: string;
  readonly emulationMinor: string;
  readonly minCompatibilityMajor: string;
  readonly minCompatibilityMinor: string;
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly gitTreeState: string;
  readonly buildDate: string;
  readonly goVersion: string;
  readonly compiler: string;
  readonly platform: string;
}

/** The build metadata says that no real API server answers. */
export const version: VersionInfo = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: 'v1.36.3+wavetank',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'none (simulated)',
  compiler: 'none',
  platform: 'wavetank/simulated',
};

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

/** `/healthz`, `/livez`, `/readyz`, and one check of them. */
export function health(
  segments: readonly string[],
  checks: readonly HealthCheck[],
  query: Pick<URLSearchParams, 'has' | 'getAll'>,
): HttpPlainResponse {
  const [endpoint = '', one] = segments;
  const excluded = new Set(query.getAll('exclude'));
  const wanted = checks.filter((check) => (one === undefined ? !excluded.has(check.name) : check.name === one));
  if (one !== undefined && wanted.length === 0) return text(404, '404 page not found\n');
  const results = wanted.map((check) => ({ name: check.name, fault: check.check() }));
  const failed = results.some((result) => result.fault !== undefined);
  const lines = results.map(({ name, fault }) => (fault === undefined ? `[+]${name} ok` : `[-]${name} failed: reason withheld`)).join('\n');
  if (failed) return text(500, `${lines}\n${endpoint} check failed\n`);
  if (one !== undefined || !query.has('verbose')) return { status: 200, headers: plainText, body: 'ok' };
  return text(200, `${lines}\n${endpoint} check passed\n`);
}

export const defaultChecks: readonly HealthCheck[] = ['ping', 'log', 'etcd', 'poststarthook/start-apiextensions-controllers'].map((name) => ({
  name,
  check: () => undefined,
}));
