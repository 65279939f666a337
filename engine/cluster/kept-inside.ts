/** Remembers what became of a component's request: the answer, and which revisions it made. */
import { StatusError } from '../apimachinery/status.ts';
import type { LoggedRequest } from '../apiserver/requests/logged-request.ts';
import type { RequestLog } from '../apiserver/requests/request-log.ts';
import type { ApiRequest, ApiResult } from '../contracts/request.ts';
import type { Store } from '../store/store.ts';

interface Keeper {
  readonly requests: Pick<RequestLog, 'inside' | 'insideAnswered' | 'insideFailed'>;
  readonly store: Pick<Store<never>, 'currentRevision'>;
}

/** Runs what commits, and remembers which revisions that made. */
export type Commits = (commit: () => void) => void;

export function keepInside(
  { requests, store }: Keeper,
  request: ApiRequest,
  serve: (commits: Commits) => ApiResult | Promise<ApiResult>,
): ApiResult | Promise<ApiResult> {
  const kept = requests.inside(request);
  let [first, last] = [1, 0];
  const commits: Commits = (commit) => {
    const before = store.currentRevision();
    commit();
    [first, last] = [before + 1, store.currentRevision()];
  };
  const failed = (error: unknown, still: LoggedRequest | undefined): void => {
    if (error instanceof StatusError) requests.insideFailed(still, request, error.status);
  };
  let result: ApiResult | Promise<ApiResult>;
  try {
    result = serve(commits);
  } catch (error) {
    failed(error, kept);
    throw error;
  }
  if (!(result instanceof Promise)) {
    requests.insideAnswered(kept, result.code, first, last);
    return result;
  }
  const number = kept?.number;
  // Others write while it asks, and its place may be another's by then.
  const still = (): LoggedRequest | undefined => (kept?.number === number ? kept : undefined);
  result.then(
    ({ code }) => requests.insideAnswered(still(), code, first, last),
    (error: unknown) => failed(error, still()),
  );
  return result;
}
