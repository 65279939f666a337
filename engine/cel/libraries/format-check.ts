/** Whether the arguments of a `format` fit its literal text, before anything is evaluated (cel-go ext/formatting.go, stringFormatValidator). */
import type { Fault } from '../checker.ts';
import type { Expression } from '../syntax.ts';
import { type CelType, dyn } from '../types.ts';
import { CelError } from '../values.ts';
import { clauses, refusals } from './format-text.ts';

const kinds: ReadonlyMap<string, readonly CelType['kind'][]> = new Map<string, readonly CelType['kind'][]>([
  ['d', ['int', 'uint']],
  ['f', ['double', 'string']],
  ['e', ['double', 'string']],
  ['b', ['int', 'uint', 'bool']],
  ['o', ['int', 'uint']],
  ['x', ['int', 'uint', 'string', 'bytes']],
  ['X', ['int', 'uint', 'string', 'bytes']],
]);

export function* formatFaults(
  { target, args, at }: Expression & { readonly kind: 'call' },
  types: ReadonlyMap<Expression, CelType>,
): Generator<Fault> {
  const [list] = args;
  if (target?.kind !== 'literal' || typeof target.value !== 'string' || list?.kind !== 'list') return;
  let asked = 0;
  try {
    for (const letter of clauses(target.value, list.elements.length)) {
      const arg = list.elements[asked++] as Expression;
      const type = types.get(arg) ?? dyn;
      const wanted = kinds.get(letter);
      if (wanted === undefined || type.kind === 'dyn' || wanted.includes(type.kind)) continue;
      yield { at: arg.at, message: `error during formatting: ${refusals.get(letter) ?? ''}, was given ${nameOf(type)}` };
      return;
    }
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    yield { at, message: error.message };
    return;
  }
  if (list.elements.length > asked)
    yield { at, message: `too many arguments supplied to string.format (expected ${asked}, got ${list.elements.length})` };
}

function nameOf(type: CelType): string {
  if (type.kind === 'null') return 'null_type';
  if (type.kind === 'opaque' && (type.name === 'timestamp' || type.name === 'duration'))
    return `google.protobuf.${type.name === 'timestamp' ? 'Timestamp' : 'Duration'}`;
  return type.kind === 'opaque' || type.kind === 'object' ? type.name : type.kind;
}
