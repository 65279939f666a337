/** Situations of controllers that a control plane without a cloud and without gates does not show, so that no facts are recorded of them. */
import { janesRequest } from '../../support/certificate-requests.ts';
import { cronJob, node, object, pod } from '../../situations/objects.ts';
import { situation, type Situation, type Step } from '../../situations/situation.ts';
import { create, mergePatch, nodeLives, patch, remove, rest, runPods, until, untilCount, untilEvent, untilGone } from '../../situations/steps.ts';
import { beat, makePlayedNode, type Thing } from '../../situations/world.ts';

/** A request at a path of its own; `<ns>` and `<now>` are filled in. */
export function asks(method: string, path: string, body?: object, contentType?: string): Step {
  return {
    text: `${method} ${path}`,
    run: async (stage) => {
      const { status, object: answer } = await stage.world.ask(method, stage.filled(path), body && stage.filled(body), contentType);
      if (status >= 400) throw new Error(`${method} ${path}: ${answer.message ?? status}`);
    },
  };
}

/** Waits until what is at a path is as wanted; undefined stands for what is not there. */
function untilAt(path: string, holds: (thing: Thing | undefined) => boolean, limitSeconds = 90): Step {
  const text = `until ${path} is as wanted`;
  return {
    text,
    run: async (stage) => {
      const endMs = stage.world.nowMs() + limitSeconds * 1000 * (stage.world.patience ?? 1);
      for (;;) {
        const { status, object: found } = await stage.world.ask('GET', stage.filled(path));
        if (holds(status === 200 ? found : undefined)) return;
        if (stage.world.nowMs() >= endMs) throw new Error(`${text}: it is not: ${JSON.stringify(found)}`);
        await stage.wait(100);
      }
    },
  };
}

/** Hours go by in large strides, in which the kubelet of the node that is always there lives on. */
function hours(count: number): Step {
  return {
    text: `${count} hours go by`,
    run: async (stage) => {
      for (let strides = Math.ceil((count * 3600) / 30); strides > 0; strides--) {
        await stage.world.sleep(30_000);
        await beat(stage.world, 'played');
      }
    },
  };
}

/** Days go by in which nobody hears of that node; then it is there again. */
function days(count: number): Step {
  return {
    text: `${count} days go by`,
    run: async (stage) => {
      for (let quarters = count * 4; quarters > 0; quarters--) await stage.world.sleep(6 * 3_600_000);
      await makePlayedNode(stage.world);
    },
  };
}

const gone = (path: string): Step => untilAt(path, (thing) => thing === undefined);
const systemSecrets = '/api/v1/namespaces/kube-system/secrets';
const bootstrapToken = (expiration: string): object => ({
  metadata: { name: 'bootstrap-token-abcdef' },
  type: 'bootstrap.kubernetes.io/token',
  stringData: { 'token-id': 'abcdef', 'token-secret': '0123456789abcdef', expiration, 'usage-bootstrap-signing': 'true' },
});
const clusterInfo = '/api/v1/namespaces/kube-public/configmaps/cluster-info';
const signed = untilAt(clusterInfo, (thing) => 'jws-kubeconfig-abcdef' in ((thing?.['data'] as object | undefined) ?? {}));
const bundles = '/apis/certificates.k8s.io/v1beta1/clustertrustbundles';
const isPublished = ({ items }: { readonly items?: readonly object[] }): boolean => items?.length === 1;
const tainted = (taints: readonly object[]): object => ({
  driver: 'gpu.example.com',
  nodeName: 'played',
  pool: { name: 'played', generation: 1, resourceSliceCount: 1 },
  devices: [{ name: 'gpu-0', ...(taints.length === 0 ? {} : { taints }) }],
});
const slices = '/apis/resource.k8s.io/v1/resourceslices';
const claims = '/apis/resource.k8s.io/v1/namespaces/<ns>/resourceclaims';

/** A claim for the device, allocated and reserved for the pod, as the scheduler writes it. */
const allocates: Step = {
  text: 'the scheduler allocates the device',
  run: async (stage) => {
    const uid = stage.get('pods/a')?.metadata['uid'];
    const results = [{ request: 'gpu', driver: 'gpu.example.com', pool: 'played', device: 'gpu-0' }];
    const status = { allocation: { devices: { results } }, reservedFor: [{ resource: 'pods', name: 'a', uid }] };
    await stage.world.ask('PATCH', `${stage.filled(claims)}/c/status`, { status }, mergePatch);
  },
};

export const tokens: Situation = situation('a bootstrap token signs, and ends', [
  asks('POST', '/api/v1/namespaces/kube-public/configmaps', { metadata: { name: 'cluster-info' }, data: { kubeconfig: 'clusters: []' } }),
  asks('POST', systemSecrets, bootstrapToken('2026-01-01T00:02:00Z')),
  signed,
  rest(),
  gone(`${systemSecrets}/bootstrap-token-abcdef`),
  untilAt(clusterInfo, (thing) => !('jws-kubeconfig-abcdef' in (thing?.['data'] as object)), 300),
  rest(),
]);

export const trustBundles: Situation = situation('the bundle of the API server comes back', [
  untilAt(bundles, (thing) => isPublished(thing as { readonly items?: readonly object[] })),
  {
    text: 'somebody deletes it',
    run: async (stage) => {
      const { object: list } = await stage.world.ask('GET', bundles);
      const [first] = list['items'] as readonly Thing[];
      await stage.world.ask('DELETE', `${bundles}/${first?.metadata.name ?? ''}`);
    },
  },
  untilAt(bundles, (thing) => isPublished(thing as { readonly items?: readonly object[] })),
  rest(),
]);

export const oldTokens: Situation = situation('a token that nobody uses goes', [
  create(object('v1', 'ServiceAccount', 'robot', { secrets: [{ name: 't' }] })),
  create(
    object('v1', 'Secret', 't', {
      type: 'kubernetes.io/service-account-token',
      meta: { annotations: { 'kubernetes.io/service-account.name': 'robot' } },
    }),
  ),
  until('secrets/t', (found) => found['data'] !== undefined),
  days(6),
  untilGone('secrets/t'),
  rest(),
]);

export const oldRequests: Situation = situation('requests that are over go', [
  create(
    object('certificates.k8s.io/v1', 'CertificateSigningRequest', '<ns>-r', {
      spec: { request: btoa(janesRequest), signerName: 'example.com/own', usages: ['client auth'] },
    }),
  ),
  patch('certificatesigningrequests/<ns>-r/approval', {
    status: { conditions: [{ type: 'Denied', status: 'True', reason: 'ByHand', message: 'by the test' }] },
  }),
  hours(2.2),
  untilGone('certificatesigningrequests/<ns>-r'),
  rest(),
]);

const request = '/apis/scheduling.k8s.io/v1alpha2/namespaces/<ns>/podgroups';

export const podGroups: Situation = situation('a group goes after its pods', [
  asks('POST', request, {
    metadata: { name: 'gang', finalizers: ['scheduling.k8s.io/podgroup-protection'] },
    spec: { schedulingPolicy: { basic: {} } },
  }),
  create(pod('a', { schedulingGroup: { podGroupName: 'gang' } })),
  runPods(),
  rest(),
  asks('DELETE', `${request}/gang`),
  rest(),
  untilAt(`${request}/gang`, (thing) => thing !== undefined),
  remove('pods/a'),
  gone(`${request}/gang`),
  rest(),
]);

const questions = '/apis/resource.k8s.io/v1alpha3/resourcepoolstatusrequests';

export const pools: Situation = situation('a question about pools is answered', [
  asks('POST', slices, { metadata: { name: 'played-gpus' }, spec: tainted([]) }),
  asks('POST', questions, { metadata: { name: 'q' }, spec: { driver: 'gpu.example.com' } }),
  untilAt(`${questions}/q`, (thing) => (thing?.['status'] as { readonly poolCount?: number } | undefined)?.poolCount === 1),
  rest(),
]);

export const devices: Situation = situation(
  'a device is tainted',
  [
    asks('POST', slices, { metadata: { name: 'played-gpus' }, spec: tainted([]) }),
    asks('POST', claims, { metadata: { name: 'c' }, spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }] } } }),
    create(pod('a', { resourceClaims: [{ name: 'gpu', resourceClaimName: 'c' }] })),
    allocates,
    runPods(),
    rest(),
    asks('PATCH', `${slices}/played-gpus`, { spec: tainted([{ key: 'broken', effect: 'NoExecute' }]) }, mergePatch),
    untilCount('pods', 1, { metadata: { deletionGracePeriodSeconds: 30 } }),
    rest(),
  ],
  { keepsPods: true },
);

const volume = (source: object): Step =>
  create(
    object('v1', 'PersistentVolume', '<ns>-v', {
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: '<ns>-none', ...source },
    }),
  );
const claim = create(
  object('v1', 'PersistentVolumeClaim', 'data', {
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: '<ns>-none', resources: { requests: { storage: '1Gi' } } },
  }),
);
const bound = until('persistentvolumeclaims/data', { status: { phase: 'Bound' } });

const volumeOf = (name: string, level: string): Step =>
  create(
    pod(name, {
      securityContext: { seLinuxOptions: { level } },
      containers: [{ name: 'c', image: 'i', volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }],
    }),
  );

export const labels: Situation = situation('two labels for one volume', [
  create(object('storage.k8s.io/v1', 'CSIDriver', '<ns>.example.com', { spec: { seLinuxMount: true } })),
  volume({ csi: { driver: '<ns>.example.com', volumeHandle: 'h' } }),
  claim,
  bound,
  volumeOf('a', 's0:c1'),
  volumeOf('b', 's0:c2'),
  runPods(),
  untilEvent('SELinuxLabelConflict'),
  rest(),
]);

export const grows: Situation = situation('a driver that took over is asked to grow a volume', [
  create(object('storage.k8s.io/v1', 'StorageClass', '<ns>-none', { provisioner: 'example.com/p', allowVolumeExpansion: true })),
  volume({ awsElasticBlockStore: { volumeID: 'x' } }),
  claim,
  bound,
  patch('persistentvolumeclaims/data', { spec: { resources: { requests: { storage: '2Gi' } } } }),
  until('persistentvolumeclaims/data', { metadata: { annotations: { 'volume.kubernetes.io/storage-resizer': 'ebs.csi.aws.com' } } }),
  rest(),
]);

const attachments = '/apis/storage.k8s.io/v1/volumeattachments';
const hasAttachments =
  (count: number) =>
  (thing: Thing | undefined): boolean =>
    (thing?.['items'] as readonly object[] | undefined)?.length === count;
/** What the kubelet reports. */
const uses = (...volumes: readonly string[]): Step => patch('nodes/<ns>-a/status', { status: { volumesInUse: volumes } });

/** Who attaches volumes for the driver says that it did. */
const attaches: Step = {
  text: 'the volume is attached',
  run: async (stage) => {
    const { object: list } = await stage.world.ask('GET', attachments);
    const [first] = list['items'] as readonly Thing[];
    await stage.world.ask('PATCH', `${attachments}/${first?.metadata.name ?? ''}/status`, { status: { attached: true } }, mergePatch);
  },
};

export const attached: Situation = situation('a volume is attached, and detached after its pod', [
  create(object('storage.k8s.io/v1', 'CSIDriver', '<ns>.example.com', { spec: { attachRequired: true } })),
  create(node('<ns>-a', { meta: { annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' } } })),
  nodeLives('<ns>-a'),
  volume({ csi: { driver: '<ns>.example.com', volumeHandle: 'h' } }),
  claim,
  bound,
  create(pod('p', { nodeName: '<ns>-a', volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }] })),
  untilAt(attachments, hasAttachments(1)),
  attaches,
  until('nodes/<ns>-a', { status: { volumesAttached: [{}] } }),
  uses('kubernetes.io/csi/<ns>.example.com^h'),
  runPods(),
  rest(),
  remove('pods/p'),
  untilGone('pods/p'),
  uses(),
  untilAt(attachments, hasAttachments(0)),
  rest(),
]);

const versions = '/apis/internal.apiserver.k8s.io/v1alpha1/storageversions';
const serverLeases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const said = (apiServerID: string): object => ({ apiServerID, encodingVersion: 'v1', decodableVersions: ['v1'] });

export const storageVersions: Situation = situation('an API server goes', [
  asks('POST', serverLeases, { metadata: { name: 'server-a', labels: { 'apiserver.kubernetes.io/identity': 'kube-apiserver' } }, spec: {} }),
  asks('POST', versions, { metadata: { name: 'core.pods' }, spec: {} }),
  asks('PATCH', `${versions}/core.pods/status`, { status: { storageVersions: [said('server-a')], commonEncodingVersion: 'v1' } }, mergePatch),
  rest(),
  asks('DELETE', `${serverLeases}/server-a`),
  gone(`${versions}/core.pods`),
  rest(),
]);

const migrations = '/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations';

export const migration: Situation = situation('objects are stored anew', [
  create(object('v1', 'ConfigMap', 'a', { data: { key: 'value' } })),
  asks('POST', migrations, { metadata: { name: 'm' }, spec: { resource: { group: '', resource: 'configmaps' } } }),
  untilAt(`${migrations}/m`, (thing) => JSON.stringify(thing?.['status'] ?? {}).includes('"Succeeded"')),
  rest(),
]);

const podRequests = '/apis/certificates.k8s.io/v1beta1/namespaces/<ns>/podcertificaterequests';
const uidOf = (number: number): string => `a9f8c0de-0000-4000-8000-00000000000${number}`;

export const podCertificates: Situation = situation('a request that nobody answers goes', [
  asks('POST', podRequests, {
    metadata: { name: 'r' },
    spec: {
      signerName: 'example.com/signer',
      podName: 'p',
      podUID: uidOf(1),
      serviceAccountName: 'default',
      serviceAccountUID: uidOf(2),
      nodeName: 'n',
      nodeUID: uidOf(3),
      pkixPublicKey: 'AA==',
      proofOfPossession: 'AA==',
    },
  }),
  hours(0.4),
  gone(`${podRequests}/r`),
  rest(),
]);

export const cronjobThatStops: Situation = situation('is suspended when its run is over', [
  create(cronJob('tick', { job: { ttlSecondsAfterFinished: 600 } })),
  until('cronjobs/tick', { status: { active: [{ kind: 'Job' }] } }),
  patch('cronjobs/tick', { spec: { suspend: true } }),
  untilCount('pods', 1, { status: { phase: 'Pending' } }),
  rest(),
]);

const nodeOf = (name: string): string => `/api/v1/nodes/${name}`;
const isInitialized = (thing: Thing | undefined): boolean => {
  const spec = thing?.['spec'] as { readonly taints?: readonly object[]; readonly providerID?: string; readonly podCIDR?: string } | undefined;
  return spec?.providerID !== undefined && spec.podCIDR !== undefined && (spec.taints ?? []).length === 0;
};

export const cloudNodes: Situation = situation('nodes of a cloud come, and one goes', [
  untilAt(nodeOf('node-0'), isInitialized),
  untilAt(nodeOf('node-1'), isInitialized),
  rest(),
  asks('POST', '/apis/sim.wavetank.dev/v1alpha1/faults', {
    metadata: { name: 'ended' },
    spec: { type: 'cloud-instance-terminated', target: { node: 'node-1' } },
  }),
  untilAt(nodeOf('node-1'), (thing) => thing === undefined, 200),
  rest(),
]);

const service = '/api/v1/namespaces/<ns>/services';
const hasAddress = (thing: Thing | undefined): boolean => JSON.stringify(thing?.['status'] ?? {}).includes('"ip"');

export const loadBalancers: Situation = situation('a load balancer comes, and goes', [
  untilAt(nodeOf('node-0'), isInitialized),
  asks('POST', service, { metadata: { name: 'web' }, spec: { type: 'LoadBalancer', selector: { app: 'web' }, ports: [{ port: 80 }] } }),
  untilAt(`${service}/web`, hasAddress),
  rest(),
  asks('POST', service, { metadata: { name: 'more' }, spec: { type: 'LoadBalancer', selector: { app: 'web' }, ports: [{ port: 81 }] } }),
  untilAt(`${service}/more`, hasAddress),
  asks('DELETE', `${service}/web`),
  gone(`${service}/web`),
  rest(),
]);

const quick = '/apis/storage.k8s.io/v1/volumeattributesclasses';

export const attributes: Situation = situation('a class of attributes in use stays', [
  asks('POST', quick, { metadata: { name: 'quick' }, driverName: 'example.com', parameters: { speed: 'high' } }),
  create(
    object('v1', 'PersistentVolumeClaim', 'c', {
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: '<ns>-none',
        volumeAttributesClassName: 'quick',
        resources: { requests: { storage: '1Gi' } },
      },
    }),
  ),
  rest(),
  asks('DELETE', `${quick}/quick`),
  rest(),
  untilAt(`${quick}/quick`, (thing) => thing !== undefined),
  remove('persistentvolumeclaims/c'),
  gone(`${quick}/quick`),
  rest(),
]);

export const evicted: Situation = situation('a taint evicts, and the pods of a node that is gone go', [
  create(node('<ns>-a')),
  nodeLives('<ns>-a'),
  create(pod('a', { nodeName: '<ns>-a' })),
  create(pod('b', { nodeName: '<ns>-a', tolerations: [{ operator: 'Exists' }] })),
  runPods(),
  rest(),
  patch('nodes/<ns>-a', { spec: { taints: [{ key: 'own', effect: 'NoExecute' }] } }),
  untilGone('pods/a'),
  rest(),
  remove('nodes/<ns>-a'),
  untilGone('pods/b', 120),
  rest(),
]);
