/** A plain answer put together. `gzipOver`: see HttpPlainResponse. */
import type { Encoded } from './encoder.ts';
import type { HttpPlainResponse } from './http-types.ts';

export function respond(
  status: number,
  encoded: Encoded,
  warnings: readonly string[],
  more: Readonly<Record<string, string>> = {},
  gzipOver?: number,
): HttpPlainResponse {
  const answer = { status, headers: { 'content-type': encoded.contentType, ...more }, body: encoded.body, gzipOver };
  return warnings.length === 0 ? answer : { ...answer, warnings };
}
