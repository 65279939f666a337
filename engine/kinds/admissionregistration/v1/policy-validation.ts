/** Policies in CEL and where they apply. Mirrors pkg/apis/admissionregistration/validation. */
import { parsePath, PathSyntaxError } from '../../../apiextensions/schema/json-path-parser.ts';
import type {
  AuditAnnotation,
  ParamKind,
  ParamRef,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  Validation,
  Variable,
} from '../../../api/admissionregistration/v1/types.gen.ts';
import {
  duplicate,
  type FieldErrorList,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  notSupportedOf,
  required,
  root,
} from '../../../apimachinery/field-errors.ts';
import { bool, string } from '../../../cel/types.ts';
import {
  isDNS1035Label,
  isDNS1123Subdomain,
  isPathSegmentName,
  isQualifiedName,
  validateConditions,
  validateLabelSelector,
} from '../../../apimachinery/validation.ts';
import { repeatsOf } from '../../../base/repeats.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { specPath } from '../../shared/strategy.ts';
import { PolicyExpressions } from './expression-validation.ts';
import { validateMatchConditions, validateMatchResources } from './rule-validation.ts';

const failurePolicies = ['Fail', 'Ignore'];
const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const actions = ['Audit', 'Deny', 'Warn'];
const reservedWords: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);
const nothingText = 'validations or auditAnnotations must contain at least one item';
const twiceText =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';

export function validateAdmissionPolicy({ metadata, spec = {} }: ValidatingAdmissionPolicy): FieldErrorList {
  const out: Faults = [];
  const { failurePolicy, paramKind, matchConstraints, matchConditions, variables = [], validations = [], auditAnnotations = [] } = spec;
  if (failurePolicy !== undefined && !failurePolicies.includes(failurePolicy))
    out.push(notSupported(specPath.child('failurePolicy'), failurePolicy, failurePolicies));
  if (paramKind) validateParamKind(paramKind, specPath.child('paramKind'), out);
  const match = specPath.child('matchConstraints');
  if (!matchConstraints) out.push(required(match));
  else {
    validateMatchResources(matchConstraints, match, out);
    if (!matchConstraints.resourceRules?.length) out.push(required(match.child('resourceRules')));
  }
  validateMatchConditions(matchConditions, specPath.child('matchConditions'), out, { params: Boolean(paramKind), authorizer: true });
  const expressions = new PolicyExpressions(Boolean(paramKind), variables.length > 0);
  for (const [index, variable] of variables.entries()) validateVariable(variable, specPath.child('variables').index(index), expressions, out);
  if (validations.length + auditAnnotations.length === 0)
    out.push(required(specPath.child('validations'), nothingText), required(specPath.child('auditAnnotations'), nothingText));
  for (const [index, validation] of validations.entries())
    validateValidation(validation, specPath.child('validations').index(index), expressions, out);
  validateAnnotations(metadata.name ?? '', auditAnnotations, specPath.child('auditAnnotations'), expressions, out);
  return out;
}

export function validatePolicyStatus({ status }: ValidatingAdmissionPolicy): FieldErrorList {
  const warnings = status?.typeChecking?.expressionWarnings ?? [];
  const path = root('status', 'typeChecking', 'expressionWarnings');
  return [
    ...warnings.flatMap(({ warning, fieldRef }, index) => [
      ...(warning ? [] : [required(path.index(index).child('warning'))]),
      ...fieldRefFaults(fieldRef ?? '', path.index(index).child('fieldRef')),
    ]),
    ...validateConditions(status?.conditions ?? [], root('status', 'conditions')),
  ];
}

function fieldRefFaults(fieldRef: string, path: FieldPath): FieldErrorList {
  const given = fieldRef.trim();
  if (given === '') return [required(path)];
  try {
    parsePath(given);
    return [];
  } catch (error) {
    if (error instanceof PathSyntaxError) return [invalid(path, given, `invalid JSONPath: ${error.message}`)];
    throw error;
  }
}

export function validateParamKind({ apiVersion = '', kind = '' }: ParamKind, path: FieldPath, out: Faults): void {
  const at = path.child('apiVersion');
  const parts = apiVersion.split('/');
  const [group, version] = parts.length === 1 ? ['', apiVersion] : [parts[0] ?? '', parts[1] ?? ''];
  if (apiVersion === '') out.push(required(at));
  else if (parts.length > 2) out.push(invalid(at, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  else {
    if (group !== '') for (const fault of isDNS1123Subdomain(group)) out.push(invalid(at, group, fault));
    if (version === '') out.push(invalid(at, apiVersion, 'version must be specified'));
    else for (const fault of isDNS1035Label(version)) out.push(invalid(at, version, fault));
  }
  if (kind === '') return void out.push(required(path.child('kind')));
  const faults = isDNS1035Label(kind.toLowerCase());
  if (faults.length > 0) out.push(invalid(path.child('kind'), kind, `may have mixed case, but should otherwise match: ${faults.join(',')}`));
}

export function validateVariable(variable: Variable, path: FieldPath, expressions: PolicyExpressions, out: Faults): void {
  const { name = '', expression = '' } = variable;
  if (name.trim() === '') out.push(required(path.child('name'), 'name is not specified'));
  else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) || reservedWords.has(name))
    out.push(invalid(path.child('name'), name, 'must be a valid CEL identifier'));
  if (expression.trim() === '') out.push(required(path.child('expression'), 'expression is not specified'));
  else expressions.addVariable(variable, path.child('expression'), out);
}

function validateValidation(
  { expression = '', message = '', messageExpression = '', reason }: Validation,
  path: FieldPath,
  expressions: PolicyExpressions,
  out: Faults,
): void {
  const isBlank = (text: string): boolean => text !== '' && text.trim() === '';
  if (expression.trim() === '') out.push(required(path.child('expression'), 'expression is not specified'));
  else expressions.check(expression, path.child('expression'), out, [bool]);
  if (isBlank(messageExpression)) out.push(invalid(path.child('messageExpression'), messageExpression, 'must be non-empty if specified'));
  else if (messageExpression !== '') expressions.check(messageExpression, path.child('messageExpression'), out, [string], { authorizer: false });
  if (isBlank(message)) out.push(invalid(path.child('message'), message, 'must be non-empty if specified'));
  else if (/[\n\r]/.test(message)) out.push(invalid(path.child('message'), message, 'must not contain line breaks'));
  if (reason !== undefined && !reasons.includes(reason)) out.push(notSupported(path.child('reason'), reason, reasons));
}

/** A key is judged with the name of its policy before it. */
function validateAnnotations(
  policy: string,
  annotations: readonly AuditAnnotation[],
  path: FieldPath,
  expressions: PolicyExpressions,
  out: Faults,
): void {
  const repeats = repeatsOf(annotations.map(({ key }) => key));
  for (const [index, { key = '', valueExpression = '' }] of annotations.entries()) {
    const at = path.index(index);
    if (policy === '') out.push(invalid(at.child('key'), key, 'requires metadata.name be non-empty'));
    else for (const fault of isQualifiedName(`${policy}/${key}`)) out.push(invalid(at.child('key'), `${policy}/${key}`, fault));
    const text = valueExpression.trim();
    if (text === '') out.push(required(at.child('valueExpression'), 'valueExpression is not specified'));
    else expressions.check(text, at.child('valueExpression'), out, [string, { kind: 'null' }], { shown: valueExpression });
    if (repeats.has(index)) out.push(duplicate(at.child('key'), key));
  }
}

export function validateAdmissionBinding({ spec = {} }: ValidatingAdmissionPolicyBinding): FieldErrorList {
  const out: Faults = [];
  const { policyName = '', paramRef, matchResources, validationActions = [] } = spec;
  const path = specPath.child('policyName');
  if (policyName === '') out.push(required(path));
  else for (const fault of isDNS1123Subdomain(policyName)) out.push(invalid(path, policyName, fault));
  if (paramRef) validateParamRef(paramRef, specPath.child('paramRef'), out);
  if (matchResources) validateMatchResources(matchResources, specPath.child('matchResources'), out);
  validateActions(validationActions, specPath.child('validationActions'), out);
  return out;
}

export function validateParamRef({ name = '', selector, parameterNotFoundAction: action }: ParamRef, path: FieldPath, out: Faults): void {
  const isBoth = name !== '' && selector !== undefined && selector !== null;
  const onlyOne = (member: string): void => void out.push(forbidden(path.child(member), 'name and selector are mutually exclusive'));
  for (const fault of isPathSegmentName(name)) out.push(invalid(path.child('name'), name, fault));
  if (isBoth) onlyOne('name');
  out.push(...validateLabelSelector(selector, path.child('selector')));
  if (isBoth) onlyOne('selector');
  if (name === '' && !selector) out.push(required(path, 'one of name or selector must be specified'));
  if (!action) out.push(required(path.child('parameterNotFoundAction')));
  else if (action !== 'Deny' && action !== 'Allow') out.push(notSupportedOf(path.child('parameterNotFoundAction'), action, ['Deny', 'Allow']));
}

function validateActions(given: readonly string[], path: FieldPath, out: Faults): void {
  if (given.length === 0) out.push(required(path, 'at least one validation action is required'));
  const repeats = repeatsOf(given);
  for (const [index, action] of given.entries()) {
    if (!actions.includes(action)) out.push(notSupported(path.index(index), action, actions));
    if (repeats.has(index)) out.push(duplicate(path.index(index), action));
  }
  if (given.includes('Deny') && given.includes('Warn')) out.push(invalid(path, given, twiceText));
}
