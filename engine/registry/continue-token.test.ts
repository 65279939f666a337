/** Continue tokens that no list has given: what a real 1.36.3 said to each. */
import { expect, it } from 'vitest';
import { decodeContinue, encodeContinue } from './continue-token.ts';

const token = (text: string): string => Buffer.from(text, 'latin1').toString('base64url');

it.each([
  ['nonsense', String.raw`invalid character '\u009e' looking for beginning of value`],
  [token('\xff\xfe'), "invalid character 'ÿ' looking for beginning of value"],
  [token('{"v":1}'), 'json: cannot unmarshal number into Go struct field continueToken.v of type string'],
  [token('{"rv":"1"}'), 'json: cannot unmarshal string into Go struct field continueToken.rv of type int64'],
  [token('{"v":"meta.k8s.io/v1","rv":1.5}'), 'json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64'],
  [token('[1]'), 'json: cannot unmarshal array into Go value of type storage.continueToken'],
  [token('{"v":"meta.k8s.io/v1","rv":5}'), 'encoded start key empty (version meta.k8s.io/v1)'],
])('%s is none', (given, why) => {
  expect(() => decodeContinue(given, '/registry/')).toThrow(`invalid continue token: continue key is not valid: ${why}`);
});

it('goes on behind the last key, whatever case its fields have', () => {
  expect(decodeContinue(encodeContinue('/registry/a', '/registry/', 7), '/registry/')).toEqual({ startKey: '/registry/a\0', revision: 7 });
  expect(decodeContinue(token('{"V":"meta.k8s.io/v1","RV":1,"Start":"a"}'), '/registry/')).toEqual({ startKey: '/registry/a', revision: 1 });
});
