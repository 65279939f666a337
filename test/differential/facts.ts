/** Requests whose answers were mended, with what the real server said: they hold without it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Seen } from './compare.ts';
import type { Verdict } from './play.ts';
import type { Asked } from './reads.ts';

export interface Fact {
  readonly kind: string;
  readonly asked: Asked;
  /** Path of the fixture whose version stands for `versionHere`. */
  readonly fixture: string;
  readonly real: Seen;
}

export function readFacts(file: string): readonly Fact[] {
  if (!existsSync(file)) return [];
  return gunzipSync(readFileSync(file)).toString().split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as Fact); // biome-ignore format: a chain
}

/** Each request once. Returns how many were new. */
export function addFacts(file: string, verdicts: readonly Verdict[]): number {
  const kept = new Map(readFacts(file).map((fact) => [JSON.stringify(fact.asked), fact]));
  const before = kept.size;
  for (const { kind, asked, fixture, real } of verdicts) kept.set(JSON.stringify(asked), { kind, asked, fixture, real });
  const lines = [...kept].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, fact]) => JSON.stringify(fact));
  writeFileSync(file, gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
  return kept.size - before;
}
