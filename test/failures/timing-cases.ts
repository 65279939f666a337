/**
 * What is expected of each failure of one machine, derived from flags and formulas and not from runs. The fault strikes right after the node
 * monitor has seen a sign of life; where it ends, it ends after 400 s.
 */
import type { Expected, Release, Term } from './timing.ts';
import type { Watched } from './watched.ts';

export interface TimingCase {
  readonly name: string;
  /** Of the fault that strikes; absent where the case does something else. */
  readonly fault?: { readonly type: string; readonly parameters?: object };
  /** Instead of a fault; and what comes later, by second. */
  readonly acts?: Readonly<Record<number, (watched: Watched) => void>>;
  /** The fault is healed then; absent: never. */
  readonly healSecond?: number;
  readonly seconds: number;
  readonly expected: readonly Expected[];
  /** Only in these; absent: in both. */
  readonly releases?: readonly Release[];
}

const grace = 'node-monitor-grace-period';
const toleration = 'default-unreachable-toleration-seconds';

function at(what: string, after: string, ...terms: readonly Term[]): Expected {
  return { what, after, terms };
}

/** A node that nobody hears, its pod, and who takes its place. `before`: what passes until it falls silent. */
function silence(...before: readonly Term[]): readonly Expected[] {
  return [
    ...['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) => at(`node ${type}=Unknown`, 'fault', ...before, grace)),
    ...['Event NodeNotReady', 'pod Ready=False', 'pod gets no traffic'].map((what) => at(what, 'node Ready=Unknown')),
    ...following('Ready=Unknown', 'unreachable', 'pass that taints'),
  ];
}

/** What follows from a node that is not ready, and the deletion of its pod. */
function following(condition: string, taint: string, ...look: readonly Term[]): readonly Expected[] {
  return [
    at(`node +${taint}:NoSchedule`, `node ${condition}`),
    at(`node +${taint}:NoExecute`, `node ${condition}`, ...look),
    ...eviction(`node +${taint}:NoExecute`, toleration),
  ];
}

/** The pod is deleted, and another one takes its place. */
function eviction(after: string, ...terms: readonly Term[]): readonly Expected[] {
  return [
    at('pod deleted', after, ...terms),
    at('replacement created', 'pod deleted'),
    at('replacement Ready=True', 'replacement created', 'pod starts'),
    at('replacement gets traffic', 'replacement Ready=True'),
  ];
}

/** The kubelet is heard again after so long. */
function isBack(...after: readonly Term[]): readonly Expected[] {
  return [
    ...['Ready=True', 'MemoryPressure=False', 'DiskPressure=False', 'PIDPressure=False'].map((what) => at(`node ${what}`, 'heal', ...after)),
    at('node -unreachable:NoSchedule', 'node Ready=True'),
    at('node -unreachable:NoExecute', 'node Ready=True', 'node-monitor-period'),
  ];
}

/** The kubelet ends the pod that was deleted meanwhile: its server ends well when it is asked to, and badly when its machine died. */
function podEnds(how: 'Succeeded' | 'Failed', after: string, ...terms: readonly Term[]): readonly Expected[] {
  return [at(`pod ${how}`, after, ...terms), at('pod gone', after, ...terms)];
}

/** A pressure that the kubelet notices with its next beat, and that stands for five minutes after it was last seen. */
function pressure(condition: string, taint: string, reason: string): readonly Expected[] {
  return [
    at(`node ${condition}=True`, 'fault', 'next heartbeat'),
    at(`node +${taint}:NoSchedule`, `node ${condition}=True`),
    at(reason, `node ${condition}=True`, 'pod ends'),
    at('pod Ready=False', `node ${condition}=True`, 'pod ends'),
    at('pod gets no traffic', `node ${condition}=True`, 'pod ends'),
    at('replacement created', reason),
    at('replacement Ready=True', 'replacement created', 'pod starts'),
    at('replacement gets traffic', 'replacement Ready=True'),
    at(`node ${condition}=False`, 'heal', 'eviction-pressure-transition-period', 'next heartbeat'),
    at(`node -${taint}:NoSchedule`, `node ${condition}=False`),
  ];
}

const untilHealed = { healSecond: 400, seconds: 440 } as const;

export const timingCases: readonly TimingCase[] = [
  {
    name: 'power loss',
    fault: { type: 'node-power-loss' },
    ...untilHealed,
    expected: [
      ...silence(),
      at('Event Starting', 'heal', 'boot of the machine', 'kubelet registers'),
      at('Event Rebooted', 'heal', 'boot of the machine', 'kubelet registers'),
      ...isBack('boot of the machine', 'kubelet registers', 'runtime answers'),
      ...podEnds('Failed', 'Event Rebooted', 'pod ends'),
    ],
  },
  { name: 'hang', fault: { type: 'node-hang' }, ...untilHealed, expected: [...silence(), ...isBack(), ...podEnds('Succeeded', 'heal', 'pod ends')] },
  {
    name: 'partition, both ways',
    fault: { type: 'node-partition' },
    ...untilHealed,
    expected: [...silence(), ...isBack(), ...podEnds('Succeeded', 'heal', 'pod ends')],
  },
  {
    name: 'partition, nothing from the node arrives',
    fault: { type: 'node-partition', parameters: { direction: 'from-node' } },
    ...untilHealed,
    expected: [...silence(), ...isBack(), ...podEnds('Succeeded', 'heal', 'pod ends')],
  },
  {
    name: 'partition, nothing arrives at the node',
    fault: { type: 'node-partition', parameters: { direction: 'to-node' } },
    ...untilHealed,
    // The last sign of life comes within a heartbeat before the connection is given up, and is seen with the next look.
    expected: [...silence('connection given up').map(earlier), ...isBack(), ...podEnds('Succeeded', 'heal', 'pod ends')],
  },
  { name: 'slow network, half a second each way', fault: { type: 'node-network-slow' }, seconds: 120, expected: [] },
  {
    name: 'disk full',
    fault: { type: 'node-disk-full' },
    healSecond: 60,
    seconds: 390,
    expected: pressure('DiskPressure', 'disk-pressure', 'pod Failed Evicted'),
  },
  {
    name: 'memory pressure',
    fault: { type: 'node-memory-pressure' },
    healSecond: 60,
    seconds: 390,
    expected: pressure('MemoryPressure', 'memory-pressure', 'pod Failed Evicted'),
  },
  {
    name: 'PID pressure',
    fault: { type: 'node-pid-pressure' },
    healSecond: 60,
    seconds: 390,
    expected: pressure('PIDPressure', 'pid-pressure', 'pod Failed Evicted'),
  },
  { name: 'clock ten minutes ahead', fault: { type: 'node-clock-skew', parameters: { offset: '10m' } }, seconds: 360, expected: [] },
  {
    name: 'kubelet stopped',
    fault: { type: 'kubelet-stop' },
    ...untilHealed,
    expected: [
      ...silence(),
      at('Event Starting', 'heal', 'kubelet registers'),
      ...isBack('kubelet registers', 'runtime answers'),
      ...podEnds('Succeeded', 'Event Starting', 'pod ends'),
    ],
  },
  { name: 'system disk read-only', fault: { type: 'node-system-disk' }, healSecond: 60, seconds: 120, expected: [] },
  {
    name: 'system disk gone',
    fault: { type: 'node-system-disk', parameters: { how: 'gone' } },
    ...untilHealed,
    expected: [
      ...silence(),
      at('Event Starting', 'heal', 'kubelet registers'),
      ...isBack('kubelet registers', 'runtime answers'),
      ...podEnds('Succeeded', 'Event Starting', 'pod ends'),
    ],
  },
  {
    name: 'kubelet crash and restart',
    fault: { type: 'kubelet-crash' },
    seconds: 360,
    expected: [at('Event Starting', 'fault', 'RestartSec', 'kubelet registers')],
  },
  {
    name: 'certificate expired',
    fault: { type: 'node-certificate-expired' },
    ...untilHealed,
    // Its watch of pods is open, so it has ended the pod and only could not say so.
    expected: [...silence(), ...isBack('next heartbeat'), ...podEnds('Succeeded', 'heal', 'status batch')],
  },
  {
    name: 'container runtime down',
    fault: { type: 'container-runtime-down' },
    healSecond: 450,
    seconds: 480,
    expected: [
      at('node Ready=False', 'fault', 'runtime silent', 'next heartbeat'),
      // The kubelet says so itself, so the controller marks no pods: they get traffic until they are deleted (recorded of the real one).
      ...following('Ready=False', 'not-ready', 'node-monitor-period'),
      at('pod gets no traffic', 'pod deleted'),
      at('pod Ready=False', 'heal', 'pod ends'),
      ...podEnds('Succeeded', 'heal', 'pod ends'),
      at('node Ready=True', 'heal', 'next heartbeat'),
      at('node -not-ready:NoSchedule', 'node Ready=True'),
      at('node -not-ready:NoExecute', 'node Ready=True', 'node-monitor-period'),
    ],
  },
  {
    name: 'reboot',
    fault: { type: 'node-reboot' },
    seconds: 360,
    expected: [
      at('Event Starting', 'fault', 'boot of the machine', 'kubelet registers'),
      at('Event Rebooted', 'fault', 'boot of the machine', 'kubelet registers'),
      at('pod Ready=False', 'Event Rebooted', 'relist'),
      at('pod gets no traffic', 'pod Ready=False'),
      at('pod restarted', 'Event Rebooted', 'pod starts'),
      at('pod Ready=True', 'pod restarted'),
      at('pod gets traffic', 'pod Ready=True'),
    ],
  },
  // Its pods were not called failed in 1.13.
  ...(['1.36', '1.13'] as const).map(
    (release): TimingCase => ({
      name: 'the Node is deleted',
      acts: { 0: ({ tank, victim }) => void tank.call('DELETE', `/api/v1/nodes/${victim}`) },
      releases: [release],
      seconds: 120,
      expected: [
        at('node gone', 'fault'),
        ...eviction('fault', 'podgc quarantine', 'podgc period'),
        at('pod gets no traffic', 'pod gone'),
        ...(release === '1.36' ? [at('pod Failed', 'pod deleted')] : []),
        at('pod gone', 'pod deleted'),
      ],
    }),
  ),
  {
    name: 'power loss, then the out-of-service taint',
    releases: ['1.36'],
    fault: { type: 'node-power-loss' },
    acts: {
      100: ({ tank, victim }) => {
        const { spec } = tank.call<{ readonly spec?: { readonly taints?: readonly object[] } }>('GET', `/api/v1/nodes/${victim}`);
        const taints = [...(spec?.taints ?? []), { key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }];
        tank.call('PATCH', `/api/v1/nodes/${victim}`, { spec: { taints } }, 'application/merge-patch+json');
      },
    },
    seconds: 160,
    expected: [
      ...silence().filter(({ what }) => !what.startsWith('replacement') && what !== 'pod deleted'),
      at('node +out-of-service:NoExecute', '100 s'),
      ...eviction('node +out-of-service:NoExecute'),
      ...podEnds('Failed', 'pod deleted', 'podgc period'),
    ],
  },
];

/** The same, up to a heartbeat earlier, and with the next look. */
function earlier(expected: Expected): Expected {
  return expected.after === 'fault' ? { ...expected, terms: [...expected.terms, 'node-monitor-period'], isUpTo: 'next heartbeat' } : expected;
}
