/** A kubelet's credential opens what its node needs and nothing else; what it writes is its own. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Node, Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import { type Ask, asking, merge, nodeUser, user } from './asking.ts';

const core = '/api/v1';
const here = `${core}/namespaces/default`;
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const strangers = "no relationship found between node 'node-1' and this object";

function podOn(node: string, name: string, spec: object = {}, metadata: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...metadata },
    spec: { nodeName: node, containers: [{ name: 'c', image: 'nginx' }], ...spec },
  };
}

describe('a node', () => {
  let test: TestCluster;
  let zero: Ask;
  let one: Ask;

  beforeAll(async () => {
    test = await aCluster({ nodes: 2 });
    for (const name of ['used', 'pulled', 'env', 'unused'])
      test.call('POST', `${here}/secrets`, { apiVersion: 'v1', kind: 'Secret', metadata: { name } });
    for (const name of ['settings', 'others']) test.call('POST', `${here}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    test.call('POST', `${here}/serviceaccounts`, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'builder' } });
    const spec = {
      serviceAccountName: 'builder',
      imagePullSecrets: [{ name: 'pulled' }],
      volumes: [
        { name: 'secret', secret: { secretName: 'used' } },
        { name: 'settings', projected: { sources: [{ configMap: { name: 'settings' } }] } },
        { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
      ],
      containers: [{ name: 'c', image: 'nginx', env: [{ name: 'E', valueFrom: { secretKeyRef: { name: 'env', key: 'k', optional: true } } }] }],
    };
    test.call('POST', `${here}/pods`, podOn('node-0', 'web', spec));
    test.call('POST', `${core}/persistentvolumes`, {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'disk' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        csi: { driver: 'example.com', volumeHandle: 'h', nodeStageSecretRef: { name: 'stage', namespace: 'kube-system' } },
        claimRef: { namespace: 'default', name: 'data' },
      },
    });
    test.call('POST', `${core}/namespaces/kube-system/secrets`, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'stage' } });
    const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeName: 'disk' };
    test.call('POST', `${here}/persistentvolumeclaims`, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' }, spec: claim });
    test.call('POST', `${here}/pods`, podOn('node-1', 'other'));
    zero = asking(test, nodeUser('node-0'));
    one = asking(test, nodeUser('node-1'));
  });

  it.each([
    'secrets/used',
    'secrets/pulled',
    'secrets/env',
    'configmaps/settings',
    'persistentvolumeclaims/data',
    'serviceaccounts/builder',
    'pods/web',
    '../../persistentvolumes/disk',
    '../kube-system/secrets/stage',
  ])('reads what its pods use: %s', (path) => {
    const route = new URL(`${here}/${path}`, 'http://x').pathname;
    expect(zero('GET', route).code).toBe(200);
    expect(one('GET', route)).toMatchObject({ code: 403, message: expect.stringContaining(strangers) });
  });

  it('may read volumes that say they are for a claim of its pods, before the claim says so, and not when they are for it no more', () => {
    const volume = (claimName: string): object => ({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'reserved' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        azureFile: { shareName: 'share', secretName: 'share-key' },
        claimRef: { namespace: 'default', name: claimName },
      },
    });
    test.call('POST', `${here}/secrets`, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'share-key' } });
    test.call('POST', `${core}/persistentvolumes`, volume('early'));
    const uses = { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'early' } }] };
    test.call('POST', `${here}/pods`, podOn('node-0', 'early', uses));
    expect(zero('GET', `${core}/persistentvolumes/reserved`).code).toBe(200);
    expect(zero('GET', `${here}/secrets/share-key`).code).toBe(200);
    expect(one('GET', `${core}/persistentvolumes/reserved`).code).toBe(403);
    test.call('PATCH', `${core}/persistentvolumes/reserved`, { spec: { claimRef: { name: 'later' } } }, merge);
    expect(zero('GET', `${core}/persistentvolumes/reserved`).code).toBe(403);
    expect(zero('GET', `${here}/secrets/share-key`).code).toBe(403);
  });

  it('reads no other secret, no list of them, and no account of strangers', () => {
    expect(zero('GET', `${here}/secrets/unused`)).toMatchObject({
      code: 403,
      message:
        'secrets "unused" is forbidden: User "system:node:node-0" cannot get resource "secrets" in API group "" in the namespace "default": ' +
        "no relationship found between node 'node-0' and this object",
    });
    expect(zero('GET', `${here}/secrets`).message).toContain('No Object name found');
    expect(zero('GET', `${core}/secrets`).message).toContain('can only read namespaced object of this type');
    expect(zero('GET', `${here}/secrets?fieldSelector=metadata.name%3Dused`).code).toBe(200);
    expect(zero('GET', `${here}/configmaps/others`).code).toBe(403);
    expect(zero('GET', `${core}/namespaces/kube-system/serviceaccounts/replicaset-controller`).code).toBe(403);
    expect(zero('DELETE', `${here}/secrets/used`).message).toContain('can only read resources of this type');
  });

  it('lists only its own pods and reads only its own Node', () => {
    expect(zero('GET', `${core}/pods`).message).toContain('can only list/watch pods with spec.nodeName field selector');
    expect(zero('GET', `${core}/pods?fieldSelector=spec.nodeName%3Dnode-1`).code).toBe(403);
    expect(zero('GET', `${core}/pods?fieldSelector=spec.nodeName%3Dnode-0`).code).toBe(200);
    expect(zero('GET', `${core}/nodes/node-0`).code).toBe(200);
    expect(zero('GET', `${core}/nodes/node-1`).message).toContain("node 'node-0' cannot read 'node-1', only its own Node object");
    expect(zero('GET', `${core}/nodes`).message).toContain("node 'node-0' cannot read all nodes, only its own Node object");
  });

  it('makes no other Node and changes no other one', () => {
    const node = (name: string, labels: object = {}): object => ({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels } });
    expect(zero('POST', `${core}/nodes`, node('node-9'))).toMatchObject({
      code: 403,
      message: 'nodes "node-9" is forbidden: node "node-0" is not allowed to modify node "node-9"',
    });
    expect(zero('PATCH', `${core}/nodes/node-1`, { metadata: { labels: { a: 'b' } } }, merge).code).toBe(403);
    expect(zero('PATCH', `${core}/nodes/node-1/status`, { status: { phase: 'x' } }, merge).code).toBe(403);
    expect(zero('DELETE', `${core}/nodes/node-0`).code).toBe(403);
    expect(asking(test, nodeUser('fresh'))('POST', `${core}/nodes`, node('fresh', { 'node-role.kubernetes.io/control-plane': '' })).message).toBe(
      'nodes "fresh" is forbidden: node "fresh" is not allowed to set the following labels: node-role.kubernetes.io/control-plane',
    );
  });

  it.each([
    [{ metadata: { labels: { 'example.com/rack': '4', 'node.kubernetes.io/x': 'y' } } }, 200, ''],
    [{ metadata: { labels: { 'node-restriction.kubernetes.io/x': 'y' } } }, 403, 'is not allowed to modify labels: node-restriction.kubernetes.io/x'],
    [{ metadata: { labels: { 'team.k8s.io/a': 'y', 'foo.kubernetes.io/b': 'y' } } }, 403, 'foo.kubernetes.io/b, team.k8s.io/a'],
    [{ spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } }, 403, 'is not allowed to modify taints'],
    [{ metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'x', uid: 'y' }] } }, 403, 'is not allowed to modify ownerReferences'],
  ])('changes of its own Node only what steers nothing: %j', (patch, code, message) => {
    expect(zero('PATCH', `${core}/nodes/node-0`, patch, merge)).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it('deletes, evicts and reports only pods that are bound to it', () => {
    const status = { status: { message: 'm' } };
    const eviction = (name: string): object => ({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } });
    expect(zero('PATCH', `${here}/pods/web/status`, status, merge).code).toBe(200);
    expect(zero('PATCH', `${here}/pods/other/status`, status, merge).message).toBe(
      'pods "other" is forbidden: node "node-0" can only update pod status for pods with spec.nodeName set to itself',
    );
    expect(zero('PATCH', `${here}/pods/web/status`, { metadata: { labels: { a: 'b' } } }, merge).message).toContain(
      'node "node-0" cannot update labels through pod status',
    );
    expect(zero('DELETE', `${here}/pods/other`).message).toContain('node "node-0" can only delete pods with spec.nodeName set to itself');
    expect(zero('POST', `${here}/pods/other/eviction`, eviction('other')).message).toContain('node node-0 can only evict pods');
    expect(zero('POST', `${here}/pods/nope/eviction`, eviction('nope')).message).toBe('pod "nope" not found');
    expect(zero('PATCH', `${here}/pods/web`, { metadata: { labels: { a: 'b' } } }, merge).code).toBe(403);
    expect(zero('POST', `${here}/pods/web/eviction?dryRun=All`, eviction('web')).code).toBe(201);
  });

  it('makes pods only as images of its own static pods, which lead to nothing', () => {
    const uid = test.call<Node>('GET', `${core}/nodes/node-0`).metadata.uid ?? '';
    const owner = { apiVersion: 'v1', kind: 'Node', name: 'node-0', uid, controller: true };
    const mirror = { annotations: { 'kubernetes.io/config.mirror': 'x', 'kubernetes.io/config.source': 'file' }, ownerReferences: [owner] };
    const make = (spec: object, metadata: object, node = 'node-0'): string =>
      zero('POST', `${here}/pods?dryRun=All`, podOn(node, 'static', spec, metadata)).message;
    expect(make({}, {})).toContain('pod does not have "kubernetes.io/config.mirror" annotation, node "node-0" can only create mirror pods');
    expect(make({}, mirror, 'node-1')).toContain('node "node-0" can only create pods with spec.nodeName set to itself');
    expect(make({}, { ...mirror, ownerReferences: [] })).toContain('can only create pods with an owner reference set to itself');
    expect(make({}, { ...mirror, ownerReferences: [{ ...owner, uid: 'other' }] })).toContain('UID mismatch');
    expect(make({ volumes: [{ name: 'v', configMap: { name: 'settings' } }] }, mirror)).toContain('can not create pods that reference configmaps');
    expect(make({ volumes: [{ name: 'v', secret: { secretName: 'unused' } }] }, mirror)).toContain('a mirror pod may not reference secrets');
    const made = zero('POST', `${here}/pods`, podOn('node-0', 'static', {}, mirror));
    expect(made.code).toBe(201);
    expect((made.body as unknown as Pod).spec).not.toHaveProperty('serviceAccountName');
  });

  it('holds its own lease and no other', () => {
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'node-1' }, spec: {} };
    expect(zero('GET', `${leases}/node-0`).code).toBe(200);
    expect(zero('GET', `${leases}/node-1`).message).toContain('can only access node lease with the same name as the requesting node');
    expect(zero('POST', leases, { ...lease, metadata: { name: 'node-7' } }).message).toContain('can only access node lease with the same name');
    expect(zero('GET', `${leases.replace('kube-node-lease', 'default')}/node-0`).message).toContain('in the "kube-node-lease" system namespace');
  });

  it('loses what a pod opened to it when the pod goes', () => {
    test.call('POST', `${here}/pods`, podOn('node-1', 'brief', { volumes: [{ name: 'v', secret: { secretName: 'unused' } }] }));
    expect(one('GET', `${here}/secrets/unused`).code).toBe(200);
    test.call('DELETE', `${here}/pods/brief`, { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 });
    expect(one('GET', `${here}/secrets/unused`).code).toBe(403);
  });

  it('is told that its rights cannot be listed', () => {
    const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace: 'default' } };
    const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
    const evaluationError = 'node authorizer does not support user rule resolution';
    expect(zero('POST', path, review).body['status']).toMatchObject({ incomplete: true, evaluationError });
    expect(asking(test, user('ann'))('POST', path, review).body['status']).toMatchObject({ incomplete: false });
  });

  it('is not told from a name alone', () => {
    const named = asking(test, { name: 'system:node:node-0', groups: ['system:authenticated'] });
    expect(named('GET', `${here}/secrets/used`).code).toBe(403);
    const nameless = asking(test, { name: 'system:node:', groups: ['system:nodes', 'system:authenticated'] });
    expect(nameless('GET', `${here}/secrets/used`).message).toContain('unknown node for user "system:node:"');
  });
});

describe('a pool with labels that no kubelet may set', () => {
  it('gives them to its nodes all the same', async () => {
    const test = await aCluster({ nodes: 1 });
    const labels = { 'node-role.kubernetes.io/worker': '', 'node-restriction.kubernetes.io/zone': 'a', 'example.com/rack': '4' };
    test.call('POST', '/apis/sim.wavetank.dev/v1alpha1/nodepools', {
      apiVersion: 'sim.wavetank.dev/v1alpha1',
      kind: 'NodePool',
      metadata: { name: 'extra' },
      spec: { count: 1, labels },
    });
    await test.advance(60_000);
    expect(test.call<Node>('GET', '/api/v1/nodes/extra-0').metadata.labels).toMatchObject(labels);
  });
});
