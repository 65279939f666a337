import { expect, it } from 'vitest';
import type { Status } from '../apimachinery/status.ts';
import { reworded } from './wording.ts';

const status = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  code: 422,
  message: 'x is invalid: a: must be less than or equal to cpu limit of 1',
  details: { name: 'x', causes: [{ field: 'a', reason: 'FieldValueInvalid', message: 'must be less than or equal to cpu limit of 1' }] },
} as unknown as Status;

it('says message and causes in other words, and nothing else', () => {
  const said = reworded(status, [[/(equal to \S+ limit) of [^,\]]+/g, '$1']]);
  expect(said).toEqual({
    ...status,
    message: 'x is invalid: a: must be less than or equal to cpu limit',
    details: { name: 'x', causes: [{ field: 'a', reason: 'FieldValueInvalid', message: 'must be less than or equal to cpu limit' }] },
  });
});

it('leaves a status alone that has nothing to say otherwise', () => {
  expect(reworded(status, [])).toBe(status);
});
