/** Pods judged by pod security policies as a real 1.13.12 judged them (pod-security-policies.json, written by record-policies.ts). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import { asker, type Ask } from '../seeds-client.ts';
import { judged, objectsOf } from './pod-security-policies.ts';

interface Fact {
  readonly status?: number;
  readonly message?: string;
  readonly annotations?: object | null;
  readonly spec?: { readonly securityContext?: object; readonly containers: readonly { readonly securityContext?: object }[] };
}

const facts = JSON.parse(readFileSync(join(import.meta.dirname, 'pod-security-policies.json'), 'utf8')) as { readonly [name: string]: Fact };
const policies = '/apis/policy/v1beta1/podsecuritypolicies';
const pods = '/api/v1/namespaces/default/pods';
let made: TestCluster;
let ask: Ask;

beforeAll(async () => {
  made = await aCluster({ seed: 1, nodes: 0, release: '1.13', options: { 'enable-admission-plugins': 'PodSecurityPolicy' } });
  await made.advance(5000);
  ask = asker(made);
});

describe('pod security policies of release 1.13', () => {
  it.each(judged)('$name', (one) => {
    const { policy, pod } = objectsOf(one);
    ask('DELETE', `${policies}/only`);
    expect(ask('POST', policies, { body: policy }).status).toBe(201);
    const answer = ask('POST', pods, { body: pod });
    const { metadata, spec, message } = answer.body as unknown as {
      readonly metadata?: { readonly annotations?: object };
      readonly spec: Fact['spec'];
      readonly message?: string;
    };
    ask('DELETE', `${pods}/p`, { body: { gracePeriodSeconds: 0 } });
    const fact = facts[one.name];
    const told =
      answer.status === 201 ? { annotations: metadata?.annotations ?? null, security: securityOf(spec) } : { status: answer.status, message };
    expect(told).toEqual(
      fact?.status === undefined
        ? { annotations: fact?.annotations, security: securityOf(fact?.spec) }
        : { status: fact.status, message: fact.message },
    );
  });

  it('refuses every pod where there is no policy, and lets each pod be of the policy that changes nothing', () => {
    ask('DELETE', `${policies}/only`);
    const { pod } = objectsOf({ name: '', policy: {} });
    const none = ask('POST', pods, { body: pod });
    expect([none.status, none.body['message']]).toEqual([403, 'pods "p" is forbidden: no providers available to validate pod request']);
    const named = (name: string, policy: object): object => {
      const made = objectsOf({ name, policy }).policy as { readonly metadata: object };
      return { ...made, metadata: { name } };
    };
    ask('POST', policies, { body: named('a', { readOnlyRootFilesystem: true }) });
    ask('POST', policies, { body: named('b', {}) });
    const answer = ask('POST', pods, { body: pod });
    expect(answer.body['metadata']?.['annotations']).toEqual({ 'kubernetes.io/psp': 'b' });
    // An update may not be changed: the first that fits as it stands.
    const labelled = ask('PATCH', `${pods}/p`, { type: 'application/merge-patch+json', body: { metadata: { labels: { a: 'b' } } } });
    expect(labelled.status).toBe(200);
    ask('DELETE', `${policies}/b`);
    const refused = ask('PATCH', `${pods}/p`, { type: 'application/merge-patch+json', body: { metadata: { labels: { a: 'c' } } } });
    expect([refused.status, refused.body['message']]).toEqual([403, 'pods "p" is forbidden: unable to validate against any pod security policy: []']);
    ask('DELETE', `${policies}/a`);
    ask('DELETE', `${pods}/p`, { body: { gracePeriodSeconds: 0 } });
  });

  it('goes by who may use a policy: the maker, or the service account of the pod', () => {
    ask('POST', policies, { body: objectsOf({ name: '', policy: {} }).policy });
    const { pod } = objectsOf({ name: '', policy: {} });
    const identity = { name: 'jane', groups: ['system:authenticated'] };
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['*'] }];
    ask('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', { body: { metadata: { name: 'pods' }, rules } });
    ask('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      body: {
        metadata: { name: 'jane' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'pods' },
        subjects: [{ kind: 'User', name: 'jane' }],
      },
    });
    const before = ask('POST', pods, { body: pod, identity });
    expect([before.status, before.body['message']]).toEqual([403, 'pods "p" is forbidden: unable to validate against any pod security policy: []']);
    const use = [{ apiGroups: ['extensions'], resources: ['podsecuritypolicies'], resourceNames: ['only'], verbs: ['use'] }];
    ask('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles', { body: { metadata: { name: 'use' }, rules: use } });
    ask('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', {
      body: {
        metadata: { name: 'use' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'use' },
        subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'default' }],
      },
    });
    expect(ask('POST', pods, { body: pod, identity }).status).toBe(201);
  });
});

/** What policies fill in; an empty context of the pod is as good as none. */
function securityOf(spec: Fact['spec']): object {
  return { pod: spec?.securityContext ?? {}, containers: (spec?.containers ?? []).map(({ securityContext }) => securityContext ?? null) };
}
