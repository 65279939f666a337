/**
 * The second round of mutating admission: when a webhook or a policy changed the object, all plugins are asked once more, and of webhooks
 * and policies those that want it and came before a change. Mirrors apiserver pkg/admission/reinvocation.go and the reinvocation contexts.
 */
import type { KubeObject } from '../../apimachinery/object.ts';
import { deepEqual } from '../../base/equal.ts';

/** Of one plugin. */
export class Reinvoked {
  #invoked = new Set<string>();
  readonly #again = new Set<string>();
  #lastOutput: KubeObject | undefined;

  /** Everybody who was asked and wants to be asked again, is. */
  requireAgain(): void {
    for (const hook of this.#invoked) this.#again.add(hook);
    this.#invoked = new Set();
  }

  invoked(hook: string): void {
    this.#invoked.add(hook);
  }

  isAgain(hook: string): boolean {
    return this.#again.has(hook);
  }

  /** What others made of the object since then counts as a change. */
  beginSecond(object: KubeObject | undefined): void {
    if (!deepEqual(object, this.#lastOutput)) this.requireAgain();
  }

  ended(object: KubeObject | undefined): void {
    this.#lastOutput = object;
  }
}

export class Reinvocation {
  isSecond = false;
  /** Whether there is to be a second round. */
  isAskedFor = false;
  readonly #plugins = new Map<string, Reinvoked>();

  of(plugin: string): Reinvoked {
    let known = this.#plugins.get(plugin);
    if (known === undefined) this.#plugins.set(plugin, (known = new Reinvoked()));
    return known;
  }
}
