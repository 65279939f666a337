/** Patches of webhooks are bytes, as Go reads them; what a real 1.36.3 said of one that is no base64. */
import { expect, it } from 'vitest';
import type { JsonValue } from '../../../base/json.ts';
import { reviewIn } from './replies.ts';
import { readAnswer } from './review.ts';

const reviewOf = (patch: JsonValue): string =>
  JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid: 'u', allowed: true, patch, patchType: 'JSONPatch' },
  });

it.each([
  ['!!!', 'illegal base64 data at input byte 0'],
  ['W10', 'illegal base64 data at input byte 0'],
  [7, 'json: cannot unmarshal number into Go struct field AdmissionResponse.response.patch of type []uint8'],
  [[300], 'json: cannot unmarshal number 300 into Go struct field AdmissionResponse.response.patch of type uint8'],
] as const)('a patch that is %j is a fault of the answer, also of one that allows', (patch, fault) => {
  expect(reviewIn(reviewOf(patch), 'v1')).toBe(fault);
});

it.each([['W10='], ['W1\n0='], [[91, 93]]] as const)('a patch may be %j', (patch) => {
  const review = reviewIn(reviewOf(patch), 'v1');
  if (typeof review === 'string') throw new Error(review);
  expect(readAnswer(review, 'u', 'v1', true)).toMatchObject({ patch: 'W10=' });
});
