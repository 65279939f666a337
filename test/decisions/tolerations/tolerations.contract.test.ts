/** Tolerations that compare numbers, as the real API server and scheduler (1.36.3, gate TaintTolerationComparisonOperators) take, refuse and heed them. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SchedulerBench } from '../../../engine/scheduler/testing/scheduler-bench.ts';
import { aCluster } from '../../support/cluster.ts';
import { key, operators, taintValues, toleratedValues, type TolerationFacts } from './cases.ts';

const facts = JSON.parse(readFileSync(new URL('facts.json', import.meta.url), 'utf8')) as TolerationFacts;
const isRefusal = (fact: string): boolean => fact.startsWith('Pod');
const tolerations = operators.flatMap((operator) => toleratedValues.map((value) => ({ key, operator, value, effect: 'NoSchedule' })));
const nameOf = ({ operator, value }: (typeof tolerations)[number]): string => `${operator} ${value}`;

test('pods come where the real scheduler puts them', async () => {
  const bench = new SchedulerBench();
  for (const [place, value] of taintValues.entries())
    bench.node(`n${place}`, { spec: { taints: [{ key, value, effect: 'NoSchedule' }] }, allocatable: { cpu: '100' } });
  const taken = tolerations.filter((one) => !isRefusal(facts[nameOf(one)] ?? ''));
  for (const [index, toleration] of taken.entries())
    for (const place of taintValues.keys())
      bench.pod(`p-${index}-${place}`, { nodeSelector: { 'kubernetes.io/hostname': `n${place}` }, tolerations: [toleration] });
  await bench.advance(5000);
  const placed = (index: number): string => [...taintValues.keys()].filter((place) => bench.nodeOf(`p-${index}-${place}`) !== undefined).join(' ');
  expect(Object.fromEntries(taken.map((one, index) => [nameOf(one), placed(index)]))).toEqual(
    Object.fromEntries(taken.map((one) => [nameOf(one), facts[nameOf(one)]])),
  );
});

test('what is no number is refused in the same words, and all of it without the gate', async () => {
  const made = await aCluster({ nodes: 0, options: { 'feature-gates': 'TaintTolerationComparisonOperators=true' } });
  const pod = (toleration: object): object => ({
    metadata: { name: 'p' },
    spec: { tolerations: [toleration], containers: [{ name: 'c', image: 'i' }] },
  });
  const send = (on: typeof made, one: object): string =>
    (on.ask('POST', '/api/v1/namespaces/default/pods?dryRun=All', pod(one)).object as { readonly message?: string }).message ?? '';
  await made.advance(1000);
  for (const one of tolerations)
    expect([nameOf(one), send(made, one)]).toEqual([nameOf(one), isRefusal(facts[nameOf(one)] ?? '') ? facts[nameOf(one)] : '']);
  const plain = await aCluster({ nodes: 0 });
  await plain.advance(1000);
  expect(send(plain, { key, operator: 'Gt', value: '5' })).toContain('Unsupported value: "Gt"');
});
