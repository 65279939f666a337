/** Mutating policies in CEL and where they apply. Mirrors pkg/apis/admissionregistration/validation. */
import type {
  MatchResources,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  Mutation,
} from '../../../api/admissionregistration/v1/types.gen.ts';
import { type FieldErrorList, type FieldPath, invalid, notSupported, required } from '../../../apimachinery/field-errors.ts';
import { isDNS1123Subdomain } from '../../../apimachinery/validation.ts';
import { objectType, operationsType } from '../../../cel/patch-types.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { specPath } from '../../shared/strategy.ts';
import { PolicyExpressions } from './expression-validation.ts';
import { validateParamKind, validateParamRef, validateVariable } from './policy-validation.ts';
import { validateMatchConditions, validateMatchResources } from './rule-validation.ts';

const failurePolicies = ['Fail', 'Ignore'];
const reinvocationPolicies = ['IfNeeded', 'Never'];
const patchTypes = ['ApplyConfiguration', 'JSONPatch'];
const operations = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

export function validateMutatingPolicy({ spec = {} }: MutatingAdmissionPolicy): FieldErrorList {
  const out: Faults = [];
  const { failurePolicy, paramKind, matchConstraints, matchConditions, variables = [], mutations = [], reinvocationPolicy = '' } = spec;
  if (failurePolicy === undefined) out.push(required(specPath.child('failurePolicy')));
  else if (!failurePolicies.includes(failurePolicy)) out.push(notSupported(specPath.child('failurePolicy'), failurePolicy, failurePolicies));
  if (paramKind) validateParamKind(paramKind, specPath.child('paramKind'), out);
  validateConstraints(matchConstraints, specPath.child('matchConstraints'), out);
  validateMatchConditions(matchConditions, specPath.child('matchConditions'), out, { params: Boolean(paramKind), authorizer: true });
  const expressions = new PolicyExpressions(Boolean(paramKind), true);
  for (const [index, variable] of variables.entries()) validateVariable(variable, specPath.child('variables').index(index), expressions, out);
  if (mutations.length === 0) out.push(required(specPath.child('mutations'), 'mutations must contain at least one item'));
  for (const [index, mutation] of mutations.entries()) validateMutation(mutation, specPath.child('mutations').index(index), expressions, out);
  const at = specPath.child('reinvocationPolicy');
  if (reinvocationPolicy === '') out.push(required(at));
  else if (!reinvocationPolicies.includes(reinvocationPolicy)) out.push(notSupported(at, reinvocationPolicy, reinvocationPolicies));
  return out;
}

function validateConstraints(match: MatchResources | undefined, path: FieldPath, out: Faults): void {
  if (!match) return void out.push(required(path));
  validateMatchResources(match, path, out);
  if (!match.resourceRules?.length) out.push(required(path.child('resourceRules')));
  validateOperations(match, path, out);
}

/** What is deleted cannot be changed. */
function validateOperations({ resourceRules }: MatchResources, path: FieldPath, out: Faults): void {
  for (const operation of (resourceRules ?? []).flatMap((rule) => rule.operations ?? []))
    if (!operations.includes(operation)) out.push(notSupported(path.child('resourceRules', 'operations'), operation, operations));
}

function validateMutation(
  { patchType = '', jsonPatch, applyConfiguration }: Mutation,
  path: FieldPath,
  expressions: PolicyExpressions,
  out: Faults,
): void {
  if (patchType === '') return void out.push(required(path.child('patchType')));
  if (!patchTypes.includes(patchType)) return void out.push(notSupported(path.child('patchType'), patchType, patchTypes));
  const isPatch = patchType === 'JSONPatch';
  const [own, other] = isPatch ? ['jsonPatch', 'applyConfiguration'] : ['applyConfiguration', 'jsonPatch'];
  const [given, unwanted] = isPatch ? [jsonPatch, applyConfiguration] : [applyConfiguration, jsonPatch];
  const at = path.child(own as string);
  if (!given) out.push(required(at, `must be specified when patchType is ${patchType}`));
  else {
    const text = (given.expression ?? '').trim();
    if (text === '') out.push(required(at.child('expression')));
    else expressions.check(text, at.child('expression'), out, [isPatch ? operationsType : objectType], { patches: true });
  }
  if (unwanted) out.push(invalid(path.child(other as string), `{${other}}`, `must not be specified when patchType is ${patchType}`));
}

export function validateMutatingBinding({ spec = {} }: MutatingAdmissionPolicyBinding): FieldErrorList {
  const out: Faults = [];
  const { policyName = '', paramRef, matchResources } = spec;
  const path = specPath.child('policyName');
  if (policyName === '') out.push(required(path));
  else for (const fault of isDNS1123Subdomain(policyName)) out.push(invalid(path, policyName, fault));
  if (paramRef) validateParamRef(paramRef, specPath.child('paramRef'), out);
  if (matchResources) {
    validateMatchResources(matchResources, specPath.child('matchResources'), out);
    validateOperations(matchResources, specPath.child('matchResources'), out);
  }
  return out;
}
