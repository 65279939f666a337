import { describe, expect, it } from 'vitest';
import { newInternalError } from '../../apimachinery/errors.ts';
import { nodes } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { CidrSet } from './cidr-set.ts';
import { nodeIpamController } from './controller.ts';

const brings = (range: string) => ({ podCIDR: range, podCIDRs: [range] });

async function aBench(clusterCidr: string, nodeCidrMaskSize: number, ranges: Readonly<Record<string, string | undefined>>): Promise<ControllerBench> {
  const bench = new ControllerBench({ options: { clusterCidr, nodeCidrMaskSize, allocateNodeCidrs: true } });
  for (const [name, range] of Object.entries(ranges)) bench.add(nodes, { metadata: { name }, spec: range === undefined ? {} : brings(range) });
  await bench.run(nodeIpamController);
  return bench;
}

const rangeOf = (bench: ControllerBench, name: string): readonly string[] | undefined => bench.get(nodes, undefined, name)?.spec?.podCIDRs;

describe('node-ipam-controller', () => {
  it('gives each Node without a range the next one that no other brings', async () => {
    const bench = await aBench('10.244.0.0/16', 24, { a: undefined, b: '10.244.0.0/24', c: undefined });
    expect([rangeOf(bench, 'a'), rangeOf(bench, 'c')].flat().sort()).toEqual(['10.244.1.0/24', '10.244.2.0/24']);
    expect(bench.get(nodes, undefined, 'a')?.spec?.podCIDR).toBe(rangeOf(bench, 'a')?.[0]);
  });

  it('tells when none is left, and gives what comes free', async () => {
    const bench = await aBench('10.244.0.0/24', 25, { a: '10.244.0.0/25', b: '10.244.0.128/25', c: undefined });
    expect(bench.events[0]).toMatchObject({ object: 'Node c', text: 'Normal CIDRNotAvailable Node c status is now: CIDRNotAvailable' });
    expect(bench.errors[0]).toBe(
      'failed to allocate cidr from cluster cidr at idx:0: CIDR allocation failed; there are no remaining CIDRs left to allocate in the accepted range',
    );
    bench.remove(nodes, undefined, 'a');
    await bench.advance(60_000);
    expect(rangeOf(bench, 'c')).toEqual(['10.244.0.0/25']);
  });

  it('leaves out what Services have', async () => {
    const bench = new ControllerBench({
      options: { clusterCidr: '10.96.0.0/15', nodeCidrMaskSize: 16, serviceClusterIpRange: '10.96.0.0/16', allocateNodeCidrs: true },
    });
    bench.add(nodes, { metadata: { name: 'a' } });
    await bench.run(nodeIpamController);
    expect(rangeOf(bench, 'a')).toEqual(['10.97.0.0/16']);
  });

  it('tries three times, tells that it failed, and gives the range back', async () => {
    const bench = new ControllerBench({ options: { allocateNodeCidrs: true } });
    bench.add(nodes, { metadata: { name: 'a' } });
    bench.refuse = () => {
      throw newInternalError('no');
    };
    await bench.run(nodeIpamController);
    expect(bench.events[0]?.text).toBe('Normal CIDRAssignmentFailed Node a status is now: CIDRAssignmentFailed');
    bench.refuse = undefined;
    await bench.advance(10_000);
    expect(rangeOf(bench, 'a')).toHaveLength(1);
    expect(JSON.stringify(bench.save()).match(/"a"/g)).toHaveLength(1);
  });
});

it.each([
  ['10.244.7.0/24', { from: 7, to: 7 }],
  ['10.244.6.0/23', { from: 6, to: 7 }],
  ['10.0.0.0/8', { from: 0, to: 255 }],
  ['10.245.0.0/24', undefined],
  ['10.243.0.0/24', undefined],
  ['fd00::/64', undefined],
  ['soon', undefined],
])('%s covers parts %j', (range, parts) => {
  expect(new CidrSet('10.244.0.0/16', 24).indexesOf(range)).toEqual(parts);
});
