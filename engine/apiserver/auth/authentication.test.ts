import { describe, expect, it } from 'vitest';
import { StatusError } from '../../apimachinery/status.ts';
import type { PeerSubject } from '../../contracts/credentials.ts';
import type { HttpRequest } from '../http-types.ts';
import type { AnonymousPolicy } from './authentication.ts';
import { authenticate, type Credentials } from './authenticator.ts';
import { checkBootstrapToken } from './bootstrap-tokens.ts';

const trust = {
  roots: new Set(['proxy-ca']),
  allowedNames: ['front'],
  userHeaders: ['x-remote-user', 'x-user'],
  uidHeaders: ['x-remote-uid'],
  groupHeaders: ['x-remote-group'],
  extraPrefixes: ['x-remote-extra-'],
};
const front: PeerSubject = { commonName: 'front', organizations: [], authority: 'proxy-ca' };

function identityOf(
  credentials: Partial<Credentials>,
  anonymous: AnonymousPolicy = { isEnabled: true },
  certificatesHaveUids = true,
): object | number {
  const given = { peer: undefined, authorization: undefined, headers: {}, path: '/api', ...credentials };
  try {
    return authenticate(given, { tokens: [], anonymous, requestHeader: trust, certificatesHaveUids }, () => ({ outcome: 'timedOut' }));
  } catch (error) {
    if (error instanceof StatusError) return error.status.code ?? 0;
    throw error;
  }
}

describe('a proxy that says for whom it asks', () => {
  const headers: HttpRequest['headers'] = {
    'x-remote-user': 'jane',
    'x-remote-uid': '7',
    'x-remote-group': ['a', 'b'],
    'x-remote-extra-acme.com%2fscope': 'read',
  };

  it('is believed', () => {
    expect(identityOf({ peer: front, headers })).toEqual({
      name: 'jane',
      uid: '7',
      groups: ['a', 'b', 'system:authenticated'],
      extra: { 'acme.com/scope': ['read'] },
    });
  });

  it('may speak for the anonymous, who are not authenticated for it', () => {
    const given = (groups: string[]) => identityOf({ peer: front, headers: { 'x-remote-user': 'system:anonymous', 'x-remote-group': groups } });
    expect(given([])).toEqual({ name: 'system:anonymous', groups: [] });
    const unauthenticated = identityOf({ peer: front, headers: { 'x-remote-user': 'j', 'x-remote-group': 'system:unauthenticated' } });
    expect(unauthenticated).toEqual({ name: 'j', groups: ['system:unauthenticated'] });
  });

  it('names one user and one group by each header, whatever commas are in it', () => {
    const given = { 'x-remote-user': ['jane, joe', 'jim'], 'x-remote-group': ['a, system:masters', 'b'] };
    expect(identityOf({ peer: front, headers: given })).toEqual({ name: 'jane, joe', groups: ['a, system:masters', 'b', 'system:authenticated'] });
  });

  it.each([
    ['with another name', { ...front, commonName: 'other' }, headers, 401],
    ['that names nobody', front, {}, 401],
    ['that another authority vouches for, and that has no name', { ...front, commonName: '', authority: 'client-ca' }, headers, 401],
    ['that names nobody, and whose certificate is no user', { ...front, organizations: ['system:masters'] }, { 'x-remote-group': 'a' }, 401],
  ] as const)('is not %s', (_what, peer, given, code) => {
    expect(identityOf({ peer, headers: given })).toBe(code);
  });

  it('is nobody without its certificate', () => {
    expect(identityOf({ headers })).toMatchObject({ name: 'system:anonymous' });
    expect(identityOf({ headers, peer: { commonName: 'bob', organizations: [], authority: 'our-ca' } })).toMatchObject({ name: 'bob' });
  });
});

it.each<[string, readonly string[], boolean, object | number]>([
  ['with the gate on is the uid', ['42'], true, { name: 'bob', uid: '42', groups: ['system:authenticated'] }],
  ['with the gate on must be one', ['42', '43'], true, 401],
  ['with the gate on must say something', [''], true, 401],
  ['with the gate off is nothing', ['42'], false, { name: 'bob', groups: ['system:authenticated'] }],
  ['with the gate off may be any', ['42', '', '43'], false, { name: 'bob', groups: ['system:authenticated'] }],
])('AllowParsingUserUIDFromCertAuth: what a certificate says of uids %s', (_what, uids, isOn, want) => {
  expect(identityOf({ peer: { commonName: 'bob', organizations: [], uids } }, { isEnabled: true }, isOn)).toEqual(want);
});

it.each([
  ['is known with its fingerprint', true, { extra: { 'authentication.kubernetes.io/credential-id': ['X509SHA256=ab'] } }],
  ['is not told apart from another one, as before 1.32', false, {}],
])('a certificate %s', (_what, namesCertificates, more) => {
  const credentials = { peer: { commonName: 'bob', organizations: [], fingerprint: 'ab' }, authorization: undefined, headers: {}, path: '/' };
  const authentication = { tokens: [], anonymous: { isEnabled: false }, requestHeader: undefined, certificatesHaveUids: false, namesCertificates };
  const identity = authenticate(credentials, authentication, () => ({ outcome: 'timedOut' }));
  expect(identity).toEqual({ name: 'bob', groups: ['system:authenticated'], ...more });
});

describe('nobody in particular', () => {
  it('may ask about some paths, about none, or all', () => {
    expect(identityOf({ path: '/healthz' }, { isEnabled: true, paths: ['/healthz'] })).toMatchObject({ name: 'system:anonymous' });
    expect(identityOf({ path: '/healthz/etcd' }, { isEnabled: true, paths: ['/healthz'] })).toBe(401);
    expect(identityOf({}, { isEnabled: false })).toBe(401);
  });
});

describe('a bootstrap token', () => {
  const encoded = (text: string): string => Buffer.from(text).toString('base64');
  const secret = (data: object = {}, more: object = {}): object => ({
    metadata: { name: 'bootstrap-token-abcdef' },
    type: 'bootstrap.kubernetes.io/token',
    data: Object.fromEntries(
      Object.entries({ 'token-id': 'abcdef', 'token-secret': '0123456789abcdef', 'usage-bootstrap-authentication': 'true', ...data }).map(
        ([key, value]) => [key, encoded(String(value))],
      ),
    ),
    ...more,
  });
  const check = (found: object | undefined, token = 'abcdef.0123456789abcdef'): unknown =>
    checkBootstrapToken(token, undefined, { nowMs: Date.parse('2026-01-01T00:00:00Z'), apiAudiences: ['api'], lookup: () => found as never });

  it('is good while its Secret says so', () => {
    expect(check(secret({ 'auth-extra-groups': 'system:bootstrappers:b,system:bootstrappers:a', expiration: '2026-01-01T00:00:01Z' }))).toEqual({
      identity: { name: 'system:bootstrap:abcdef', groups: ['system:bootstrappers', 'system:bootstrappers:a', 'system:bootstrappers:b'] },
      audiences: ['api'],
    });
  });

  it.each([
    ['without a Secret', undefined],
    ['that is over', secret({ expiration: '2026-01-01T00:00:00Z' })],
    ['whose time is none', secret({ expiration: 'soon' })],
    ['with another secret', secret({ 'token-secret': 'x' })],
    ['for other uses', secret({ 'usage-bootstrap-authentication': 'True' })],
    ['with a group of others', secret({ 'auth-extra-groups': 'system:masters' })],
    ['of another type', secret({}, { type: 'Opaque' })],
    ['that goes', secret({}, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })],
  ])('is none %s', (_what, found) => {
    expect(check(found)).toBeUndefined();
  });
});
