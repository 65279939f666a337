/** Requests whose answers were mended, with what the real server said: they hold without it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Seen } from './compare.ts';
import type { Trace } from './play-story.ts';
import type { Asked } from './reads.ts';

export interface Fact {
  readonly kind: string;
  readonly asked: Asked;
  /** Path of the fixture whose version stands for `versionHere`. */
  readonly fixture: string;
  readonly real: Seen;
}

/** A story that was told alike to its end. */
export interface StoryFact extends Trace {
  readonly kind: string;
  readonly steps: readonly { readonly asked: Asked; readonly real: Seen }[];
}

export function readFacts(file: string): readonly (Fact | StoryFact)[] {
  if (!existsSync(file)) return [];
  return gunzipSync(readFileSync(file)).toString().split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as Fact | StoryFact); // biome-ignore format: a chain
}

export function isStory(fact: Fact | StoryFact): fact is StoryFact {
  return 'steps' in fact;
}

/** Each request, and each story, once. Returns how many were new. */
export function addFacts(file: string, facts: readonly (Fact | StoryFact)[]): number {
  const keyOf = (fact: Fact | StoryFact): string => JSON.stringify(isStory(fact) ? fact.steps.map(({ asked }) => asked) : fact.asked);
  const kept = new Map(readFacts(file).map((fact) => [keyOf(fact), fact]));
  const before = kept.size;
  for (const fact of facts) kept.set(keyOf(fact), fact);
  const lines = [...kept].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, fact]) => JSON.stringify(fact));
  writeFileSync(file, gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
  return kept.size - before;
}
