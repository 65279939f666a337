/** Names of the Events of one recorder. Mirrors GenerateEventName of client-go tools/record/util. */
import { number, record } from '../base/codecs.ts';
import type { Slots } from '../base/slots.ts';
import { flat } from '../base/text.ts';

export class EventNames {
  #lastMs = 0;
  #same = 0;

  constructor(slots: Slots) {
    slots.field(
      'names',
      record<{ lastMs: number; same: number }>({ lastMs: number, same: number }),
      () => ({ lastMs: this.#lastMs, same: this.#same }),
      ({ lastMs, same }) => {
        this.#lastMs = lastMs;
        this.#same = same;
      },
    );
  }

  /** `<object>.<nanoseconds in hex>`, unique among the names that were given. */
  next(objectName: string, nowMs: number): string {
    this.#same = nowMs === this.#lastMs ? this.#same + 1 : 0;
    this.#lastMs = nowMs;
    const nanoseconds = BigInt(Math.round(nowMs * 1000)) * 1000n + BigInt(this.#same);
    return flat([objectName, '.', nanoseconds.toString(16)]);
  }
}
