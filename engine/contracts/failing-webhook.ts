/** A webhook of admission whose last call failed. */
export interface FailingWebhook {
  /** As its configuration has it. */
  readonly name: string;
  /** Virtual instants of the first and the last of the calls that failed one after the other. */
  readonly sinceMs: number;
  readonly lastMs: number;
  /** Of the last. */
  readonly message: string;
}
