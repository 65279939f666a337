/** Cells that count what is: each has a value of its own here, so that none can stand in another's column (the samples' are mostly zero). */
import { expect, it } from 'vitest';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import { kinds } from '../../engine/kinds/index.gen.ts';
import { TableMaker } from '../../engine/registry/table.ts';

const nowMs = Date.UTC(2026, 0, 1);
const ago = (seconds: number): string => new Date(nowMs - seconds * 1000).toISOString().replace('.000', '');
const metadata = { name: 'a', namespace: 'default', creationTimestamp: ago(60) };
const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const selector = { matchLabels: { app: 'a' } };

type Row = readonly [type: string, object: object, cells: Readonly<Record<string, unknown>>];

const rows: readonly Row[] = [
  [
    'apps/v1 Deployment',
    { spec: { replicas: 5, selector, template }, status: { replicas: 9, readyReplicas: 2, updatedReplicas: 3, availableReplicas: 4 } },
    { Ready: '2/5', 'Up-to-date': 3, Available: 4, Age: '60s', Containers: 'c', Images: 'i', Selector: 'app=a' },
  ],
  [
    'apps/v1 ReplicaSet',
    { spec: { replicas: 5, selector, template }, status: { replicas: 4, readyReplicas: 2, availableReplicas: 1, fullyLabeledReplicas: 3 } },
    { Desired: 5, Current: 4, Ready: 2, Age: '60s' },
  ],
  [
    'apps/v1 StatefulSet',
    { spec: { replicas: 5, selector, template }, status: { replicas: 4, readyReplicas: 2, currentReplicas: 3, updatedReplicas: 1 } },
    { Ready: '2/5', Age: '60s' },
  ],
  [
    'apps/v1 DaemonSet',
    {
      spec: { selector, template: { ...template, spec: { ...template.spec, nodeSelector: { disk: 'fast' } } } },
      status: {
        desiredNumberScheduled: 6,
        currentNumberScheduled: 5,
        numberReady: 4,
        updatedNumberScheduled: 3,
        numberAvailable: 2,
        numberMisscheduled: 1,
      },
    },
    { Desired: 6, Current: 5, Ready: 4, 'Up-to-date': 3, Available: 2, 'Node Selector': 'disk=fast', Age: '60s' },
  ],
  [
    'rbac.authorization.k8s.io/v1 RoleBinding',
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'ServiceAccount', name: 'near' },
        { kind: 'User', name: 'ann' },
        { kind: 'ServiceAccount', name: 'far', namespace: 'n' },
      ],
    },
    { Role: 'Role/r', Users: 'ann', Groups: '', ServiceAccounts: '/near, n/far' },
  ],
  [
    'core/v1 ReplicationController',
    { spec: { replicas: 5, selector: { app: 'a' }, template }, status: { replicas: 4, readyReplicas: 2 } },
    { Desired: 5, Current: 4, Ready: 2 },
  ],
  [
    'batch/v1 Job',
    { spec: { completions: 5, parallelism: 3, selector, template }, status: { active: 1, succeeded: 2, failed: 4, startTime: ago(40) } },
    { Status: 'Running', Completions: '2/5', Duration: '40s', Age: '60s' },
  ],
  [
    'batch/v1 CronJob',
    {
      spec: { schedule: '*/5 * * * *', timeZone: 'Asia/Tokyo', suspend: true, jobTemplate: { spec: { template } } },
      status: { active: [{ name: 'x' }, { name: 'y' }], lastScheduleTime: ago(30) },
    },
    { Schedule: '*/5 * * * *', Timezone: 'Asia/Tokyo', Suspend: 'True', Active: 2, 'Last Schedule': '30s', Age: '60s' },
  ],
  [
    'policy/v1 PodDisruptionBudget',
    { spec: { minAvailable: 2, selector }, status: { disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 4, expectedPods: 5 } },
    { 'Min Available': '2', 'Max Unavailable': 'N/A', 'Allowed Disruptions': 1, Age: '60s' },
  ],
  [
    'autoscaling/v1 HorizontalPodAutoscaler',
    {
      spec: { minReplicas: 2, maxReplicas: 9, scaleTargetRef: { kind: 'Deployment', name: 'web' }, targetCPUUtilizationPercentage: 50 },
      status: { currentReplicas: 3, desiredReplicas: 4, currentCPUUtilizationPercentage: 70 },
    },
    { Reference: 'Deployment/web', MinPods: '2', MaxPods: 9, Replicas: 3 },
  ],
  [
    'core/v1 Pod',
    {
      spec: {
        nodeName: 'n',
        containers: [
          { name: 'c', image: 'i' },
          { name: 'd', image: 'j' },
          { name: 'e', image: 'k' },
        ],
      },
      status: {
        phase: 'Running',
        podIP: '10.0.0.7',
        podIPs: [{ ip: '10.0.0.7' }],
        nominatedNodeName: 'm',
        containerStatuses: [
          { name: 'c', ready: true, restartCount: 3, state: { running: {} }, lastState: { terminated: { finishedAt: ago(20) } } },
          { name: 'd', ready: true, restartCount: 2, state: { running: {} } },
          { name: 'e', ready: false, restartCount: 0, state: { running: {} } },
        ],
      },
    },
    { Ready: '2/3', Status: 'Running', Restarts: '5 (20s ago)', IP: '10.0.0.7', Node: 'n', 'Nominated Node': 'm', 'Readiness Gates': '<none>' },
  ],
  [
    'core/v1 PersistentVolumeClaim',
    {
      spec: { volumeName: 'v', storageClassName: 'fast', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      status: { phase: 'Bound', capacity: { storage: '2Gi' }, accessModes: ['ReadWriteMany'] },
    },
    { Status: 'Bound', Volume: 'v', Capacity: '2Gi', 'Access Modes': 'RWX', StorageClass: 'fast', Age: '60s' },
  ],
  [
    'core/v1 Service',
    {
      spec: {
        type: 'LoadBalancer',
        clusterIP: '10.96.0.9',
        clusterIPs: ['10.96.0.9'],
        ports: [{ port: 80, nodePort: 30080, protocol: 'TCP' }],
        selector: { app: 'a' },
      },
      status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } },
    },
    { Type: 'LoadBalancer', 'Cluster-IP': '10.96.0.9', 'External-IP': '1.2.3.4', 'Port(s)': '80:30080/TCP', Age: '60s', Selector: 'app=a' },
  ],
  [
    'core/v1 Node',
    {
      spec: { unschedulable: true },
      metadata: { ...metadata, labels: { 'node-role.kubernetes.io/worker': '' } },
      status: {
        conditions: [{ type: 'Ready', status: 'True' }],
        addresses: [
          { type: 'ExternalIP', address: '5.6.7.8' },
          { type: 'InternalIP', address: '10.1.1.1' },
        ],
        nodeInfo: { kubeletVersion: 'v1.36.0', osImage: 'os', kernelVersion: 'kernel', containerRuntimeVersion: 'runtime' },
      },
    },
    {
      Status: 'Ready,SchedulingDisabled',
      Roles: 'worker',
      Version: 'v1.36.0',
      'Internal-IP': '10.1.1.1',
      'External-IP': '5.6.7.8',
      'OS-Image': 'os',
      'Kernel-Version': 'kernel',
      'Container-Runtime': 'runtime',
    },
  ],
];

it.each(rows)('%s', (type, object, wanted) => {
  const kind = kinds.find((one) => `${one.group === '' ? 'core' : one.group}/${one.version} ${one.kind}` === type);
  if (kind === undefined) throw new Error(`no kind ${type}`);
  const maker = new TableMaker({ kind }, 'None', 'v1', nowMs);
  const names = (maker.columns() as readonly { readonly name: string }[]).map(({ name }) => name);
  const { cells } = maker.row({ kind: kind.kind, apiVersion: type, metadata, ...object } as KubeObject);
  const shown = Object.fromEntries(names.map((name, index) => [name, cells[index]]));
  expect(shown).toMatchObject(wanted);
});
