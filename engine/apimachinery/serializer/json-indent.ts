/**
 * Compact JSON on lines, two spaces a level, as Go's json.MarshalIndent lays it out. The work is done on bytes in buffers that are used
 * again: made of parts of texts, a long list left so much behind that collecting it held others up.
 */

/** Indented text beyond this stays in one line: depth times length is more than a caller may ask for. */
const indentedBytesMax = 64 * 1024 * 1024;
/** A larger buffer is not kept for the next. */
const keptBytesMax = 1024 * 1024;
const unitBytesMax = 3;
const [quote, comma, colon, openBrace, openBracket, backslash, space, newline] = [0x22, 0x2c, 0x3a, 0x7b, 0x5b, 0x5c, 0x20, 0x0a];
const none = new Uint8Array(0);

export class JsonIndenter {
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();
  #source = none;
  #bytes = none;
  #length = 0;

  /** The first line stands at `depth` already. Strings are skipped whole: the work is that of copying. */
  indent(json: string, depth = 0): string {
    this.#length = 0;
    const isIndented = this.#write(this.#encoded(json), depth);
    const indented = isIndented ? this.#decoder.decode(this.#bytes.subarray(0, this.#length)) : json;
    if (this.#bytes.length > keptBytesMax) this.#bytes = none;
    if (this.#source.length > keptBytesMax) this.#source = none;
    return indented;
  }

  #encoded(json: string): Uint8Array {
    const most = json.length * unitBytesMax;
    if (this.#source.length < most) this.#source = new Uint8Array(most);
    return this.#source.subarray(0, this.#encoder.encodeInto(json, this.#source).written);
  }

  /** False when it is too much. */
  #write(source: Uint8Array, depth: number): boolean {
    let level = depth;
    // Between two ends of lines twice the source at most is written: a space behind each colon.
    this.#makeRoom(2 * source.length);
    for (let at = 0; at < source.length; at++) {
      const code = source[at] as number;
      if (code === quote) at = this.#copyText(source, at);
      else if (code === openBrace || code === openBracket) {
        this.#bytes[this.#length++] = code;
        // Nothing inside: both brackets stay together.
        if (source[at + 1] === code + 2) this.#bytes[this.#length++] = source[++at] as number;
        else this.#endLine(++level, source.length - at);
      } else if (code === openBrace + 2 || code === openBracket + 2) {
        this.#endLine(--level, source.length - at);
        this.#bytes[this.#length++] = code;
      } else {
        this.#bytes[this.#length++] = code;
        if (code === comma) this.#endLine(level, source.length - at);
        else if (code === colon) this.#bytes[this.#length++] = space;
      }
      if (this.#length > indentedBytesMax) return false;
    }
    return true;
  }

  /** With its quotation marks; the place of the second. */
  #copyText(source: Uint8Array, start: number): number {
    const bytes = this.#bytes;
    let to = this.#length;
    let at = start;
    bytes[to++] = quote;
    for (let isOpen = true; isOpen && at + 1 < source.length; ) {
      const code = source[++at] as number;
      bytes[to++] = code;
      if (code === backslash) bytes[to++] = source[++at] as number;
      else isOpen = code !== quote;
    }
    this.#length = to;
    return at;
  }

  /** And makes room for what is left of the source. */
  #endLine(level: number, left: number): void {
    this.#makeRoom(1 + 2 * level + 2 * left);
    const bytes = this.#bytes;
    let to = this.#length;
    bytes[to++] = newline;
    for (const end = to + 2 * level; to < end; to++) bytes[to] = space;
    this.#length = to;
  }

  #makeRoom(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

export function indentJson(json: string): string {
  return new JsonIndenter().indent(json);
}
