/** The routes of the simulated provider's network: which instance the packets for a range of addresses go to. */
import { record, text } from '../base/codecs.ts';
import type { Slots } from '../base/slots.ts';
import { CloudError, type CloudRoute } from '../contracts/cloud.ts';

type KnownRoute = Omit<CloudRoute, 'isBlackhole'>;

const routeCodec = record<KnownRoute>({ name: text, targetNode: text, destinationCidr: text });

export class Routes {
  readonly #routes: Map<string, KnownRoute>;
  readonly #exists: (instance: string) => boolean;

  /** `exists`: whether there is an instance of that name. */
  constructor(slots: Slots, exists: (instance: string) => boolean) {
    this.#routes = slots.map('routes', routeCodec);
    this.#exists = exists;
  }

  get count(): number {
    return this.#routes.size;
  }

  list(): readonly CloudRoute[] {
    return [...this.#routes.values()].map((route) => ({ ...route, isBlackhole: !this.#exists(route.targetNode) }));
  }

  create({ name, targetNode, destinationCidr }: KnownRoute): void {
    if (!this.#exists(targetNode)) throw new CloudError('NotFound', `there is no instance ${targetNode}`);
    const known = this.#routes.get(name);
    if (known !== undefined && (known.targetNode !== targetNode || known.destinationCidr !== destinationCidr))
      throw new CloudError('Conflict', `route ${name} leads to ${known.targetNode} for ${known.destinationCidr}`);
    this.#routes.set(name, { name, targetNode, destinationCidr });
  }

  /** Fine when there is none. */
  delete(name: string): void {
    this.#routes.delete(name);
  }
}
