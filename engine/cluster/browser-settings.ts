/** What browsers are told, as the options of a cluster say; all of it was checked when they were read. */
import { parseCorsOrigins } from '../apiserver/filters/cors.ts';
import { assert } from '../base/assert.ts';
import type { Settings } from './settings.ts';

export function browserSettings(settings: Settings): { readonly corsOrigins: readonly RegExp[]; readonly hstsDirectives: readonly string[] } {
  const corsOrigins = parseCorsOrigins(settings.list('cors-allowed-origins'));
  assert(typeof corsOrigins !== 'string', '--cors-allowed-origins has been checked');
  return { corsOrigins, hstsDirectives: settings.list('strict-transport-security-directives') };
}
