import { expect, test } from 'vitest';
import { Bench } from '../../test/support/bench.ts';
import type { ConfigMap, Secret } from '../api/core/v1/types.gen.ts';
import { Random } from '../base/random.ts';
import { LoopbackInformers } from '../client/loopback-informers.ts';
import { configMaps, secrets } from '../client/resources.ts';
import { type Controller, type ControllerDefinition, type ControllerEnvironment, watchOf } from './controller.ts';
import { ControllerRunner } from './runner.ts';

/** Secrets are listed so much later than ConfigMaps. */
const laterMs = 50;

/** Counts Secrets for each ConfigMap. */
class Counter implements Controller {
  readonly counts: number[];
  readonly #environment: ControllerEnvironment;

  constructor(environment: ControllerEnvironment, counts: number[]) {
    this.#environment = environment;
    this.counts = counts;
    environment.informer<Secret>(secrets);
  }

  reconcile(): Promise<void> {
    this.counts.push(this.#environment.informer<Secret>(secrets).list().length);
    return Promise.resolve();
  }
}

test('a process that begins where much is there works on nothing before it knows all that it looks at, and was started', async () => {
  const bench = new Bench();
  bench.add<ConfigMap>(configMaps, { metadata: { namespace: 'default', name: 'a' } });
  bench.add<Secret>(secrets, { metadata: { namespace: 'default', name: 's' } });
  const delaysMs = [0, laterMs];
  const { loop, pipeline } = bench;
  const identity = { name: 'counter', groups: [] };
  const informers = new LoopbackInformers({
    pipeline,
    loop,
    identity,
    userAgent: 'counter/1',
    component: 'counter',
    latency: { ...new Random(1).stream('x'), between: () => delaysMs.shift() ?? 0 },
    onCrash: (_crash, error) => {
      throw error;
    },
  });
  const counts: number[] = [];
  const definition: ControllerDefinition = {
    name: 'counter',
    aliases: [],
    eventSource: 'counter',
    workers: () => 1,
    watches: [watchOf(configMaps, ({ object }) => [object.metadata.name ?? ''])],
    create: (environment) => new Counter(environment, counts),
  };
  const runner = new ControllerRunner({
    definition,
    loop,
    client: bench.client('counter'),
    waitsForCaches: true,
    informers,
    recorder: bench.recorder(),
    random: new Random(1).stream('counter'),
    options: undefined,
    deletableResources: () => [],
    onError: () => undefined,
  });
  // The first informer that is asked for is the first that lists.
  informers.start();
  await bench.advance(laterMs / 2);
  expect([runner.synced, counts]).toEqual([false, []]);
  await bench.advance(laterMs);
  expect([runner.synced, counts]).toEqual([true, []]);
  runner.start();
  await bench.advance(10);
  expect(counts).toEqual([1]);
});
