/** Computed resources over HTTP: read, steered, watched where their source tells of changes. */
import { expect, it } from 'vitest';
import type { KubeObject } from '../../apimachinery/object.ts';
import { defineKind } from '../../contracts/kind.ts';
import { makeWire } from '../testing/wire.ts';

it('serves computed objects', () => {
  const clock = { kind: 'Clock', apiVersion: 'sim.wavetank.dev/v1alpha1', metadata: { name: 'cluster' }, spec: { speed: 1 } } as KubeObject;
  const kind = defineKind({
    group: 'sim.wavetank.dev',
    version: 'v1alpha1',
    kind: 'Clock',
    plural: 'clocks',
    singular: 'clock',
    namespaced: false,
    schema: { name: 'sim.Clock', fields: [] },
    storagePrefix: 'clocks',
  });
  const wire = makeWire({}, [
    {
      kind,
      get: (name) => (name === 'cluster' ? clock : undefined),
      list: () => [clock],
      patch: (_name, document) => ({ ...clock, spec: document }) as unknown as KubeObject,
    },
  ]);
  const root = '/apis/sim.wavetank.dev/v1alpha1/clocks';
  expect(JSON.parse(wire.send('GET', `${root}/cluster`).text)).toEqual(clock);
  expect(JSON.parse(wire.send('GET', root).text)).toMatchObject({ kind: 'ClockList', items: [clock] });
  expect(JSON.parse(wire.send('PATCH', `${root}/cluster`, '{"speed":5}', { 'content-type': 'application/merge-patch+json' }).text)).toMatchObject({
    spec: { speed: 5 },
  });
  expect(wire.send('GET', `${root}/other`).status).toBe(404);
  expect(wire.send('DELETE', `${root}/cluster`).status).toBe(405);
  expect(wire.send('GET', root, '', { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }).text).toContain('"rows":[{"cells":["cluster"');
});

const decisions = defineKind({
  group: 'sim.wavetank.dev',
  version: 'v1alpha1',
  kind: 'SchedulingDecision',
  plural: 'schedulingdecisions',
  singular: 'schedulingdecision',
  namespaced: true,
  schema: { name: 'sim.SchedulingDecision', fields: [] },
  storagePrefix: 'schedulingdecisions',
});

it('a watch of computed objects tells what comes, changes and goes, in the namespace and under the selector that were asked for', () => {
  const objects = new Map<string, KubeObject>();
  const watchers = new Set<(namespace: string | undefined, name: string) => void>();
  const put = (namespace: string, name: string, attempts: number): void => {
    const metadata = { name, namespace };
    objects.set(`${namespace}/${name}`, { kind: 'SchedulingDecision', apiVersion: 'sim.wavetank.dev/v1alpha1', metadata, attempts } as KubeObject);
    for (const watcher of watchers) watcher(namespace, name);
  };
  const wire = makeWire({}, [
    {
      kind: decisions,
      get: (name, _query, namespace) => objects.get(`${namespace}/${name}`),
      list: (_query, namespace) => [...objects.values()].filter((object) => namespace === undefined || object.metadata.namespace === namespace),
      subscribe: (onChange) => {
        watchers.add(onChange);
        return () => watchers.delete(onChange);
      },
    },
  ]);
  put('default', 'a', 1);
  const root = '/apis/sim.wavetank.dev/v1alpha1/namespaces/default/schedulingdecisions';
  const query = 'watch=true&fieldSelector=metadata.name!%3Dhidden&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const stream = wire.raw('GET', `${root}?${query}`);
  if (!('open' in stream)) throw new Error('no stream');
  const seen: string[] = [];
  const close = stream.open({
    write: (chunk) => {
      const { type, object } = JSON.parse(String(typeof chunk === 'function' ? chunk() : chunk)) as {
        type: string;
        object: KubeObject & { attempts?: number };
      };
      seen.push(`${type} ${object.metadata.name ?? '-'} ${object.attempts ?? '-'}`);
    },
    end: () => undefined,
  });
  put('default', 'a', 2);
  put('default', 'hidden', 1);
  put('other', 'b', 1);
  objects.delete('default/a');
  for (const watcher of watchers) watcher('default', 'a');
  close();
  expect(watchers.size).toBe(0);
  expect(seen).toEqual(['ADDED a 1', 'BOOKMARK - -', 'MODIFIED a 2', 'DELETED a 2']);
  expect(wire.send('GET', `/apis/sim.wavetank.dev/v1alpha1`).text).toContain('"verbs":["get","list","watch"]');
});

it('what cannot tell of changes cannot be watched', () => {
  const wire = makeWire({}, [{ kind: decisions, get: () => undefined, list: () => [] }]);
  expect(wire.send('GET', '/apis/sim.wavetank.dev/v1alpha1/schedulingdecisions?watch=true').status).toBe(405);
});
