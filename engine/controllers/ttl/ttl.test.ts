import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { nodes } from '../../client/resources.ts';
import type { ControllerTraits } from '../../contracts/release.ts';
import { release as old } from '../../releases/1.13/release.ts';
import { release as present } from '../../releases/1.36/release.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { ttlController } from './controller.ts';

const annotation = 'node.alpha.kubernetes.io/ttl';

async function aBench(count: number, traits?: ControllerTraits): Promise<ControllerBench> {
  const bench = new ControllerBench(traits && { options: { traits } });
  for (let index = 0; index < count; index++) bench.add(nodes, { metadata: { name: `n${index}` } });
  await bench.run(ttlController);
  return bench;
}

const ttlOf = (bench: ControllerBench, name: string): string | undefined => bench.get(nodes, undefined, name)?.metadata.annotations?.[annotation];

describe('ttl-controller', () => {
  it.each([
    [1, '0'],
    [100, '0'],
    [101, '15'],
    [501, '30'],
    [1001, '60'],
    [2001, '300'],
  ])('%i nodes may keep what they have read for %s s', async (count, seconds) => {
    const bench = await aBench(count);
    expect(ttlOf(bench, `n${count - 1}`)).toBe(seconds);
  });

  it.each([
    ['1.13', '600', old],
    ['1.36', '300', present],
  ])('more than 10,000 nodes of release %s keep it for %s s', async (_name, seconds, { controllers: traits }) => {
    const before = await aBench(1, traits);
    const bench = new ControllerBench({ options: { traits } });
    await bench.run(ttlController, { ...(before.save() as JsonObject), own: { count: 10_000, step: 4 } });
    bench.add(nodes, { metadata: { name: 'n10000' } });
    await bench.settle();
    expect(ttlOf(bench, 'n10000')).toBe(seconds);
  });

  it('goes back later than it came, and writes a Node when it changes next', async () => {
    const bench = await aBench(101);
    for (let index = 1; index <= 11; index++) bench.remove(nodes, undefined, `n${index}`);
    await bench.settle();
    bench.change(nodes, undefined, 'n100', (node) => ({ ...node, metadata: { ...node.metadata, labels: { a: 'b' } } }));
    await bench.settle();
    expect(ttlOf(bench, 'n100')).toBe('15');
    bench.remove(nodes, undefined, 'n12');
    await bench.settle();
    bench.change(nodes, undefined, 'n100', (node) => ({ ...node, metadata: { ...node.metadata, labels: { a: 'c' } } }));
    await bench.settle();
    expect(ttlOf(bench, 'n100')).toBe('0');
  });

  it('restores what others write there', async () => {
    const bench = await aBench(1);
    bench.change(nodes, undefined, 'n0', (node) => ({ ...node, metadata: { ...node.metadata, annotations: { [annotation]: 'soon' } } }));
    await bench.settle();
    expect(ttlOf(bench, 'n0')).toBe('0');
  });

  it('remembers how many there are', async () => {
    const bench = await aBench(101);
    expect(bench.save()).toMatchObject({ own: { count: 101, step: 1 } });
  });
});
