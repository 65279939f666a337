/**
 * Failures as a node controller meets them, with the test in the place of kubelets: what nodes there are, when each of them falls silent,
 * speaks again, says something else, is tainted or deleted. Seconds count from the last sign of life that all nodes give together.
 */

/** A node of a case is called by its number. */
export type Act =
  | { readonly at: number; readonly silence: readonly number[] }
  | { readonly at: number; readonly speak: readonly number[] }
  /** Conditions that the kubelet writes from then on. */
  | { readonly at: number; readonly say: Readonly<Record<string, 'True' | 'False'>>; readonly nodes: readonly number[] }
  | { readonly at: number; readonly taint: string; readonly effect: string; readonly nodes: readonly number[] }
  | { readonly at: number; readonly remove: readonly number[] }
  | { readonly at: number; readonly add: number }
  /** By how much the clocks are ahead from then on. */
  | { readonly at: number; readonly skewSeconds: number; readonly nodes: readonly number[] };

export interface PlayedCase {
  readonly name: string;
  /** In a zone of their own, unless it is named. */
  readonly nodes: number;
  readonly zone?: string;
  readonly acts: readonly Act[];
  /** When nodes get their NoExecute taint, in seconds after the first is found silent, as rates and thresholds say. */
  readonly tainted?: { readonly seconds: readonly number[]; readonly because: string };
  /** By name: the node it runs on, and for how long it tolerates a node that is down; absent: as admission gives it. */
  readonly pods?: Readonly<Record<string, { readonly node: number; readonly toleratesSeconds?: number | 'for ever' }>>;
}

/** What one control plane goes through. */
export interface Stage {
  readonly name: string;
  readonly seconds: number;
  readonly cases: readonly PlayedCase[];
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);
const onePod = { pod: { node: 0 } };

const zones: Stage = {
  name: 'zones',
  seconds: 390,
  cases: [
    {
      name: 'one of three falls silent',
      nodes: 3,
      acts: [{ at: 0, silence: [0] }],
      pods: {
        usual: { node: 0 },
        hasty: { node: 0, toleratesSeconds: 60 },
        patient: { node: 0, toleratesSeconds: 'for ever' },
        elsewhere: { node: 1 },
      },
    },
    {
      name: 'silent and back in time',
      nodes: 3,
      acts: [
        { at: 0, silence: [0] },
        { at: 100, speak: [0] },
      ],
      pods: onePod,
    }, // prettier-ignore
    {
      name: 'silent and back late',
      nodes: 3,
      acts: [
        { at: 0, silence: [0] },
        { at: 365, speak: [0] },
      ],
      pods: onePod,
    },
    {
      name: 'not ready and well again',
      nodes: 3,
      acts: [
        { at: 3, say: { Ready: 'False' }, nodes: [0] },
        { at: 103, say: { Ready: 'True' }, nodes: [0] },
      ],
      pods: onePod,
    },
    {
      name: 'not ready, then silent',
      nodes: 3,
      acts: [
        { at: 3, say: { Ready: 'False' }, nodes: [0] },
        { at: 23, silence: [0] },
      ],
      pods: onePod,
    },
    { name: 'never heard of', nodes: 3, acts: [{ at: 0, add: 3 }] },
    {
      name: 'three of four, in a small zone',
      nodes: 4,
      acts: [{ at: 0, silence: numbers(3) }],
      pods: onePod,
      tainted: { seconds: [], because: 'at least unhealthy-zone-threshold 0.55, at most large-cluster-size-threshold 50 nodes: rate 0' },
    },
    {
      name: 'more than 55 % of a large zone',
      nodes: 55,
      acts: [{ at: 0, silence: numbers(31) }],
      pods: onePod,
      tainted: { seconds: [0, 100, 200, 300], because: 'more than large-cluster-size-threshold 50 nodes: one each 1/secondary-node-eviction-rate' },
    },
    {
      name: 'less than 55 % of a large zone',
      nodes: 55,
      acts: [{ at: 0, silence: numbers(4) }],
      pods: onePod,
      tainted: { seconds: [0, 10, 20, 30], because: 'less than unhealthy-zone-threshold 0.55: one each 1/node-eviction-rate' },
    },
    {
      name: 'a whole zone',
      nodes: 3,
      acts: [{ at: 0, silence: numbers(3) }],
      pods: onePod,
      tainted: { seconds: [0, 10, 20], because: 'full disruption of one zone of several: one each 1/node-eviction-rate' },
    },
    {
      name: 'three of ten',
      nodes: 10,
      acts: [{ at: 0, silence: numbers(3) }],
      pods: onePod,
      tainted: { seconds: [0, 10, 20], because: 'less than unhealthy-zone-threshold 0.55: one each 1/node-eviction-rate' },
    },
    { name: 'deleted', nodes: 3, acts: [{ at: 0, remove: [0] }], pods: onePod },
    {
      name: 'out of service',
      nodes: 3,
      acts: [
        { at: 0, silence: [0] },
        { at: 100, taint: 'node.kubernetes.io/out-of-service', effect: 'NoExecute', nodes: [0] },
      ],
      pods: onePod,
    }, // prettier-ignore
    { name: 'a clock ahead', nodes: 3, acts: [{ at: 0, skewSeconds: 600, nodes: [0] }], pods: onePod },
    { name: 'a clock behind', nodes: 3, acts: [{ at: -20, skewSeconds: -600, nodes: [0] }], pods: onePod },
    {
      name: 'a clock ahead, put right',
      nodes: 3,
      acts: [
        { at: 0, skewSeconds: 600, nodes: [0] },
        { at: 60, skewSeconds: 0, nodes: [0] },
      ],
      pods: onePod,
    }, // prettier-ignore
    ...['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'].map(
      (type): PlayedCase => ({
        name: type,
        nodes: 3,
        acts: [
          { at: 3, say: { [type]: 'True' }, nodes: [0] },
          { at: 63, say: { [type]: 'False' }, nodes: [0] },
        ],
        pods: onePod,
      }),
    ),
  ],
};

/** Two zones that fail one after the other: all is disrupted then, and nobody is blamed. */
const oneAfterTheOther: Stage = {
  name: 'one zone after the other',
  seconds: 400,
  cases: [
    { name: 'the first zone', zone: 'first', nodes: 3, acts: [{ at: 0, silence: numbers(3) }], pods: onePod },
    {
      name: 'the second zone',
      zone: 'second',
      nodes: 3,
      acts: [
        { at: 100, silence: numbers(3) },
        { at: 250, speak: numbers(3) },
      ],
      pods: onePod,
    }, // prettier-ignore
  ],
};

const allAtOnce: Stage = {
  name: 'all at once',
  seconds: 300,
  cases: [
    { name: 'a zone that stays away', zone: 'away', nodes: 3, acts: [{ at: 0, silence: numbers(3) }], pods: onePod },
    {
      name: 'a zone that comes back',
      zone: 'back',
      nodes: 3,
      acts: [
        { at: 0, silence: numbers(3) },
        { at: 120, speak: numbers(3) },
      ],
      pods: onePod,
    }, // prettier-ignore
  ],
};

export const stages: readonly Stage[] = [zones, oneAfterTheOther, allAtOnce];
