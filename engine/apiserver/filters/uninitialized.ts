/** A create that has been done and is not answered yet: its object waits for initializers. */
import type { ApiResult, Initializing } from '../../contracts/request.ts';

/** Ends a request that has to wait; it is handled again, with what became of the object (`Passage.outcome`). */
export class Uninitialized extends Error {
  readonly result: ApiResult & { readonly initializing: Initializing };

  constructor(result: Uninitialized['result']) {
    super(`${result.initializing.key} is not initialized`);
    this.name = 'Uninitialized';
    this.result = result;
  }
}

/** Throws Uninitialized where the answer has to wait, and whoever asks can. */
export function whenInitialized(result: ApiResult, mayWait: boolean): ApiResult {
  const { initializing } = result;
  if (initializing !== undefined && mayWait) throw new Uninitialized({ ...result, initializing });
  return result;
}
