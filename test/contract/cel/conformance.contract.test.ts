/** Cases of CEL's own conformance data are answered as the CEL of Kubernetes answers them. */
import { expect, it } from 'vitest';
import { answer, type ConformanceFacts, type Said } from './conformance.ts';
import facts from './conformance.json' with { type: 'json' };

const { cases, skipped } = facts as ConformanceFacts;

/** Where we differ, by why. */
const differing: readonly (readonly [why: string, isOne: (said: Said) => boolean])[] = [
  ['messages of protobuf that every CEL knows cannot be written down', ({ expression }) => /google\.protobuf\.\w+\s*\{/.test(expression)],
  ['variables have no types of such messages', ({ variables = {} }) => Object.values(variables).some(({ type }) => type.includes('wrapper('))],
  ['a key of a wrong type ends what `||` and `&&` would pass over', ({ name }) => /map_bad_key_type_(?:or_true|and_false)$/.test(name)],
];

/** Cases that only ask for a type, and constants that cannot be made, have less to say. */
function wanted({ type, value, fault, error }: Said, isInstantiation: boolean): object {
  return { ...(type !== undefined && !isInstantiation && { type }), ...(value && { value }), ...(fault && { fault }), ...(error && { error }) };
}

function said(one: Said): { readonly got: object; readonly want: object } {
  const { type, ...got } = answer(one);
  if (one.value === undefined && one.error === undefined && one.type !== undefined) return { got: { type }, want: { type: one.type } };
  return { got: { ...(type !== undefined && { type }), ...got }, want: wanted(one, type === undefined && got.error !== undefined) };
}

const isExcepted = (one: Said): boolean => differing.some(([, isOne]) => isOne(one));

it.each(cases.filter((one) => !isExcepted(one)).map((one) => [one.name, one] as const))('%s', (_, one) => {
  const { got, want } = said(one);
  expect(got).toEqual(want);
});

it('differs in nothing that is not named', () => {
  const equal = cases.filter((one) => {
    const { got, want } = said(one);
    return JSON.stringify(got) === JSON.stringify(want);
  });
  const skippedCount = Object.values(skipped).flat().length;
  expect({ all: cases.length + skippedCount, asked: cases.length, equal: equal.length }).toEqual({ all: 2344, asked: 1749, equal: 1655 });
  expect(differing.map(([, isOne]) => cases.filter(isOne).length)).toEqual([83, 9, 2]);
});
