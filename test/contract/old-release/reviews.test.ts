/** What webhooks of release 1.13 are told, as a real 1.13.12 told them: its own fields alone, and of what is deleted its name. */
import { expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../engine/base/json.ts';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import type { Answer, Question } from '../../../engine/contracts/questions.ts';
import { aCluster } from '../../support/cluster.ts';
import { hook } from '../webhooks/cases.ts';

const configurations = '/apis/admissionregistration.k8s.io/v1beta1/mutatingwebhookconfigurations';
const maps = '/api/v1/namespaces/default/configmaps';
const rules = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['configmaps', 'pods', 'deployments/scale'] }];

async function reviews(requests: readonly (readonly [method: string, path: string, body?: object])[]): Promise<readonly JsonObject[]> {
  const told: JsonObject[] = [];
  const ask = ({ body }: Question): Promise<Answer> => {
    const { text } = body as unknown as { readonly text: string };
    const { request } = JSON.parse(text) as { readonly request: JsonObject };
    told.push(request);
    const answer = JSON.stringify({ response: { uid: request['uid'], allowed: true } });
    return Promise.resolve({
      outcome: 'answered',
      body: { code: 200, text: answer, contentType: 'application/json', retryAfter: '', tookMs: 1 } as JsonValue,
    });
  };
  const made = await aCluster(
    { nodes: 0, seed: 5, release: '1.13', options: { controllers: '-*', 'disable-admission-plugins': 'ServiceAccount' } },
    { ask },
  );
  const webhooks = [{ ...hook('/x'), name: 'h.example.com', rules, clientConfig: { url: 'https://hook.example/x' }, namespaceSelector: {} }];
  const kind = 'MutatingWebhookConfiguration';
  made.call('POST', configurations, { apiVersion: 'admissionregistration.k8s.io/v1beta1', kind, metadata: { name: 'w' }, webhooks });
  for (const [method, path, body] of requests) {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const sent = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body));
    const headers = { accept: 'application/json', 'content-type': type, 'user-agent': 'test' };
    const answer = await made.door.serve({ method, path, query: '', headers, body: sent, identity: adminIdentity });
    expect('status' in answer && answer.status, JSON.stringify(answer)).toBeLessThan(300);
  }
  return told;
}

it('tells of a request what the release tells', async () => {
  const [made, changed, deleted] = await reviews([
    ['POST', maps, { metadata: { name: 'a' }, data: { b: 'c' } }],
    ['PATCH', `${maps}/a`, { data: { b: 'd' } }],
    ['DELETE', `${maps}/a`],
  ]);
  const place = {
    uid: expect.any(String),
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    namespace: 'default',
    userInfo: expect.any(Object),
    dryRun: false,
  };
  expect(made).toEqual({ ...place, operation: 'CREATE', object: expect.any(Object), oldObject: null });
  expect(made?.['object']).toMatchObject({ metadata: { name: 'a', creationTimestamp: null }, data: { b: 'c' } });
  expect(made?.['object']).not.toHaveProperty('metadata.managedFields');
  expect(changed).toEqual({ ...place, name: 'a', operation: 'UPDATE', object: expect.any(Object), oldObject: expect.any(Object) });
  expect(changed?.['oldObject']).not.toHaveProperty('metadata.managedFields');
  expect(deleted).toEqual({ ...place, name: 'a', operation: 'DELETE', object: null, oldObject: null });
});

it('shows objects as the release has them', async () => {
  const [pod] = await reviews([
    ['POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'x' }] } }],
  ]);
  expect(pod?.['object']).toMatchObject({ spec: { priority: 0, enableServiceLinks: true }, status: {} });
  expect(pod?.['object']).not.toHaveProperty('spec.preemptionPolicy');
});
