/** What differs between the two published forms: where definitions lie, and how a type is written. */
import type { JsonObject } from '../../base/json.ts';

export interface Dialect {
  readonly version: 'v2' | 'v3';
  readonly refPrefix: string;
}

export const dialectV2: Dialect = { version: 'v2', refPrefix: '#/definitions/' };
export const dialectV3: Dialect = { version: 'v3', refPrefix: '#/components/schemas/' };

export function refTo(dialect: Dialect, name: string): JsonObject {
  return { $ref: dialect.refPrefix + name };
}
