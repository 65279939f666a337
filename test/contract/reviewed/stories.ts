/**
 * Requests drawn by nobody: one for each rule found by reading upstream's validation, with what the real API server answered. Chance finds
 * none of them, since it takes several fields that fit together.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { JsonValue } from '../../../engine/base/json.ts';
import type { Answered, Side } from '../../differential/sides.ts';

export type ReviewedRelease = '1.13' | '1.36';
export const reviewedReleases: readonly ReviewedRelease[] = ['1.13', '1.36'];

export interface Step {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly type: string;
  readonly body?: JsonValue;
  /** As the real server said: its code, and what it told of a refusal. */
  readonly real?: Told;
}

export interface Told {
  readonly code: number;
  readonly refusal?: JsonValue;
}

export interface ReviewedStory {
  readonly name: string;
  readonly steps: readonly Step[];
}

function fileOf(release: ReviewedRelease): string {
  return join(import.meta.dirname, `${release}.jsonl.gz`);
}

export function readStories(release: ReviewedRelease): readonly ReviewedStory[] {
  const lines = gunzipSync(readFileSync(fileOf(release)))
    .toString()
    .split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as ReviewedStory);
}

export function writeStories(release: ReviewedRelease, stories: readonly ReviewedStory[]): void {
  writeFileSync(fileOf(release), gzipSync(stories.map((story) => `${JSON.stringify(story)}\n`).join(''), { level: 9 }));
}

const create = { method: 'POST', query: '', type: 'application/json', accept: 'application/json' } as const;

/** A namespace with an account for what is asked. */
export async function prepare(side: Side): Promise<void> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'diff' } };
  await side.ask({ ...create, path: '/api/v1/namespaces', body: namespace });
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
  await side.ask({ ...create, path: '/api/v1/namespaces/diff/serviceaccounts', body: account });
}

/** What each step is answered. */
export async function tell(side: Side, { steps }: ReviewedStory): Promise<readonly Told[]> {
  const told: Told[] = [];
  for (const { method, path, query, type, body } of steps)
    told.push(toldOf(await side.ask({ method, path, query, type, accept: 'application/json', ...(body === undefined ? {} : { body }) })));
  return told;
}

const varying: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>'],
  [/(?<=in record \()\d+/g, '<revision>'],
  [/(?<=resourceVersion\\*":\\*")\d+/g, '<revision>'],
];

function toldOf({ code, text }: Answered): Told {
  if (code < 400) return { code };
  const same = varying.reduce((left, [pattern, mark]) => left.replaceAll(pattern, mark), text);
  try {
    const { message = null, reason = null, details } = JSON.parse(same) as { message?: string; reason?: string; details?: { causes?: JsonValue } };
    return { code, refusal: [message, reason, details?.causes ?? null] };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { code, refusal: same };
  }
}
