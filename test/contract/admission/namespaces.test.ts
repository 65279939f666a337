/** What is posted to a subresource wants its namespace as well, as a real 1.36.3 said of these. */
import { describe, expect, it } from 'vitest';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';

function message({ door }: TestCluster, method: string, path: string, body: object): string {
  const headers = { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'test' };
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const answer = door.serveAtOnce({ method, path, query: '', headers, body: bytes, identity: adminIdentity });
  if (!('body' in answer) || typeof answer.body !== 'string') throw new Error(`${method} ${path} answered no text`);
  return (JSON.parse(answer.body) as { readonly message?: string }).message ?? '';
}

const tokenSigner = { audiences: ['a'], sign: ({ id }: { readonly id: string }) => `token ${id}` };
const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } };
const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };
const token = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: ['a'] } };

describe.each([
  ['pods/p/binding', 'pods "p"', binding],
  ['pods/p/eviction', 'pods "p"', eviction],
  ['serviceaccounts/p/token', 'serviceaccounts "p"', token],
])('%s', (path, subject, body) => {
  it('is not created where there is no namespace', async () => {
    const tank = await aCluster({ nodes: 0 }, { tokenSigner });
    expect(message(tank, 'POST', `/api/v1/namespaces/gone/${path}`, body)).toBe('namespaces "gone" not found');
  });

  it('is not created in a namespace that goes', async () => {
    const tank = await aCluster({ nodes: 0 }, { tokenSigner });
    const metadata = { name: 'p', finalizers: ['a.b/c'] };
    message(tank, 'POST', '/api/v1/namespaces', { metadata: { name: 'dying' } });
    message(tank, 'POST', '/api/v1/namespaces/dying/serviceaccounts', { metadata: { name: 'default' } });
    message(tank, 'POST', '/api/v1/namespaces/dying/serviceaccounts', { metadata });
    message(tank, 'POST', '/api/v1/namespaces/dying/pods', { metadata, spec: { containers: [{ name: 'c', image: 'i' }] } });
    message(tank, 'DELETE', '/api/v1/namespaces/dying', {});
    expect(message(tank, 'POST', `/api/v1/namespaces/dying/${path}`, body)).toBe(
      `${subject} is forbidden: unable to create new content in namespace dying because it is being terminated`,
    );
  });
});
