/** What pods go through when their kubelet begins anew, with the gate that keeps the way of older releases on and off. */
import { expect, it } from 'vitest';
import { aCluster } from '../../test/support/cluster.ts';
import type { Pod } from '../api/core/v1/types.gen.ts';

const pods = '/api/v1/namespaces/default/pods';

it.each([
  ['true', [true, false, true]],
  ['false', [true]],
])('ChangeContainerStatusOnKubeletRestart=%s: the readiness of a container that is probed turns %j', async (value, turns) => {
  const gates = `ChangeContainerStatusOnKubeletRestart=${value}`;
  const made = await aCluster({ seed: 4, nodes: 1, options: { 'feature-gates': gates, 'disable-admission-plugins': 'ServiceAccount' } });
  const probe = { exec: { command: ['true'] }, periodSeconds: 5 };
  const containers = [
    { name: 'probed', image: 'nginx', readinessProbe: probe, startupProbe: probe },
    { name: 'plain', image: 'nginx' },
  ];
  made.call('POST', pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers } });
  await made.advance(60_000);
  const seen: { readonly [name: string]: (boolean | undefined)[] } = { probed: [], plain: [] };
  const look = ({ status }: Pod): void => {
    for (const { name, ready } of status?.containerStatuses ?? []) if (seen[name]?.at(-1) !== ready) seen[name]?.push(ready);
  };
  look(made.call<Pod>('GET', `${pods}/p`));
  made.watch(`${pods}?watch=true`, ({ object }) => look(object as Pod));
  const fault = {
    apiVersion: 'sim.wavetank.dev/v1alpha1',
    kind: 'Fault',
    metadata: { name: 'f' },
    spec: { type: 'kubelet-crash', target: { node: 'node-0' } },
  };
  made.call('POST', '/apis/sim.wavetank.dev/v1alpha1/faults', fault);
  await made.advance(60_000);
  expect(seen).toEqual({ probed: turns, plain: [true] });
  const { containerStatuses = [] } = made.call<Pod>('GET', `${pods}/p`).status ?? {};
  expect(containerStatuses.map(({ started, restartCount }) => [started, restartCount])).toEqual([
    [true, 0],
    [true, 0],
  ]);
});
