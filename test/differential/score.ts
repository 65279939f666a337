/** What was equal and what was not, by kind and by group; as it is kept between runs. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Verdict } from './play.ts';

interface KindScore {
  all: number;
  equal: number;
  /** Equal in code and reason. */
  decided: number;
}

interface Group {
  count: number;
  readonly kinds: { [kind: string]: number };
  /** The number of a request that shows it. */
  readonly example: number;
}

export class Score {
  next = 0;
  /** Requests at which the real server broke down (it panics): nothing to compare. */
  broken = 0;
  readonly kinds = new Map<string, KindScore>();
  readonly groups = new Map<string, Group>();

  add(number: number, { kind, real, ours, group }: Verdict): void {
    if (real.code === 0) return void this.broken++;
    const score = this.kinds.get(kind) ?? { all: 0, equal: 0, decided: 0 };
    this.kinds.set(kind, score);
    score.all++;
    if (real.code === ours.code && reasonOf(real.body) === reasonOf(ours.body)) score.decided++;
    if (group === undefined) score.equal++;
    else {
      const entry = this.groups.get(group) ?? { count: 0, kinds: {}, example: number };
      this.groups.set(group, entry);
      entry.count++;
      entry.kinds[kind] = (entry.kinds[kind] ?? 0) + 1;
    }
  }

  get sum(): KindScore {
    const sum: KindScore = { all: 0, equal: 0, decided: 0 };
    for (const { all, equal, decided } of this.kinds.values()) {
      sum.all += all;
      sum.equal += equal;
      sum.decided += decided;
    }
    return sum;
  }

  biggest(count: number): readonly (readonly [string, Group])[] {
    return [...this.groups].sort(([, a], [, b]) => b.count - a.count).slice(0, count);
  }

  save(file: string, seed: number): void {
    writeFileSync(file, JSON.stringify({ seed, next: this.next, broken: this.broken, kinds: [...this.kinds], groups: [...this.groups] }));
  }

  /** What stands in the file, if it is of this seed. */
  static load(file: string, seed: number): Score {
    const score = new Score();
    if (!existsSync(file)) return score;
    const kept = JSON.parse(readFileSync(file, 'utf8')) as {
      seed: number;
      next: number;
      broken: number;
      kinds: [string, KindScore][];
      groups: [string, Group][];
    };
    if (kept.seed !== seed) throw new Error(`${file} is of seed ${kept.seed}`);
    score.next = kept.next;
    score.broken = kept.broken;
    for (const [kind, value] of kept.kinds) score.kinds.set(kind, value);
    for (const [group, value] of kept.groups) score.groups.set(group, value);
    return score;
  }
}

function reasonOf(body: unknown): string {
  const { kind, reason } = (typeof body === 'object' && body !== null ? body : {}) as { kind?: unknown; reason?: string };
  return kind === 'Status' ? (reason ?? '') : '';
}
