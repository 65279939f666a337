/** One container's log that is read again and again, each time from the last second on: what was read before is left out. */
import { LogLines } from './log-lines.ts';

const timed = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z /;
const nanoDigits = 9;

export class LogTail {
  readonly lines: LogLines;
  /** Time of the newest line, to the nanosecond, and how many lines are of it. */
  #last = '';
  #ofLast = 0;

  constructor(share: number) {
    this.lines = new LogLines(share);
  }

  /** The whole second from which to read on; undefined: from the first line. */
  get since(): string | undefined {
    return this.#last === '' ? undefined : `${this.#last.slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}Z`;
  }

  /** `isWhole` false: the last line of it may be cut. Tells whether what it begins with is newer than what was read before. */
  add(text: string, isWhole: boolean): boolean {
    const end = text.endsWith('\n') ? text.length - 1 : isWhole || !text.includes('\n') ? text.length : text.lastIndexOf('\n');
    if (end <= 0) return false;
    let again = this.#ofLast;
    let isNewer: boolean | undefined;
    for (const line of text.slice(0, end).split('\n')) {
      const time = timeOf(line) ?? this.#last;
      isNewer ??= time > this.#last;
      if (time < this.#last) continue;
      if (time === this.#last && again > 0) again--;
      else this.#take(time, line);
    }
    return isNewer === true;
  }

  #take(time: string, line: string): void {
    this.#ofLast = time === this.#last ? this.#ofLast + 1 : 1;
    this.#last = time;
    this.lines.push(`${line}\n`);
  }
}

/** Comparable as text, whatever zeros were left out. */
function timeOf(line: string): string | undefined {
  const [whole, second = '', fraction = '.'] = timed.exec(line) ?? [];
  return whole === undefined ? undefined : second + fraction.padEnd(nanoDigits + 1, '0');
}
