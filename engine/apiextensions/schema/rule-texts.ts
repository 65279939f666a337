/** The members of `x-kubernetes-validations` but for what their expressions say. Mirrors pkg/apis/apiextensions/validation. */
import type { JSONSchemaProps, ValidationRule } from '../../api/apiextensions/v1/types.gen.ts';
import { type FieldPath, invalid, notSupportedOf, required } from '../../apimachinery/field-errors.ts';
import type { FaultSink } from './fault-sink.ts';
import { followPath } from './field-path.ts';
import { unreadable } from './structural-rules.ts';
import { structuralOf } from './structural.ts';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const hasLines = (text: string): boolean => /[\n\r]/.test(text);

export function judgeRuleTexts(schema: JSONSchemaProps, path: FieldPath, out: FaultSink): void {
  for (const [index, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    const at = path.child('x-kubernetes-validations').index(index);
    judgeTexts(rule, at, out);
    const { reason, fieldPath = '' } = rule;
    if (reason !== undefined && reason !== null && !reasons.includes(reason)) out.push(notSupportedOf(at.child('reason'), reason, reasons));
    if (fieldPath === '') continue;
    if (fieldPath.trim() === '') out.push(invalid(at.child('fieldPath'), fieldPath, 'must be non-empty if specified'));
    if (hasLines(fieldPath)) out.push(invalid(at.child('fieldPath'), fieldPath, 'must not contain line breaks'));
    if (!isField(schema, fieldPath)) out.push(invalid(at.child('fieldPath'), fieldPath, 'must be a valid path'));
  }
}

function judgeTexts({ rule = '', message = '', messageExpression = '' }: ValidationRule, at: FieldPath, out: FaultSink): void {
  const [plainRule, plainMessage] = [rule.trim(), message.trim()];
  if (plainRule === '') out.push(required(at.child('rule'), 'rule is not specified'));
  else if (message !== '' && plainMessage === '') out.push(invalid(at.child('message'), message, 'must be non-empty if specified'));
  else if (hasLines(plainMessage)) out.push(invalid(at.child('message'), message, 'must not contain line breaks'));
  else if (hasLines(plainRule) && plainMessage === '')
    out.push(required(at.child('message'), 'message must be specified if rule contains line breaks'));
  if (messageExpression !== '' && messageExpression.trim() === '')
    out.push(required(at.child('messageExpression'), 'messageExpression must be non-empty if specified'));
}

/** A schema that cannot be read is refused elsewhere. */
function isField(schema: JSONSchemaProps, fieldPath: string): boolean {
  return unreadable(schema) !== undefined || typeof followPath(fieldPath, structuralOf(schema), true) !== 'string';
}
