/** Who may ask as whom, and who they then are. */
import { describe, expect, it } from 'vitest';
import type { Identity } from '../../contracts/request.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { Authorizer } from '../authorizer.ts';
import { impersonated } from './impersonation.ts';

const identity: Identity = { name: 'ann', groups: ['system:authenticated'] };
const everyone: Authorizer = { authorize: () => ({ allowed: true, reason: '' }) };
const usersOnly: Authorizer = { authorize: (_identity, { resource }) => ({ allowed: resource === 'users', reason: '' }) };

const cases: readonly [name: string, headers: Record<string, string>, want: Identity][] = [
  ['nobody else', {}, identity],
  ['a user', { 'impersonate-user': 'bob' }, { name: 'bob', groups: ['system:authenticated'] }],
  ['groups', { 'impersonate-user': 'bob', 'impersonate-group': 'a, b' }, { name: 'bob', groups: ['a', 'b', 'system:authenticated'] }],
  ['anonymous', { 'impersonate-user': 'system:anonymous' }, { name: 'system:anonymous', groups: ['system:unauthenticated'] }],
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
    expect(impersonated({ headers, identity }, everyone, nobodyAsked)).toEqual(want);
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
    expect(() => impersonated({ headers: headers as Record<string, string>, identity }, usersOnly, nobodyAsked)).toThrow(StatusError);
    expect(() => impersonated({ headers: headers as Record<string, string>, identity }, usersOnly, nobodyAsked)).toThrow(want);
  });
});
