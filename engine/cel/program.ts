/** An environment of CEL, and the programs that are compiled in it. */
import { check, type StructTypes } from './checker.ts';
import { resolve } from './resolve.ts';
import { costMax, type SizesByPath } from './cost.ts';
import { evaluate, type Limits, type Outcome } from './evaluate.ts';
import type { FunctionTable } from './functions.ts';
import { parse } from './parser.ts';
import { plan } from './plan.ts';
import { CelSyntaxError, displayFault, type Expression } from './syntax.ts';
import type { CelType } from './types.ts';
import { partsOf, validate } from './validators.ts';
import { CelError, type CelValue } from './values.ts';

export interface CelEnvironment {
  readonly variables: ReadonlyMap<string, CelType>;
  readonly functions: FunctionTable;
  /** Whether what can only fail and lists of mixed types are refused, and constants made beforehand, as in the environments of Kubernetes. */
  readonly isStrict?: boolean;
  /** Whether `cel.bind(name, value, expression)` is there. */
  readonly hasBindings?: boolean;
  /** How large what stands at a path is at most. */
  readonly sizes?: SizesByPath;
  /** Objects that may be written down. */
  readonly structs?: StructTypes;
}

export interface CelProgram {
  readonly type: CelType;
  /** What it names: variables, and what its loops call their elements. */
  readonly names: ReadonlySet<string>;
  /** In upstream's units; infinite where no bound is known. */
  readonly costMax: number;
  /** Throws CelError. */
  evaluate(variables: ReadonlyMap<string, CelValue>, limits: Limits): Outcome;
}

/** A text of upstream's when something is wrong with the expression; `isInstantiation` when a constant of it cannot be converted. */
export function compile(
  source: string,
  { variables, functions, isStrict = false, hasBindings = false, sizes, structs }: CelEnvironment,
): CelProgram | { readonly fault: string; readonly isInstantiation?: boolean } {
  try {
    const tree = resolve(parse(source, { hasBindings }), new Set(variables.keys()), functions);
    const { type, types, faults } = check(tree, variables, functions, structs);
    const all = faults.length === 0 && isStrict ? validate(tree, types) : faults;
    if (all.length > 0) return { fault: all.map(({ at, message }) => displayFault(source, at, message)).join('\n') };
    const planned = isStrict ? plan(tree, types, functions) : tree;
    return {
      type,
      names: namesOf(tree),
      costMax: costMax({ expression: tree, types, functions, sizes }),
      evaluate: (values, limits) => evaluate(planned, values, functions, limits, structs),
    };
  } catch (error) {
    if (error instanceof CelSyntaxError) return { fault: displayFault(source, error.at, error.message) };
    if (error instanceof CelError) return { fault: error.message, isInstantiation: true };
    throw error;
  }
}

/** Upstream does not tell apart what a loop calls as a variable is called. */
function namesOf(expression: Expression, found: Set<string> = new Set()): ReadonlySet<string> {
  if (expression.kind === 'name') found.add(expression.name);
  for (const part of partsOf(expression)) namesOf(part, found);
  return found;
}
