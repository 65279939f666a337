/** Lines of several logs as one, by their time; those of one instant in the order of the logs. Bounded as one log is. */
import { type LineStore, linesMax, type LogLine, type LogLines, type LogName } from './log-lines.ts';

export interface MergedSource {
  readonly lines: LogLines;
  readonly name: LogName;
}

export class MergedLines implements LineStore {
  #lines: LogLine[] = [];
  #first = 0;
  /** By log: the number of its next line. */
  readonly #taken = new Map<LogLines, number>();

  get first(): number {
    return this.#first;
  }

  get count(): number {
    return this.#lines.length;
  }

  at(number: number): LogLine | undefined {
    return this.#lines[number - this.#first];
  }

  /** With what has come since: the same lines with more at their end, or where something came late, others. */
  with(sources: readonly MergedSource[]): MergedLines {
    const last = this.#lines.at(-1);
    // Lines that were let go before they came here take their numbers with them.
    const isWhole = last === undefined || sources.every(({ lines }) => lines.first <= (this.#taken.get(lines) ?? 0));
    const fresh = isWhole ? this.#take(sources) : [];
    if (isWhole && (fresh[0] === undefined || last === undefined || timeOf(fresh[0]) >= timeOf(last))) {
      this.#append(fresh);
      return this;
    }
    const anew = new MergedLines();
    anew.#append(anew.#take(sources));
    return anew;
  }

  #take(sources: readonly MergedSource[]): LogLine[] {
    const fresh: LogLine[] = [];
    for (const { lines, name } of sources) {
      const end = lines.first + lines.count;
      const from = this.#taken.get(lines) ?? 0;
      this.#first += Math.max(0, lines.first - from);
      for (let number = Math.max(from, lines.first); number < end; number++) {
        const line = lines.at(number);
        if (line) fresh.push({ ...line, from: name });
      }
      this.#taken.set(lines, end);
    }
    return fresh.sort((a, b) => timeOf(a) - timeOf(b));
  }

  #append(fresh: readonly LogLine[]): void {
    const start = this.#first + this.#lines.length;
    fresh.forEach((line, index) => this.#lines.push({ ...line, number: start + index }));
    const over = this.#lines.length - linesMax;
    if (over <= 0) return;
    this.#lines = this.#lines.slice(over);
    this.#first += over;
  }
}

function timeOf({ atMs }: LogLine): number {
  return atMs ?? 0;
}
