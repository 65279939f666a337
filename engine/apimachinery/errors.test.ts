import { expect, test } from 'vitest';
import {
  isNotFound,
  isTooLargeResourceVersion,
  newForbidden,
  newGenericServerResponse,
  newInvalid,
  newNotFound,
  newTooLargeResourceVersion,
  suggestsClientDelay,
} from './errors.ts';
import { duplicate, errorText, invalid, notSupported, required, root, tooLong, tooMany } from './field-errors.ts';
import { goQuote } from './quote.ts';

const deployments = { group: 'apps', resource: 'deployments' };

test('messages of single objects', () => {
  expect(newNotFound({ group: '', resource: 'pods' }, 'x').status).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'pods "x" not found',
    reason: 'NotFound',
    details: { name: 'x', kind: 'pods' },
    code: 404,
  });
  expect(isNotFound(newNotFound(deployments, 'x'))).toBe(true);
  expect(newForbidden(deployments, '', 'no').message).toBe('deployments.apps is forbidden: no');
  const late = newTooLargeResourceVersion(9, 5, 1);
  expect([late.message, isTooLargeResourceVersion(late), suggestsClientDelay(late)]).toEqual([
    'Timeout: Too large resource version: 9, current: 5',
    true,
    1,
  ]);
  expect(newGenericServerResponse({ code: 404, verb: 'GET', resource: deployments, name: 'x' }).message).toBe(
    'the server could not find the requested resource (get deployments.apps x)',
  );
});

test('invalid lists its causes and aggregates their texts', () => {
  const one = invalid(root('spec', 'replicas'), -1, 'must be greater than or equal to 0');
  const kind = { group: 'apps', kind: 'Deployment' };
  expect(newInvalid(kind, 'x', [one, one]).message).toBe(
    'Deployment.apps "x" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  );
  const both = newInvalid(kind, 'x', [one, required(root('spec').child('selector'))]);
  expect(both.message).toBe(
    'Deployment.apps "x" is invalid: [spec.replicas: Invalid value: -1: must be greater than or equal to 0, spec.selector: Required value]',
  );
  expect(both.status.details?.causes?.[1]).toEqual({ reason: 'FieldValueRequired', message: 'Required value', field: 'spec.selector' });
});

test.each([
  [duplicate(root('spec').child('ports').index(0).child('name'), 'a'), 'spec.ports[0].name: Duplicate value: "a"'],
  [notSupported(root('p'), 'X', ['b', 'a']), 'p: Unsupported value: "X": supported values: "a", "b"'],
  [tooLong(root('data').key('k'), 1), 'data[k]: Too long: may not be more than 1 byte'],
  [tooMany(root('x'), 3, 2), 'x: Too many: 3: must have at most 2 items'],
  [invalid(root('x'), { a: '<b>' }, 'bad'), 'x: Invalid value: {"a":"\\u003cb\\u003e"}: bad'],
])('%#', (error, text) => {
  expect(errorText(error)).toBe(text);
});

test('quotes as Go does', () => {
  expect(goQuote('a"b\\\n\u0001\u00a0ü')).toBe('"a\\"b\\\\\\n\\x01\\u00a0ü"');
});
