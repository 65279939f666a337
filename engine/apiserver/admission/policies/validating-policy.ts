/** What one ValidatingAdmissionPolicy says of an object. Mirrors apiserver pkg/admission/plugin/policy/validating/validator.go. */
import type { AuditAnnotation, ValidatingAdmissionPolicy, Validation } from '../../../api/admissionregistration/v1/types.gen.ts';
import { bool, string } from '../../../cel/types.ts';
import { CelError, type CelValue } from '../../../cel/values.ts';
import { type Compiled, compileExpression, environmentOf } from '../../../cel/admission.ts';
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
    const values = this.#variables.within(given);
    const met = this.#conditions.evaluate(values);
    if (met.type === 'unmet') return nothing;
    if (met.type === 'failed') return this.failsOpen ? nothing : { ...nothing, violations: [{ index: 0, message: met.message, reason: '' }] };
    const violations = this.#validations.flatMap((one, index) => this.#violation(one, index, values));
    const annotations: (readonly [string, string])[] = [];
    const annotationFaults: string[] = [];
    for (const [{ key, valueExpression }, program] of this.#annotations) {
      const value = attempt(valueExpression, program, values);
      if (value.fault !== undefined) annotationFaults.push(value.fault);
      else if (typeof value.value === 'string' && value.value.trim() !== '') annotations.push([key, value.value.trim()]);
    }
    return { violations, annotations, annotationFaults: this.failsOpen ? [] : annotationFaults };
  }

  #violation({ validation, program, message }: CompiledValidation, index: number, values: Activation): readonly Violation[] {
    const { value, fault } = attempt(validation.expression, program, values);
    if (fault !== undefined) return this.failsOpen ? [] : [{ index, message: fault, reason: '' }];
    if (value === true) return [];
    const said = message === undefined ? undefined : attempt(validation.messageExpression ?? '', message, values).value;
    return [{ index, message: messageOf(validation, said), reason: validation.reason ?? 'Invalid' }];
  }
}

function messageOf({ message = '', expression }: Validation, said: CelValue | undefined): string {
  const own = typeof said === 'string' ? said.trim() : '';
  if (own !== '' && own.length <= messageBytesMax && !own.includes('\n')) return own;
  return message === '' ? `failed expression: ${expression.trim()}` : message.trim();
}

function attempt(expression: string, program: Compiled, values: Activation): { readonly value?: CelValue; readonly fault?: string } {
  if ('fault' in program) return { fault: program.fault };
  try {
    return { value: evaluateWithin(program, values) };
  } catch (error) {
    if (error instanceof CelError) return { fault: failureText(expression, error) };
    throw error;
  }
}
