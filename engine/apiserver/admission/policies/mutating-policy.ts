/** What one MutatingAdmissionPolicy makes of an object. Mirrors apiserver pkg/admission/plugin/policy/mutating/compilation.go and patch. */
import type { MutatingAdmissionPolicy, Mutation } from '../../../api/admissionregistration/v1/types.gen.ts';
import { newInternalError } from '../../../apimachinery/errors.ts';
import { ConfigurationError, mergeConfiguration } from '../../../apimachinery/managed-fields/configuration.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import { DecodeError } from '../../../apimachinery/serializer/scalars.ts';
import type { JsonObject, JsonValue } from '../../../base/json.ts';
import { type Compiled, compileExpression, environmentOf } from '../../../cel/admission.ts';
import { jsonOf } from '../../../cel/json.ts';
import { jsonFault, nativeOf } from '../../../cel/native-values.ts';
import { objectType, operationsType, PatchObject, type PatchOperation } from '../../../cel/patch-types.ts';
import { CelError, type CelValue, isList } from '../../../cel/values.ts';
import type { AdmittedResource, ObjectForms } from '../../admission.ts';
import { conditionsBudget, CostBudget, OutOfBudget, policyBudget } from '../hooks/budget.ts';
import { type Activation, evaluateWithin, failureText } from '../hooks/expressions.ts';
import { isFailedTest, patchFault, patchJson } from '../hooks/json-patches.ts';
import { MatchConditions, type Met } from '../hooks/match-conditions.ts';
import { PolicyVariables } from './variables.ts';

/** Why a mutation cannot be made; the failure policy says what that means. */
export class MutationFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MutationFault';
  }
}

interface CompiledMutation {
  readonly mutation: Mutation;
  readonly expression: string;
  readonly program: Compiled;
}

export class CompiledMutatingPolicy {
  readonly policy: MutatingAdmissionPolicy;
  readonly mutations: readonly CompiledMutation[];
  readonly #variables: PolicyVariables;
  readonly #conditions: MatchConditions;

  constructor(policy: MutatingAdmissionPolicy) {
    const { variables, matchConditions, mutations, paramKind } = policy.spec ?? {};
    const params = paramKind !== undefined && paramKind !== null;
    this.policy = policy;
    this.#variables = new PolicyVariables(variables ?? [], { params, authorizer: true });
    const declared = { params, authorizer: true, variables: this.#variables.types };
    const environment = environmentOf({ ...declared, patches: true });
    this.#conditions = new MatchConditions(matchConditions ?? [], declared);
    this.mutations = (mutations ?? []).map((mutation) => {
      const isPatch = mutation.patchType === 'JSONPatch';
      const expression = (isPatch ? mutation.jsonPatch?.expression : mutation.applyConfiguration?.expression) ?? '';
      return { mutation, expression, program: compileExpression(expression, environment, [isPatch ? operationsType : objectType]) };
    });
  }

  get failsOpen(): boolean {
    return this.policy.spec?.failurePolicy === 'Ignore';
  }

  get isReinvoked(): boolean {
    return this.policy.spec?.reinvocationPolicy === 'IfNeeded';
  }

  isMet(values: Activation): Met {
    const budget = new CostBudget(conditionsBudget);
    return this.#conditions.evaluate(this.#variables.within(values, budget), budget);
  }

  /** The object as a mutation makes it, in the same form. Throws MutationFault, and StatusError for an object that then is none. */
  mutated(
    { mutation, expression, program }: CompiledMutation,
    object: KubeObject,
    values: Activation,
    form: AdmittedResource,
    forms: ObjectForms,
  ): KubeObject {
    const budget = new CostBudget(policyBudget);
    const made = evaluated(expression, program, this.#variables.within(values, budget), budget);
    const document = object as unknown as JsonObject;
    const next = mutation.patchType === 'JSONPatch' ? patched(document, made, forms.stray) : applied(document, made, form, forms);
    if (next === document) return object;
    try {
      return forms.read(next, form, mutation.patchType === 'JSONPatch');
    } catch (error) {
      if (error instanceof DecodeError) throw newInternalError(error.message);
      throw error;
    }
  }
}

function evaluated(expression: string, program: Compiled, values: Activation, budget: CostBudget): CelValue {
  if ('fault' in program) throw new MutationFault(program.fault);
  try {
    return evaluateWithin(program, values, (cost) => budget.spend(cost));
  } catch (error) {
    if (error instanceof OutOfBudget) throw new MutationFault(error.message);
    if (error instanceof CelError) throw new MutationFault(failureText(expression, error));
    throw error;
  }
}

function applied(document: JsonObject, made: CelValue, form: AdmittedResource, forms: ObjectForms): JsonValue {
  const object = made as PatchObject;
  const misnamed = object.misnamed();
  if (misnamed.length > 0) throw new MutationFault(`type mismatch: ${misnamed.join('\n')}`);
  const configuration = nativeOf(object);
  if (configuration === undefined) throw new MutationFault('invalid return type: *dynamic.ObjectVal');
  const { apiVersion, kind } = document as { readonly [name: string]: JsonValue };
  const type = forms.typeOf(form);
  if (type === undefined)
    throw new MutationFault(
      `error applying patch: failed to convert patch object to typed object: no corresponding type for ${form.kindGroup}/${form.kindVersion}, Kind=${form.kind}`,
    );
  try {
    return mergeConfiguration(document, { ...configuration, json: { ...(configuration.json as JsonObject), apiVersion, kind } as JsonObject }, type);
  } catch (error) {
    if (error instanceof ConfigurationError) throw new MutationFault(`error applying patch: ${error.message}`);
    throw error;
  }
}

/** A patch one of whose tests does not hold changes nothing. */
function patched(document: JsonObject, made: CelValue, stray: string | undefined): JsonValue {
  const operations = isList(made) ? made.map(operationOf) : [];
  const next = patchJson(document, operations);
  if (next !== undefined && stray !== undefined) throw new MutationFault(stray);
  if (next !== undefined) return next;
  const fault = patchFault(document, operations);
  if (isFailedTest(fault)) return document;
  throw new MutationFault(`JSON Patch: ${fault}`);
}

function operationOf(made: CelValue): JsonValue {
  const { fields } = made as PatchOperation;
  const [op, path, from, value] = ['op', 'path', 'from', 'value'].map((name) => fields.get(name));
  const misnamed = value instanceof PatchObject ? value.misnamed() : [];
  if (misnamed.length > 0) throw new MutationFault(`type mismatch: ${misnamed.join('\n')}`);
  const fault = value === undefined ? undefined : jsonFault(value);
  if (fault !== undefined) throw new MutationFault(`JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${fault}`);
  const json = value === undefined ? undefined : jsonOf(value);
  const text = (one: CelValue | undefined): string => (typeof one === 'string' ? one : '');
  return { op: text(op), path: text(path), ...(text(from) !== '' && { from: text(from) }), ...(json !== undefined && { value: json }) };
}
