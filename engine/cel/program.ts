/** An environment of CEL, and the programs that are compiled in it. */
import { check } from './checker.ts';
import { costMax } from './cost.ts';
import { evaluate } from './evaluate.ts';
import type { FunctionTable } from './functions.ts';
import { parse } from './parser.ts';
import { CelSyntaxError, displayFault } from './syntax.ts';
import type { CelType } from './types.ts';
import type { CelValue } from './values.ts';

export interface CelEnvironment {
  readonly variables: ReadonlyMap<string, CelType>;
  readonly functions: FunctionTable;
}

export interface CelProgram {
  readonly type: CelType;
  /** In upstream's units; infinite where no bound is known. */
  readonly costMax: number;
  /** Throws CelError. */
  evaluate(variables: ReadonlyMap<string, CelValue>, stepsMax: number): CelValue;
}

/** A text of upstream's when something is wrong with the expression. */
export function compile(source: string, { variables, functions }: CelEnvironment): CelProgram | { readonly fault: string } {
  try {
    const tree = parse(source);
    const { type, types, faults } = check(tree, variables, functions);
    if (faults.length > 0) return { fault: faults.map(({ at, message }) => displayFault(source, at, message)).join('\n') };
    return {
      type,
      costMax: costMax(tree, types, functions),
      evaluate: (values, stepsMax) => evaluate(tree, values, functions, stepsMax),
    };
  } catch (error) {
    if (error instanceof CelSyntaxError) return { fault: displayFault(source, error.at, error.message) };
    throw error;
  }
}
