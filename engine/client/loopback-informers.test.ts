import { expect, test } from 'vitest';
import type { ConfigMap } from '../api/core/v1/types.gen.ts';
import { newResourceExpired } from '../apimachinery/errors.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { Random } from '../base/random.ts';
import { TaskLoop } from '../base/task-loop.ts';
import type { ApiPipeline, ApiRequest, ApiResult, WatchHandle, WatchSink } from '../contracts/request.ts';
import { LoopbackInformers } from './loopback-informers.ts';
import { configMaps } from './resources.ts';

interface Written {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ConfigMap;
  readonly revision: number;
}

/** A server with a log of changes: a watch replays what came after its revision, or is expired. */
class Server implements ApiPipeline {
  readonly log: Written[] = [];
  readonly watchedFrom: string[] = [];
  compacted = 0;
  #sinks = new Set<WatchSink>();
  #objects = new Map<string, ConfigMap>();

  write(type: Written['type'], name: string): void {
    const revision = this.log.length + 1;
    const object = {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name, namespace: 'd', uid: name, resourceVersion: String(revision) },
    } as ConfigMap;
    if (type === 'DELETED') this.#objects.delete(name);
    else this.#objects.set(name, object);
    this.log.push({ type, object, revision });
    for (const sink of this.#sinks) sink.onEvent({ type, object }, revision);
  }

  handle(_request: ApiRequest): ApiResult {
    const metadata = { resourceVersion: String(this.log.length) };
    return {
      code: 200,
      object: { kind: 'ConfigMapList', apiVersion: 'v1', metadata, items: [...this.#objects.values()] } as KubeObject,
      warnings: [],
    };
  }

  watch({ list }: ApiRequest, sink: WatchSink): WatchHandle {
    const from = list?.resourceVersion ?? '';
    this.watchedFrom.push(from);
    if (Number(from) < this.compacted) {
      sink.onEvent({ type: 'ERROR', object: newResourceExpired('too old').status as unknown as KubeObject }, this.log.length);
      return { cancel: () => undefined };
    }
    for (const { type, object, revision } of this.log) if (revision > Number(from)) sink.onEvent({ type, object }, revision);
    this.#sinks.add(sink);
    return { cancel: () => this.#sinks.delete(sink) };
  }
}

function setUp() {
  const server = new Server();
  const loop = new TaskLoop(0, { hop: () => new Promise((resolve) => setImmediate(resolve)), wallMs: () => 0 });
  const weather = { breaksLeft: 0, lag: 0 };
  const informers = new LoopbackInformers({
    pipeline: server,
    loop,
    identity: { name: 'me', groups: [] },
    userAgent: 'test',
    component: 'c',
    latency: new Random(1).stream('latency'),
    weather: { lagMs: () => weather.lag, breaks: () => weather.breaksLeft-- > 0, causes: () => (weather.lag > 0 ? ['rev:99'] : []) },
    onCrash: (_crash, error) => {
      throw error;
    },
  });
  const told: string[] = [];
  informers
    .informer<ConfigMap>(configMaps)
    .addHandler(({ type, object, causes }) => told.push(`${loop.nowMs() < 800 ? '' : 'late '}${type} ${object.metadata.name} ${causes.join()}`));
  server.write('ADDED', 'a');
  informers.start();
  return { server, loop, weather, told };
}

test('a stream that breaks is taken up again behind the last change that was told: nothing is lost, nothing comes twice', async () => {
  const { server, loop, weather, told } = setUp();
  await loop.run(10);
  weather.breaksLeft = 1;
  server.write('MODIFIED', 'a');
  server.write('ADDED', 'b');
  await loop.run(20);
  server.write('DELETED', 'a');
  await loop.run(2_000);
  expect(server.watchedFrom).toEqual(['1', '1']);
  expect(told).toEqual(['add a rev:1', 'late update a rev:2', 'late add b rev:3', 'late delete a rev:4']);
});

test('what is too old to go on from (410) is listed anew, and only what differs is told', async () => {
  const { server, loop, weather, told } = setUp();
  server.write('ADDED', 'same');
  await loop.run(10);
  weather.breaksLeft = 1;
  server.write('ADDED', 'new');
  await loop.run(20);
  server.write('DELETED', 'a');
  server.compacted = 4;
  await loop.run(2_000);
  expect(told).toEqual(['add a rev:1', 'add same rev:2', 'late delete a rev:1', 'late add new rev:3']);
  server.write('MODIFIED', 'same');
  await loop.run(3_000);
  expect(told.at(-1)).toBe('late update same rev:5');
});

test('a lag delays what is told and is a cause of what follows', async () => {
  const { server, loop, weather, told } = setUp();
  await loop.run(10);
  weather.lag = 5_000;
  server.write('MODIFIED', 'a');
  await loop.run(5_000);
  expect(told).toHaveLength(1);
  await loop.run(5_020);
  expect(told.at(-1)).toBe('late update a rev:2,rev:99');
});
