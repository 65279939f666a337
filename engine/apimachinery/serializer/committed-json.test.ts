import { expect, it } from 'vitest';
import { CommittedJson } from './committed-json.ts';

it('encodes what was committed last once, whoever asks, and everything else anew', () => {
  let looks = 0;
  const counted = (name: string): object => ({
    get name() {
      looks++;
      return name;
    },
  });
  const json = new CommittedJson();
  const [a, b] = [counted('a'), counted('b')];
  const first = json.remember(a);
  const looksOnce = looks;
  expect([json.of(a), json.remember(a), first]).toEqual(Array.from({ length: 3 }, () => '{"name":"a"}'));
  expect(looks).toBe(looksOnce);
  expect([json.of(b), json.of(b), json.of(null)]).toEqual(['{"name":"b"}', '{"name":"b"}', 'null']);
  expect(looks).toBe(looksOnce * 3);
  json.remember(b);
  expect([json.of(a), json.of(b)]).toEqual(['{"name":"a"}', '{"name":"b"}']);
});
