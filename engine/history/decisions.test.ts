import { expect, it } from 'vitest';
import type { JsonValue } from '../base/json.ts';
import { SchedulingDecisions } from './decisions.ts';

const nodes = Array.from({ length: 50 }, (_, node) => `node-${node}`);

function decide(decisions: SchedulingDecisions, pod: string): void {
  const scores = { plugins: ['ImageLocality'], nodes, values: nodes.map(() => [1]) };
  decisions.onDecision({ pod: `default/${pod}`, result: 'scheduled', scores } as { readonly pod: string });
}

function nodesShown(decisions: SchedulingDecisions, pod: string): readonly number[] | undefined {
  return decisions.get('default', pod)?.attempts.map((attempt) => (attempt as { scores: { nodes: JsonValue[] } }).scores.nodes.length);
}

it('keeps the whole tables of the thousand pods last thought about, and the best nodes of the others', () => {
  const decisions = new SchedulingDecisions();
  for (let pod = 0; pod < 1001; pod++) decide(decisions, `pod-${pod}`);
  decide(decisions, 'pod-1');
  expect(nodesShown(decisions, 'pod-0')).toEqual([5]);
  expect(nodesShown(decisions, 'pod-1')).toEqual([50, 50]);
  decide(decisions, 'pod-1001');
  decide(decisions, 'pod-1002');
  expect(nodesShown(decisions, 'pod-3')).toEqual([5]);
  expect(nodesShown(decisions, 'pod-1002')).toEqual([50]);
});

it('goes on as if it had never been saved', () => {
  const one = new SchedulingDecisions();
  const other = new SchedulingDecisions();
  for (let pod = 0; pod < 1500; pod++) decide(one, `pod-${pod % 1200}`);
  other.slots.restore(structuredClone(one.slots.save()), 'decisions');
  for (let pod = 0; pod < 700; pod++) {
    decide(one, `pod-${(pod * 7) % 1300}`);
    decide(other, `pod-${(pod * 7) % 1300}`);
  }
  expect(other.slots.save()).toEqual(one.slots.save());
});
