import { expect, it } from 'vitest';
import { root } from './field-errors.ts';
import { validateFullyQualifiedName } from './fully-qualified-name.ts';

const detailsOf = (name: string) => validateFullyQualifiedName(name, root('name')).map(({ detail }) => detail);

it('says all that is wrong with a name in one fault', () => {
  const [fault, ...others] = detailsOf(`${'A'.repeat(254)}.b.c`);
  expect(others).toEqual([]);
  expect(fault).toMatch(/^must be no more than 253 (characters|bytes),a lowercase RFC 1123 subdomain must consist of/);
});

it('wants three segments', () => {
  expect(detailsOf('a.b')).toEqual(['should be a domain with at least three segments separated by dots']);
  expect(detailsOf('a.b.c')).toEqual([]);
});
