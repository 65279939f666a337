/**
 * Looks at all objects of a kind again every so often, as handlers with a resync period do. Nothing where the release has none.
 * Mirrors AddEventHandlerWithResyncPeriod of client-go's shared informers.
 */
import type { KubeObject } from '../../apimachinery/object.ts';
import { timerCause } from '../../base/causes.ts';
import { type Informer, keyOf } from '../../client/informer.ts';
import type { ControllerEnvironment } from '../controller.ts';

const timer = 'resync';

export class Resync {
  readonly #environment: ControllerEnvironment;
  readonly #controller: string;
  readonly #objects: Informer<KubeObject>;

  constructor(environment: ControllerEnvironment, controller: string, objects: Informer<KubeObject>) {
    this.#environment = environment;
    this.#controller = controller;
    this.#objects = objects;
  }

  start(): void {
    const { resyncMs } = this.#environment.options.traits;
    if (resyncMs > 0) this.#environment.setTimer(resyncMs, timer);
  }

  /** When the timer is over: there is no other. */
  onTimer(): void {
    const causes = [timerCause(`controller/${this.#controller}`, timer)];
    for (const object of this.#objects.list()) this.#environment.enqueue(keyOf(object), causes);
    this.start();
  }
}
