import { expect, test } from 'vitest';
import { errorBody, invalid, root } from '../../../apimachinery/field-errors.ts';
import { retoldFaults } from './faults.ts';

/** What 1.13 says of owners (kind, name) that all control, where the present says it of the first and one more. */
function wordsOf(...owners: readonly (readonly [kind: string, name: string])[]): readonly string[] {
  const references = owners.map(([kind, name]) => ({ apiVersion: 'v1', kind, name, uid: 'u', controller: true }));
  const [first = '', ...others] = owners.map((owner) => owner.join('/'));
  const found = others.map((other) =>
    invalid(
      root('metadata', 'ownerReferences'),
      references,
      `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${other}`,
    ),
  );
  const faults = retoldFaults(
    'ConfigMap',
    found.map((fault) => ({ field: fault.field, text: errorBody(fault) })),
    () => false,
  );
  return faults.map(({ text }) => text.replace(/^.*Found "true" in /s, ''));
}

// Asked of a real 1.13.12; the values that it shows hold pointers, so no recorded story can.
test.each([
  {
    name: 'a kind that begins with a slash',
    owners: [
      ['A', 'a'],
      ['/abs', 'b'],
    ],
    want: ['references for a and b'],
  },
  {
    name: 'the first of such a kind',
    owners: [
      ['/abs', 'a'],
      ['B', 'b'],
    ],
    want: ['references for a and b'],
  },
  {
    name: 'slashes in kinds and names',
    owners: [
      ['x/y', 'a/c'],
      ['/z', 'b/d'],
    ],
    want: ['references for a/c and b/d'],
  },
  {
    name: 'a name that reads like two',
    owners: [
      ['k', 'a and b/c'],
      ['l', 'c'],
    ],
    want: ['references for a and b/c and c'],
  },
  {
    name: 'a second without a name',
    owners: [
      ['x', 'a'],
      ['z', ''],
      ['/z', 'b'],
    ],
    want: ['references for a and ', 'references for a and b'],
  },
] as const)('owners are told by their names: $name', ({ owners, want }) => {
  expect(wordsOf(...owners)).toEqual(want);
});
