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
  | 'unlistedVersions'
  | 'paths'
  | 'swagger'
  | 'judgesUnknownFields'
  | 'judgesTimeouts'
  | 'selfLinks'
  | 'exports'
  | 'deletesNothingAsNull'
  | 'servesApply'
  | 'hasBetaFormsOnly'
  | 'laterQueries'
  | 'negotiatesFirst'
  | 'deletesByQuery'
  | 'countsRemaining'
  | 'warnsOfDeprecation'
  | 'marksAnswers'
>;

/** Of a server that says of itself no more than that it serves. */
export const noRelease: ServedRelease = {
  gitVersion: 'v0.0.0',
  version: {},
  groupPriorities: {},
  versionPriorities: {},
  discovers: { singularNames: true, storageVersionHashes: false, aggregated: true },
  words: [],
  judgesUnknownFields: true,
  judgesTimeouts: true,
  selfLinks: false,
  exports: false,
  deletesNothingAsNull: false,
  servesApply: true,
  laterQueries: [],
  negotiatesFirst: true,
  deletesByQuery: true,
  countsRemaining: true,
  warnsOfDeprecation: true,
  marksAnswers: true,
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

/** Where a server is that was not told. */
export const defaultAddress = '127.0.0.1:6443';

const plainText = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };

export function text(status: number, body: string): HttpPlainResponse {
  return { status, headers: plainText, body };
}

export function json(value: unknown, pretty = true): HttpPlainResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: pretty ? JSON.stringify(value, null, 2) : JSON.stringify(value) };
}
