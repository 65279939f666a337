/** Batches that double while all goes well, so that a refused creation is not tried five hundred times. Mirrors slowStartBatch. */
import { StatusError } from '../../apimachinery/status.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';

export interface BatchResult {
  readonly succeeded: number;
  readonly error: StatusError | RetryError | undefined;
}

/** Calls `act` `count` times in batches of 1, 2, 4 …; stops after the first batch with a failure. */
export async function slowStartBatch(count: number, act: (index: number) => Promise<void>): Promise<BatchResult> {
  let succeeded = 0;
  let started = 0;
  for (let size = Math.min(count, 1); size > 0; size = Math.min(2 * size, count - started)) {
    const first = started;
    const batch = await allDone(Array.from({ length: size }, (_, i) => act(first + i)));
    started += size;
    succeeded += size - batch.length;
    if (batch.length > 0) return { succeeded, error: batch[0] };
  }
  return { succeeded, error: undefined };
}

/** Waits for all calls and returns what the API refused. Any other failure is a programmer's error and is thrown. */
export async function allDone(calls: readonly Promise<unknown>[]): Promise<readonly (StatusError | RetryError)[]> {
  const failures: (StatusError | RetryError)[] = [];
  for (const result of await Promise.allSettled(calls)) {
    if (result.status === 'fulfilled') continue;
    const reason: unknown = result.reason;
    if (!(reason instanceof StatusError) && !(reason instanceof RetryError)) throw reason;
    failures.push(reason);
  }
  return failures;
}
