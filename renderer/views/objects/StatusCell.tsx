/** A pod's or node's state in kubectl's word, and beside it what the other views call it where that says more. */
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { seePod } from '../../../engine/component-helpers/pod-looks.ts';
import { getPodCondition, nodeNotReady } from '../../../engine/component-helpers/pod.ts';
import { ShapeSign } from '../../components/ShapeSign.tsx';
import { shapes } from '../../components/shapes.ts';
import { StateSign } from '../../components/StateSign.tsx';
import { lookOf, shapeOf, stateInTable } from '../../components/states.ts';
import { shorten } from '../../lib/shorten.ts';
import { texts } from '../../texts/texts.ts';
import { leavesOpen } from './use-pending-pods.ts';

const words = texts.objects;
const cellMax = 300;

export interface StatusCellProps {
  readonly status: string;
  readonly ready: string;
  /** A pod's: of what a node that is not ready said last nobody knows whether it is still so. */
  readonly node: string;
  readonly isLost: boolean;
  /** Of which kubectl's word leaves open why it is so. */
  readonly pod: Pod | undefined;
}

export function StatusCell({ status, ready, node, isLost, pod }: StatusCellProps) {
  const state = stateInTable(status, ready);
  const word = shorten(status, cellMax);
  if (isLost && (state === 'Running' || lookOf(state) === 'Pending' || state === 'NotReady'))
    return (
      <span title={words.saidBefore(node)}>
        <StateSign state={nodeNotReady} /> <span className="muted printed">{word}</span>
      </span>
    );
  // A table that is newer than the pod no longer asks.
  const look = pod && (leavesOpen(status) || state === 'NotReady') ? seePod(pod).look : undefined;
  if (pod === undefined || look === undefined || look === 'Creating' || look === shapeOf(state)) return <StateSign state={state} word={word} />;
  const { message = '' } = getPodCondition(pod, 'PodScheduled') ?? {};
  return (
    <span title={words.printedAs(word, shorten(message, cellMax))}>
      <span className="badge" style={{ color: `var(--state-${shapes[look].token})` }}>
        <ShapeSign look={look} colour="currentColor" />
        {texts.cluster.looks[look]}
      </span>{' '}
      <span className="muted printed">{word}</span>
    </span>
  );
}
