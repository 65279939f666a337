/**
 * Many small texts and pieces of bytes as one buffer, texts as UTF-8. Joining the texts first costs ten times as much: the engine has
 * to make one text of thousands, and then bytes of that.
 */

const encoder = new TextEncoder();
/** Bytes that one UTF-16 code unit takes at most. */
const unitBytesMax = 3;

export class ByteWriter {
  readonly #capacity: number;
  #bytes: Uint8Array | undefined;
  #spare: Uint8Array | undefined;
  #length = 0;

  /** `capacity` is what a buffer begins with; it grows. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Bytes since the last `take`. */
  get length(): number {
    return this.#length;
  }

  add(piece: string | Uint8Array): void {
    const bytes = this.#withRoom(piece.length);
    if (typeof piece !== 'string') {
      bytes.set(piece, this.#length);
      this.#length += piece.length;
      return;
    }
    const { read, written } = encoder.encodeInto(piece, bytes.subarray(this.#length));
    this.#length += written;
    if (read === piece.length) return;
    const rest = piece.slice(read);
    this.#length += encoder.encodeInto(rest, this.#withRoom(rest.length * unitBytesMax).subarray(this.#length)).written;
  }

  /** What has been added; the writer begins anew. */
  take(): Uint8Array {
    const taken = this.#bytes?.subarray(0, this.#length) ?? new Uint8Array(0);
    this.#bytes = undefined;
    this.#length = 0;
    return taken;
  }

  /** What was taken is not looked at any more: its memory is used again, which is cheaper than to get new. */
  giveBack(taken: Uint8Array): void {
    this.#spare = new Uint8Array(taken.buffer);
  }

  #withRoom(more: number): Uint8Array {
    const needed = this.#length + more;
    if (this.#bytes !== undefined && this.#bytes.length >= needed) return this.#bytes;
    const larger = this.#get(Math.max(this.#capacity, needed, (this.#bytes?.length ?? 0) * 2));
    if (this.#bytes !== undefined) larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
    return larger;
  }

  #get(length: number): Uint8Array {
    const spare = this.#spare;
    if (spare === undefined || spare.length < length) return new Uint8Array(length);
    this.#spare = undefined;
    return spare;
  }
}
