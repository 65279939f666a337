/** What the space that is left near nodes is worth, and what nodes must declare: as a real scheduler 1.36.3 scored and refused the same pods. */
import { expect, it, test } from 'vitest';
import { csiDrivers, csiStorageCapacities, nodes, persistentVolumeClaims, storageClasses } from '../client/resources.ts';
import { SchedulerBench } from './testing/scheduler-bench.ts';

type Claim = readonly [storageClass: string, size: string];

/** What is left near each node for class `late`; there are 200 Gi for class `other` everywhere. */
const left = { a: '100Gi', b: '50Gi', c: '20Gi' };

/** Scores of VolumeBinding on a, b and c, from the log of the real one with the gate StorageCapacityScoring. */
const recorded: readonly (readonly [name: string, claims: readonly Claim[], scores: readonly number[]])[] = [
  ['one claim', [['late', '10Gi']], [90, 80, 50]],
  [
    'two claims of one class',
    [
      ['late', '10Gi'],
      ['late', '7Gi'],
    ],
    [83, 66, 15],
  ],
  [
    'two classes',
    [
      ['late', '15Gi'],
      ['other', '33Gi'],
    ],
    [85, 77, 55],
  ],
  ['all that is left', [['late', '20Gi']], [80, 60, 0]],
  [
    'more than is left together',
    [
      ['late', '15Gi'],
      ['late', '15Gi'],
    ],
    [70, 40, 0],
  ],
  ['a driver that says nothing', [['silent', '5Gi']], [0, 0, 0]],
  ['a small one', [['late', '333Mi']], [100, 100, 99]],
];

function benchWith(claims: readonly Claim[]): SchedulerBench {
  const bench = new SchedulerBench({ capacityScoring: true });
  bench.putAs(csiDrivers, 'd', undefined, { metadata: { name: 'd' }, spec: { storageCapacity: true } });
  for (const name of ['late', 'other', 'silent'])
    bench.putAs(storageClasses, name, undefined, {
      metadata: { name },
      provisioner: name === 'silent' ? 'z' : 'd',
      volumeBindingMode: 'WaitForFirstConsumer',
    });
  for (const [node, capacity] of Object.entries(left)) {
    bench.node(node);
    for (const [storageClassName, free] of [
      ['late', capacity],
      ['other', '200Gi'],
    ] as const)
      bench.putAs(csiStorageCapacities, `${storageClassName}-${node}`, 'default', {
        metadata: { name: `${storageClassName}-${node}`, namespace: 'default' },
        storageClassName,
        capacity: free,
        nodeTopology: { matchLabels: { 'kubernetes.io/hostname': node } },
      });
  }
  for (const [i, [storageClassName, storage]] of claims.entries())
    bench.putAs(persistentVolumeClaims, `claim-${i}`, 'default', {
      metadata: { name: `claim-${i}`, namespace: 'default', uid: `claim-${i}` },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, storageClassName },
      status: { phase: 'Pending' },
    });
  bench.pod('p', { volumes: claims.map((_, i) => ({ name: `v${i}`, persistentVolumeClaim: { claimName: `claim-${i}` } })) });
  return bench;
}

it.each(recorded)('%s', async (_name, claims, scores) => {
  const bench = benchWith(claims);
  await bench.advance(10);
  const table = bench.decisions[0]?.scores;
  const column = table?.plugins.indexOf('VolumeBinding') ?? -1;
  const of = (node: string): number => table?.raw[table.nodes.indexOf(node)]?.[column] ?? Number.NaN;
  expect(['a', 'b', 'c'].map(of)).toEqual(scores);
});

test('without the gate space does not count', async () => {
  const bench = new SchedulerBench();
  bench.node('a');
  bench.node('b');
  bench.pod('p');
  await bench.advance(10);
  expect(bench.decisions[0]?.scores?.plugins).not.toContain('VolumeBinding');
});

const restartsAll = {
  restartPolicy: 'Never',
  initContainers: [
    {
      name: 'i',
      image: 'i',
      restartPolicy: 'Never',
      restartPolicyRules: [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [42] } }],
    },
  ],
};

test('a node that does not declare what a pod asks for is passed over until it does', async () => {
  const bench = new SchedulerBench();
  bench.node('a');
  bench.pod('p', restartsAll);
  await bench.advance(100);
  expect(bench.nodeOf('p')).toBeUndefined();
  expect(bench.decisions[0]?.message).toContain("1 node(s) didn't match Pod's required features");
  bench.putAs(nodes, 'a', undefined, {
    metadata: { name: 'a', labels: { 'kubernetes.io/hostname': 'a' } },
    status: { allocatable: { cpu: '4', memory: '16Gi', pods: '110' }, declaredFeatures: ['RestartAllContainersOnContainerExits'] },
  });
  await bench.advance(20_000);
  expect(bench.nodeOf('p')).toBe('a');
});

test('without the gate nobody asks what a node declares', async () => {
  const bench = new SchedulerBench({ declaredFeatures: false });
  bench.node('a');
  bench.pod('p', restartsAll);
  await bench.advance(100);
  expect(bench.nodeOf('p')).toBe('a');
});
