import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Pod } from '../api/core/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { InformerCache } from './informer-cache.ts';

const act = fc.record({
  put: fc.boolean(),
  namespace: fc.constantFrom('x', 'y'),
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  color: fc.constantFrom('red', 'blue'),
  node: fc.constantFrom('n1', 'n2'),
  phase: fc.constantFrom('Pending', 'Running'),
});

test('a cache lists what a plain map would, in key order, whatever was put and deleted', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      const cache = new InformerCache<KubeObject>();
      const colorOf = (object: KubeObject): readonly string[] => [object.metadata.labels?.['color'] ?? ''];
      cache.addIndex('color', colorOf, { ignoresStatus: true });
      const nodeOf = (object: KubeObject): string => (object as Pod).spec?.nodeName ?? '';
      cache.addIndex('node', (object) => [nodeOf(object)], { ignoresStatus: true });
      const phaseOf = (object: KubeObject): string => (object as Pod).status?.phase ?? '';
      cache.addIndex('phase', (object) => [phaseOf(object)]);
      const counts = new Map<string, number>();
      const count = (object: KubeObject, by: number): void =>
        void counts.set(colorOf(object)[0] as string, (counts.get(colorOf(object)[0] as string) ?? 0) + by);
      cache.addTally({ add: (object) => count(object, 1), remove: (object) => count(object, -1), clear: () => counts.clear() });
      const model = new Map<string, KubeObject>();
      for (const { put, namespace, name, color, node, phase } of acts) {
        const key = `${namespace}/${name}`;
        const before = model.get(key) as Pod | undefined;
        // As the API hands them out: what did not change is the very same.
        const labels = before?.metadata.labels?.['color'] === color ? before.metadata.labels : { color };
        const spec = before?.spec?.nodeName === node ? before.spec : { nodeName: node, containers: [] };
        const object: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name, labels }, spec, status: { phase } } as Pod;
        const old = put ? cache.put(key, object) : cache.delete(key);
        expect(old).toBe(model.get(key));
        if (put) model.set(key, object);
        else model.delete(key);
      }
      const all = [...model].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
      expect(cache.list()).toEqual(all);
      expect(cache.list('x')).toEqual(all.filter((object) => object.metadata.namespace === 'x'));
      for (const color of ['red', 'blue']) expect(counts.get(color) ?? 0).toBe(cache.byIndex('color', color).length);
      expect(cache.byIndex('color', 'red')).toEqual(all.filter((object) => colorOf(object)[0] === 'red'));
      expect(cache.indexValues('node')).toEqual([...new Set(all.map(nodeOf))].sort());
      expect(cache.byIndex('node', 'n1')).toEqual(all.filter((object) => nodeOf(object) === 'n1'));
      expect(cache.byIndex('phase', 'Running')).toEqual(all.filter((object) => phaseOf(object) === 'Running'));
    }),
  );
});
