import { expect, it } from 'vitest';
import { errorBody } from '../../../apimachinery/field-errors.ts';
import { validatePolicyStatus } from './policy-validation.ts';

const told = (fieldRef: string): readonly string[] =>
  validatePolicyStatus({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'p' },
    status: { typeChecking: { expressionWarnings: [{ fieldRef, warning: 'w' }] } },
  }).map((fault) => `${fault.field}: ${errorBody(fault)}`);

it('refuses warnings about what no path leads to', () => {
  const field = 'status.typeChecking.expressionWarnings[0].fieldRef';
  expect(told('spec.validations[0].expression')).toEqual([]);
  expect(told(' ')).toEqual([`${field}: Required value`]);
  expect(told('a\nb')).toEqual([`${field}: Invalid value: "a\\nb": invalid JSONPath: unclosed action`]);
  expect(told('spec[')).toEqual([`${field}: Invalid value: "spec[": invalid JSONPath: unterminated array`]);
});
