import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Answer, Question } from '../../contracts/questions.ts';
import { readConfiguration } from '../configuration/configuration.ts';
import type { SchedulerEnvironment } from '../parts.ts';
import { SchedulerBench } from '../testing/scheduler-bench.ts';

type Said = (request: JsonObject) => JsonValue | Answer;

/** What a test's extender says, by the path that it is asked at; a text of `timeout` is no answer at all. */
class Outside {
  readonly asked: { readonly at: string; readonly request: JsonObject }[] = [];
  readonly #answers: { readonly [path: string]: Said };

  constructor(answers: { readonly [path: string]: Said }) {
    this.#answers = answers;
  }

  bench(yaml: string): SchedulerBench {
    const { extenders, profiles } = readConfiguration(
      `apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nextenders: ${yaml}\n`,
    );
    const ask: NonNullable<SchedulerEnvironment['ask']> = (question, goOn) => {
      const answer = this.#answer(question);
      bench.loop.soon(5, 'kube-scheduler', () => goOn(answer));
    };
    const bench: SchedulerBench = new SchedulerBench({ extenders, profiles }, { ask });
    return bench;
  }

  #answer({ body }: Question): Answer {
    const { url, text } = body as { readonly url: string; readonly text: string };
    const at = new URL(url).pathname;
    const request = JSON.parse(text) as JsonObject;
    this.asked.push({ at, request });
    const said = this.#answers[at]?.(request) ?? { outcome: 'answered', body: { code: 404, text: '' } };
    return typeof said === 'object' && said !== null && 'outcome' in said
      ? (said as Answer)
      : { outcome: 'answered', body: { code: 200, text: JSON.stringify(said) } };
  }
}

const only =
  (...names: readonly string[]): Said =>
  () => ({ NodeNames: names, FailedNodes: { b: 'not today' }, FailedAndUnresolvableNodes: { c: 'never' } });

test('a filter takes nodes away, and what it says of them stands in the message', async () => {
  const outside = new Outside({ '/s/filter': only() });
  const bench = outside.bench('[{urlPrefix: "http://x/s/", filterVerb: filter, nodeCacheCapable: true}]');
  for (const name of ['a', 'b', 'c']) bench.node(name);
  bench.pod('p');
  await bench.advance(900);
  expect(outside.asked[0]?.request).toMatchObject({
    Nodes: null,
    NodeNames: ['a', 'b', 'c'],
    Pod: { metadata: { name: 'p' }, spec: {}, status: {} },
  });
  expect(Object.keys(outside.asked[0]?.request['Pod'] as JsonObject).sort()).toEqual(['metadata', 'spec', 'status']);
  expect(bench.decisions[0]).toMatchObject({
    result: 'unschedulable',
    message:
      '0/3 nodes are available: 1 never, 1 not today. no new claims to deallocate, preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.',
  });
});

test('scores count ten times their weight, beside those of plugins; nobody else decides between nodes alike', async () => {
  const outside = new Outside({
    '/filter': only('a', 'b'),
    '/prioritize': () => [
      { Host: 'a', Score: 3 },
      { host: 'b', score: 7 },
    ],
  });
  const bench = outside.bench('[{urlPrefix: "http://x", filterVerb: filter, prioritizeVerb: prioritize, weight: 2, nodeCacheCapable: true}]');
  for (const name of ['a', 'b', 'c']) bench.node(name);
  bench.pod('p');
  await bench.advance(2_000);
  expect(bench.nodeOf('p')).toBe('b');
  const { plugins = [], nodes = [], values = [] } = bench.decisions[0]?.scores ?? {};
  expect([nodes[0], values[0]?.[plugins.indexOf('http://x')], values[1]?.[plugins.indexOf('http://x')]]).toEqual(['b', 140, 60]);
});

test('an extender that keeps no nodes is sent them, and may send them back', async () => {
  const outside = new Outside({
    '/filter': ({ Nodes }) => ({ nodes: { items: ((Nodes as JsonObject)['items'] as readonly JsonObject[]).slice(1) } }),
  });
  const bench = outside.bench('[{urlPrefix: "http://x", filterVerb: filter}]');
  for (const name of ['a', 'b']) bench.node(name);
  bench.pod('p');
  await bench.advance(2_000);
  expect(outside.asked[0]?.request).toMatchObject({ NodeNames: null, Nodes: { metadata: {}, items: [{ metadata: { name: 'a' } }, {}] } });
  expect(bench.nodeOf('p')).toBe('b');
});

test.each<[string, JsonValue | Answer, string]>([
  ['it says an error', { Error: 'no idea' }, 'no idea'],
  [
    'it cannot be reached',
    { outcome: 'failed', message: 'dial tcp x:80: connect: connection refused' },
    'Post "http://x/filter": dial tcp x:80: connect: connection refused',
  ],
  ['it is silent', { outcome: 'timedOut' }, 'Post "http://x/filter": context deadline exceeded (Client.Timeout exceeded while awaiting headers)'],
  ['it refuses', { outcome: 'answered', body: { code: 500, text: '' } }, 'failed filter with extender at URL http://x/filter, code 500'],
  ['it says nothing', { outcome: 'answered', body: { code: 200, text: '' } }, 'EOF'],
  ['it names another node', { NodeNames: ['z'] }, 'extender "http://x" claims a filtered node "z" which is not found in the input node list'],
  ['it says a number', { NodeNames: 1 }, 'json: cannot unmarshal number into Go struct field ExtenderFilterResult.NodeNames of type []string'],
])('%s: the attempt fails, unless the extender may be missing', async (_name, said, message) => {
  for (const ignorable of [false, true]) {
    const bench = new Outside({ '/filter': () => said }).bench(
      `[{urlPrefix: "http://x", filterVerb: filter, nodeCacheCapable: true, ignorable: ${ignorable}}]`,
    );
    bench.node('a');
    bench.pod('p');
    await bench.advance(900);
    expect(bench.decisions[0]).toMatchObject(ignorable ? { result: 'scheduled' } : { result: 'error', message });
  }
});

test('an extender that binds is the only one that does; a binding that it refuses is tried again', async () => {
  const outside = new Outside({ '/bind': () => ({ Error: 'full' }) });
  const bench = outside.bench('[{urlPrefix: "http://x", bindVerb: bind, nodeCacheCapable: true}]');
  bench.node('a');
  bench.pod('p');
  await bench.advance(5_000);
  expect(outside.asked[0]?.request).toMatchObject({ PodName: 'p', PodNamespace: 'default', Node: 'a' });
  expect(outside.asked.length).toBeGreaterThan(1);
  expect(bench.nodeOf('p')).toBeUndefined();
  expect(bench.events.map(({ text }) => text)).toContain('Warning FailedScheduling full');
});

test('it is asked about pods only that want what it manages, and the scheduler does not count what it is to ignore', async () => {
  const outside = new Outside({ '/filter': only('a') });
  const bench = outside.bench(
    '[{urlPrefix: "http://x", filterVerb: filter, nodeCacheCapable: true, managedResources: [{name: example.com/gpu, ignoredByScheduler: true}]}]',
  );
  bench.node('a');
  bench.pod('other');
  bench.pod('wants', { requests: { 'example.com/gpu': '1' } });
  await bench.advance(5_000);
  expect(outside.asked.map(({ request }) => ((request['Pod'] as JsonObject)['metadata'] as JsonObject)['name'])).toEqual(['wants']);
  expect([bench.nodeOf('other'), bench.nodeOf('wants')]).toEqual(['a', 'a']);
});

test('a preemption takes the victims that the extender leaves', async () => {
  const outside = new Outside({
    '/preempt': ({ NodeNameToMetaVictims }) => {
      const { b } = NodeNameToMetaVictims as JsonObject;
      return { NodeNameToMetaVictims: { b: b ?? null } };
    },
  });
  const bench = outside.bench('[{urlPrefix: "http://x", preemptVerb: preempt, nodeCacheCapable: true}]');
  for (const name of ['a', 'b']) {
    bench.node(name);
    bench.pod(`low-${name}`, { nodeName: name, priority: name === 'a' ? 1 : 5, requests: { cpu: '4' } });
  }
  bench.pod('high', { priority: 10, requests: { cpu: '4' } });
  await bench.advance(900);
  expect(Object.keys(outside.asked[0]?.request['NodeNameToMetaVictims'] as JsonObject)).toEqual(['a', 'b']);
  expect(bench.decisions[0]?.preemption).toMatchObject({ node: 'b', victims: ['default/low-b'] });
});

test('what changes while it is asked waits for the end of the cycle', async () => {
  const bench: SchedulerBench = new Outside({
    '/filter': () => {
      bench.node('b');
      return { NodeNames: ['a'] };
    },
  }).bench('[{urlPrefix: "http://x", filterVerb: filter, nodeCacheCapable: true}]');
  bench.node('a');
  bench.pod('p');
  await bench.advance(3_000);
  expect(bench.decisions[0]).toMatchObject({ result: 'scheduled', node: 'a', evaluatedNodes: 1 });
});
