/**
 * Watches every kind that there is: those that are built in from the start, those that users add when it looks again. What is watched is
 * remembered, so that a restored controller watches the same.
 */
import type { KubeObject } from '../../apimachinery/object.ts';
import type { ResourceType } from '../../client/client.ts';
import type { InformerEvent } from '../../client/informer.ts';
import { resourceTypeCodec } from '../../client/resources.ts';
import type { ControllerEnvironment } from '../controller.ts';

export class MonitoredKinds {
  readonly #environment: ControllerEnvironment;
  readonly #wants: (type: ResourceType) => boolean;
  readonly #onEvent: (type: ResourceType, event: InformerEvent<KubeObject>) => void;
  /** By group and resource. */
  readonly #types: Map<string, ResourceType>;
  /** Those whose changes are told. */
  readonly #heard = new Set<string>();

  constructor(
    environment: ControllerEnvironment,
    wants: (type: ResourceType) => boolean,
    onEvent: (type: ResourceType, event: InformerEvent<KubeObject>) => void,
  ) {
    this.#environment = environment;
    this.#wants = wants;
    this.#onEvent = onEvent;
    this.#types = environment.slots.map('monitored', resourceTypeCodec);
    environment.slots.step(() => {
      for (const type of this.#types.values()) if (!this.#heard.has(idOf(type)) && environment.watches(type)) this.#hear(type);
    });
    this.look();
  }

  /** In the order in which they were met. */
  types(): readonly ResourceType[] {
    return [...this.#types.values()].filter((type) => this.#environment.watches(type));
  }

  /** Looks for kinds that have come, or have come again. */
  look(): void {
    for (const type of this.#environment.deletableResources()) {
      const known = this.#types.get(idOf(type));
      if (!this.#wants(type) || (known !== undefined && this.#environment.watches(known))) continue;
      this.#types.delete(idOf(type));
      this.#types.set(idOf(type), type);
      this.#hear(type);
    }
  }

  #hear(type: ResourceType): void {
    this.#heard.add(idOf(type));
    this.#environment.informer(type).addHandler((event) => this.#onEvent(type, event));
  }
}

function idOf({ group, resource }: ResourceType): string {
  return `${group}/${resource}`;
}
