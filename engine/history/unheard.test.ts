import { expect, test } from 'vitest';
import type { KubeObject } from '../apimachinery/object.ts';
import { createStore } from '../store/memory-store.ts';
import type { Store } from '../store/store.ts';
import { createHistoryRecorder, type HistoryRecorder } from './recorder.ts';

const startMs = Date.parse('2026-01-01T00:00:00Z');

function newRecorder(store: Store<KubeObject>): HistoryRecorder {
  const recorder = createHistoryRecorder({
    startMs,
    resourceOf: (_group, kind) => `${kind.toLowerCase()}s`,
    stored: (key) => store.get(key)?.value,
  });
  store.watch({ prefix: '', onChanges: (changes) => changes.forEach((change) => recorder.onChange(change)) });
  return recorder;
}

function pod(name: string, status: object): object {
  const metadata = { name, namespace: 'default', uid: `uid-${name}` };
  return { kind: 'Pod', apiVersion: 'v1', metadata, spec: { nodeName: 'n1' }, status };
}

function readiness(name: string, status: string): object {
  return { kind: 'Node', apiVersion: 'v1', metadata: { name, uid: `uid-${name}` }, status: { conditions: [{ type: 'Ready', status }] } };
}

test('pods that were not ready when their node fell silent are of a node that is not ready, as long as it is silent', () => {
  const store = createStore<KubeObject>();
  const recorder = newRecorder(store);
  let nowMs = startMs;
  const put = (key: string, object: object | undefined): void => {
    const [place, meta] = [`/registry/${key}`, { virtualMs: nowMs, identity: 'admin', causes: [] }];
    if (object === undefined) store.remove(place, undefined, meta);
    else if (store.get(place) === undefined) store.create(place, object as KubeObject, meta);
    else store.update(place, undefined, object as KubeObject, meta);
  };
  const startedAt = new Date(startMs + 5000).toISOString();
  const starting = (name: string): object =>
    pod(name, {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'False', reason: 'ContainersNotReady', lastTransitionTime: '2026-01-01T00:00:00Z' }],
      containerStatuses: [{ name: 'c', state: { running: { startedAt } } }],
    });
  const reasons = (name: string): readonly string[] => recorder.find(`pods/default/${name}`)?.segments.map(({ reason }) => reason) ?? [];
  put('minions/n1', readiness('n1', 'True'));
  put('pods/default/a', starting('a'));
  put('pods/default/gone', starting('gone'));
  nowMs += 1000;
  put('pods/default/gone', undefined);
  put('minions/n1', readiness('n1', 'Unknown'));
  put('pods/default/b', starting('b'));
  expect([reasons('a'), reasons('b'), reasons('gone')]).toEqual([['Starting', 'NodeNotReady'], ['NodeNotReady'], ['Starting']]);
  const slots = recorder.slots.save();
  const again = newRecorder(store);
  again.slots.restore(structuredClone(slots), 'history');

  nowMs += 1000;
  put('minions/n1', readiness('n1', 'True'));
  for (const one of [recorder, again])
    expect(one.find('pods/default/a')?.segments.map(({ reason, fromMs }) => [reason, fromMs - startMs])).toEqual([
      ['Starting', 0],
      ['NodeNotReady', 1000],
      ['Starting', 2000],
    ]);
  put('minions/n1', undefined);
  expect(reasons('b')).toEqual(['NodeNotReady', 'Starting', 'NodeNotReady']);
});
