/**
 * Lines of a log as they come, bounded: the oldest go when there are more than a page can hold, and what is too long for a line is cut. Texts
 * arrive in pieces of any size, a line may end in a later one.
 */
import { withoutControls } from './ansi.ts';

export interface LogLine {
  /** From 0, counted over all that was read. */
  readonly number: number;
  /** Virtual time at which it was written; undefined where the server told none. */
  readonly atMs: number | undefined;
  /** As it was written, with its escapes, but for what was cut off. */
  readonly text: string;
  /** What is seen of it. */
  readonly plain: string;
  /** Characters that were cut off. */
  readonly lost: number;
  /** Where lines of several logs stand together: of which this one is. */
  readonly from?: LogName;
}

export interface LogName {
  readonly name: string;
  /** Of a handful of colours. */
  readonly colour: number;
}

/** Lines by their numbers, the oldest of which may be gone. */
export interface LineStore {
  readonly first: number;
  readonly count: number;
  at(number: number): LogLine | undefined;
}

export const linesMax = 10_000;
export const lineMax = 8_000;
const charactersMax = 4_000_000;

export class LogLines implements LineStore {
  readonly #linesMax: number;
  readonly #charactersMax: number;
  readonly #lines: LogLine[] = [];
  /** Lines before this place are gone; they leave the array many at a time. */
  #head = 0;
  #characters = 0;
  #read = 0;
  #rest = '';
  #restLost = 0;

  /** `share`: of what a page can hold, where it holds several. */
  constructor(share = 1) {
    this.#linesMax = Math.ceil(linesMax * share);
    this.#charactersMax = charactersMax * share;
  }

  /** Lines that are held. */
  get count(): number {
    return this.#lines.length - this.#head;
  }

  /** Number of the oldest line that is held: so many are gone. */
  get first(): number {
    return this.#read - this.count;
  }

  /** By number. */
  at(number: number): LogLine | undefined {
    return number < this.first ? undefined : this.#lines[this.#head + number - this.first];
  }

  push(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#keepRest(text, from, end);
      this.#endLine();
      from = end + 1;
    }
    this.#keepRest(text, from, text.length);
  }

  /** What was written without an end of line is a line too. */
  end(): void {
    if (this.#rest !== '' || this.#restLost > 0) this.#endLine();
  }

  #keepRest(text: string, from: number, to: number): void {
    const room = lineMax - this.#rest.length;
    this.#rest += text.slice(from, Math.min(to, from + room));
    this.#restLost += Math.max(0, to - from - room);
  }

  #endLine(): void {
    const { atMs, text } = splitTime(this.#rest.endsWith('\r') ? this.#rest.slice(0, -1) : this.#rest);
    this.#lines.push({ number: this.#read++, atMs, text, plain: withoutControls(text), lost: this.#restLost });
    this.#characters += text.length;
    this.#rest = '';
    this.#restLost = 0;
    while (this.count > this.#linesMax || (this.#characters > this.#charactersMax && this.count > 1)) {
      this.#characters -= this.#lines[this.#head]?.text.length ?? 0;
      this.#head++;
    }
    if (this.#head <= this.#linesMax) return;
    this.#lines.splice(0, this.#head);
    this.#head = 0;
  }
}

const timed = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) ?/;

function splitTime(line: string): { readonly atMs: number | undefined; readonly text: string } {
  const [whole, time] = timed.exec(line) ?? [];
  const atMs = time === undefined ? Number.NaN : Date.parse(time);
  return whole === undefined || Number.isNaN(atMs) ? { atMs: undefined, text: line } : { atMs, text: line.slice(whole.length) };
}
