/** Thrown by a reconcile that could not finish for a reason of its own (not an API failure) and wants to be retried with back-off. */
export class RetryError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RetryError';
  }
}
