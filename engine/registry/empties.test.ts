import { describe, expect, it } from 'vitest';
import { aCluster } from '../../test/support/cluster.ts';

interface Refusal {
  readonly code?: number;
  readonly details?: { readonly causes: readonly { readonly field: string; readonly message: string }[] };
}

const pods = '/api/v1/namespaces/default/pods';
const container = { name: 'c', image: 'i' };
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const volumeOf = (metadata: object) => ({ name: 'v', ephemeral: { volumeClaimTemplate: { metadata, spec: claim } } });

async function refusalOf(path: string, body: object): Promise<readonly string[] | undefined> {
  const { ask } = await aCluster({ nodes: 0 });
  const { details } = ask<Refusal>('POST', path, body).object;
  return details?.causes.map(({ field, message }) => `${field}: ${message}`);
}

const aPod = (spec: object): object => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [container], ...spec } });

// Upstream asks these lists whether they are nil.
describe('a list that may not be there', () => {
  const atPod = 'spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level';
  const atTemplate = 'spec.volumes[0].ephemeral.volumeClaimTemplate.metadata';

  it('is refused when it is empty', async () => {
    expect(await refusalOf(pods, aPod({ resources: { claims: [] } }))).toEqual([atPod]);
    expect(await refusalOf(pods, aPod({ volumes: [volumeOf({ ownerReferences: [], finalizers: [] })] }))).toEqual([
      `${atTemplate}.ownerReferences: Forbidden: cannot be set`,
      `${atTemplate}.finalizers: Forbidden: cannot be set`,
    ]);
  });

  it('is told in its place among other faults', async () => {
    const spec = { resources: { claims: [] }, volumes: [volumeOf({ ownerReferences: [] })], containers: [{ ...container, name: '' }] };
    expect(await refusalOf(pods, aPod(spec))).toEqual([
      `${atTemplate}.ownerReferences: Forbidden: cannot be set`,
      'spec.containers[0].name: Required value',
      atPod,
    ]);
  });

  it('is no fault elsewhere, or when it is null', async () => {
    expect(await refusalOf(pods, aPod({ resources: { claims: null }, tolerations: [], volumes: [volumeOf({ finalizers: null })] }))).toBeUndefined();
    expect(
      await refusalOf(pods, aPod({ containers: [{ ...container, resources: { claims: [] } }], volumes: [volumeOf({ labels: {} })] })),
    ).toBeUndefined();
  });

  it('is refused in an update, too', async () => {
    const { call, ask } = await aCluster({ nodes: 0 });
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } };
    const set = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 's' },
      spec: { replicas: 0, selector: { matchLabels: { a: 'b' } }, template },
    };
    const path = '/apis/apps/v1/namespaces/default/replicasets';
    expect(call('POST', path, set).metadata.name).toBe('s');
    const claims = { ...set, spec: { ...set.spec, template: { ...template, spec: { ...template.spec, resources: { claims: [] } } } } };
    expect(ask<Refusal>('PUT', `${path}/s`, claims).object.details?.causes.map(({ field }) => field)).toEqual([
      'spec.template.spec.resources.claims',
    ]);
  });
});

it('counts empty bytes of a webhook as a change when they come and when they go, as a real 1.36.3 does', async () => {
  const { call } = await aCluster({ nodes: 0 });
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  const hookOf = (clientConfig: object) => ({ name: 'a.b.c', clientConfig, sideEffects: 'None', admissionReviewVersions: ['v1'] });
  const hooksOf = (clientConfig: object) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'w' },
    webhooks: [hookOf({ url: 'https://a.b/', ...clientConfig })],
  });
  const made = call('POST', path, hooksOf({ caBundle: '' }));
  expect(made.metadata.generation).toBe(1);
  const generationAfter = (config: object): number | undefined =>
    call('PATCH', `${path}/w`, { webhooks: hooksOf(config).webhooks }, 'application/merge-patch+json').metadata.generation;
  expect([{}, { caBundle: '' }, { caBundle: '' }, {}].map(generationAfter)).toEqual([2, 3, 3, 4]);
});
