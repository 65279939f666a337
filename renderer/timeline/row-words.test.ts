import { describe, expect, it } from 'vitest';
import { lookOf, shapeOf } from '../components/states.ts';
import { rowWords, stateWord } from './row-words.ts';

const segment = (state: string, more: object = {}) => ({ fromMs: 0, state, ...more });

describe('a row in words', () => {
  const cases = [
    { name: 'a pod that cannot pull', row: { kind: 'Pod', segments: [segment('Pending', { reason: 'ErrImagePull' })] }, want: 'Pod, ErrImagePull' },
    { name: 'one that runs and is not ready', row: { kind: 'Pod', segments: [segment('Running', { ready: false })] }, want: 'Pod, Starting' },
    {
      name: 'a Deployment',
      row: { kind: 'Deployment', segments: [segment('Exists')] },
      want: 'Deployment',
    },
    { name: 'a Service', row: { kind: 'Service', segments: [segment('Exists')] }, want: 'Service' },
    { name: 'a node', row: { kind: 'Node', segments: [segment('Ready')] }, want: 'Node, Ready' },
    {
      name: 'a silent node',
      row: { kind: 'Node', segments: [segment('Unknown')] },
      want: 'Node, Unreachable',
    },
    { name: 'a ConfigMap', row: { kind: 'ConfigMap', segments: [segment('Exists')] }, want: 'ConfigMap' },
    { name: 'what is gone', row: { kind: 'Pod', segments: [segment('Running', { ready: true })], deletedMs: 9 }, want: 'Pod, deleted' },
    { name: 'what has no bar yet', row: { kind: 'Pod', segments: [] }, want: 'Pod' },
  ];
  it.each(cases)('$name', ({ row, want }) => expect(rowWords(row as Parameters<typeof rowWords>[0])).toBe(want));

  it('a node that is not heard looks like the pods on it, and a pod keeps its phase’s word', () => {
    const word = stateWord('Node', segment('Unknown'));
    expect([lookOf(word), shapeOf(word)]).toEqual([lookOf('NodeNotReady'), shapeOf('NodeNotReady')]);
    expect(stateWord('Pod', segment('Unknown'))).toBe('Unknown');
  });
});
