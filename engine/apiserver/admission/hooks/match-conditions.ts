/** Conditions in CEL of webhooks and policies. Mirrors apiserver pkg/admission/plugin/webhook/matchconditions. */
import { bool } from '../../../cel/types.ts';
import { CelError } from '../../../cel/values.ts';
import { type Compiled, compileExpression, type Declarations, environmentOf } from '../../../cel/admission.ts';
import { conditionsBudget, CostBudget, OutOfBudget } from './budget.ts';
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

  /** All are asked before one of them decides. `budget`: that of the variables among the values. */
  evaluate(values: Activation, budget = new CostBudget(conditionsBudget)): Met {
    try {
      const all = this.#compiled.map(([condition, program]) => [condition, valueOf(condition, program, values, budget)] as const);
      const unmet = all.find(([, value]) => value === false);
      if (unmet !== undefined) return { type: 'unmet', condition: unmet[0].name };
      const faults = all.flatMap(([, value]) => (typeof value === 'string' ? [value] : []));
      return faults.length === 0 ? { type: 'met' } : { type: 'failed', message: aggregate(faults) };
    } catch (error) {
      if (error instanceof OutOfBudget) return { type: 'failed', message: error.message };
      throw error;
    }
  }
}

/** A text says what went wrong. */
function valueOf({ expression }: MatchCondition, program: Compiled, values: Activation, budget: CostBudget): unknown {
  if ('fault' in program) return program.fault;
  try {
    return evaluateWithin(program, values, (cost) => budget.spend(cost));
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
