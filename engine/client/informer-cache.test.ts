import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KubeObject } from '../apimachinery/object.ts';
import { InformerCache } from './informer-cache.ts';

const act = fc.record({
  put: fc.boolean(),
  namespace: fc.constantFrom('x', 'y'),
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  color: fc.constantFrom('red', 'blue'),
});

test('a cache lists what a plain map would, in key order, whatever was put and deleted', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      const cache = new InformerCache<KubeObject>();
      const colorOf = (object: KubeObject): readonly string[] => [object.metadata.labels?.['color'] ?? ''];
      cache.addIndex('color', colorOf);
      const counts = new Map<string, number>();
      const count = (object: KubeObject, by: number): void =>
        void counts.set(colorOf(object)[0] as string, (counts.get(colorOf(object)[0] as string) ?? 0) + by);
      cache.addTally({ add: (object) => count(object, 1), remove: (object) => count(object, -1), clear: () => counts.clear() });
      const model = new Map<string, KubeObject>();
      for (const { put, namespace, name, color } of acts) {
        const key = `${namespace}/${name}`;
        const object: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name, labels: { color } } };
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
    }),
  );
});
