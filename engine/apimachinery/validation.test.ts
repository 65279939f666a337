import { expect, test } from 'vitest';
import { errorText, root } from './field-errors.ts';
import {
  formatCIDR,
  formatIP,
  isDNS1123Label,
  isQualifiedName,
  isValidIP,
  isValidPortName,
  parseCIDR,
  parseIP,
  validateImmutableField,
  validateLabelSelector,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from './validation.ts';

test('metadata of a new object', () => {
  const ok = { name: 'web-1', namespace: 'default', labels: { 'app.kubernetes.io/name': 'web' }, finalizers: ['example.com/hold'] };
  expect(validateObjectMeta(ok, true, 'dns1123subdomain', ['metadata'])).toEqual([]);
  const bad = { name: 'Web', namespace: '', labels: { 'a/b/c': 'x y' }, ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: '', uid: 'u' }] };
  expect(validateObjectMeta(bad, true, 'dns1123label', ['metadata']).map(errorText)).toEqual([
    "metadata.name: Invalid value: \"Web\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    'metadata.namespace: Required value',
    expect.stringMatching(/^metadata\.labels: Invalid value: "a\/b\/c": a valid label key must consist of/),
    expect.stringMatching(/^metadata\.labels: Invalid value: "x y": a valid label must be an empty string/),
    'metadata.ownerReferences.name: Invalid value: "": must not be empty',
  ]);
  expect(validateObjectMeta({ generateName: 'web-', name: 'web-x' }, false, 'dns1123label', ['metadata'])).toEqual([]);
});

test('annotations have a size limit', () => {
  const meta = { name: 'x', annotations: { a: 'y'.repeat(256 * 1024) } };
  expect(validateObjectMeta(meta, false, 'none', ['metadata']).map(errorText)).toEqual([
    'metadata.annotations: Too long: may not be more than 262144 bytes',
  ]);
});

test('metadata of an update', () => {
  const old = { name: 'x', uid: '1', resourceVersion: '5', deletionTimestamp: '2026-01-01T00:00:00Z', generation: 2 };
  expect(validateObjectMetaUpdate({ ...old, uid: '2', generation: 1, finalizers: ['b', 'a'] }, old).map(errorText)).toEqual([
    'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a", "b"}',
    'metadata.generation: Invalid value: 1: must not be decremented',
    'metadata.uid: Invalid value: "2": field is immutable',
  ]);
});

test('selectors in specs', () => {
  const selector = {
    matchExpressions: [
      { key: 'a', operator: 'In' },
      { key: 'b', operator: 'Exists', values: ['x'] },
      { key: 'c', operator: 'Is' },
    ],
  };
  expect(validateLabelSelector(selector, root('spec', 'selector')).map(errorText)).toEqual([
    "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    "spec.selector.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    'spec.selector.matchExpressions[2].operator: Invalid value: "Is": not a valid selector operator',
  ]);
});

test('names and ports', () => {
  expect(isDNS1123Label('a.b')).toEqual(['must not contain dots']);
  expect(isQualifiedName('/a')).toEqual(['prefix part must be non-empty']);
  expect(isValidPortName('80--')).toEqual([
    'must contain at least one letter (a-z)',
    'must not contain consecutive hyphens',
    'must not begin or end with a hyphen',
  ]);
});

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['::', '::'],
  ['1::', '1::'],
])('address %s reads %s', (text, canonical) => {
  expect(formatIP(parseIP(text)?.bytes ?? [])).toBe(canonical);
});

test('addresses and networks', () => {
  for (const text of ['1.2.3', '1:2', '1.2.3.256', ':::', 'x', '1.2.3.4%eth0']) expect(parseIP(text)).toBeUndefined();
  const cidr = parseCIDR('10.1.2.3/16');
  expect(cidr && formatCIDR(cidr)).toBe('10.1.0.0/16');
  expect(isValidIP(root('ip'), '01.2.3.4').map(errorText)).toEqual(['ip: Invalid value: "01.2.3.4": must not have leading 0s']);
});

test('what is immutable may be told in other amounts of the same, but what users name may not', () => {
  const claim = (memory: string) => ({ devices: { requests: [{ exactly: { capacity: { requests: { memory } } } }] } });
  expect(validateImmutableField(claim('1.125'), claim('1125m'), root('spec'))).toEqual([]);
  expect(validateImmutableField(claim('1.125'), claim('1126m'), root('spec'))).toHaveLength(1);
  const parameters = (text: string) => ({ opaque: { parameters: { limits: { a: text } } } });
  expect(validateImmutableField(parameters('1.0'), parameters('1'), root('spec'))).toHaveLength(1);
});
