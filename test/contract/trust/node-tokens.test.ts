/** For whom and for what a kubelet gets a token, as a real 1.36.3 with NodeRestriction answered. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import type { JsonObject } from '../../../engine/base/json.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import { asking, nodeUser } from './asking.ts';

const here = '/api/v1/namespaces/default';
const storage = '/apis/storage.k8s.io/v1';
const roles = '/apis/rbac.authorization.k8s.io/v1';

const claimed = (claimName: string): JsonObject => ({ name: claimName, persistentVolumeClaim: { claimName } });
const inline = (driver: string): JsonObject => ({ name: 'inline', csi: { driver } });
const template = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };

const volumesOf: { readonly [pod: string]: readonly JsonObject[] } = {
  plain: [],
  projected: [
    { name: 't', projected: { sources: [{ serviceAccountToken: { path: 't', audience: 'own' } }, { serviceAccountToken: { path: 'u' } }] } },
  ],
  inline: [inline('inline.example.com')],
  claimed: [claimed('bound')],
  unbound: [claimed('loose')],
  missing: [claimed('nowhere')],
  undriven: [inline('gone.example.com')],
  ephemeral: [{ name: 't', ephemeral: { volumeClaimTemplate: template } }],
  tree: [{ name: 't', awsElasticBlockStore: { volumeID: 'v' } }],
  'tree-claimed': [claimed('in-tree')],
  several: [claimed('no-1'), claimed('no-2')],
  mixed: [claimed('no-1'), inline('bound.example.com')],
  path: [{ name: 't', hostPath: { path: '/x' } }],
};

const forbidden = 'serviceaccounts "builder" is forbidden: ';
const strange = (audience: string): string =>
  `${forbidden}audience "${audience}" not found in pod spec volume, system:node:node-0 is not authorized to request tokens for this audience`;
const unfound = (audience: string, what: string): string => `${forbidden}error validating audience "${audience}": ${what} not found`;

function driver(name: string, audience: string): JsonObject {
  return { apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name }, spec: { tokenRequests: [{ audience }] } };
}

function claim(name: string, volumeName?: string): JsonObject {
  const spec = { ...template.spec, storageClassName: '', ...(volumeName !== undefined && { volumeName }) };
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name }, spec };
}

function volume(name: string, claimName: string, source: JsonObject): JsonObject {
  const spec = { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, claimRef: { namespace: 'default', name: claimName }, ...source };
  return { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name }, spec };
}

describe('a kubelet that wants a token', () => {
  let test: TestCluster;
  const uids = new Map<string, string>();

  beforeAll(async () => {
    const tokenSigner = { audiences: ['https://kubernetes.default.svc'], sign: ({ id }: { readonly id: string }) => `token ${id}` };
    test = await aCluster({ nodes: 2 }, { tokenSigner });
    for (const name of ['builder', 'other'])
      test.call('POST', `${here}/serviceaccounts`, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } });
    test.call('POST', `${storage}/csidrivers`, driver('inline.example.com', 'vault'));
    test.call('POST', `${storage}/csidrivers`, driver('bound.example.com', 'cloud'));
    test.call('POST', `${storage}/csidrivers`, driver('pd.csi.storage.gke.io', 'disks'));
    test.call('POST', '/api/v1/persistentvolumes', volume('disk', 'bound', { csi: { driver: 'bound.example.com', volumeHandle: 'h' } }));
    test.call('POST', '/api/v1/persistentvolumes', volume('old-disk', 'in-tree', { gcePersistentDisk: { pdName: 'p' } }));
    for (const made of [claim('bound', 'disk'), claim('in-tree', 'old-disk'), claim('loose')])
      test.call('POST', `${here}/persistentvolumeclaims`, made);
    for (const [name, volumes] of Object.entries(volumesOf)) {
      const spec = {
        serviceAccountName: 'builder',
        automountServiceAccountToken: false,
        nodeName: 'node-0',
        volumes,
        containers: [{ name: 'c', image: 'i' }],
      };
      uids.set(name, test.call<Pod>('POST', `${here}/pods`, { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec }).metadata.uid ?? '');
    }
  });

  function ask(
    audiences: readonly string[],
    pod: string,
    { node = 'node-0', account = 'builder', ...changed }: { readonly [key: string]: string } = {},
  ): string {
    const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: pod, uid: uids.get(pod) ?? 'z', ...changed };
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences, boundObjectRef } };
    const { code, message } = asking(test, nodeUser(node))('POST', `${here}/serviceaccounts/${account}/token`, request);
    return code === 201 ? 'a token' : message;
  }

  it.each<readonly [string, { readonly [key: string]: string }, string]>([
    ['for no pod', { kind: 'Secret' }, `${forbidden}node requested token not bound to a pod`],
    ['for a pod without a name', { name: '' }, `${forbidden}node requested token not bound to a pod`],
    ['for a pod of another version', { apiVersion: 'v2' }, `${forbidden}node requested token not bound to a pod`],
    ['for a pod without a uid', { uid: '' }, `${forbidden}node requested token with a pod binding without a uid`],
    ['for a pod that is not there', { name: 'gone' }, 'pod "gone" not found'],
    [
      'for a pod that came before',
      { uid: 'z' },
      `${forbidden}the UID in the bound object reference (z) does not match the UID in record. The object might have been deleted and then recreated`,
    ],
    [
      'for a pod of another node',
      { node: 'node-1' },
      `${forbidden}User "system:node:node-1" cannot create resource "serviceaccounts/token" in API group "" in the namespace "default": ` +
        "no relationship found between node 'node-1' and this object",
    ],
    [
      'for an account that none of its pods has',
      { account: 'other' },
      'serviceaccounts "other" is forbidden: User "system:node:node-0" cannot create resource "serviceaccounts/token" in API group "" in the ' +
        `namespace "default": no relationship found between node 'node-0' and this object`,
    ],
  ])('%s gets none', (_, changed, message) => {
    expect(ask(['own'], 'projected', changed)).toBe(message);
  });

  it.each<readonly [string, readonly string[], string]>([
    ['projected', ['own'], 'a token'],
    ['projected', [], 'a token'],
    ['projected', ['strange'], strange('strange')],
    ['projected', ['own', 'strange'], `${forbidden}node may only request 0 or 1 audiences`],
    ['plain', [], strange('')],
    ['plain', ['own'], strange('own')],
    ['path', ['own'], strange('own')],
    ['inline', ['vault'], 'a token'],
    ['inline', ['cloud'], strange('cloud')],
    ['claimed', ['cloud'], 'a token'],
    ['claimed', ['vault'], strange('vault')],
    ['tree-claimed', ['disks'], 'a token'],
    ['tree-claimed', ['cloud'], strange('cloud')],
    ['mixed', ['cloud'], 'a token'],
    ['mixed', ['vault'], unfound('vault', 'persistentvolumeclaim "no-1"')],
    ['unbound', ['cloud'], unfound('cloud', 'persistentvolume ""')],
    ['missing', ['cloud'], unfound('cloud', 'persistentvolumeclaim "nowhere"')],
    ['ephemeral', ['cloud'], unfound('cloud', 'persistentvolumeclaim "ephemeral-t"')],
    ['undriven', ['cloud'], unfound('cloud', 'csidriver.storage.k8s.io "gone.example.com"')],
    ['tree', ['cloud'], unfound('cloud', 'csidriver.storage.k8s.io "ebs.csi.aws.com"')],
    [
      'several',
      ['cloud'],
      `${forbidden}error validating audience "cloud": [persistentvolumeclaim "no-1" not found, persistentvolumeclaim "no-2" not found]`,
    ],
  ])('bound to the pod %s for %j: %s', (pod, audiences, answer) => {
    expect(ask(audiences, pod)).toBe(answer);
  });

  it('gets one for an audience that a role grants, and not where a volume of the pod cannot be followed', () => {
    const rule = { apiGroups: [''], resources: ['granted'], verbs: ['request-serviceaccounts-token-audience'], resourceNames: ['builder'] };
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: 'audiences' } };
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'audiences' };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:nodes' }];
    test.call('POST', `${roles}/clusterroles`, { ...role, kind: 'ClusterRole', rules: [rule] });
    test.call('POST', `${roles}/clusterrolebindings`, { ...role, kind: 'ClusterRoleBinding', roleRef, subjects });
    expect(ask(['granted'], 'projected')).toBe('a token');
    expect(ask(['strange'], 'projected')).toBe(strange('strange'));
    expect(ask(['granted'], 'missing')).toBe(unfound('granted', 'persistentvolumeclaim "nowhere"'));
  });
});
