/** Reviews: what they ask and what they refuse. */
import { describe, expect, it } from 'vitest';
import type { AccessOracle } from '../../../contracts/access.ts';
import { errorBody } from '../../../apimachinery/field-errors.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { attributeFaults, metadataFaults, reviewStatus, subjectFaults } from './access-review.ts';

const access: AccessOracle = {
  authorize: (identity, { resource, verb }) => ({ allowed: identity.name === 'ann' && resource === 'pods' && verb === 'get', reason: 'because' }),
  rulesOf: () => [],
  knownToken: () => ({ error: 'invalid bearer token' }),
};
const context = { access } as unknown as StrategyContext;

describe('access reviews', () => {
  it.each([
    ['ann', 'get', true],
    ['ann', 'delete', false],
    ['bob', 'get', false],
  ])('%s %s', (name, verb, allowed) => {
    expect(reviewStatus({ name, groups: [] }, { resourceAttributes: { verb, resource: 'pods' } }, context)).toEqual({ allowed, reason: 'because' });
  });

  it('wants exactly one question, a subject and no metadata', () => {
    expect(attributeFaults({}).map(errorBody)).toEqual([
      'Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
    ]);
    expect(attributeFaults({ resourceAttributes: {}, nonResourceAttributes: { path: '/x' } })).toHaveLength(1);
    expect(subjectFaults({}).map(errorBody)).toEqual(['Invalid value: "": at least one of user or group must be specified']);
    expect(metadataFaults({ name: 'x' }, undefined)).toHaveLength(1);
    expect(metadataFaults({ namespace: 'x' }, 'namespace')).toEqual([]);
  });
});
