import { describe, expect, it } from 'vitest';
import type { Node, Pod } from '../../api/core/v1/types.gen.ts';
import type { NodePool } from '../../api/sim/v1alpha1/node-pool.ts';
import type { JsonObject } from '../../base/json.ts';
import { aCluster, type TestCluster } from '../../../test/support/cluster.ts';

const pool = '/apis/sim.wavetank.dev/v1alpha1/nodepools/default';
const proxy = '/api/v1/namespaces/kube-system/pods/proxy-node-0';

interface PodList {
  readonly items: readonly Pod[];
}

function manifest(image = 'nginx:1.27', more: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'proxy', namespace: 'kube-system', labels: { tier: 'node' } },
    spec: { priorityClassName: 'system-node-critical', containers: [{ name: 'c', image }], ...more },
  };
}

function setManifests(made: TestCluster, ...staticPods: readonly JsonObject[]): void {
  made.call('PATCH', pool, { spec: { staticPods } }, 'application/merge-patch+json');
}

const aNode = (...staticPods: readonly JsonObject[]): Promise<TestCluster> => aNodeWith('', ...staticPods);

async function aNodeWith(gates: string, ...staticPods: readonly JsonObject[]): Promise<TestCluster> {
  const made = await aCluster({ seed: 3, nodes: 1, options: { 'feature-gates': gates } });
  await made.advance(60_000);
  const [{ metadata }] = made.call<{ items: readonly [NodePool] }>('GET', '/apis/sim.wavetank.dev/v1alpha1/nodepools').items;
  expect(metadata.name).toBe('default');
  setManifests(made, ...staticPods);
  await made.advance(30_000);
  return made;
}

describe('a static pod', () => {
  it('runs without the scheduler and is shown by a mirror pod that its node owns', async () => {
    const made = await aNode(manifest());
    const node = made.call<Node>('GET', '/api/v1/nodes/node-0');
    const pod = made.call<Pod>('GET', proxy);
    const hash = pod.metadata.annotations?.['kubernetes.io/config.hash'];
    expect(pod.metadata).toMatchObject({
      labels: { tier: 'node' },
      annotations: {
        'kubernetes.io/config.hash': expect.stringMatching(/^[0-9a-f]{32}$/),
        'kubernetes.io/config.mirror': hash,
        'kubernetes.io/config.seen': expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d+Z$/),
        'kubernetes.io/config.source': 'file',
      },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'node-0', uid: node.metadata.uid, controller: true }],
    });
    expect(pod.metadata.uid).not.toBe(hash);
    expect(pod.spec).toMatchObject({
      nodeName: 'node-0',
      priority: 2_000_001_000,
      tolerations: expect.arrayContaining([{ operator: 'Exists', effect: 'NoExecute' }]),
    });
    expect(pod.spec?.serviceAccountName).toBeUndefined();
    expect(pod.spec?.volumes).toBeUndefined();
    expect(pod.status).toMatchObject({ phase: 'Running', qosClass: 'BestEffort', containerStatuses: [{ ready: true, restartCount: 0 }] });
    const events = made.call<{ items: readonly { reason: string; involvedObject: { uid: string } }[] }>(
      'GET',
      '/api/v1/namespaces/kube-system/events',
    ).items;
    expect(events.filter(({ involvedObject }) => involvedObject.uid === hash).map(({ reason }) => reason)).toEqual([
      'Pulling',
      'Pulled',
      'Created',
      'Started',
    ]);
    expect(made.cluster.nodes.readLogs('kube-system', 'proxy-node-0', {})).toContain('ready for start up');
  });

  it('runs on when its mirror is deleted, gracefully or not, and is shown again at once', async () => {
    const made = await aNode(manifest());
    const first = made.call<Pod>('GET', proxy);
    made.call('DELETE', proxy);
    await made.advance(2_000);
    const second = made.call<Pod>('GET', proxy);
    expect(second.metadata.uid).not.toBe(first.metadata.uid);
    await made.advance(2_000);
    expect(made.call<Pod>('GET', proxy).status?.containerStatuses).toEqual(first.status?.containerStatuses);
    made.call('DELETE', `${proxy}?gracePeriodSeconds=0`);
    await made.advance(4_000);
    const third = made.call<Pod>('GET', proxy);
    expect(third.metadata.uid).not.toBe(second.metadata.uid);
    expect(third.status?.containerStatuses).toEqual(first.status?.containerStatuses);
  });

  it('is replaced when its manifest changes: the new one starts when the old one has ended', async () => {
    const made = await aNode(manifest());
    const first = made.call<Pod>('GET', proxy);
    setManifests(made, manifest('nginx:1.28'));
    await made.advance(30_000);
    const second = made.call<Pod>('GET', proxy);
    expect(second.metadata.annotations?.['kubernetes.io/config.hash']).not.toBe(first.metadata.annotations?.['kubernetes.io/config.hash']);
    expect(second.spec?.containers?.[0]?.image).toBe('nginx:1.28');
    expect(second.status).toMatchObject({ phase: 'Running', containerStatuses: [{ image: 'docker.io/library/nginx:1.28', restartCount: 0 }] });
  });

  it('goes with its manifest, and its mirror after it', async () => {
    const made = await aNode(manifest());
    setManifests(made);
    await made.advance(30_000);
    expect(made.ask('GET', proxy).status).toBe(404);
    expect(made.call<PodList>('GET', '/api/v1/pods').items).toEqual([]);
  });

  it('runs on every machine of its pool, also on one that comes later', async () => {
    const made = await aNode(manifest());
    made.call('PATCH', pool, { spec: { count: 2 } }, 'application/merge-patch+json');
    await made.advance(60_000);
    const names = made.call<PodList>('GET', '/api/v1/namespaces/kube-system/pods').items.map(({ metadata }) => metadata.name);
    expect(names).toEqual(['proxy-node-0', 'proxy-node-1']);
  });

  it('is not evicted by taints, and comes back after a reboot', async () => {
    const made = await aNode(manifest());
    const first = made.call<Pod>('GET', proxy);
    made.call('PATCH', '/api/v1/nodes/node-0', { spec: { taints: [{ key: 'k', effect: 'NoExecute' }] } }, 'application/merge-patch+json');
    await made.advance(60_000);
    expect(made.call<Pod>('GET', proxy)).toMatchObject({ metadata: { uid: first.metadata.uid }, status: { phase: 'Running' } });
    const fault = {
      apiVersion: 'sim.wavetank.dev/v1alpha1',
      kind: 'Fault',
      metadata: { name: 'f' },
      spec: { type: 'node-reboot', target: { node: 'node-0' } },
    };
    made.call('POST', '/apis/sim.wavetank.dev/v1alpha1/faults', fault);
    await made.advance(120_000);
    expect(made.call<Pod>('GET', proxy).status?.containerStatuses?.[0]).toMatchObject({ restartCount: 1, state: { running: {} } });
  });
});

describe('the API server', () => {
  it('refuses manifests that a kubelet would refuse', async () => {
    const made = await aCluster({ seed: 3, nodes: 1 });
    const told = (pod: JsonObject): string | undefined =>
      made.ask('PATCH', pool, { spec: { staticPods: [pod] } }, 'application/merge-patch+json').object.message;
    expect(told(manifest('a', { serviceAccountName: 'x' }))).toContain(
      'spec.staticPods[0].spec: Forbidden: static pods may not reference serviceaccounts',
    );
    expect(told(manifest('a', { volumes: [{ name: 'v', secret: { secretName: 's' } }] }))).toContain('static pods may not reference secrets');
    expect(told({ ...manifest(), metadata: {} })).toContain('name is needed for the pod');
    expect(told(manifest(''))).toContain('spec.staticPods[0].spec.containers[0].image: Required value');
  });

  it('without PreventStaticPodAPIReferences takes manifests that name objects, whose pods are not shown', async () => {
    const made = await aNodeWith('PreventStaticPodAPIReferences=false', manifest('a', { volumes: [{ name: 'v', secret: { secretName: 's' } }] }));
    expect(made.call<NodePool>('GET', pool).spec?.staticPods).toHaveLength(1);
    expect(made.ask('GET', proxy).status).toBe(404);
    const told = (more: JsonObject): string | undefined =>
      made.ask('PATCH', pool, { spec: { staticPods: [manifest('a', more)] } }, 'application/merge-patch+json').object.message;
    const bundle = { clusterTrustBundle: { name: 'b', path: 'p' } };
    expect(told({ volumes: [{ name: 'v', projected: { sources: [bundle] } }] })).toContain(
      'spec.staticPods[0].spec: Forbidden: static pods may not use ClusterTrustBundle projected volume sources',
    );
    expect(told({ resourceClaims: [{ name: 'c', resourceClaimName: 'c' }] })).toContain('static pods may not use ResourceClaims');
  });

  it('lets nobody make a mirror pod without a node, or take its annotation away', async () => {
    const made = await aNode(manifest());
    const lone = { ...manifest(), metadata: { name: 'lone', annotations: { 'kubernetes.io/config.mirror': 'x' } } };
    expect(made.ask('POST', '/api/v1/namespaces/default/pods', lone).object.message).toContain(
      'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set',
    );
    const patch = { metadata: { annotations: { 'kubernetes.io/config.mirror': null } } };
    expect(made.ask('PATCH', proxy, patch, 'application/merge-patch+json').object.message).toContain(
      'metadata.annotations[kubernetes.io/config.mirror]: Forbidden: may not remove or update mirror pod annotation',
    );
  });

  it('loses a mirror pod that stands for nothing', async () => {
    const made = await aNode();
    const stray = {
      ...manifest(),
      metadata: { name: 'stray', annotations: { 'kubernetes.io/config.mirror': 'x' } },
      spec: { nodeName: 'node-0', containers: [{ name: 'c', image: 'a' }] },
    };
    made.call('POST', '/api/v1/namespaces/default/pods', stray);
    await made.advance(5_000);
    expect(made.ask('GET', '/api/v1/namespaces/default/pods/stray').status).toBe(404);
  });
});
