/** Named expressions of a policy, each made when it is first asked for. Mirrors apiserver pkg/admission/plugin/cel/composition.go. */
import type { Variable } from '../../../api/admissionregistration/v1/types.gen.ts';
import { type CelType, dyn } from '../../../cel/types.ts';
import { CelError, type CelObject, type CelValue } from '../../../cel/values.ts';
import { type Compiled, compileExpression, type Declarations, environmentOf } from '../../../cel/admission.ts';
import type { CostBudget } from '../hooks/budget.ts';
import { type Activation, evaluateWithin } from '../hooks/expressions.ts';

export class PolicyVariables {
  readonly types: ReadonlyMap<string, CelType>;
  readonly #compiled: ReadonlyMap<string, Compiled>;

  /** A variable may name those before it. */
  constructor(variables: readonly Variable[], declared: Omit<Declarations, 'variables'>) {
    const types = new Map<string, CelType>();
    const compiled = new Map<string, Compiled>();
    // Types are added to while it stands.
    const environment = environmentOf({ ...declared, variables: types });
    for (const { name, expression } of variables) {
      const program = compileExpression(expression, environment);
      compiled.set(name, program);
      types.set(name, 'fault' in program ? dyn : program.type);
    }
    this.types = types;
    this.#compiled = compiled;
  }

  /** The values, with `variables` among them, which are paid for by whoever asks for them first. */
  within(values: Activation, budget: CostBudget): Activation {
    const known = new Map<string, CelValue>();
    const all: Activation = new Map(values);
    const variables: CelObject = {
      celType: 'kubernetes.variables',
      field: (name) => {
        const found = known.get(name);
        if (found !== undefined) return found;
        const program = this.#compiled.get(name);
        if (program === undefined) return undefined;
        const made = valueOf(name, program, all, budget);
        known.set(name, made);
        return made;
      },
      isSet: (name) => this.#compiled.has(name),
    };
    all.set('variables', variables);
    return all;
  }
}

function valueOf(name: string, program: Compiled, values: Activation, budget: CostBudget): CelValue {
  if ('fault' in program) throw new CelError(`composited variable "${name}" fails to compile: ${program.fault}`);
  try {
    return evaluateWithin(program, values, (cost) => budget.spendOnVariable(cost));
  } catch (error) {
    if (error instanceof CelError) throw new CelError(`composited variable "${name}" fails to evaluate: ${error.message}`);
    throw error;
  }
}
