/**
 * What an operation leaves going on while others run: churn, deletions so many a second. Upstream's go by wall time. Here a second has
 * passed when a virtual second has, and when so many measured pods have been placed as upstream's CI asks for in a second: a scheduler
 * that is faster than that has no less to do beside a pod.
 */
export interface Job {
  readonly everyMs: number;
  /** Tells whether there is more to do. */
  act(): boolean;
}

export class Background {
  #nowMs = 0;
  #jobs: { readonly job: Job; dueMs: number }[] = [];

  get isIdle(): boolean {
    return this.#jobs.length === 0;
  }

  start(job: Job): void {
    this.#jobs.push({ job, dueMs: this.#nowMs + job.everyMs });
  }

  pass(ms: number): void {
    this.#nowMs += ms;
    this.#jobs = this.#jobs.filter((one) => {
      for (; one.dueMs <= this.#nowMs; one.dueMs += one.job.everyMs) if (!one.job.act()) return false;
      return true;
    });
  }
}
