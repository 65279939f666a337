import { describe, expect, it } from 'vitest';
import type { PeerSubject } from '../../contracts/credentials.ts';
import { makeWire } from '../testing/wire.ts';
import { authenticate, type Authentication } from './authenticator.ts';
import { createPasswordAuthenticator } from './password-file.ts';

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
const nobody = (): never => {
  throw new Error('nobody is asked');
};

const passwords = createPasswordAuthenticator('old,jane,0\nse:cret,jane,1,"dev,ops"\n,joe,\n', 'f');
const authentication: Authentication = {
  tokens: [],
  anonymous: { isEnabled: true },
  requestHeader: undefined,
  certificatesHaveUids: false,
  passwords,
};
const holder: PeerSubject = { commonName: 'ada', organizations: ['dev'] };

function nameOf(authorization: string | undefined, peer?: PeerSubject): string {
  return authenticate({ peer, authorization, headers: {}, path: '/' }, authentication, nobody).name;
}

describe('a file of passwords', () => {
  it('knows who has one, and the groups', () => {
    expect(authenticate({ peer: undefined, authorization: basic('jane:se:cret'), headers: {}, path: '/' }, authentication, nobody)).toEqual({
      name: 'jane',
      uid: '1',
      groups: ['dev', 'ops', 'system:authenticated'],
    });
    expect(nameOf(basic('joe:'))).toBe('joe');
    expect(nameOf(basic('joe:').replace('Basic', 'bASIC'))).toBe('joe');
  });

  it.each([basic('jane:old'), basic('jane:'), basic('ann:x'), basic(':'), basic('\ufeffjoe:')])('refuses %s', (authorization) => {
    expect(() => nameOf(authorization)).toThrow('Unauthorized');
  });

  it.each([undefined, 'Basic', 'Basic !!', 'Basic amFuZQ', basic('jane')])('takes %s for no password', (authorization) => {
    expect(nameOf(authorization)).toBe('system:anonymous');
  });

  it('counts before a certificate, which counts before a wrong one', () => {
    expect(nameOf(basic('joe:'), holder)).toBe('joe');
    expect(nameOf(basic('joe:no'), holder)).toBe('ada');
  });

  it('is what one who is not believed is asked for', () => {
    const wire = makeWire({ authentication });
    expect(wire.send('GET', '/version', '', { authorization: basic('jane:no') })).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Basic realm="kubernetes-master"' },
    });
    const without = makeWire({ authentication: { ...authentication, passwords: undefined, anonymous: { isEnabled: false } } });
    expect(without.send('GET', '/version', '', { authorization: basic('jane:no') }).headers).not.toHaveProperty('www-authenticate');
  });

  it('is refused with too few columns', () => {
    expect(() => createPasswordAuthenticator('a,b', 'f')).toThrow(
      "password file 'f' must have at least 3 columns (password, user name, user uid), found 2",
    );
  });
});
