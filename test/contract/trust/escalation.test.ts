/** Nobody gives away more than she holds: roles and bindings by every way of writing them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import { type Ask, apply, asking, merge, user } from './asking.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const roles = `${rbac}/namespaces/default/roles`;
const roleBindings = `${rbac}/namespaces/default/rolebindings`;
const clusterRoles = `${rbac}/clusterroles`;
const clusterRoleBindings = `${rbac}/clusterrolebindings`;

const meta = (name: string): object => ({ metadata: { name } });
const rule = (resource: string, ...verbs: readonly string[]): object => ({ apiGroups: [''], resources: [resource], verbs });
const role = (name: string, ...rules: readonly object[]): object => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  ...meta(name),
  rules,
});
const clusterRole = (name: string, ...rules: readonly object[]): object => ({ ...role(name, ...rules), kind: 'ClusterRole' });
const binding = (kind: 'RoleBinding' | 'ClusterRoleBinding', name: string, roleKind: string, roleName: string, who: string): object => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind,
  ...meta(name),
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: roleKind, name: roleName },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: who }],
});
const held = 'user "ann" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n';

describe('somebody who may write roles and reads pods', () => {
  let test: TestCluster;
  let ann: Ask;

  beforeAll(async () => {
    test = await aCluster({ nodes: 0 });
    const writers = {
      apiGroups: ['rbac.authorization.k8s.io'],
      resources: ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'],
      verbs: ['*'],
    };
    // Every verb but those that free from the check.
    const verbs = ['get', 'list', 'create', 'update', 'patch', 'delete'];
    test.call('POST', clusterRoles, clusterRole('role-writer', { ...writers, verbs }, rule('pods', 'get', 'list')));
    test.call('POST', clusterRoleBindings, binding('ClusterRoleBinding', 'ann', 'ClusterRole', 'role-writer', 'ann'));
    test.call('POST', clusterRoles, clusterRole('pod-reader', rule('pods', 'get')));
    test.call('POST', clusterRoles, clusterRole('secret-reader', rule('secrets', 'get')));
    ann = asking(test, user('ann'));
  });

  it('gives away what she holds', () => {
    expect(ann('POST', roles, role('pods', rule('pods', 'get'))).code).toBe(201);
    expect(ann('POST', clusterRoles, clusterRole('pods', rule('pods', 'list'))).code).toBe(201);
    expect(ann('POST', roleBindings, binding('RoleBinding', 'pods', 'ClusterRole', 'pod-reader', 'bob')).code).toBe(201);
    expect(ann('POST', clusterRoleBindings, binding('ClusterRoleBinding', 'pods', 'ClusterRole', 'pod-reader', 'bob')).code).toBe(201);
    expect(asking(test, user('bob'))('GET', '/api/v1/namespaces/default/pods/none').code).toBe(404);
  });

  it('does not become cluster-admin', () => {
    const made = ann('POST', clusterRoleBindings, binding('ClusterRoleBinding', 'own', 'ClusterRole', 'cluster-admin', 'ann'));
    expect(made.code).toBe(403);
    expect(made.message).toBe(
      `clusterrolebindings.rbac.authorization.k8s.io "own" is forbidden: ${held}{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n{NonResourceURLs:["*"], Verbs:["*"]}`,
    );
    expect(ann('POST', clusterRoles, clusterRole('all', { apiGroups: ['*'], resources: ['*'], verbs: ['*'] })).code).toBe(403);
    expect(asking(test, user('ann'))('GET', '/api/v1/secrets').code).toBe(403);
  });

  it('is told what she lacks, a line for each resource', () => {
    const wanted = role('many', rule('pods', 'get', 'delete'), rule('secrets', 'get', 'list'), {
      ...rule('configmaps', 'get'),
      resourceNames: ['a', 'b'],
    });
    expect(ann('POST', roles, wanted).message).toBe(
      `roles.rbac.authorization.k8s.io "many" is forbidden: ${held}` +
        '{APIGroups:[""], Resources:["configmaps"], ResourceNames:["a"], Verbs:["get"]}\n' +
        '{APIGroups:[""], Resources:["configmaps"], ResourceNames:["b"], Verbs:["get"]}\n' +
        '{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}\n' +
        '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}',
    );
  });

  it.each([
    ['PUT', undefined, role('pods', rule('secrets', 'get'))],
    ['PATCH', merge, { rules: [rule('secrets', 'get')] }],
    ['PATCH', 'application/json-patch+json', [{ op: 'replace', path: '/rules/0/resources/0', value: 'secrets' }]],
    ['PATCH', 'application/strategic-merge-patch+json', { rules: [rule('secrets', 'get')] }],
  ])('does not widen a role by %s as %s', (method, type, body) => {
    const asked = ann(method, `${roles}/pods`, body, type);
    expect(asked).toMatchObject({ code: 403, message: expect.stringContaining('{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}') });
    expect(JSON.stringify(ann('GET', `${roles}/pods`).body['rules'])).not.toContain('secrets');
  });

  it('does not widen by apply, nor creates by apply or by PUT', () => {
    const path = (name: string): string => `${roles}/${name}?fieldManager=ann&force=true`;
    expect(ann('PATCH', path('pods'), role('pods', rule('secrets', 'get')), apply).code).toBe(403);
    expect(ann('PATCH', path('fresh'), role('fresh', rule('secrets', 'get')), apply).code).toBe(403);
    expect(ann('PUT', `${roles}/fresh`, role('fresh', rule('secrets', 'get'))).code).toBe(403);
    expect(ann('POST', `${roles}?dryRun=All`, role('fresh', rule('secrets', 'get'))).code).toBe(403);
    expect(ann('PATCH', path('fresh'), role('fresh', rule('pods', 'get')), apply).code).toBe(201);
  });

  it('does not add herself to a binding of more', () => {
    test.call('POST', roleBindings, binding('RoleBinding', 'secrets', 'ClusterRole', 'secret-reader', 'carl'));
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ann' }];
    expect(ann('PATCH', `${roleBindings}/secrets`, { subjects }, merge)).toMatchObject({
      code: 403,
      message: `rolebindings.rbac.authorization.k8s.io "secrets" is forbidden: ${held}{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}`,
    });
  });

  it('binds no role that is not there', () => {
    expect(ann('POST', roleBindings, binding('RoleBinding', 'none', 'Role', 'none', 'bob'))).toMatchObject({
      code: 404,
      // The resource is the one that was asked for, as upstream's storage knows no other.
      message: 'rolebindings.rbac.authorization.k8s.io "none" not found',
    });
  });

  it('may change finalizers and owners of what grants more than she holds', () => {
    test.call('POST', clusterRoles, clusterRole('owned', rule('secrets', 'get')));
    expect(ann('PATCH', `${clusterRoles}/owned`, { metadata: { finalizers: ['example.com/held'] } }, merge).code).toBe(200);
    expect(ann('PATCH', `${clusterRoles}/owned`, { metadata: { labels: { a: 'b' } } }, merge).code).toBe(403);
    expect(ann('PATCH', `${clusterRoles}/owned`, { metadata: { finalizers: null } }, merge).code).toBe(200);
  });

  it('gathers no rules by label without holding all of them', () => {
    const gathering = { ...clusterRole('gathering'), aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } };
    expect(ann('POST', clusterRoles, gathering)).toMatchObject({
      code: 403,
      message: 'clusterroles.rbac.authorization.k8s.io "gathering" is forbidden: must have cluster-admin privileges to use the aggregationRule',
    });
    expect(ann('PATCH', `${clusterRoles}/view`, { aggregationRule: null }, merge).code).toBe(403);
  });

  it('is freed by escalate on the role and by bind on what is bound', () => {
    const escalate = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], resourceNames: ['chosen'], verbs: ['escalate'] };
    const bind = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], resourceNames: ['secret-reader'], verbs: ['bind'] };
    test.call('POST', roles, role('chosen'));
    test.call('POST', clusterRoles, clusterRole('freed', escalate, bind));
    test.call('POST', roleBindings, binding('RoleBinding', 'freed', 'ClusterRole', 'freed', 'ann'));
    expect(ann('PATCH', `${roles}/chosen`, { rules: [rule('secrets', 'get')] }, merge).code).toBe(200);
    expect(ann('PATCH', `${roles}/pods`, { rules: [rule('secrets', 'get')] }, merge).code).toBe(403);
    expect(ann('POST', roleBindings, binding('RoleBinding', 'bound', 'ClusterRole', 'secret-reader', 'bob')).code).toBe(201);
    expect(ann('POST', clusterRoleBindings, binding('ClusterRoleBinding', 'bound', 'ClusterRole', 'secret-reader', 'bob')).code).toBe(403);
  });
});

describe('what a role covers', () => {
  let test: TestCluster;
  let dora: Ask;
  const grants: readonly object[] = [
    { apiGroups: ['apps'], resources: ['*/scale', 'deployments'], verbs: ['get', 'update'] },
    { apiGroups: [''], resources: ['configmaps'], resourceNames: ['a'], verbs: ['get'] },
    { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], verbs: ['create'] },
    { nonResourceURLs: ['/logs/*'], verbs: ['get'] },
  ];

  beforeAll(async () => {
    test = await aCluster({ nodes: 0 });
    test.call('POST', clusterRoles, clusterRole('dora', ...grants));
    test.call('POST', clusterRoleBindings, binding('ClusterRoleBinding', 'dora', 'ClusterRole', 'dora', 'dora'));
    dora = asking(test, user('dora'));
  });

  it.each([
    ['a subresource by a star', { apiGroups: ['apps'], resources: ['statefulsets/scale'], verbs: ['update'] }, 201],
    ['no resource by a star for its subresource', { apiGroups: ['apps'], resources: ['statefulsets'], verbs: ['update'] }, 403],
    ['no other group', { apiGroups: ['batch'], resources: ['deployments'], verbs: ['get'] }, 403],
    ['the same name', { apiGroups: [''], resources: ['configmaps'], resourceNames: ['a'], verbs: ['get'] }, 201],
    ['not every name', { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }, 403],
    ['no star', { apiGroups: ['*'], resources: ['deployments'], verbs: ['get'] }, 403],
    ['paths below', { nonResourceURLs: ['/logs/kubelet'], verbs: ['get'] }, 201],
    ['not the path above', { nonResourceURLs: ['/logs'], verbs: ['get'] }, 403],
  ])('%s', (name, wanted, code) => {
    expect(dora('POST', clusterRoles, clusterRole(`of-${name.replaceAll(' ', '-')}`, wanted)).code).toBe(code);
  });
});
