import { describe, expect, it } from 'vitest';
import { abacRulesOf, createAbacAuthorizer, readAbacPolicies } from './abac.ts';

const policy = (spec: object): string => JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec });
const text = [
  '# who may what',
  '',
  policy({ user: 'alice', namespace: 'a', resource: 'pods', apiGroup: '*' }),
  policy({ group: 'readers', namespace: '*', resource: '*', apiGroup: '*', readonly: true }),
  policy({ user: '*', nonResourcePath: '/healthz*' }),
  policy({ namespace: '*', resource: '*', apiGroup: '*' }),
  '{"user":"old","namespace":"x"}',
].join('\n');
const policies = readAbacPolicies(text);
const authorizer = createAbacAuthorizer(policies);
const nobody = (): never => {
  throw new Error('nobody is asked');
};

function may(name: string, groups: readonly string[], asked: object): boolean {
  const nothing = { verb: 'get', isResource: true, path: '', group: '', version: 'v1', resource: 'pods', subresource: '', namespace: '', name: '' };
  return authorizer.authorize({ name, groups }, { ...nothing, ...asked }, nobody).allowed;
}

describe('policies by attributes', () => {
  it.each([
    ['alice', [], { namespace: 'a', verb: 'delete' }, true],
    ['alice', [], { namespace: 'b' }, false],
    ['alice', [], { namespace: 'a', resource: 'secrets' }, false],
    ['bob', ['readers'], { namespace: 'b', group: 'apps', resource: 'deployments', verb: 'watch' }, true],
    ['bob', ['readers'], { namespace: 'b', verb: 'create' }, false],
    ['bob', ['system:authenticated'], { isResource: false, path: '/healthz/ping', verb: 'post' }, true],
    ['bob', [], { isResource: false, path: '/healthz' }, false],
    ['bob', ['system:authenticated'], { isResource: false, path: '/metrics' }, false],
    ['bob', ['system:authenticated'], {}, false],
    ['old', [], { namespace: 'x', resource: 'anything', group: 'any', verb: 'delete' }, true],
    ['old', [], { isResource: false, path: '/version' }, false],
  ] as const)('%s of %j asking for %j: %s', (name, groups, asked, allowed) => {
    expect(may(name, groups, asked)).toBe(allowed);
  });

  it('say why not', () => {
    const asked = { verb: 'get', isResource: true, path: '', group: '', version: 'v1', resource: 'pods', subresource: '', namespace: 'z', name: '' };
    expect(authorizer.authorize({ name: 'x', groups: [] }, asked, nobody)).toEqual({ allowed: false, reason: 'No policy matched.' });
  });

  it('are told as rules', () => {
    expect(abacRulesOf(policies, { name: 'alice', groups: ['readers'] }, 'a')).toEqual([
      { verbs: ['*'], apiGroups: ['*'], resources: ['pods'] },
      { verbs: ['get', 'list', 'watch'], apiGroups: ['*'], resources: ['*'] },
    ]);
  });

  it('name the line that is wrong', () => {
    expect(() => readAbacPolicies('\n{"kind":"Policy","apiVersion":"v9"}')).toThrow(/line 2: .*no kind "Policy" is registered for version "v9"/);
    expect(() => readAbacPolicies('[]')).toThrow(/line 1/);
  });
});
