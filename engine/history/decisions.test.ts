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

it('tells of a pod that is bound what plugins said on the way, beside the attempt that chose its node and no other', () => {
  const decisions = new SchedulingDecisions();
  const attempt = (number: number, result: string): void => decisions.onDecision({ pod: 'default/p', attempt: number, result } as never);
  const placed = [{ point: 'Bind', plugin: 'DefaultBinder', verdict: 'Success' }];
  attempt(1, 'unschedulable');
  decisions.onBound('default/p', 1, placed);
  attempt(2, 'scheduled');
  decisions.onBound('default/p', 1, placed);
  decisions.onBound('default/gone', 1, placed);
  expect(decisions.get('default', 'p')?.attempts.map((one) => (one as { placed?: unknown }).placed)).toEqual([undefined, undefined]);
  decisions.onBound('default/p', 2, placed);
  expect(decisions.get('default', 'p')?.attempts).toMatchObject([{ attempt: 1 }, { attempt: 2, result: 'scheduled', placed }]);
});
