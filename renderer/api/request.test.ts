import { expect, it } from 'vitest';
import { answerIn, ApiError, messageOf, UnansweredError } from './request.ts';

const forbidden = (message: string): string => messageOf(new ApiError(403, 'Forbidden', message));

it('who may not is told to ask for a role, and nobody else whom something is forbidden', () => {
  expect(forbidden('pods "a" is forbidden: User "jane" cannot delete resource "pods" in API group "" in the namespace "shop"')).toMatch(
    /Ask for a role that allows it\.$/,
  );
  for (const message of [
    'jobs.batch "a" is forbidden: exceeded quota: few, requested: count/jobs.batch=1, used: count/jobs.batch=0, limited: count/jobs.batch=0',
    "deployments.apps \"web\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'p' denied request: no changes on Fridays",
    'admission webhook "guard.example.com" denied the request: no',
  ])
    expect(forbidden(message)).toBe(message);
});

it('a write that nobody answered is not said to be tried again', () => {
  expect(messageOf(new TypeError('Failed to fetch'))).toContain('The page tries again by itself');
  expect(messageOf(new UnansweredError('Failed to fetch'))).toContain('it is not tried again by itself');
});

it('lists and Tables of nothing are empty, however Go writes them, and nothing else is touched', () => {
  expect(answerIn('{"kind":"Table","columnDefinitions":null,"rows":null}')).toEqual({ kind: 'Table', columnDefinitions: [], rows: [] });
  expect(answerIn('{"kind":"PartialObjectMetadataList","items":null}')).toEqual({ kind: 'PartialObjectMetadataList', items: [] });
  expect(answerIn('{"kind":"PodList","items":[{"a":1}]}')).toEqual({ kind: 'PodList', items: [{ a: 1 }] });
  expect(answerIn('{"kind":"Odd","items":null}')).toEqual({ kind: 'Odd', items: null });
  expect(answerIn('null')).toBeNull();
});
