/** Conditions in CEL of webhooks and policies. Mirrors apiserver pkg/admission/plugin/webhook/matchconditions. */
import { bool } from '../../../cel/types.ts';
import { CelError } from '../../../cel/values.ts';
import { type Compiled, compileExpression, type Declarations, environmentOf } from '../../../cel/admission.ts';
import { type Activation, evaluateWithin, failureText } from './expressions.ts';

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** `failed`: some could not be evaluated and none was false. */
export type Met =
  | { readonly type: 'met' }
  | { readonly type: 'unmet'; readonly condition: string }
  | { readonly type: 'failed'; readonly message: string };

export class MatchConditions {
  readonly #compiled: readonly (readonly [condition: MatchCondition, program: Compiled])[];

  constructor(conditions: readonly MatchCondition[], declared: Declarations) {
    const environment = environmentOf(declared);
    this.#compiled = conditions.map((condition) => [condition, compileExpression(condition.expression, environment, [bool])] as const);
  }

  get isEmpty(): boolean {
    return this.#compiled.length === 0;
  }

  evaluate(values: Activation): Met {
    const faults: string[] = [];
    for (const [condition, program] of this.#compiled) {
      const value = valueOf(condition, program, values);
      if (typeof value === 'string') faults.push(value);
      if (value === false) return { type: 'unmet', condition: condition.name };
    }
    return faults.length === 0 ? { type: 'met' } : { type: 'failed', message: aggregate(faults) };
  }
}

/** A text says what went wrong. */
function valueOf({ expression }: MatchCondition, program: Compiled, values: Activation): unknown {
  if ('fault' in program) return program.fault;
  try {
    return evaluateWithin(program, values);
  } catch (error) {
    if (error instanceof CelError) return failureText(expression, error);
    throw error;
  }
}

/** As Go joins several errors into one. */
function aggregate(faults: readonly string[]): string {
  const [first = '', ...more] = [...new Set(faults)];
  return more.length === 0 ? first : `[${[first, ...more].join(', ')}]`;
}
