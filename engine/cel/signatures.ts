/** What operators take that no overload of an environment evaluates: choices, indices of optional values, and what macros are written with. */
import { bool, type CelType, int, listOf, mapOf, optionalOf, parameter } from './types.ts';

export interface Signature {
  readonly isMember: boolean;
  readonly args: readonly CelType[];
  readonly result: CelType;
}

const k = parameter('K');
const v = parameter('V');
const list = listOf(v);
const map = mapOf(k, v);
const takes = (args: readonly CelType[], result: CelType): Signature => ({ isMember: false, args, result });
const ofOptional: readonly Signature[] = [takes([optionalOf(list), int], optionalOf(v)), takes([optionalOf(map), k], optionalOf(v))];

/** Beside those of the environment. */
export const operatorSignatures: ReadonlyMap<string, readonly Signature[]> = new Map([
  ['_?_:_', [takes([bool, v, v], v)]],
  ['_[_]', ofOptional],
  ['_[?_]', [takes([list, int], optionalOf(v)), takes([map, k], optionalOf(v)), ...ofOptional]],
  ['cel.@mapInsert', [takes([map, k, v], map), takes([map, map], map)]],
]);
