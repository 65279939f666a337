/**
 * Autoscalers that go by metrics of other servers do what the real controller does (`recorded.json`, written by record.ts), ask for the same,
 * and come to the same again from the log, which asks nobody.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AggregatedCall } from '../../../engine/apiserver/aggregation/backend.ts';
import type { JsonValue } from '../../../engine/base/json.ts';
import type { Answer, Question } from '../../../engine/contracts/questions.ts';
import { aCluster, madeCluster, type TestCluster } from '../../support/cluster.ts';
import { replayInputs } from '../../support/replay.ts';
import { type Facts, metricCases, type Registration, registrations } from './cases.ts';
import {
  answerTo,
  autoscalerPath,
  autoscalerSteps,
  caseOf,
  definition,
  eventsPath,
  factsOf,
  namespaceStep,
  plainly,
  registering,
  type Step,
  widgetPath,
  worldSteps,
} from './play.ts';

const recorded = JSON.parse(readFileSync(new URL('./recorded.json', import.meta.url), 'utf8')) as { readonly [name: string]: Facts };
const config = { nodes: 0, seed: 1, options: { 'feature-gates': 'HPAScaleToZero=true', 'kube-api-qps': '500', 'kube-api-burst': '1000' } };
const adapterPort = 443;

/** The host's side: a server of metrics behind the Service `adapter`, and none behind `gone`. */
class Adapter {
  readonly asked = new Map<string, string[]>();

  readonly ask = async ({ body }: Question): Promise<Answer> => {
    const { path, url, serverName } = body as unknown as AggregatedCall;
    if (serverName.startsWith('gone.')) return { outcome: 'failed', message: `dial tcp ${new URL(url).host}: connect: connection refused` };
    const [route = ''] = path.split('?', 1);
    const found = caseOf(metricCases, route);
    if (found === undefined) return answered(200, 'application/json', '{"kind":"APIResourceList","apiVersion":"v1","resources":[]}');
    this.asked.set(found.name, [...(this.asked.get(found.name) ?? []), plainly(path)]);
    const { code, type, body: text } = answerTo(metricCases, route);
    return answered(code, type, text);
  };
}

function answered(code: number, type: string, text: string): Answer {
  const reply = { code, headers: { 'content-type': type }, body: Buffer.from(text).toString('base64') };
  return { outcome: 'answered', body: reply as JsonValue };
}

function service(name: string): Step {
  const annotations = { 'sim.wavetank.dev/host-port': '24199' };
  return {
    method: 'POST',
    path: '/api/v1/namespaces/default/services',
    body: { metadata: { name, annotations }, spec: { ports: [{ port: adapterPort }] } },
  };
}

async function play(cluster: TestCluster, registered: Registration): Promise<void> {
  const cases = metricCases.filter((each) => each.registered === registered);
  const send = ({ method, path, body }: Step): void =>
    void cluster.call(method, path, body, method === 'PATCH' ? 'application/merge-patch+json' : 'application/json');
  for (const step of [definition, service('adapter'), service('gone'), ...registering(registered, adapterPort), ...cases.map(namespaceStep)])
    send(step);
  await cluster.advance(10_000);
  for (const each of cases) worldSteps(each).forEach(send);
  for (const each of cases) autoscalerSteps(each).forEach(send);
  await cluster.advance(18_000);
}

describe.each(registrations)('with %s registered', (registered) => {
  it('an autoscaler does what the real one does, and a replay asks nobody', async () => {
    const adapter = new Adapter();
    const cluster = await aCluster(config, { ask: adapter.ask });
    await play(cluster, registered);
    const cases = metricCases.filter((each) => each.registered === registered);
    const read = (path: string): object => cluster.call<object & { metadata: object }>('GET', path) as object;
    const told = cases.map((each) => {
      const asked = adapter.asked.get(each.name) ?? [];
      return [each.name, factsOf(read(autoscalerPath(each)), read(eventsPath(each)), read(widgetPath(each)), asked)] as const;
    });
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(cases.map(({ name }) => [name, recorded[name]])));
    await expectReplay(cluster);
  });
});

async function expectReplay(played: TestCluster): Promise<void> {
  const again = madeCluster(config, { ask: () => Promise.reject(new Error('a replay asks nobody')) });
  await again.cluster.start();
  await replayInputs(again, played.inputs, played.cluster.loop.nowMs());
  expect(again.cluster.digest).toBe(played.cluster.digest);
}
