import { expect, it } from 'vitest';
import { must } from '../../base/assert.ts';
import { cloudErrors, cloudInstanceGone, cloudInstanceStopped } from '../../base/fault-points.ts';
import { nodes } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { cloudNodeLifecycleController } from './controller.ts';

const ready = (status: string) => ({ conditions: [{ type: 'Ready', status }] });
const shutdown = { key: 'node.cloudprovider.kubernetes.io/shutdown', effect: 'NoSchedule' };

async function aBench(status: string, point?: string, taints: readonly object[] = []): Promise<ControllerBench> {
  const bench = new ControllerBench({ machines: ['a'] });
  if (point !== undefined) must(bench.cloud, 'a cloud').points.inject('f', [{ point, subject: 'a', value: true }], ['rev:7']);
  bench.add(nodes, { metadata: { name: 'a' }, spec: { taints }, status: ready(status) });
  await bench.run(cloudNodeLifecycleController);
  await bench.advance(6_000);
  return bench;
}

it('deletes a Node that is not ready and whose instance is gone', async () => {
  const bench = await aBench('Unknown', cloudInstanceGone.name);
  expect(bench.writeTexts()).toEqual(['delete nodes a']);
  expect(bench.writes[0]?.causes).toContain('rev:7');
  expect(bench.events.map(({ text }) => text)).toEqual(['Normal DeletingNode Deleting node a because it does not exist in the cloud provider']);
});

it('taints one whose instance is switched off, once', async () => {
  const bench = await aBench('False', cloudInstanceStopped.name);
  expect(bench.get(nodes, undefined, 'a')?.spec?.taints).toEqual([shutdown]);
  await bench.advance(60_000);
  expect(bench.writes).toHaveLength(1);
});

it('takes the taint away when the Node is ready again', async () => {
  const bench = await aBench('True', undefined, [shutdown]);
  expect(bench.get(nodes, undefined, 'a')?.spec?.taints ?? []).toEqual([]);
});

it.each([
  ['a Node that is ready, whatever the cloud says', 'True', cloudInstanceGone.name],
  ['one whose instance runs', 'Unknown', undefined],
])('leaves %s alone', async (_what, status, point) => {
  expect((await aBench(status, point)).writeTexts()).toEqual([]);
});

it('waits while the cloud does not answer', async () => {
  const bench = new ControllerBench({ machines: [] });
  const { points } = must(bench.cloud, 'a cloud');
  points.inject('f', [{ point: cloudErrors.name, subject: '', value: { reason: 'InternalError', share: 1 } }], []);
  bench.add(nodes, { metadata: { name: 'a' }, status: ready('Unknown') });
  await bench.run(cloudNodeLifecycleController);
  await bench.advance(60_000);
  expect(bench.writeTexts()).toEqual([]);
  points.heal('f', []);
  await bench.advance(6_000);
  expect(bench.writeTexts()).toEqual(['delete nodes a']);
});
