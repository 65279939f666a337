/** A part of a long text that is kept must not keep the whole: what is left of the heap after many is looked at. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { decodeYaml } from '../../engine/apimachinery/serializer/yaml.ts';
import { makeApiBench } from '../support/api-bench.ts';
import { ownText } from '../../engine/base/text.ts';

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;
const long = 1 << 20;
const count = 60;
/** Far less than what the long texts take, far more than their parts do. */
const bytesMax = 20 * long;

/** Bytes of the heap that what `make` gives keeps alive. */
function keptBy(make: (index: number) => unknown): number {
  collect();
  const before = process.memoryUsage().heapUsed;
  const kept = Array.from({ length: count }, (_, index) => make(index));
  collect();
  const bytes = process.memoryUsage().heapUsed - before;
  expect(kept).toHaveLength(count);
  return bytes;
}

const longText = (index: number): string => `${index}-${'x'.repeat(long)}`.replace('xx', 'xy');

test('the measure sees a part that keeps the whole', () => {
  expect(keptBy((index) => longText(index).slice(0, 40))).toBeGreaterThan(bytesMax);
});

test.each<[string, (index: number) => unknown]>([
  ['of its own', (index) => ownText(longText(index).slice(0, 40))],
  [
    'of a YAML document with a long comment',
    (index) => decodeYaml(`a: a text that stands in the document\nb: {another text of the document: 1}\n# ${longText(index)}\n`).value,
  ],
  [
    'of a user agent, which names the manager of fields',
    (index) => {
      const bench = makeApiBench(`a-client-of-some-name/${longText(index)}`);
      const { value } = bench.send('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' }, data: { b: 'c' } });
      expect(JSON.stringify(value)).toContain('"manager":"a-client-of-some-name"');
      return bench.registry.core.store;
    },
  ],
])('a part %s keeps only itself', (_name, make) => {
  expect(keptBy(make)).toBeLessThan(bytesMax);
});
