/** Who decides what somebody may: `--authorization-mode`. */
import { describe, expect, it } from 'vitest';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';

const reader = JSON.stringify({
  apiVersion: 'abac.authorization.kubernetes.io/v1beta1',
  kind: 'Policy',
  spec: { user: 'bob', namespace: 'default', resource: 'pods', apiGroup: '*', readonly: true },
});

function get({ door }: TestCluster, path: string, as?: string): { readonly code: number; readonly message: string } {
  const headers = { accept: 'application/json', 'user-agent': 'test', ...(as && { 'impersonate-user': as }) };
  const response = door.serveAtOnce({ method: 'GET', path, query: '', headers, body: new Uint8Array(), identity: adminIdentity });
  if (!('body' in response)) throw new Error(`${path} answered a stream`);
  const chunks = typeof response.body === 'string' || response.body instanceof Uint8Array ? [response.body] : [...response.body];
  const text = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk))).join('');
  return { code: response.status, message: response.status === 200 ? '' : (JSON.parse(text) as { readonly message: string }).message };
}

const pods = '/api/v1/namespaces/default/pods';
const refused = 'pods is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "default"';

describe('the mode of authorization', () => {
  it('AlwaysAllow lets everybody do everything', async () => {
    const tank = await aCluster({ nodes: 1, options: { 'authorization-mode': 'AlwaysAllow' } });
    expect(get(tank, '/api/v1/secrets', 'bob').code).toBe(200);
  });

  it('AlwaysDeny lets the administrator alone, and the cluster stands', async () => {
    const tank = await aCluster({ nodes: 1, options: { 'authorization-mode': 'AlwaysDeny' } });
    expect(get(tank, pods).code).toBe(200);
    expect(get(tank, pods, 'bob')).toEqual({ code: 403, message: `${refused}: Everything is forbidden.` });
  });

  it('ABAC goes by its policies, after the others', async () => {
    const options = { 'authorization-mode': 'Node,RBAC,ABAC', 'authorization-policy-file': `${reader}\n` };
    const tank = await aCluster({ nodes: 1, options });
    expect(get(tank, pods, 'bob').code).toBe(200);
    expect(get(tank, '/api/v1/namespaces/kube-system/pods', 'bob')).toMatchObject({
      code: 403,
      message: expect.stringMatching(/: No policy matched\.$/) as string,
    });
    const review = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user: 'bob', resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'default' } },
    };
    expect(tank.call<{ status: object }>('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', review).status).toEqual({ allowed: true });
  });

  it.each([
    [{ 'authorization-mode': '' }, 'at least one authorization-mode must be passed'],
    [{ 'authorization-mode': 'rbac' }, 'authorization-mode "rbac" is not a valid mode'],
    [{ 'authorization-mode': 'ABAC' }, "authorization-mode ABAC's authorization policy file not passed"],
    [{ 'authorization-policy-file': reader }, 'cannot specify --authorization-policy-file without mode ABAC'],
    [{ 'authorization-mode': 'RBAC,RBAC' }, 'authorization-mode ["RBAC" "RBAC"] has mode specified more than once'],
    [{ 'authorization-mode': 'Webhook' }, "authorization-mode Webhook's authorization config file not passed"],
    [{ 'authorization-mode': 'ABAC', 'authorization-policy-file': '{"kind":1}' }, 'line 1'],
  ])('%j is refused', async (options, why) => {
    await expect(aCluster({ nodes: 0, options })).rejects.toThrow(why);
  });
});
