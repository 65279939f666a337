/** What one ValidatingAdmissionPolicy says of an object. Mirrors apiserver pkg/admission/plugin/policy/validating/validator.go. */
import type { AuditAnnotation, ValidatingAdmissionPolicy, Validation } from '../../../api/admissionregistration/v1/types.gen.ts';
import { bool, string } from '../../../cel/types.ts';
import { CelError, type CelValue } from '../../../cel/values.ts';
import { type Compiled, compileExpression, environmentOf } from '../../../cel/admission.ts';
import { conditionsBudget, CostBudget, OutOfBudget, policyBudget } from '../hooks/budget.ts';
import { type Activation, evaluateWithin, failureText } from '../hooks/expressions.ts';
import { MatchConditions } from '../hooks/match-conditions.ts';
import { PolicyVariables } from './variables.ts';

const messageBytesMax = 5 * 1024;

/** A validation that did not hold, or could not be evaluated; `index` counts validations. */
export interface Violation {
  readonly index: number;
  readonly message: string;
  /** Empty where it could not be evaluated. */
  readonly reason: string;
}

export interface PolicyVerdict {
  readonly violations: readonly Violation[];
  readonly annotations: readonly (readonly [key: string, value: string])[];
  /** Why annotations could not be made. */
  readonly annotationFaults: readonly string[];
}

const nothing: PolicyVerdict = { violations: [], annotations: [], annotationFaults: [] };

interface CompiledValidation {
  readonly validation: Validation;
  readonly program: Compiled;
  readonly message: Compiled | undefined;
}

export class CompiledPolicy {
  readonly policy: ValidatingAdmissionPolicy;
  readonly #variables: PolicyVariables;
  readonly #conditions: MatchConditions;
  readonly #validations: readonly CompiledValidation[];
  readonly #annotations: readonly (readonly [annotation: AuditAnnotation, program: Compiled])[];

  constructor(policy: ValidatingAdmissionPolicy) {
    const { variables, matchConditions, validations, auditAnnotations, paramKind } = policy.spec ?? {};
    const params = paramKind !== undefined && paramKind !== null;
    this.policy = policy;
    this.#variables = new PolicyVariables(variables ?? [], { params, authorizer: true });
    const declared = { params, variables: this.#variables.types };
    const full = environmentOf({ ...declared, authorizer: true });
    const forMessages = environmentOf({ ...declared, authorizer: false });
    this.#conditions = new MatchConditions(matchConditions ?? [], { ...declared, authorizer: true });
    this.#validations = (validations ?? []).map((validation) => ({
      validation,
      program: compileExpression(validation.expression, full, [bool]),
      message: validation.messageExpression ? compileExpression(validation.messageExpression, forMessages, [string]) : undefined,
    }));
    this.#annotations = (auditAnnotations ?? []).map(
      (one) => [one, compileExpression(one.valueExpression, full, [string, { kind: 'null' }])] as const,
    );
  }

  get failsOpen(): boolean {
    return this.policy.spec?.failurePolicy === 'Ignore';
  }

  evaluate(given: Activation): PolicyVerdict {
    const forConditions = new CostBudget(conditionsBudget);
    const met = this.#conditions.evaluate(this.#variables.within(given, forConditions), forConditions);
    if (met.type === 'unmet') return nothing;
    if (met.type === 'failed') return this.#failure(met.message);
    try {
      return { violations: this.#violations(given), ...this.#annotationsOf(given) };
    } catch (error) {
      if (error instanceof OutOfBudget) return this.#failure(error.message);
      throw error;
    }
  }

  #failure(message: string): PolicyVerdict {
    return this.failsOpen ? nothing : { ...nothing, violations: [{ index: 0, message, reason: '' }] };
  }

  /** Throws OutOfBudget. */
  #violations(given: Activation): readonly Violation[] {
    const budget = new CostBudget(policyBudget);
    const values = this.#variables.within(given, budget);
    const judged = this.#validations.map(({ validation, program }) => attempt(validation.expression, program, values, budget));
    const messages = this.#messages(given, budget);
    return judged.flatMap(({ value, fault }, index) => {
      const failure = fault ?? (typeof messages === 'string' ? messages : undefined);
      if (failure !== undefined) return this.failsOpen ? [] : [{ index, message: failure, reason: '' }];
      if (value === true || typeof messages === 'string') return [];
      const { validation } = this.#validations[index] as CompiledValidation;
      return [{ index, message: messageOf(validation, messages[index]), reason: validation.reason ?? 'Invalid' }];
    });
  }

  /** Of all validations, also of those that hold; a text where they cost more than is left. */
  #messages(given: Activation, budget: CostBudget): readonly (CelValue | undefined)[] | string {
    // Nobody is asked what the caller may: variables that ask have no value here.
    const unasked = new Map([...given].filter(([name]) => name !== 'authorizer' && name !== 'authorizer.requestResource'));
    const values = this.#variables.within(unasked, budget);
    try {
      return this.#validations.map(
        ({ validation, message }) => message && attempt(validation.messageExpression ?? '', message, values, budget).value,
      );
    } catch (error) {
      if (error instanceof OutOfBudget) return `failed messageExpression: ${error.message}`;
      throw error;
    }
  }

  /** Throws OutOfBudget. */
  #annotationsOf(given: Activation): Pick<PolicyVerdict, 'annotations' | 'annotationFaults'> {
    const budget = new CostBudget(policyBudget);
    const values = this.#variables.within(given, budget);
    const annotations: (readonly [string, string])[] = [];
    const annotationFaults: string[] = [];
    for (const [{ key, valueExpression }, program] of this.#annotations) {
      const value = attempt(valueExpression, program, values, budget);
      if (value.fault !== undefined) annotationFaults.push(value.fault);
      else if (typeof value.value === 'string' && value.value.trim() !== '') annotations.push([key, value.value.trim()]);
    }
    return { annotations, annotationFaults: this.failsOpen ? [] : annotationFaults };
  }
}

function messageOf({ message = '', expression }: Validation, said: CelValue | undefined): string {
  const own = typeof said === 'string' ? said.trim() : '';
  if (own !== '' && own.length <= messageBytesMax && !own.includes('\n')) return own;
  return message === '' ? `failed expression: ${expression.trim()}` : message.trim();
}

type Attempt = { readonly value?: CelValue; readonly fault?: string };

/** Throws OutOfBudget. */
function attempt(expression: string, program: Compiled, values: Activation, budget: CostBudget): Attempt {
  if ('fault' in program) return { fault: program.fault };
  try {
    return { value: evaluateWithin(program, values, (cost) => budget.spend(cost)) };
  } catch (error) {
    if (error instanceof CelError) return { fault: failureText(expression, error) };
    throw error;
  }
}
