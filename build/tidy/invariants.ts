/** Where state is changed invariants are stated: at least one assertion for each ten functions. Each row is a room, or one file of it. */
export const invariantRooms: readonly string[] = [
  'engine/base/',
  'engine/store/',
  'engine/registry/',
  'engine/client/',
  'engine/scheduler/cache.ts',
  'engine/nodes/kubelet/',
];
export const functionsPerAssertion = 10;

const functions = /^(?:export )?(?:async )?function\*? /gm;
const methods = /^  (?:(?:static|async|override|protected|private|get|set|public) )*\*?#?[A-Za-z]\w*(?:<[^>]*>)?\([^;]*\)?[^;]*\{$/gm;
const assertions = /\b(?:assert|must|unreachable)\(|this\.#must\(/g;

/** Of source without comments: declared functions and methods with a body, and what they assert. */
export function countInvariants(code: string): { readonly functions: number; readonly assertions: number } {
  const count = (pattern: RegExp): number => code.match(pattern)?.length ?? 0;
  return { functions: count(functions) + count(methods), assertions: count(assertions) };
}
