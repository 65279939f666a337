/** Owners that were found not to exist, the latest five hundred. Mirrors pkg/controller/garbagecollector/uid_cache.go; plain data. */
import type { JsonValue } from '../../base/json.ts';
import type { Identity } from './node.ts';

const sizeMax = 500;

export class AbsentOwners {
  readonly #keys = new Set<string>();

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

  save(): JsonValue {
    return [...this.#keys];
  }

  restore(saved: JsonValue): void {
    for (const key of saved as readonly string[]) this.#keys.add(key);
  }
}

function keyOf({ apiVersion, kind, namespace, name, uid }: Identity): string {
  return `${apiVersion} ${kind} ${namespace}/${name} ${uid}`;
}
