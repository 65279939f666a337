import { describe, expect, it } from 'vitest';
import { createTokenFileAuthenticator } from './token-file.ts';

const nobody = (): never => {
  throw new Error('nobody is asked');
};

describe('a file of tokens', () => {
  const text = 'abc,jane,1,"dev,ops"\r\n\n"d""e",joe,\nghi,"a,b",3,\n';
  const known = createTokenFileAuthenticator(text, 'f', ['api']);

  it.each([
    ['abc', { name: 'jane', uid: '1', groups: ['dev', 'ops'] }],
    ['d"e', { name: 'joe', groups: [] }],
    ['ghi', { name: 'a,b', uid: '3', groups: [''] }],
  ])('knows %s', (token, identity) => {
    expect(known(token, undefined, nobody)).toEqual({ identity, audiences: ['api'] });
  });

  it('knows no others, and none for another audience', () => {
    expect(known('abd', undefined, nobody)).toBeUndefined();
    expect(known('', undefined, nobody)).toBeUndefined();
    expect(known('abc', ['other'], nobody)).toBeUndefined();
    expect(known('abc', ['other', 'api'], nobody)).toMatchObject({ audiences: ['api'] });
  });

  it.each([
    ['abc,jane', "token file 'f' must have at least 3 columns (token, user name, user uid), found 2"],
    ['a"b,jane,1', 'parse error on line 1, column 2: bare " in non-quoted-field'],
    ['"abc', 'parse error on line 1, column 5: extraneous or missing " in quoted-field'],
  ])('%s is refused', (bad, why) => {
    expect(() => createTokenFileAuthenticator(bad, 'f', [])).toThrow(why);
  });
});
