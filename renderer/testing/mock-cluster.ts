/** A deterministic pretend cluster for the page's own tests: every object is computed from its index, so 10,000 pods cost nothing to describe. */
export const startMs = Date.UTC(2026, 0, 5, 8, 0, 0);
export const sim = 'sim.wavetank.dev/v1alpha1';

export interface MockSize {
  readonly nodes: number;
  readonly pods: number;
}
export interface MockObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Record<string, unknown> & { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

const zones = ['eu-1a', 'eu-1b', 'eu-1c'];
export const podsPerDeployment = 100;
const phases = ['Running', 'Running', 'Running', 'Running', 'Running', 'Running', 'Running', 'Pending', 'Running', 'Running'];

export function iso(ms: number): string {
  return new Date(Math.floor(ms / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}
export function uid(seed: number, salt: number): string {
  const hex = ((seed * 2654435761 + salt * 40503) >>> 0).toString(16).padStart(8, '0');
  return `${hex}-0000-4000-8000-${String(seed).padStart(12, '0')}`;
}

export function deploymentName(index: number): string {
  return `${['checkout', 'search', 'cart', 'ledger', 'mailer', 'gateway', 'catalog', 'pricing'][index % 8]}-${Math.floor(index / 8)}`;
}
export function podName(index: number): string {
  return `${deploymentName(Math.floor(index / podsPerDeployment))}-7d4b9c-${((index * 7919) % 46656).toString(36).padStart(3, '0')}${index % 10}`;
}
export function podCreatedMs(index: number): number {
  return startMs + 4000 + (index % podsPerDeployment) * 350 + Math.floor(index / podsPerDeployment) * 900;
}
export function podPhase(index: number, size: MockSize, failed: ReadonlySet<string>): string {
  if (index % 457 === 3) return 'Failed';
  if (index % 233 === 5) return 'Succeeded';
  return failed.has(`pool-${index % size.nodes}`) ? 'Unknown' : (phases[((index * 31) % 97) % 10] ?? 'Running');
}

/** The status of its condition Ready. */
export function nodeReady(index: number, down: boolean): 'False' | 'True' | 'Unknown' {
  return down ? 'Unknown' : index % 97 === 11 ? 'False' : 'True';
}

export function node(index: number, down: boolean, now: number): MockObject {
  const name = `pool-${index}`;
  const ready = nodeReady(index, down);
  const condition = (type: string, status: string, reason: string, message: string) => ({
    type,
    status,
    reason,
    message,
    lastHeartbeatTime: iso(now - (now % 10_000)),
    lastTransitionTime: iso(startMs + 2000),
  });
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      uid: uid(index, 1),
      resourceVersion: String(100 + index),
      creationTimestamp: iso(startMs + 1000),
      labels: { 'topology.kubernetes.io/zone': zones[index % 3], 'kubernetes.io/hostname': name, 'sim.wavetank.dev/simulated': 'true' },
    },
    spec: {
      podCIDR: `10.${index >> 8}.${index & 255}.0/24`,
      ...(ready === 'True'
        ? {}
        : { taints: [{ key: ready === 'Unknown' ? 'node.kubernetes.io/unreachable' : 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] }),
    },
    status: {
      capacity: { cpu: '8', memory: '32Gi', pods: '110' },
      allocatable: { cpu: '7800m', memory: '31Gi', pods: '110' },
      conditions: [
        condition('MemoryPressure', index % 53 === 7 ? 'True' : 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
        condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
        condition(
          'Ready',
          ready,
          ready === 'Unknown' ? 'NodeStatusUnknown' : 'KubeletReady',
          ready === 'Unknown' ? 'Kubelet stopped posting node status.' : 'kubelet is posting ready status',
        ),
      ],
      nodeInfo: { kubeletVersion: 'v1.36.3', osImage: 'Wavetank (simulated)' },
    },
  };
}

export function pod(index: number, size: MockSize, failed: ReadonlySet<string>): MockObject {
  const phase = podPhase(index, size, failed);
  const running = phase === 'Running';
  const created = podCreatedMs(index);
  const owner = `${deploymentName(Math.floor(index / podsPerDeployment))}-7d4b9c`;
  const condition = (type: string, status: string, ms: number, extra: object = {}) => ({ type, status, lastTransitionTime: iso(ms), ...extra });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: podName(index),
      namespace: 'shop',
      uid: uid(index, 2),
      resourceVersion: String(5000 + index),
      creationTimestamp: iso(created),
      labels: { app: deploymentName(Math.floor(index / podsPerDeployment)), 'pod-template-hash': '7d4b9c' },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, uid: uid(Math.floor(index / podsPerDeployment), 3), controller: true },
      ],
    },
    spec: {
      ...(phase === 'Pending' ? {} : { nodeName: `pool-${index % size.nodes}` }),
      containers: [
        {
          name: 'app',
          image: 'ghcr.io/acme/shop:1.4.2',
          ports: [{ containerPort: 8080 }],
          resources: { requests: { cpu: `${50 + (index % 4) * 50}m`, memory: '128Mi' } },
        },
      ],
      restartPolicy: 'Always',
    },
    status: {
      phase,
      ...(running ? { podIP: `10.${index >> 8}.${index & 255}.2` } : {}),
      conditions:
        phase === 'Pending'
          ? [
              condition('PodScheduled', 'False', created, {
                reason: 'Unschedulable',
                message: `0/${size.nodes} nodes are available: ${size.nodes} Insufficient cpu.`,
              }),
            ]
          : [
              condition('PodScheduled', 'True', created + 200),
              condition('ContainersReady', running ? 'True' : 'False', created + 3000),
              condition('Ready', running && index % 41 !== 0 ? 'True' : 'False', created + 3100),
            ],
      containerStatuses:
        phase === 'Pending'
          ? []
          : [
              {
                name: 'app',
                image: 'ghcr.io/acme/shop:1.4.2',
                ready: running && index % 41 !== 0,
                restartCount: index % 41 === 0 ? 3 : 0,
                state: running
                  ? { running: { startedAt: iso(created + 2500) } }
                  : { terminated: { exitCode: phase === 'Failed' ? 1 : 0, reason: phase === 'Failed' ? 'Error' : 'Completed' } },
              },
            ],
    },
  };
}

export function deployment(index: number): MockObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: deploymentName(index),
      namespace: 'shop',
      uid: uid(index, 4),
      resourceVersion: String(2000 + index),
      generation: 1,
      creationTimestamp: iso(startMs + 3000 + index * 900),
    },
    spec: { replicas: podsPerDeployment, selector: { matchLabels: { app: deploymentName(index) } } },
    status: {
      replicas: podsPerDeployment,
      readyReplicas: podsPerDeployment - 4,
      updatedReplicas: podsPerDeployment,
      availableReplicas: podsPerDeployment - 4,
      observedGeneration: 1,
      conditions: [
        { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' },
        { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable', message: 'ReplicaSet has successfully progressed.' },
      ],
    },
  };
}

export function event(index: number): MockObject {
  const kinds = [
    ['Scheduled', 'Normal', 'Successfully assigned'],
    ['Pulled', 'Normal', 'Container image already present'],
    ['Started', 'Normal', 'Started container app'],
    ['BackOff', 'Warning', 'Back-off restarting failed container app'],
    ['FailedScheduling', 'Warning', '0/1000 nodes are available: 1000 Insufficient cpu.'],
  ];
  const [reason = '', type = '', message = ''] = kinds[index % kinds.length] ?? [];
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: {
      name: `${podName(index)}.${index}`,
      namespace: 'shop',
      uid: uid(index, 5),
      resourceVersion: String(20000 + index),
      creationTimestamp: iso(podCreatedMs(index) + 1500),
    },
    involvedObject: { kind: 'Pod', apiVersion: 'v1', namespace: 'shop', name: podName(index), uid: uid(index, 2) },
    reason,
    type,
    message,
    count: 1,
    firstTimestamp: iso(podCreatedMs(index) + 1500),
    lastTimestamp: iso(podCreatedMs(index) + 1500),
    source: { component: reason === 'Scheduled' ? 'default-scheduler' : 'kubelet' },
  };
}

export const scenarios: readonly MockObject[] = [
  {
    apiVersion: sim,
    kind: 'Scenario',
    metadata: { name: 'node-outage', uid: uid(1, 9), resourceVersion: '11', creationTimestamp: iso(startMs) },
    spec: {
      title: 'A node loses power',
      description: 'A machine goes dark. Watch the lease run out, the node become unreachable and its pods be evicted and replaced elsewhere.',
      steps: [
        { name: 'deploy', description: 'A deployment of three replicas', apply: [] },
        { name: 'settle', description: 'All three are ready', waitFor: { object: { apiVersion: 'apps/v1', kind: 'Deployment' } } },
        { name: 'cut-power', description: 'The power of one node fails', hint: 'Which controller notices first, and how?', apply: [] },
        { name: 'evicted', description: 'Its pods are evicted', wait: '6m' },
        { name: 'recovered', description: 'Three replicas are ready again', waitFor: { object: { apiVersion: 'apps/v1', kind: 'Deployment' } } },
      ],
      expectations: [
        { name: 'node marked unreachable', object: { apiVersion: 'v1', kind: 'Node' }, before: '60s' },
        { name: 'replacement pods within 6 minutes', object: { apiVersion: 'v1', kind: 'Pod' }, before: '6m' },
      ],
    },
  },
  {
    apiVersion: sim,
    kind: 'Scenario',
    metadata: { name: 'cron-missed', uid: uid(2, 9), resourceVersion: '12', creationTimestamp: iso(startMs) },
    spec: {
      title: 'A CronJob misses its start',
      description: 'The controller is paused over two planned times; the starting deadline decides what is caught up.',
      steps: [
        { name: 'create', apply: [] },
        { name: 'wait', wait: '30m' },
      ],
      expectations: [],
    },
  },
  {
    apiVersion: sim,
    kind: 'Scenario',
    metadata: { name: 'bad-rollout', uid: uid(3, 9), resourceVersion: '13', creationTimestamp: iso(startMs) },
    spec: {
      title: 'A rollout that cannot pull',
      description: 'An image tag that does not exist stops a rolling update half way.',
      steps: [
        { name: 'deploy', apply: [] },
        { name: 'break', apply: [] },
        { name: 'stalled', wait: '10m' },
      ],
      expectations: [{ name: 'old pods keep serving', object: { apiVersion: 'v1', kind: 'Pod' } }],
    },
  },
];
