/** Programmer errors. A failed assert is a crash of the component that made it, recorded and retried; one of the task loop itself stops the cluster. */
export class AssertionError extends Error {
  constructor(message: string) {
    super(`assertion failed: ${message}`);
    this.name = 'AssertionError';
  }
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

/** Marks the branch of an exhaustive `switch` that cannot be reached. */
export function unreachable(value: never): never {
  throw new AssertionError(`unreachable: ${String(value)}`);
}

/** The value, asserted to be there. */
export function must<T>(value: T | undefined | null, what: string): T {
  assert(value !== undefined && value !== null, `${what} is missing`);
  return value;
}
