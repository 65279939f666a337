/** Owners that were found not to exist, the latest five hundred. Mirrors pkg/controller/garbagecollector/uid_cache.go; plain data. */
import type { Slots } from '../../base/slots.ts';
import type { Identity } from './node.ts';

const sizeMax = 500;

export class AbsentOwners {
  readonly #keys: Set<string>;

  constructor(slots: Slots) {
    this.#keys = slots.set('absent');
  }

  add(identity: Identity): void {
    const key = keyOf(identity);
    this.#keys.delete(key);
    this.#keys.add(key);
    if (this.#keys.size <= sizeMax) return;
    for (const oldest of this.#keys) {
      this.#keys.delete(oldest);
      break;
    }
  }

  has(identity: Identity): boolean {
    const key = keyOf(identity);
    if (!this.#keys.delete(key)) return false;
    this.#keys.add(key);
    return true;
  }
}

function keyOf({ apiVersion, kind, namespace, name, uid }: Identity): string {
  return `${apiVersion} ${kind} ${namespace}/${name} ${uid}`;
}
