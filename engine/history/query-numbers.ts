/** Numbers in the query of a computed resource. */
import { newBadRequest } from '../apimachinery/errors.ts';
import type { ComputedQuery } from '../contracts/computed-resource.ts';

/** Undefined where the parameter is absent or empty. Throws a bad request. */
export function numberIn(query: ComputedQuery, parameter: string): number | undefined {
  const text = query[parameter];
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw newBadRequest(`${parameter}=${text} is not a number that is 0 or more`);
  return value;
}

/** How long a range is that goes along with now, and so has no ends of its own. Throws a bad request. */
export function spanIn(query: ComputedQuery): number | undefined {
  const span = numberIn(query, 'span');
  if (span === undefined) return undefined;
  for (const one of ['from', 'to'] as const)
    if (numberIn(query, one) !== undefined) throw newBadRequest(`${one}: a range with a span goes along with now`);
  return span;
}

/** Throws a bad request. */
export function checkRange(fromMs: number, toMs: number): void {
  if (toMs < fromMs) throw newBadRequest(`the range ends (to=${toMs}) before it begins (from=${fromMs})`);
}
