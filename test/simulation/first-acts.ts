/** First acts after a restore that set controllers in motion which nothing in an ordinary cluster moves. */
import type { Pod } from '../../engine/api/core/v1/types.gen.ts';
import { formatTime } from '../../engine/apimachinery/time.ts';
import { janesRequest } from '../support/certificate-requests.ts';
import type { TestCluster } from '../support/cluster.ts';

const apps = '/apis/apps/v1/namespaces/default';
const core = '/api/v1/namespaces/default';
const merge = 'application/merge-patch+json';
const template = (app: string): object => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'c', image: 'nginx:1.27', resources: { requests: { cpu: '100m' } } }] },
});
/** Of the class that makes volumes. */
export const dynamicClaim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } };
const selector = (app: string): object => ({ matchLabels: { app } });

function bootstrapToken({ cluster }: TestCluster): object {
  const expiration = formatTime(cluster.loop.nowMs() + 20_000);
  const data = { 'token-id': 'abcdef', 'token-secret': '0123456789abcdef', 'usage-bootstrap-signing': 'true', expiration };
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'bootstrap-token-abcdef' }, type: 'bootstrap.kubernetes.io/token', stringData: data };
}

export const actsOfControllers: Readonly<Record<string, (made: TestCluster) => void>> = {
  'a new stateful set': ({ call }) =>
    call('POST', `${apps}/statefulsets`, {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'db' },
      spec: { replicas: 2, serviceName: 'db', selector: selector('db'), template: template('db') },
    }),
  'a new daemon set': ({ call }) =>
    call('POST', `${apps}/daemonsets`, {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'agent' },
      spec: { selector: selector('agent'), template: template('agent') },
    }),
  'a new autoscaler': ({ call }) =>
    call('POST', '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        maxReplicas: 5,
        metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }],
      },
    }),
  'a role that is part of another': ({ call }) =>
    call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'part', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
      rules: [{ apiGroups: ['example.org'], resources: ['things'], verbs: ['get'] }],
    }),
  'a certificate that is asked for and approved': ({ call }) => {
    const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const spec = { request: btoa(janesRequest), signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] };
    call('POST', path, { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { name: 'jane' }, spec });
    const conditions = [{ type: 'Approved', status: 'True', reason: 'Test', message: 'approved' }];
    call('PATCH', `${path}/jane/approval`, { status: { conditions } }, merge);
  },
  'a pod with a claim from a template': ({ call }) => {
    const requests = [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }];
    const resource = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaimTemplate', metadata: { name: 'gpu' } };
    call('POST', '/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates', { ...resource, spec: { spec: { devices: { requests } } } });
    call('POST', `${core}/pods`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'claiming' },
      spec: { containers: [{ name: 'c', image: 'nginx:1.27' }], resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }] },
    });
  },
  'a device that a driver taints': (made) => {
    const resource = 'resource.k8s.io/v1';
    const claims = `/apis/${resource}/namespaces/default/resourceclaims`;
    const requests = [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }];
    const spec = {
      nodeName: 'node-0',
      containers: [{ name: 'c', image: 'nginx:1.27' }],
      resourceClaims: [{ name: 'gpu', resourceClaimName: 'one' }],
    };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'tainted' }, spec };
    const { uid } = made.call<Pod>('POST', `${core}/pods`, pod).metadata;
    made.call('POST', claims, { apiVersion: resource, kind: 'ResourceClaim', metadata: { name: 'one' }, spec: { devices: { requests } } });
    const results = [{ request: 'gpu', driver: 'gpu.example.com', pool: 'p', device: 'd' }];
    const status = { allocation: { devices: { results } }, reservedFor: [{ resource: 'pods', name: 'tainted', uid }] };
    made.call('PATCH', `${claims}/one/status`, { status }, merge);
    const devices = [{ name: 'd', taints: [{ key: 'broken', effect: 'NoExecute' }] }];
    const slice = { driver: 'gpu.example.com', nodeName: 'node-0', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, devices };
    made.call('POST', `/apis/${resource}/resourceslices`, { apiVersion: resource, kind: 'ResourceSlice', metadata: { name: 's' }, spec: slice });
  },
  'two pods that label a volume in two ways': ({ call }) => {
    call('PATCH', '/apis/storage.k8s.io/v1/csidrivers/disk.csi.sim.wavetank.dev', { spec: { seLinuxMount: true } }, merge);
    for (const level of ['s0:c1', 's0:c2'])
      call('POST', `${core}/pods`, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `labelled-${level.slice(-1)}` },
        spec: {
          securityContext: { seLinuxOptions: { level } },
          containers: [{ name: 'c', image: 'nginx:1.27', volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
          volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'dynamic' } }],
        },
      });
  },
  'a service with a load balancer': ({ call }) => call('PATCH', `${core}/services/web`, { spec: { type: 'LoadBalancer' } }, merge),
  'a new node': ({ call }) => call('PATCH', '/apis/sim.wavetank.dev/v1alpha1/nodepools/default', { spec: { count: 3 } }, merge),
  'a new range of service addresses': ({ call }) =>
    call('POST', '/apis/networking.k8s.io/v1/servicecidrs', {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'ServiceCIDR',
      metadata: { name: 'more' },
      spec: { cidrs: ['10.200.0.0/24'] },
    }),
  'a bootstrap token that runs out': (made) => {
    made.call('POST', '/api/v1/namespaces/kube-public/configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'cluster-info' },
      data: { kubeconfig: 'apiVersion: v1\nkind: Config\n' },
    });
    made.call('POST', '/api/v1/namespaces/kube-system/secrets', bootstrapToken(made));
  },
  'a new admission policy': ({ call }) =>
    call('POST', '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies', {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'small' },
      spec: {
        matchConstraints: { resourceRules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] }] },
        validations: [{ expression: 'object.spec.replicas <= 5' }],
      },
    }),
  'a pod with a volume of its own': ({ call }) =>
    call('POST', `${core}/pods`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'writing' },
      spec: {
        containers: [{ name: 'c', image: 'nginx:1.27', volumeMounts: [{ name: 'own', mountPath: '/own' }] }],
        volumes: [{ name: 'own', ephemeral: { volumeClaimTemplate: { spec: dynamicClaim } } }],
      },
    }),
  'a claim that grows': ({ call }) =>
    call('PATCH', `${core}/persistentvolumeclaims/dynamic`, { spec: { resources: { requests: { storage: '3Gi' } } } }, merge),
  'a deleted volume that nobody claims': ({ call }) => call('DELETE', '/api/v1/persistentvolumes/spare'),
};

/** Whom nothing moves that can be done in the minute after a restore, and why. */
export const unmoved: Readonly<Record<string, string>> = {
  'system:serviceaccount:kube-system:legacy-service-account-token-cleaner': 'begins a year after the tokens were first followed',
  'system:serviceaccount:kube-system:podcertificaterequestcleaner': 'deletes what is a quarter of an hour old',
  'system:serviceaccount:kube-system:podgroup-protection-controller': 'PodGroups are of an API that is off',
  'system:serviceaccount:kube-system:resourcepoolstatusrequest-controller': 'ResourcePoolStatusRequests are of an API that is off',
  'system:serviceaccount:kube-system:storage-version-migrator-controller': 'StorageVersionMigrations are of an API that is off',
  'system:serviceaccount:kube-system:storage-version-garbage-collector': 'StorageVersions are of an API that is off',
  'system:serviceaccount:kube-system:kube-apiserver-serving-clustertrustbundle-publisher': 'ClusterTrustBundles are of an API that is off',
};
