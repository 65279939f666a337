/** What a real 1.13.12 answered (shared/testdata/release-1.13), and how ours is compared with it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { JsonObject, JsonValue } from '../../../engine/base/json.ts';
import type { Answer } from '../seeds-client.ts';

const folder = join(import.meta.dirname, '../../../../shared/testdata/release-1.13');
/** The data is handed over beside the project. */
export const present = existsSync(folder);
/** Section → reason → names, which may end in `*`. */
const differences = JSON.parse(readFileSync(join(import.meta.dirname, '../recorded-differences.json'), 'utf8')) as {
  readonly [section: string]: { readonly [reason: string]: readonly string[] };
};

export interface Recorded {
  readonly name: string;
  readonly path: string;
  readonly body: JsonObject;
  readonly code: number;
  readonly object: JsonObject;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: JsonValue;
  readonly headers?: { readonly [name: string]: string };
  readonly anonymous?: boolean;
  readonly waitCode?: number;
}

export interface Refusal {
  readonly name: string;
  readonly setup?: readonly Asked[];
  readonly request: Asked;
  readonly expect: { readonly code: number; readonly reason: string | null; readonly message: string | null };
}

/** Those that are not equal must be the ones on the list, and nothing on the list may be equal. */
export function judge(section: string, compared: ReadonlyMap<string, boolean>): void {
  expect(compared.size).toBeGreaterThan(0);
  const names = Object.values(differences[section] ?? {}).flat();
  const isNamed = (name: string): boolean => names.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : one === name));
  const unequal = [...compared].flatMap(([name, isEqual]) => (isEqual ? [] : [name]));
  if (process.env['RECORDED_DUMP'] !== undefined) console.log(`${section}: ${unequal.length} of ${compared.size} differ\n${unequal.join('\n')}`);
  expect(
    unequal.filter((name) => !isNamed(name)),
    `${section}: not equal, and not named`,
  ).toEqual([]);
  const idle = names.filter((one) => !unequal.some((name) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : one === name)));
  const equal = [...compared].flatMap(([name, isEqual]) => (isEqual && isNamed(name) ? [name] : []));
  expect([...idle, ...equal], `${section}: named, and equal`).toEqual([]);
}

/** Left out of the records. */
const drawn: ReadonlySet<string> = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'selfLink']);

/** Without what the cluster draws, and what no release here sets. */
export function mask(value: JsonValue, namespace: string): JsonValue {
  if (typeof value === 'string')
    return value
      .replaceAll('${NS}', namespace)
      .replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/, '<time>')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
      .replace(/^default-token-[a-z0-9]{5}$/, 'default-token-<gen>')
      .replace(/^10\.96\.\d+\.\d+$/, '<ip>');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((one) => mask(one, namespace));
  const entries = Object.entries(value).filter(([key]) => !drawn.has(key));
  return Object.fromEntries(entries.map(([key, inner]) => [key, mask(inner, namespace)]));
}

/** A long text is recorded as `{$repeat, count}`. */
export function repeated(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(repeated);
  const { $repeat: text, count } = value as JsonObject;
  if (typeof text === 'string') return text.repeat(Number(count));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, repeated(inner)]));
}

/** As the records were made, with a space after each comma and colon: refusals quote the body. */
export function spaced(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(spaced).join(', ')}]`;
  const members = Object.entries(value as JsonObject).map(([key, inner]) => `${JSON.stringify(key)}: ${spaced(inner)}`);
  return `{${members.join(', ')}}`;
}

/** Without what is drawn: in the records it has names. */
export function unnamed(text: unknown, namespace: string): unknown {
  if (typeof text !== 'string') return text;
  return text
    .replaceAll(namespace, '${NS}')
    .replace(/\(0xc[0-9a-f]+\)/g, '(<ptr>)')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>')
    .replace(/default-token-[a-z0-9]{5}/g, 'default-token-<gen>')
    .replace(/Bad_[a-z0-9]{5}/g, 'Bad_<gen>');
}

export function resourcesOf(document: JsonObject): ReadonlyMap<string, JsonObject> {
  const resources = (document['resources'] ?? []) as unknown as readonly JsonObject[];
  return new Map(resources.map((resource) => [String(resource['name']), resource]));
}

export function json(answer: Answer): JsonObject {
  return answer.body as unknown as JsonObject;
}

export function read<T>(file: string): T {
  return JSON.parse(readFileSync(join(folder, file), 'utf8')) as T;
}

export function lines<T>(file: string): readonly T[] {
  return readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}
