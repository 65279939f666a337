/**
 * Which webhooks fail when they are called: since when, and how. Of this process alone, as the metrics beside it: after a restart a webhook is
 * known to fail when it has failed again.
 */
import type { FailingWebhook } from '../../../contracts/failing-webhook.ts';

const failingMax = 500;

export class WebhookHealth {
  readonly #nowMs: () => number;
  readonly #failing = new Map<string, FailingWebhook>();
  /** Rises with whatever changes here. */
  version = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** A call has ended, told once or again when its request begins anew; `failure` is '' where it was answered, whatever the answer. */
  observe(name: string, failure: string): void {
    if (failure === '') {
      this.forget(name);
      return;
    }
    const nowMs = this.#nowMs();
    const known = this.#failing.get(name);
    if (known === undefined && this.#failing.size >= failingMax) return;
    this.version++;
    this.#failing.set(name, { name, sinceMs: known?.sinceMs ?? nowMs, lastMs: nowMs, message: failure });
  }

  /** It is another one now, of which nothing is known. */
  forget(name: string): void {
    if (this.#failing.delete(name)) this.version++;
  }

  forgetAll(): void {
    this.version++;
    this.#failing.clear();
  }

  failing(): readonly FailingWebhook[] {
    return [...this.#failing.values()];
  }
}
