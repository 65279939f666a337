import { describe, expect, it } from 'vitest';
import { must } from '../../base/assert.ts';
import { cloudErrors, cloudInstanceGone } from '../../base/fault-points.ts';
import { getNodeCondition } from '../../component-helpers/node.ts';
import { nodes } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { nodeRouteController } from './controller.ts';

async function aBench(before?: (bench: ControllerBench) => void, watchesRoutes = false) {
  const bench = new ControllerBench({ machines: ['a', 'b'], options: { allocateNodeCidrs: true, watchesRoutes } });
  for (const [index, name] of ['a', 'b'].entries())
    bench.add(nodes, { metadata: { name, uid: `uid-${name}` }, spec: { podCIDRs: [`10.244.${index}.0/24`] } });
  before?.(bench);
  await bench.run(nodeRouteController);
  await bench.advance(9_000);
  const { cloud, points } = must(bench.cloud, 'a cloud');
  const routes = () => cloud.routes.list().map(({ targetNode, destinationCidr }) => `${targetNode} ${destinationCidr}`);
  const condition = (name: string) => {
    const found = getNodeCondition(must(bench.get(nodes, undefined, name), 'a node'), 'NetworkUnavailable');
    return `${found?.status} ${found?.reason}: ${found?.message}`;
  };
  return { bench, cloud, points, routes, condition };
}

describe('node-route-controller', () => {
  it('makes a route for each Node and tells so by its condition, once', async () => {
    const { bench, routes, condition } = await aBench();
    expect(routes()).toEqual(['a 10.244.0.0/24', 'b 10.244.1.0/24']);
    expect(condition('a')).toBe('False RouteCreated: RouteController created a route');
    await bench.advance(60_000);
    expect(bench.writes).toHaveLength(2);
  });

  it('removes routes of Nodes that went and of instances that are gone, and no others', async () => {
    const { bench, cloud, points, routes } = await aBench();
    cloud.routes.create({ name: 'mine', targetNode: 'a', destinationCidr: '192.168.0.0/24' });
    bench.remove(nodes, undefined, 'b');
    await bench.advance(20_000);
    expect(routes()).toEqual(['a 10.244.0.0/24', 'a 192.168.0.0/24']);
    points.inject('f', [{ point: cloudInstanceGone.name, subject: 'a', value: true }], []);
    await bench.advance(20_000);
    expect(routes()).toEqual(['a 192.168.0.0/24']);
  });

  it('tells when it cannot, and makes the route when it can', async () => {
    const { bench, points, condition } = await aBench((made) => {
      const rule = { operations: ['createRoute'], reason: 'InternalError', share: 1 };
      must(made.cloud, 'a cloud').points.inject('f', [{ point: cloudErrors.name, subject: '', value: rule }], ['rev:9']);
    });
    expect(condition('a')).toBe('True NoRouteCreated: RouteController failed to create a route');
    expect(bench.events[0]?.text).toMatch(
      /^Warning FailedToCreateRoute Could not create route uid-a 10\.244\.0\.0\/24 for node a after \d+ms: InternalError: createRoute failed/,
    );
    points.heal('f', []);
    await bench.advance(20_000);
    expect(condition('a')).toBe('False RouteCreated: RouteController created a route');
    expect(bench.writes.at(-1)?.causes).toContain('rev:9');
  });

  it('with the gate looks when Nodes change, at most every ten seconds, and else in half a day or a day', async () => {
    const { bench, cloud, routes } = await aBench(undefined, true);
    expect(routes()).toEqual(['a 10.244.0.0/24', 'b 10.244.1.0/24']);
    const lose = (): void => cloud.routes.list().forEach(({ name }) => cloud.routes.delete(name));
    // Two Nodes came: the second asks for another look.
    await bench.advance(10_000);
    lose();
    await bench.advance(60_000);
    expect(routes()).toEqual([]);
    bench.change(nodes, undefined, 'a', (node) => ({ ...node, metadata: { ...node.metadata, labels: { a: 'b' } } }));
    await bench.advance(60_000);
    expect(routes()).toEqual([]);
    const turn = (address: string): unknown =>
      bench.change(nodes, undefined, 'a', (node) => ({ ...node, status: { ...node.status, addresses: [{ type: 'InternalIP', address }] } }));
    turn('10.0.0.1');
    await bench.advance(2_000);
    expect(routes()).toHaveLength(2);
    lose();
    turn('10.0.0.2');
    await bench.advance(6_000);
    expect(routes()).toEqual([]);
    await bench.advance(4_000);
    expect(routes()).toHaveLength(2);
    lose();
    await bench.advance(24 * 3_600_000);
    expect(routes()).toHaveLength(2);
  });

  it('with the gate tries again while routes cannot be listed', async () => {
    const { bench, points, routes } = await aBench((made) => {
      const rule = { operations: ['listRoutes'], reason: 'InternalError', share: 1 };
      must(made.cloud, 'a cloud').points.inject('f', [{ point: cloudErrors.name, subject: '', value: rule }], []);
    }, true);
    expect(routes()).toEqual([]);
    points.heal('f', []);
    await bench.advance(20_000);
    expect(routes()).toHaveLength(2);
  });

  it('has nothing for a Node without a range', async () => {
    const { condition } = await aBench((bench) => bench.add(nodes, { metadata: { name: 'c' } }));
    expect(condition('c')).toBe('True NoRouteCreated: RouteController failed to create a route');
  });
});
