/**
 * Replaces key material by placeholders. It differs from run to run, may stand anywhere in a text, and hardly ever does: so every text is
 * looked at in passing, at every 32nd place, and only one that shows a piece of a key there is searched.
 *
 *   key ABCDEFGH…: a text that holds it shows, at the one place in 32 that falls into its beginning, some 8 of its characters
 */
import { encodeBase64 } from '../base/base64.ts';

const step = 32;
const pieceLength = 8;
/** Forms at least this long show a whole piece at one of the places, wherever they stand. */
const soughtMin = step + pieceLength - 1;
const tableSize = 1 << 16;

type Placeholder = readonly [found: string, instead: string];

export class KeyMaterial {
  /** What key material may look like in a text, and what stands for it. */
  readonly #placeholders: readonly Placeholder[];
  readonly #short: readonly Placeholder[];
  readonly #pieces = new Set<string>();
  /** Whether some piece begins with these two characters. */
  readonly #beginnings = new Uint8Array(tableSize);
  /** Whether some piece has this number. */
  readonly #table = new Uint8Array(tableSize);

  constructor(pems: readonly string[]) {
    this.#placeholders = pems.flatMap((pem, index) => formsOf(pem).map((form) => [form, `<key ${index}>`] as const));
    this.#short = this.#placeholders.filter(([form]) => form.length < soughtMin);
    for (const [form] of this.#placeholders) {
      for (let at = 0; form.length >= soughtMin && at < step; at++) {
        this.#pieces.add(form.slice(at, at + pieceLength));
        this.#table[numberOf(form, at)] = 1;
        this.#beginnings[beginningOf(form, at)] = 1;
      }
    }
  }

  /** False for a text that `hide` would not change. */
  mayBeIn(text: string): boolean {
    return this.#mayHold(text) || this.#short.some(([form]) => text.includes(form));
  }

  hide(text: string): string {
    const suspects = this.#mayHold(text) ? this.#placeholders : this.#short;
    let hidden = text;
    for (const [found, instead] of suspects) if (hidden.includes(found)) hidden = hidden.replaceAll(found, instead);
    return hidden;
  }

  /** Whether one of the longer forms may be in it. */
  #mayHold(text: string): boolean {
    for (let at = 0; at + pieceLength <= text.length; at += step) {
      if (
        this.#beginnings[beginningOf(text, at)] === 1 &&
        this.#table[numberOf(text, at)] === 1 &&
        this.#pieces.has(text.slice(at, at + pieceLength))
      )
        return true;
    }
    return false;
  }
}

function beginningOf(text: string, start: number): number {
  return ((text.charCodeAt(start) << 8) ^ text.charCodeAt(start + 1)) & (tableSize - 1);
}

function numberOf(text: string, start: number): number {
  let number = 0;
  for (let at = start; at < start + pieceLength; at++) number = (Math.imul(number, 31) + text.charCodeAt(at)) | 0;
  return (number ^ (number >>> 16)) & (tableSize - 1);
}

/** As a whole, in JSON text, encoded once more; and line by line, as a log has it. Lines that every PEM has tell nothing. */
function formsOf(pem: string): readonly string[] {
  const wholes = [pem, pem.trimEnd()];
  const lines = pem.split('\n').filter((line) => line !== '' && !line.startsWith('-----'));
  return [
    ...wholes.map((text) => JSON.stringify(text).slice(1, -1)),
    ...wholes,
    ...wholes.map((text) => encodeBase64(new TextEncoder().encode(text))),
    ...(lines.length > 1 ? lines : []),
  ].filter((form) => form !== '');
}
