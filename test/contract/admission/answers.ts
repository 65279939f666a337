/** The form in which answers of the real server and ours are held against each other. */
import type { Step } from './cases.ts';

export interface Answered {
  readonly code: number;
  readonly warnings: readonly string[];
  readonly body: unknown;
}

export interface Said {
  readonly code: number;
  readonly reason?: unknown;
  readonly message?: unknown;
  readonly details?: unknown;
  readonly warnings: readonly string[];
  readonly picked?: readonly unknown[];
}

export function saidOf({ pick, ignoresWarnings }: Step, { code, body, ...answered }: Answered): Said {
  const warnings = ignoresWarnings === true ? [] : answered.warnings;
  const status = body as { readonly reason?: string; readonly message?: string; readonly details?: object };
  if (code >= 400) return { code, reason: status.reason ?? '', message: status.message, details: status.details ?? null, warnings };
  return { code, warnings, ...(pick && { picked: pick.map((path) => at(body, path) ?? null) }) };
}

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((found, name) => (found as { readonly [name: string]: unknown } | undefined)?.[name], value);
}
