/**
 * Faults up to a measure. A schema may be long, and so may each path within it: a definition of three megabytes could be told thousands
 * of megabytes about itself.
 */
import type { FieldError } from '../../apimachinery/field-errors.ts';

/** Characters of all paths and details together. */
const textMax = 1 << 23;

export class FaultSink {
  readonly faults: FieldError[] = [];
  #length = 0;

  /** Faults beyond the measure are dropped; those before them refuse the definition already. */
  push(...faults: readonly FieldError[]): void {
    for (const fault of faults) {
      if (this.#length >= textMax) return;
      this.#length += fault.field.length + fault.detail.length;
      this.faults.push(fault);
    }
  }
}
