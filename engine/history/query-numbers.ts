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

/** Throws a bad request. */
export function checkRange(fromMs: number, toMs: number): void {
  if (toMs < fromMs) throw newBadRequest(`the range ends (to=${toMs}) before it begins (from=${fromMs})`);
}
