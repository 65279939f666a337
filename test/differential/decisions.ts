/**
 * Differences that are meant: `decisions.json` lists each with its reason, and the document that tells users of it. An answer in which nothing else differs
 * is counted apart, as neither equal nor to be mended; a report names how many there are.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isList, type JsonObject, type JsonValue } from '../../engine/base/json.ts';
import type { Difference, Seen } from './compare.ts';

interface Decision {
  readonly name: string;
  readonly reason: string;
  /** Of a refusal: the codes of both sides, and how the real one's message begins. */
  readonly codes?: readonly [number, number];
  readonly real?: string;
  /** By kind: paths at which the real answer says what `real` matches. */
  readonly at?: ColumnsOf;
}

type ColumnsOf = { readonly [kind: string]: readonly string[] };

export const decisions = JSON.parse(readFileSync(join(import.meta.dirname, 'decisions.json'), 'utf8')) as readonly Decision[];

export interface Judged {
  readonly kind: string;
  readonly real: Seen;
  readonly ours: Seen;
  readonly differences: readonly Difference[];
}

export interface Open {
  /** What is left to be mended. */
  readonly differences: readonly Difference[];
  /** Names of the decisions that explain the others. */
  readonly decided: readonly string[];
}

export function openOf(judged: Judged): Open {
  const refusal = decisions.find((decision) => isRefused(decision, judged));
  if (refusal !== undefined) return { differences: [], decided: [refusal.name] };
  const explained = judged.differences.map((difference) => decisions.find((decision) => explains(decision, judged, difference)));
  return {
    differences: judged.differences.filter((_, at) => explained[at] === undefined),
    decided: [...new Set(explained.flatMap((decision) => (decision === undefined ? [] : [decision.name])))],
  };
}

function isRefused({ codes, real: start = '' }: Decision, { real, ours }: Judged): boolean {
  return codes?.[0] === real.code && codes[1] === ours.code && new RegExp(start).test(messageOf(real.body));
}

/** What the router refuses is no Status; a watch tells of one in an event. */
function messageOf(body: JsonValue): string {
  if (typeof body === 'string') return body;
  if (isList(body)) return messageOf((body[0] as JsonObject | undefined)?.['object'] ?? '');
  const { message = '' } = (body ?? {}) as { readonly message?: string };
  return message;
}

function explains({ at: places, real: said }: Decision, { kind }: Judged, { path, real }: Difference): boolean {
  return places?.[kind]?.includes(path) === true && new RegExp(said ?? '').test(String(real));
}
