/** Extenders: what became of pods before the real scheduler (1.36.3) and what it asked a small extender, and what ours does and asks. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import type { JsonObject } from '../../../engine/base/json.ts';
import { pods } from '../../../engine/client/resources.ts';
import type { Answer, Question } from '../../../engine/contracts/questions.ts';
import { readConfiguration } from '../../../engine/scheduler/configuration/configuration.ts';
import type { SchedulerEnvironment } from '../../../engine/scheduler/parts.ts';
import { SchedulerBench } from '../../../engine/scheduler/testing/scheduler-bench.ts';
import { allocatable, answer, cases, type ExtenderFact, extendersAt, nodeNames, podSpec, told } from './world.ts';

const facts = JSON.parse(readFileSync(new URL('facts.json', import.meta.url), 'utf8')) as readonly ExtenderFact[];

/** The extenders' server, and a port at which nobody listens. */
const [address, dead] = ['127.0.0.1:1', '127.0.0.1:2'];

function answered({ body }: Question, asked: string[]): Answer {
  const { url, text } = body as { readonly url: string; readonly text: string };
  const { host, pathname } = new URL(url);
  if (host === dead) return { outcome: 'failed', message: `dial tcp ${dead}: connect: connection refused` };
  const said = answer(pathname, JSON.parse(text) as JsonObject, asked);
  return { outcome: 'answered', body: typeof said === 'number' ? { code: said, text: '' } : { code: 200, text: JSON.stringify(said) } };
}

async function play(index: number): Promise<ExtenderFact> {
  const asked: string[] = [];
  const head = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };
  const { extenders, profiles } = readConfiguration(JSON.stringify({ ...head, extenders: extendersAt(address, dead) }));
  const ask: NonNullable<SchedulerEnvironment['ask']> = (question, goOn) => {
    const said = answered(question, asked);
    bench.loop.soon(5, 'kube-scheduler', () => goOn(said));
  };
  const bench: SchedulerBench = new SchedulerBench({ extenders, profiles }, { ask });
  for (const name of nodeNames)
    bench.node(name, { allocatable: allocatable() as Record<string, string>, labels: { 'kubernetes.io/hostname': name } });
  const { title = '', isTaken } = cases[index] ?? {};
  const low = isTaken ? nodeNames.map((nodeName) => ({ name: `low-${index}-${nodeName}`, nodeName })) : [];
  for (const { name, nodeName } of low) bench.pod(name, podSpec(index, { nodeName, priority: 1 }));
  await bench.advance(500);
  asked.length = 0;
  bench.pod('p', podSpec(index, { priority: 1000 }));
  await bench.advance(1_500);
  const left = low.flatMap(({ name }) => bench.get<Pod>(pods, 'default', name) ?? []);
  return told(title, bench.get<Pod>(pods, 'default', 'p'), left, asked);
}

test('the facts tell of every case', () => {
  expect(facts.map(({ title }) => title)).toEqual(cases.map(({ title }) => title));
});

test.each(facts.map((fact, index) => ({ title: fact.title, fact, index })))('$title', async ({ fact, index }) => {
  expect(await play(index)).toEqual(fact);
});
