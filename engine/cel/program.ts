/** An environment of CEL, and the programs that are compiled in it. */
import { check, type Fault, faultsMax, type StructTypes } from './checker.ts';
import { resolve } from './resolve.ts';
import { costMax, type SizesByPath } from './cost.ts';
import { evaluate, type Limits, type Outcome } from './evaluate.ts';
import type { FunctionTable } from './functions.ts';
import { CelSyntaxErrors, parse } from './parser.ts';
import { plan } from './plan.ts';
import { displayFault, type Expression, type SyntaxFault } from './syntax.ts';
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
    const { type, types, faults, faultCount } = check(tree, variables, functions, structs);
    if (faultCount > 0) return { fault: faultsText(source, faults, faultCount) };
    const refused = isStrict ? validate(tree, types) : [];
    if (refused.length > 0) return { fault: faultsText(source, refused, refused.length) };
    const planned = isStrict ? plan(tree, types, functions) : tree;
    return {
      type,
      names: namesOf(tree),
      costMax: costMax({ expression: tree, types, functions, sizes }),
      evaluate: (values, limits) => evaluate(planned, values, functions, limits, structs),
    };
  } catch (error) {
    if (error instanceof CelSyntaxErrors) return { fault: faultsText(source, error.faults, error.faults.length) };
    if (error instanceof CelError) return { fault: error.message, isInstantiation: true };
    throw error;
  }
}

/** In the order of the text. */
function faultsText(source: string, faults: readonly (Fault | SyntaxFault)[], count: number): string {
  const shown = faults.slice(0, faultsMax).toSorted((a, b) => (a.at ?? -1) - (b.at ?? -1));
  const more = count > faultsMax ? [`${count - faultsMax} more errors were truncated`] : [];
  return [...shown.map(({ at, message }) => displayFault(source, at, message)), ...more].join('\n');
}

/** Upstream does not tell apart what a loop calls as a variable is called. */
function namesOf(expression: Expression, found: Set<string> = new Set()): ReadonlySet<string> {
  if (expression.kind === 'name') found.add(expression.name);
  for (const part of partsOf(expression)) namesOf(part, found);
  return found;
}
