import { describe, expect, it } from 'vitest';
import { pods } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { claimFinalizer, generateNameOf, resourceClaims, resourceClaimTemplates } from '../lib/resource-claims.ts';
import { resourceClaimController } from './controller.ts';

const namespace = 'default';
const template = { metadata: { namespace, name: 't' }, spec: { metadata: { labels: { a: 'b' } }, spec: { devices: {} } } };
const aPod = (changes: object = {}, status: object = {}) => ({
  metadata: { namespace, name: 'p', uid: 'pod-uid' },
  spec: { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 't' }], ...changes },
  status,
});
const reservedFor = [{ resource: 'pods', name: 'p', uid: 'pod-uid' }];
const allocated = { allocation: { devices: {} }, reservedFor };

describe('resourceclaim-controller', () => {
  it('makes a claim from the template and notes it in the status of the pod, once', async () => {
    const bench = new ControllerBench();
    bench.add(resourceClaimTemplates, template as never);
    bench.add(pods, aPod() as never);
    await bench.run(resourceClaimController);
    await bench.advance(60_000);
    const claims = bench.list(resourceClaims);
    expect(claims).toHaveLength(1);
    expect(claims[0]?.metadata).toMatchObject({
      labels: { a: 'b' },
      annotations: { 'resource.kubernetes.io/pod-claim-name': 'gpu' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'pod-uid', controller: true }],
    });
    expect(claims[0]?.metadata.name).toMatch(/^p-gpu-[a-z0-9]{5}$/);
    expect(bench.get(pods, namespace, 'p')?.status?.resourceClaimStatuses).toEqual([{ name: 'gpu', resourceClaimName: claims[0]?.metadata.name }]);
  });

  it('tells that there is no template, and makes the claim when it comes', async () => {
    const bench = new ControllerBench();
    bench.add(pods, aPod() as never);
    await bench.run(resourceClaimController);
    expect(bench.events[0]?.text).toBe(
      'Warning FailedResourceClaimCreation PodResourceClaim gpu: resource claim template "t": resourceclaimtemplate.resource.k8s.io "t" not found',
    );
    bench.add(resourceClaimTemplates, template as never);
    await bench.advance(1_000);
    expect(bench.list(resourceClaims)).toHaveLength(1);
  });

  it('reserves an allocated claim for a pod that was bound by hand', async () => {
    const bench = new ControllerBench();
    bench.add(resourceClaims, { metadata: { namespace, name: 'c' }, spec: {}, status: { allocation: { devices: {} } } });
    bench.add(pods, aPod({ resourceClaims: [{ name: 'gpu', resourceClaimName: 'c' }], nodeName: 'n' }) as never);
    await bench.run(resourceClaimController);
    expect(bench.get(resourceClaims, namespace, 'c')?.status?.reservedFor).toEqual(reservedFor);
  });

  it('frees a claim when its pod is over: reservation, allocation, finalizer', async () => {
    const bench = new ControllerBench();
    bench.add(resourceClaims, { metadata: { namespace, name: 'c', finalizers: [claimFinalizer] }, spec: {}, status: allocated });
    bench.add(pods, aPod({ resourceClaims: [{ name: 'gpu', resourceClaimName: 'c' }], nodeName: 'n' }, { phase: 'Succeeded' }) as never);
    await bench.run(resourceClaimController);
    const claim = bench.get(resourceClaims, namespace, 'c');
    expect(claim?.status?.reservedFor ?? []).toEqual([]);
    expect(claim?.status?.allocation).toBeUndefined();
    expect(claim?.metadata.finalizers).toBeUndefined();
  });

  it('keeps what a pod uses that runs', async () => {
    const bench = new ControllerBench();
    bench.add(resourceClaims, { metadata: { namespace, name: 'c', finalizers: [claimFinalizer] }, spec: {}, status: allocated });
    bench.add(pods, aPod({ resourceClaims: [{ name: 'gpu', resourceClaimName: 'c' }], nodeName: 'n' }, { phase: 'Running' }) as never);
    await bench.run(resourceClaimController);
    expect(bench.writes).toEqual([]);
  });

  it('deletes a claim that it made for a pod that is over', async () => {
    const bench = new ControllerBench();
    bench.add(resourceClaimTemplates, template as never);
    bench.add(pods, aPod() as never);
    await bench.run(resourceClaimController);
    bench.change(pods, namespace, 'p', (pod) => ({ ...pod, status: { ...pod.status, phase: 'Failed' } }));
    await bench.settle();
    expect(bench.list(resourceClaims)).toEqual([]);
  });
});

it('names are shortened so that five characters more fit', () => {
  expect(generateNameOf('web', 'gpu')).toBe('web-gpu-');
  expect(generateNameOf('w'.repeat(60), 'g'.repeat(20)).length).toBeLessThanOrEqual(58);
});
