/** Which rows of the timeline are shown, and in which order, as somebody who looks for trouble asks for them. */
import { expect, test } from 'vitest';
import type { Timeline } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { aCluster, aDeployment, type TestCluster } from '../support/cluster.ts';

const timeline = '/apis/sim.wavetank.dev/v1alpha1/timelines/main';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const minuteMs = 60_000;

function idsOf({ call }: TestCluster, query: string): readonly string[] {
  return call<Timeline>('GET', `${timeline}?limit=1000${query}`).rows.map(({ id }) => id);
}

async function troubledCluster(): Promise<{ readonly made: TestCluster; readonly calmMs: number }> {
  const made = await aCluster({ nodes: 1 });
  made.call('POST', deployments, aDeployment('good', 3));
  await made.advance(2 * minuteMs);
  const calmMs = made.cluster.loop.nowMs();
  const bad = {
    metadata: { name: 'bad', labels: { team: 'x' } },
    spec: { containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', 'exit 1'] }] },
  };
  made.call('POST', '/api/v1/namespaces/default/pods', bad);
  await made.advance(minuteMs);
  return { made, calmMs };
}

test('rows are sorted by trouble, by time and by size', async () => {
  const { made, calmMs } = await troubledCluster();
  expect(idsOf(made, `&sort=trouble&from=${calmMs}&kind=Pod,Deployment`)[0]).toBe('pods/default/bad');
  expect(idsOf(made, '&sort=time&kind=Pod,Deployment')[0]).toBe('pods/default/bad');
  expect(idsOf(made, '&sort=size&namespace=default')[0]).toMatch(/^replicasets\.apps\/default\/good-/);
});

test('rows are filtered by label, by severity and by what changed', async () => {
  const { made, calmMs } = await troubledCluster();
  expect(idsOf(made, `&changed=true&from=${calmMs}&kind=Pod,Deployment`)).toEqual(['pods/default/bad']);
  expect(idsOf(made, `&severity=warning&from=${calmMs}&namespace=default`)).toEqual(['pods/default/bad']);
  expect(idsOf(made, '&label=team%3Dx')).toEqual(['pods/default/bad']);
  expect(idsOf(made, '&label=team%21%3Dx&kind=Pod&namespace=default')).not.toContain('pods/default/bad');
});

test('a workload that was short of pods is in trouble for as long as it was', async () => {
  const made = await aCluster({ nodes: 1 });
  made.call('POST', deployments, aDeployment('well', 1));
  await made.advance(minuteMs);
  made.call('POST', deployments, { ...aDeployment('short', 1), metadata: { name: 'short' } });
  made.call('PATCH', `${deployments}/short`, { spec: { template: { spec: { nodeSelector: { no: 'where' } } } } }, 'application/merge-patch+json');
  await made.advance(minuteMs);
  expect(idsOf(made, '&sort=trouble&kind=Deployment')[0]).toBe('deployments.apps/default/short');
  expect(idsOf(made, `&severity=warning&kind=Deployment&from=${made.cluster.loop.nowMs() - 1_000}`)).toEqual(['deployments.apps/default/short']);
});

test('what cannot be asked for is refused with what can', async () => {
  const { made } = await troubledCluster();
  expect(() => idsOf(made, '&sort=colour')).toThrow('sort=colour is none of tree, trouble, time, size');
  expect(() => idsOf(made, '&severity=loud')).toThrow('severity=loud is not warning');
  expect(() => idsOf(made, '&label=a%3D%3D%3Db')).toThrow();
});
