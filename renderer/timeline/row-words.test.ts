import { describe, expect, it } from 'vitest';
import { lookOf, shapeOf } from '../components/states.ts';
import { rowWords, statesIn, stateWord } from './row-words.ts';

const segment = (state: string, more: object = {}) => ({ fromMs: 0, state, ...more });

type Row = Parameters<typeof rowWords>[0];
interface Case {
  readonly name: string;
  readonly row: object;
  readonly ms?: number;
  readonly want: string;
}

describe('a row in words', () => {
  const cases: readonly Case[] = [
    { name: 'a pod that cannot pull', row: { kind: 'Pod', segments: [segment('Pending', { reason: 'ErrImagePull' })] }, want: 'Pod, ErrImagePull' },
    { name: 'one that runs and is not ready', row: { kind: 'Pod', segments: [segment('Running', { ready: false })] }, want: 'Pod, Starting' },
    {
      name: 'a Deployment',
      row: { kind: 'Deployment', segments: [segment('Exists')], area: [0, 2, 2, 2, 9, 3, 1, 2] },
      want: 'Deployment, 1 of 3 pods ready',
    },
    {
      name: 'the same before that',
      row: { kind: 'Deployment', segments: [segment('Exists')], area: [0, 2, 2, 2, 9, 3, 1, 2] },
      ms: 8,
      want: 'Deployment, 2 of 2 pods ready',
    },
    { name: 'one that wants none', row: { kind: 'Deployment', segments: [segment('Exists')], area: [0, 0, 0, 0] }, want: 'Deployment' },
    { name: 'a Service', row: { kind: 'Service', segments: [segment('Exists')], area: [0, 1, 0, 1] }, want: 'Service, 0 of 1 endpoint ready' },
    {
      name: 'a node',
      row: { kind: 'Node', segments: [segment('Ready')], area: [0, 5000, 4967, 5000] },
      want: 'Node, Ready, 4 967 of 5 000 pods ready',
    },
    {
      name: 'a silent node',
      row: { kind: 'Node', segments: [segment('Unknown')], area: [0, 5, 0, 5] },
      want: 'Node, Unreachable, 0 of 5 pods ready',
    },
    {
      name: 'a pod before its node fell silent',
      row: {
        kind: 'Pod',
        segments: [segment('Running', { ready: true }), { ...segment('Running', { ready: false, reason: 'NodeNotReady' }), fromMs: 9 }],
      },
      ms: 8,
      want: 'Pod, Running',
    },
    { name: 'a ConfigMap', row: { kind: 'ConfigMap', segments: [segment('Exists')] }, want: 'ConfigMap' },
    { name: 'what is gone', row: { kind: 'Pod', segments: [segment('Running', { ready: true })], deletedMs: 9 }, want: 'Pod, deleted' },
    { name: 'what goes later', row: { kind: 'Pod', segments: [segment('Running', { ready: true })], deletedMs: 9 }, ms: 8, want: 'Pod, Running' },
    {
      name: 'what comes later',
      row: { kind: 'Pod', segments: [segment('Running', { ready: true })], createdMs: 9 },
      ms: 8,
      want: 'Pod, not there yet',
    },
    {
      name: 'a pod whose status somebody else writes',
      row: { kind: 'Pod', segments: [segment(`a\u202eb\u0007${'c'.repeat(5000)}`)] },
      want: `Pod, a\ufffdb\ufffd${'c'.repeat(52)} … ${'c'.repeat(20)}`,
    },
    { name: 'what has no bar yet', row: { kind: 'Pod', segments: [] }, want: 'Pod' },
  ];
  it.each<Case>(cases)('$name', ({ row, want, ms = 100 }) =>
    expect(rowWords({ createdMs: 0, ...row } as Row, ms).replaceAll('\u202f', ' ')).toBe(want),
  );

  it('a node that is not heard looks like the pods on it, and a pod keeps its phase’s word', () => {
    const word = stateWord('Node', segment('Unknown'));
    expect([lookOf(word), shapeOf(word)]).toEqual([lookOf('NodeNotReady'), shapeOf('NodeNotReady')]);
    expect(stateWord('Pod', segment('Unknown'))).toBe('Unknown');
  });

  it('the legend has the states of what is shown, and none of before or after it', () => {
    const rows = [
      {
        kind: 'Pod',
        segments: [
          { ...segment('Pending'), toMs: 10 },
          { ...segment('Running', { ready: true }), fromMs: 10, toMs: 30 },
          { ...segment('Failed'), fromMs: 30 },
        ],
      },
    ];
    expect(statesIn(rows, 15, 20)).toEqual(['Running']);
    expect(statesIn(rows, 5, 40)).toEqual(['Failed', 'Pending', 'Running']);
  });
});
