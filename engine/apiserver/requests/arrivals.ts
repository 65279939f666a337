/** How many came when: by the second of virtual time for a range, by the second of wall time for now. Bounded. */
import { countWhile } from '../../base/bisect.ts';

const secondMs = 1_000;
const secondsMax = 8_000;

export class Arrivals {
  /** Seconds in order, and how many came in each (or since the one before, where older ones were put together). */
  #seconds: number[] = [];
  #counts: number[] = [];

  count(nowMs: number): void {
    const second = Math.floor(nowMs / secondMs);
    const last = this.#seconds.length - 1;
    if (last >= 0 && (this.#seconds[last] as number) >= second) {
      this.#counts[last] = (this.#counts[last] as number) + 1;
      return;
    }
    this.#seconds.push(second);
    this.#counts.push(1);
    if (this.#seconds.length > secondsMax) this.#thin();
  }

  /** How many came in each of so many equal parts of a range of virtual time. */
  within(fromMs: number, toMs: number, parts: number): readonly number[] {
    const found = new Array<number>(parts).fill(0);
    const span = Math.max(1, toMs - fromMs);
    const seconds = this.#seconds;
    for (let at = countWhile(seconds.length, (index) => (seconds[index] as number) * secondMs < fromMs); at < seconds.length; at++) {
      const ms = (seconds[at] as number) * secondMs;
      if (ms > toMs) break;
      const part = Math.min(parts - 1, Math.floor(((ms - fromMs) / span) * parts));
      found[part] = (found[part] as number) + (this.#counts[at] as number);
    }
    return found;
  }

  /** Of the older half each two become one. */
  #thin(): void {
    const half = Math.floor(this.#seconds.length / 4) * 2;
    const [seconds, counts]: [number[], number[]] = [[], []];
    for (let at = 0; at < half; at += 2) {
      seconds.push(this.#seconds[at + 1] as number);
      counts.push((this.#counts[at] as number) + (this.#counts[at + 1] as number));
    }
    this.#seconds = [...seconds, ...this.#seconds.slice(half)];
    this.#counts = [...counts, ...this.#counts.slice(half)];
  }
}

/** Of wall time. */
export class Rate {
  #second = 0;
  #now = 0;
  #before = 0;

  count(wallMs: number): void {
    this.#goTo(wallMs);
    this.#now++;
  }

  /** Of the last full second. */
  perSecond(wallMs: number): number {
    this.#goTo(wallMs);
    return this.#before;
  }

  #goTo(wallMs: number): void {
    const second = Math.floor(wallMs / secondMs);
    if (second === this.#second) return;
    this.#before = second === this.#second + 1 ? this.#now : 0;
    this.#now = 0;
    this.#second = second;
  }
}
