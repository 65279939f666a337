/** What was equal and what was not, by kind and by group; as it is kept between runs. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Verdict } from './play.ts';

export interface KindScore {
  all: number;
  equal: number;
  /** Different by decision alone. */
  meant: number;
  /** Equal in code and reason. */
  decided: number;
}

interface Group {
  count: number;
  readonly kinds: { [kind: string]: number };
  /** Numbers of requests that show it. */
  readonly examples: number[];
}

export class Score {
  next = 0;
  /** Requests at which the real server broke down (it panics): nothing to compare. */
  broken = 0;
  readonly kinds = new Map<string, KindScore>();
  readonly verbs = new Map<string, KindScore>();
  readonly groups = new Map<string, Group>();
  /** By decision: answers that differ by it, and perhaps by others. */
  readonly decisions = new Map<string, number>();

  add(number: number, { kind, verb, real, ours, group, decided }: Verdict): void {
    if (real.code === 0) return void this.broken++;
    for (const [scores, name] of [
      [this.kinds, kind],
      [this.verbs, verb],
    ] as const) {
      const score = scores.get(name) ?? { all: 0, equal: 0, meant: 0, decided: 0 };
      scores.set(name, score);
      score.all++;
      if (real.code === ours.code && reasonOf(real.body) === reasonOf(ours.body)) score.decided++;
      if (group === undefined && decided.length > 0) score.meant++;
      else if (group === undefined) score.equal++;
    }
    for (const name of decided) this.decisions.set(name, (this.decisions.get(name) ?? 0) + 1);
    if (group !== undefined) {
      const entry = this.groups.get(group) ?? { count: 0, kinds: {}, examples: [] };
      this.groups.set(group, entry);
      entry.count++;
      if (entry.examples.length < 12) entry.examples.push(number);
      entry.kinds[kind] = (entry.kinds[kind] ?? 0) + 1;
    }
  }

  /** Requests so far. */
  get told(): number {
    return this.sum.all + this.broken;
  }

  get sum(): KindScore {
    const sum: KindScore = { all: 0, equal: 0, meant: 0, decided: 0 };
    for (const { all, equal, meant, decided } of this.kinds.values()) {
      sum.all += all;
      sum.equal += equal;
      sum.meant += meant;
      sum.decided += decided;
    }
    return sum;
  }

  biggest(count: number): readonly (readonly [string, Group])[] {
    return [...this.groups].sort(([, a], [, b]) => b.count - a.count).slice(0, count);
  }

  save(file: string, seed: number): void {
    const { next, broken, kinds, verbs, groups, decisions } = this;
    writeFileSync(file, JSON.stringify({ seed, next, broken, kinds: [...kinds], verbs: [...verbs], groups: [...groups], decisions: [...decisions] }));
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
      verbs: [string, KindScore][];
      groups: [string, Group][];
      decisions: [string, number][];
    };
    if (kept.seed !== seed) throw new Error(`${file} is of seed ${kept.seed}`);
    score.next = kept.next;
    score.broken = kept.broken;
    for (const [kind, value] of kept.kinds) score.kinds.set(kind, value);
    for (const [verb, value] of kept.verbs) score.verbs.set(verb, value);
    for (const [group, value] of kept.groups) score.groups.set(group, value);
    for (const [name, count] of kept.decisions) score.decisions.set(name, count);
    return score;
  }
}

function reasonOf(body: unknown): string {
  const { kind, reason } = (typeof body === 'object' && body !== null ? body : {}) as { kind?: unknown; reason?: string };
  return kind === 'Status' ? (reason ?? '') : '';
}
