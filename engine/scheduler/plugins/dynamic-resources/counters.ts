/** Counters that devices of a pool share, such as the memory of a partitioned one. */
import type { Device } from '../../../api/resource/v1/types.gen.ts';
import { addQuantity, compareQuantity, parseQuantity, type Quantity, subQuantity } from '../../../apimachinery/quantity.ts';
import { deviceKey } from '../../framework/claims.ts';
import type { Pool } from './pools.ts';

/** By set and counter. */
export class Counters {
  readonly #left = new Map<string, Quantity>();

  /** What allocated devices of the pool have left. */
  constructor(pool: Pool, isAllocated: (device: string) => boolean) {
    for (const { name: set, counters = {} } of pool.counters.values())
      for (const [name, { value }] of Object.entries(counters)) this.#left.set(`${set}/${name}`, parseQuantity(value));
    for (const { spec } of [...pool.slices, ...pool.otherSlices])
      for (const device of spec.devices ?? [])
        if (isAllocated(deviceKey({ driver: pool.driver, pool: pool.name, device: device.name }))) this.#apply(device, subQuantity);
  }

  /** False, and nothing taken, where there is not enough. */
  take(device: Device): boolean {
    this.#apply(device, subQuantity);
    const zero = parseQuantity('0');
    for (const left of this.#left.values()) {
      if (compareQuantity(left, zero) >= 0) continue;
      this.giveBack(device);
      return false;
    }
    return true;
  }

  giveBack(device: Device): void {
    this.#apply(device, addQuantity);
  }

  #apply({ consumesCounters = [] }: Device, change: (a: Quantity, b: Quantity) => Quantity): void {
    for (const { counterSet, counters = {} } of consumesCounters) {
      for (const [name, { value }] of Object.entries(counters)) {
        const key = `${counterSet}/${name}`;
        const left = this.#left.get(key);
        if (left !== undefined) this.#left.set(key, change(left, parseQuantity(value)));
      }
    }
  }
}
