/** Who may ask as whom, and who they then are. */
import { describe, expect, it } from 'vitest';
import type { Identity } from '../../contracts/request.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { Authorizer } from '../authorizer.ts';
import type { HttpRequest } from '../http-types.ts';
import { LastModes } from './constrained-impersonation.ts';
import { impersonated, NobodyImpersonated } from './impersonation.ts';

const identity: Identity = { name: 'ann', groups: ['system:authenticated'] };
const everyone: Authorizer = { authorize: () => ({ allowed: true, reason: '' }) };
const usersOnly: Authorizer = { authorize: (_identity, { resource }) => ({ allowed: resource === 'users', reason: '' }) };

const cases: readonly [name: string, headers: HttpRequest['headers'], want: Identity][] = [
  ['nobody else', {}, identity],
  ['a user', { 'impersonate-user': 'bob' }, { name: 'bob', groups: ['system:authenticated'] }],
  ['groups', { 'impersonate-user': 'bob', 'impersonate-group': ['a', 'b'] }, { name: 'bob', groups: ['a', 'b', 'system:authenticated'] }],
  [
    'names with commas',
    { 'impersonate-user': 'jane, joe', 'impersonate-group': 'a, b' },
    { name: 'jane, joe', groups: ['a, b', 'system:authenticated'] },
  ],
  ['anonymous', { 'impersonate-user': 'system:anonymous' }, { name: 'system:anonymous', groups: ['system:unauthenticated'] }],
  [
    'anonymous who says more',
    { 'impersonate-user': 'system:anonymous', 'impersonate-group': 'system:authenticated' },
    { name: 'system:anonymous', groups: ['system:authenticated', 'system:unauthenticated'] },
  ],
  [
    'a service account',
    { 'impersonate-user': 'system:serviceaccount:x:y' },
    { name: 'system:serviceaccount:x:y', groups: ['system:serviceaccounts', 'system:serviceaccounts:x', 'system:authenticated'] },
  ],
  [
    'a service account with other groups',
    { 'impersonate-user': 'system:serviceaccount:x:y', 'impersonate-group': 'z' },
    { name: 'system:serviceaccount:x:y', groups: ['z', 'system:authenticated'] },
  ],
  [
    'uid and extra',
    { 'impersonate-user': 'bob', 'impersonate-uid': '5', 'impersonate-extra-a%2fb': 'c' },
    { name: 'bob', uid: '5', groups: ['system:authenticated'], extra: { 'a/b': ['c'] } },
  ],
];

const nobodyAsked = (): never => {
  throw new Error('nobody is asked');
};

describe('impersonation', () => {
  it.each(cases)('%s', (_name, headers, want) => {
    expect(impersonated({ headers, identity }, everyone, nobodyAsked)?.identity ?? identity).toEqual(want);
  });

  it.each([
    [
      'the group may not be had',
      { 'impersonate-user': 'bob', 'impersonate-group': 'g' },
      'groups "g" is forbidden: User "ann" cannot impersonate resource "groups" in API group "" at the cluster scope',
    ],
    [
      'the account may not be had',
      { 'impersonate-user': 'system:serviceaccount:x:y' },
      'serviceaccounts "y" is forbidden: User "ann" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "x"',
    ],
    [
      'no user',
      { 'impersonate-group': 'g' },
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string(nil)} without impersonating a user name',
    ],
  ])('%s', (_name, headers, want) => {
    expect(() => impersonated({ headers: headers as HttpRequest['headers'], identity }, usersOnly, nobodyAsked)).toThrow(StatusError);
    expect(() => impersonated({ headers: headers as HttpRequest['headers'], identity }, usersOnly, nobodyAsked)).toThrow(want);
  });
});

describe('impersonation for one verb', () => {
  const asked = { verb: 'list', isResource: true, path: '', group: '', version: 'v1', resource: 'pods', subresource: '', namespace: '', name: '' };
  const account: Identity = {
    name: 'system:serviceaccount:a:default',
    groups: ['system:authenticated'],
    extra: { 'authentication.kubernetes.io/node-name': ['n'], 'authentication.kubernetes.io/pod-name': ['p'] },
  };
  /** `verb resource name` is what may be done. */
  const allowing = (...rules: readonly string[]): Authorizer => ({
    authorize: (_identity, { verb, resource, name }) => ({ allowed: rules.includes(`${verb} ${resource} ${name}`.trim()), reason: '' }),
  });
  const userInfo = ['impersonate-on:user-info:list pods', 'impersonate:user-info users bob'];

  it.each([
    ['another user', { 'impersonate-user': 'bob' }, userInfo, { name: 'bob', groups: ['system:authenticated'] }, 'impersonate:user-info'],
    [
      'any node',
      { 'impersonate-user': 'system:node:m' },
      ['impersonate-on:arbitrary-node:list pods', 'impersonate:arbitrary-node nodes m'],
      { name: 'system:node:m', groups: ['system:nodes', 'system:authenticated'] },
      'impersonate:arbitrary-node',
    ],
    [
      'its own node',
      { 'impersonate-user': 'system:node:n' },
      ['impersonate-on:associated-node:list pods', 'impersonate:associated-node nodes *'],
      { name: 'system:node:n', groups: ['system:nodes', 'system:authenticated'] },
      'impersonate:associated-node',
    ],
    [
      'an account',
      { 'impersonate-user': 'system:serviceaccount:x:y' },
      ['impersonate-on:serviceaccount:list pods', 'impersonate:serviceaccount serviceaccounts y'],
      { name: 'system:serviceaccount:x:y', groups: ['system:serviceaccounts', 'system:serviceaccounts:x', 'system:authenticated'] },
      'impersonate:serviceaccount',
    ],
    [
      'four groups at once',
      { 'impersonate-user': 'bob', 'impersonate-group': ['a', 'b', 'c', 'd'] },
      [...userInfo, 'impersonate:user-info groups *'],
      { name: 'bob', groups: ['a', 'b', 'c', 'd', 'system:authenticated'] },
      'impersonate:user-info',
    ],
    ['everything, as of old', { 'impersonate-user': 'bob' }, ['impersonate users bob'], { name: 'bob', groups: ['system:authenticated'] }, ''],
  ] as const)('is of %s', (_what, headers, rules, want, constraint) => {
    const known = impersonated({ headers, identity: account }, allowing(...rules), nobodyAsked, { asked, last: new LastModes() });
    expect(known).toEqual({ identity: want, constraint });
  });

  const who = 'User "system:serviceaccount:a:default"';
  it.each([
    [
      { 'impersonate-user': 'bob' },
      [],
      `pods is forbidden: ${who} cannot impersonate-on:user-info:list resource "pods" in API group "" at the cluster scope`,
    ],
    [
      { 'impersonate-user': 'system:node:m' },
      [],
      `pods is forbidden: ${who} cannot impersonate-on:arbitrary-node:list resource "pods" in API group "" at the cluster scope`,
    ],
    [
      { 'impersonate-user': 'bob' },
      ['impersonate-on:user-info:list pods'],
      `users.authentication.k8s.io "bob" is forbidden: ${who} cannot impersonate:user-info resource "users" in API group "authentication.k8s.io" at the cluster scope`,
    ],
    [
      { 'impersonate-user': 'bob', 'impersonate-group': 'system:masters' },
      userInfo,
      `groups.authentication.k8s.io "system:masters" is forbidden: ${who} cannot impersonate:user-info resource "groups" in API group "authentication.k8s.io" at the cluster scope: impersonating the system:masters group is not allowed`,
    ],
    [
      { 'impersonate-user': 'system:node:m', 'impersonate-group': 'g' },
      [],
      `users "system:node:m" is forbidden: ${who} cannot impersonate resource "users" in API group "" at the cluster scope`,
    ],
  ] as const)('%j with %j is refused as the real server does', (headers, rules, why) => {
    expect(() => impersonated({ headers, identity: account }, allowing(...rules), nobodyAsked, { asked, last: new LastModes() })).toThrow(why);
  });

  describe('the way by which a caller came last', () => {
    const ofOld = allowing('impersonate users bob', 'impersonate users system:node:m');
    const both: Authorizer = {
      authorize: (who, attributes, ask) => ({
        allowed: attributes.verb.includes('arbitrary-node') || ofOld.authorize(who, attributes, ask).allowed,
        reason: '',
      }),
    };
    const by = (last: LastModes, name: string) =>
      impersonated({ headers: { 'impersonate-user': name }, identity }, both, nobodyAsked, { asked, last });

    it('is tried first', () => {
      const last = new LastModes();
      expect(by(last, 'system:node:m')?.constraint).toBe('impersonate:arbitrary-node');
      expect(by(last, 'bob')).toEqual({ identity: { name: 'bob', groups: ['system:authenticated'] }, constraint: '' });
      expect(by(last, 'system:node:m')).toEqual({ identity: { name: 'system:node:m', groups: ['system:authenticated'] }, constraint: '' });
    });

    it('tells why it is closed', () => {
      const last = new LastModes();
      by(last, 'bob');
      expect(() => by(last, 'ann')).toThrow('users "ann" is forbidden: User "ann" cannot impersonate resource "users"');
      expect(() => by(new LastModes(), 'ann')).toThrow('cannot impersonate-on:user-info:list resource "pods"');
    });
  });
});

it('a name that no account can have is that of a user', () => {
  const headers = { 'impersonate-user': 'system:serviceaccount:Bad_:d' };
  expect(impersonated({ headers, identity }, usersOnly, nobodyAsked)?.identity).toEqual({
    name: 'system:serviceaccount:Bad_:d',
    groups: ['system:authenticated'],
  });
});

describe('impersonation in release 1.13', () => {
  const identity = { name: 'admin', groups: [] };
  const as = (headers: HttpRequest['headers']) => impersonated({ headers, identity }, everyone, nobodyAsked, undefined, 'old')?.identity;

  it('adds no group to those that are named, and none to the anonymous', () => {
    expect(as({ 'impersonate-user': 'jane', 'impersonate-group': 'dev' })?.groups).toEqual(['dev']);
    expect(as({ 'impersonate-user': 'jane' })?.groups).toEqual(['system:authenticated']);
    expect(as({ 'impersonate-user': 'system:anonymous' })?.groups).toEqual([]);
    expect(as({ 'impersonate-user': 'system:serviceaccount:a:b' })?.groups).toEqual([
      'system:serviceaccounts',
      'system:serviceaccounts:a',
      'system:authenticated',
    ]);
  });

  it('knows no uids', () => {
    expect(as({ 'impersonate-uid': 'x' })).toBeUndefined();
    expect(as({ 'impersonate-user': 'jane', 'impersonate-uid': 'x' })).not.toHaveProperty('uid');
  });

  it('fails where nobody is named', () => {
    expect(() => as({ 'impersonate-group': 'b' })).toThrow(new NobodyImpersonated('requested [{Group  b    }] without impersonating a user'));
    expect(() => as({ 'impersonate-extra-x': 'y' })).toThrow('requested [{UserExtra  y  authentication.k8s.io/v1  x}] without impersonating a user');
  });
});

it('names in headers are UTF-8, as Go reads them', () => {
  const headers = { 'impersonate-user': Buffer.from('jürgen €').toString('latin1') };
  expect(impersonated({ headers, identity: { name: 'admin', groups: [] } }, everyone, nobodyAsked)?.identity.name).toBe('jürgen €');
});

it('a name that begins with a mark of byte order is not the name behind it', () => {
  const headers = { 'impersonate-user': Buffer.from('\ufeffsystem:admin').toString('latin1') };
  expect(impersonated({ headers, identity: { name: 'admin', groups: [] } }, everyone, nobodyAsked)?.identity.name).toBe('\ufeffsystem:admin');
});
