/** Extenders that bind: what became of pods before the real scheduler (1.36.3), one configuration each, and what becomes of them before ours. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import type { KubeObject } from '../../../engine/apimachinery/object.ts';
import type { JsonObject } from '../../../engine/base/json.ts';
import { pods } from '../../../engine/client/resources.ts';
import type { Answer, Question } from '../../../engine/contracts/questions.ts';
import { readConfiguration } from '../../../engine/scheduler/configuration/configuration.ts';
import { SchedulerBench } from '../../../engine/scheduler/testing/scheduler-bench.ts';
import { allocatable, type BindCase, type BindFact, bodyOf, cases, configurationOf, lineOf, nodeNames, podSpec, told } from './bind-world.ts';

const facts = JSON.parse(readFileSync(new URL('bind-facts.json', import.meta.url), 'utf8')) as readonly BindFact[];
const [address, dead] = ['127.0.0.1:1', '127.0.0.1:2'];

async function play(one: BindCase): Promise<BindFact> {
  const asked: string[] = [];
  const { extenders, profiles } = readConfiguration(JSON.stringify(configurationOf(one, address, dead)));
  const answered = async ({ body }: Question): Promise<Answer> => {
    const { url, text } = body as { readonly url: string; readonly text: string };
    const { host, pathname } = new URL(url);
    if (host === dead) return { outcome: 'failed', message: `dial tcp ${dead}: connect: connection refused` };
    const request = JSON.parse(text) as JsonObject;
    const verb = pathname.slice(1);
    asked.push(lineOf(verb, request));
    const name = String(request['PodName']);
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: one.binds ?? '' } } as KubeObject;
    if (verb === 'bind' && one.binds !== undefined) await bench.client('extender').post(pods, 'default', name, 'binding', binding);
    return one.isLate ? { outcome: 'timedOut' } : { outcome: 'answered', body: { ...bodyOf(one, verb, request) } };
  };
  const bench: SchedulerBench = new SchedulerBench(
    { extenders, profiles },
    { ask: (question, goOn) => void answered(question).then((answer) => bench.loop.soon(5, 'kube-scheduler', () => goOn(answer))) },
  );
  for (const name of nodeNames) bench.node(name, { allocatable: allocatable(one) as Record<string, string> });
  await bench.advance(500);
  bench.pod('p', podSpec(one));
  await bench.advance(2_000);
  return told(
    one,
    bench.get<Pod>(pods, 'default', 'p'),
    bench.events.map(({ text }) => text),
    asked,
  );
}

test('the facts tell of every case', () => {
  expect(facts.map(({ title }) => title)).toEqual(cases.map(({ title }) => title));
});

test.each(cases.map((one, index) => ({ title: one.title, one, fact: facts[index] })))('$title', async ({ one, fact }) => {
  expect(await play(one)).toEqual(fact);
});
