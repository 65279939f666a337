/** Expressions of policies, compiled when they are written. Mirrors pkg/apis/admissionregistration/validation. */
import type { Variable } from '../../../api/admissionregistration/v1/types.gen.ts';
import { type FieldError, type FieldPath, internal, invalid } from '../../../apimachinery/field-errors.ts';
import { type Compiled, compileExpression, type Declarations, environmentOf } from '../../../cel/admission.ts';
import { type CelType, dyn } from '../../../cel/types.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';

/** Of one policy; variables are known from when they have been told of. */
export class PolicyExpressions {
  readonly #params: boolean;
  readonly #variables: Map<string, CelType> | undefined;

  /** `hasVariables`: without any, `variables` itself is no name. */
  constructor(params: boolean, hasVariables: boolean) {
    this.#params = params;
    this.#variables = hasVariables ? new Map() : undefined;
  }

  addVariable({ name = '', expression = '' }: Variable, path: FieldPath, out: Faults): void {
    const program = this.check(expression, path, out, undefined);
    this.#variables?.set(name, 'fault' in program ? dyn : program.type);
  }

  /** `shown`: what the fault shows, where that is not what is compiled. */
  check(
    expression: string,
    path: FieldPath,
    out: Faults,
    wanted: readonly CelType[] | undefined,
    { authorizer = true, patches = false, params = this.#params, shown = expression }: Partial<Declarations> & { readonly shown?: string } = {},
  ): Compiled {
    const variables = this.#variables;
    const program = compileExpression(expression, environmentOf({ params, authorizer, patches, ...(variables && { variables }) }), wanted);
    if ('fault' in program) out.push(expressionFault(program, path, shown));
    return program;
  }
}

/** What is wrong with an expression, as `convertCELErrorToValidationError` tells it. */
export function expressionFault({ fault, isInternal }: Extract<Compiled, { readonly fault: string }>, path: FieldPath, shown: string): FieldError {
  return isInternal === true ? internal(path, fault) : invalid(path, shown, fault);
}
