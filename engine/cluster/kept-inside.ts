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

export function keepInside(
  { requests, store }: Keeper,
  request: ApiRequest,
  serve: () => ApiResult | Promise<ApiResult>,
): ApiResult | Promise<ApiResult> {
  const kept = requests.inside(request);
  const before = store.currentRevision();
  const failed = (error: unknown, still: LoggedRequest | undefined): void => {
    if (error instanceof StatusError) requests.insideFailed(still, request, error.status);
  };
  let result: ApiResult | Promise<ApiResult>;
  try {
    result = serve();
  } catch (error) {
    failed(error, kept);
    throw error;
  }
  if (!(result instanceof Promise)) {
    requests.insideAnswered(kept, result.code, before + 1, store.currentRevision());
    return result;
  }
  const number = kept?.number;
  // Others write while it asks, and its place may be another's by then.
  const still = (): LoggedRequest | undefined => (kept?.number === number ? kept : undefined);
  result.then(
    ({ code, object }) => {
      const made = Number((object as { readonly metadata?: { readonly resourceVersion?: string } }).metadata?.resourceVersion ?? 0);
      requests.insideAnswered(still(), code, made, made > before ? made : 0);
    },
    (error: unknown) => failed(error, still()),
  );
  return result;
}
