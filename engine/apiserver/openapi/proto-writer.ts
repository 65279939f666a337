/** Protobuf's wire form, as little of it as the OpenAPI document needs: texts, flags, numbers and nested messages. */

const fixed64 = 1;
const lengthDelimited = 2;

export class ProtoWriter {
  readonly #encoder = new TextEncoder();
  #buffer = new Uint8Array(1 << 16);
  #length = 0;

  /** Proto3 does not write what is at its zero value. */
  text(field: number, value: string): void {
    if (value !== '') this.item(field, value);
  }

  /** An element of a repeated field, written even when empty. */
  item(field: number, value: string): void {
    this.message(field, () => {
      // A UTF-16 unit takes three bytes at most.
      this.#reserve(value.length * 3);
      this.#length += this.#encoder.encodeInto(value, this.#buffer.subarray(this.#length)).written;
    });
  }

  flag(field: number, value: boolean): void {
    if (!value) return;
    this.#varint(field * 8);
    this.#varint(1);
  }

  /** A member of a union: written also where it is false. */
  choice(field: number, value: boolean): void {
    this.#varint(field * 8);
    this.#varint(value ? 1 : 0);
  }

  /** The same of a number. */
  doubleChoice(field: number, value: number): void {
    this.#varint(field * 8 + fixed64);
    this.#reserve(8);
    new DataView(this.#buffer.buffer).setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  /** Counts and lengths, none of which is negative or large. */
  integer(field: number, value: number): void {
    if (value === 0) return;
    this.#varint(field * 8);
    this.#varint(value);
  }

  double(field: number, value: number): void {
    if (value !== 0) this.doubleChoice(field, value);
  }

  /** What `write` writes becomes the value of the field. */
  message(field: number, write: () => void): void {
    this.#varint(field * 8 + lengthDelimited);
    const start = this.#length;
    write();
    const size = this.#length - start;
    const prefix = varintSize(size);
    this.#reserve(prefix);
    this.#buffer.copyWithin(start + prefix, start, this.#length);
    this.#length = start;
    this.#varint(size);
    this.#length = start + prefix + size;
  }

  finish(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }

  #varint(value: number): void {
    this.#reserve(5);
    let rest = value;
    while (rest > 0x7f) {
      this.#buffer[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#buffer[this.#length++] = rest;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.max(this.#buffer.length * 2, this.#length + bytes));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest > 0x7f; rest >>>= 7) size++;
  return size;
}
