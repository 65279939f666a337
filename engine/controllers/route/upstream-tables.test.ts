/**
 * What upstream's own tables say of the route controller (k8s.io/cloud-provider/controllers/route/route_controller_test.go, release 1.36),
 * which no plain kube-controller-manager runs. Cases and expected facts are theirs.
 */
import { describe, expect, it } from 'vitest';
import { must } from '../../base/assert.ts';
import { cloudErrors } from '../../base/fault-points.ts';
import { getNodeCondition } from '../../component-helpers/node.ts';
import { nodes } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { nodeRouteController } from './controller.ts';

interface Setting {
  readonly clusterCidr?: string;
  /** Node → ranges. */
  readonly nodes: Readonly<Record<string, readonly string[]>>;
  /** `node range`, or `- range` for one that leads nowhere. */
  readonly before?: readonly string[];
  readonly condition?: object;
  readonly refuses?: boolean;
}

async function play({ clusterCidr = '10.120.0.0/16', nodes: wanted, before = [], condition, refuses = false }: Setting) {
  const targets = before.map((text) => text.split(' ')[0] ?? '');
  const bench = new ControllerBench({
    machines: [...new Set([...Object.keys(wanted), ...targets])],
    options: { allocateNodeCidrs: true, clusterCidr },
  });
  const { cloud, points, machines } = must(bench.cloud, 'a cloud');
  for (const [name, podCIDRs] of Object.entries(wanted))
    bench.add(nodes, { metadata: { name }, spec: { podCIDRs }, ...(condition && { status: { conditions: [condition] } }) });
  for (const [index, text] of before.entries()) {
    const [targetNode = '', destinationCidr = ''] = text.split(' ');
    cloud.routes.create({ name: `before-${index}`, targetNode, destinationCidr });
  }
  machines.delete('-');
  if (refuses)
    points.inject('f', [{ point: cloudErrors.name, subject: '', value: { operations: ['createRoute'], reason: 'InternalError', share: 1 } }], []);
  await bench.run(nodeRouteController);
  await bench.advance(40_000);
  const routes = cloud.routes.list().map(({ targetNode, destinationCidr }) => `${targetNode} ${destinationCidr}`);
  const network = Object.keys(wanted).map((name) => getNodeCondition(must(bench.get(nodes, undefined, name), 'a node'), 'NetworkUnavailable'));
  return { bench, routes: routes.toSorted(), network };
}

describe('whose a route is', () => {
  const cases: readonly (readonly [cluster: string, route: string, isOurs: boolean])[] = [
    ['10.244.0.0/16', '10.244.0.0/24', true],
    ['10.244.0.0/16', '10.244.10.0/24', true],
    ['10.244.0.0/16', '10.244.255.0/24', true],
    ['10.244.0.0/14', '10.244.0.0/24', true],
    ['10.244.0.0/14', '10.247.255.0/24', true],
    ['a00:100::/10', 'a00:100::/24', true],
    ['10.244.0.0/16', '10.224.0.0/24', false],
    ['10.244.0.0/16', '10.0.10.0/24', false],
    ['10.244.0.0/16', '10.255.255.0/24', false],
    ['10.244.0.0/14', '10.248.0.0/24', false],
    ['10.244.0.0/14', '10.243.255.0/24', false],
    ['a00:100::/10', 'b00:100::/24', false],
    // Its end is within, by the code: the first and the last address are looked at.
    ['10.120.255.0/24', '10.120.0.0/16', true],
    ['10.120.0.0/16,ace:cab:deca::/8', 'a00:100::/24', true],
  ];
  // What is ours and leads to no Node goes.
  it.each(cases)('in %s, that of %s: %s', async (clusterCidr, range, isOurs) => {
    const { routes } = await play({ clusterCidr, nodes: {}, before: [`- ${range}`] });
    expect(routes).toHaveLength(isOurs ? 0 : 1);
  });
});

describe('the routes of the nodes', () => {
  const one = { 'node-1': ['10.120.0.0/24'], 'node-2': ['10.120.1.0/24'] };
  const both = ['node-1 10.120.0.0/24', 'node-2 10.120.1.0/24'];
  const two = { 'node-3': ['10.120.0.0/24', 'a00:100::/24'], 'node-4': ['10.120.1.0/24', 'a00:200::/24'] };
  const four = ['node-3 10.120.0.0/24', 'node-3 a00:100::/24', 'node-4 10.120.1.0/24', 'node-4 a00:200::/24'];
  const dual = '10.120.0.0/16,ace:cab:deca::/8';
  const cases: readonly (Setting & { readonly name: string; readonly after: readonly string[]; readonly down?: readonly boolean[] })[] = [
    { name: 'two families, none there', clusterCidr: dual, nodes: two, after: four },
    { name: 'two families, all there', clusterCidr: dual, nodes: two, before: four, after: four },
    {
      name: 'two families, those of one lead to the other',
      clusterCidr: dual,
      nodes: two,
      before: ['node-3 10.120.1.0/24', 'node-4 10.120.0.0/24', 'node-3 a00:200::/24', 'node-4 a00:100::/24'],
      after: four,
    },
    { name: 'two families, some there', clusterCidr: dual, nodes: two, before: ['node-3 10.120.0.0/24', 'node-4 a00:200::/24'], after: four },
    { name: 'two families, too many', clusterCidr: dual, nodes: two, before: [...four, 'node-x 10.120.2.0/24', 'node-y a00:300::/24'], after: four },
    { name: 'all there', nodes: one, before: both, after: both },
    { name: 'one there', nodes: one, before: ['node-1 10.120.0.0/24'], after: both },
    { name: 'none there', nodes: one, after: both },
    { name: 'too many', nodes: one, before: [...both, 'node-3 10.120.2.0/24', 'node-4 10.120.3.0/24'], after: both },
    { name: 'one is wrong', nodes: one, before: ['node-1 10.120.0.0/24', 'node-3 10.120.2.0/24'], after: both },
    {
      name: 'a node has no range',
      nodes: { 'node-1': ['10.120.0.0/24'], 'node-2': [] },
      after: ['node-1 10.120.0.0/24'],
      down: [false, true],
    },
    { name: 'one that leads nowhere, of ours', nodes: one, before: [...both, '- 10.120.2.0/24'], after: both },
    { name: 'one that leads nowhere, of others', nodes: one, before: [...both, '- 10.1.2.0/24'], after: ['- 10.1.2.0/24', ...both] },
  ];
  it.each(cases)('$name', async ({ after, down, ...setting }) => {
    const { routes, network } = await play(setting);
    expect(routes).toEqual(after);
    expect(network.map((condition) => condition?.status === 'True')).toEqual(down ?? Object.keys(setting.nodes).map(() => false));
  });
});

describe('the condition of a node', () => {
  const condition = (status: string, reason: string): object => ({ type: 'NetworkUnavailable', status, reason, message: 'before' });
  const [made, failed] = [condition('False', 'RouteCreated'), condition('True', 'NoRouteCreated')];
  const cases: readonly (readonly [name: string, before: object | undefined, refuses: boolean, isWritten: boolean])[] = [
    ['none, and there is a route', undefined, false, true],
    ['none, and there is no route', undefined, true, true],
    ['the same', made, false, false],
    ['the same for another reason', condition('False', 'CalicoIsUp'), false, true],
    ['the same for a third reason', condition('False', 'ExternalCNI'), false, true],
    ['no network, for another reason', condition('True', 'SomeOtherReason'), true, true],
    ['there was a network', made, true, true],
    ['no network still', failed, true, false],
  ];
  it.each(cases)('%s', async (_name, before, refuses, isWritten) => {
    const { bench, network } = await play({ nodes: { n: ['10.120.0.0/24'] }, refuses, ...(before && { condition: before }) });
    const [status, reason, message] = refuses
      ? ['True', 'NoRouteCreated', 'RouteController failed to create a route']
      : ['False', 'RouteCreated', 'RouteController created a route'];
    expect(network[0]).toMatchObject({ status, reason, message: isWritten ? message : 'before' });
    expect(bench.writes).toHaveLength(isWritten ? 1 : 0);
  });
});
