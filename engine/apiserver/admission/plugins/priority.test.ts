import { expect, test } from 'vitest';
import type { Pod } from '../../../api/core/v1/types.gen.ts';
import { aCluster } from '../../../../test/support/cluster.ts';

const path = '/api/v1/namespaces/default/pods';
const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'nginx:1' }] } };
const spec = { ...pod.spec, serviceAccountName: 'default', automountServiceAccountToken: false };

test('whoever replaces a pod need not say the priority that it was given', async () => {
  const { call, advance } = await aCluster({ nodes: 0, options: { controllers: 'serviceaccount' } });
  await advance(1000);
  call('POST', path, { ...pod, spec });
  const replaced = call<Pod>('PUT', `${path}/a`, { ...pod, metadata: { name: 'a', labels: { app: 'b' } }, spec });
  expect(replaced.metadata.labels).toEqual({ app: 'b' });
  expect(replaced.spec).toMatchObject({ priority: 0, preemptionPolicy: 'PreemptLowerPriority' });
});

test('whoever replaces a pod with another priority is refused', async () => {
  const { call, ask, advance } = await aCluster({ nodes: 0, options: { controllers: 'serviceaccount' } });
  await advance(1000);
  call('POST', path, { ...pod, spec });
  expect(ask('PUT', `${path}/a`, { ...pod, spec: { ...spec, priority: 7 } }).status).toBe(422);
});

test('whoever asks for another preemption than the class has is refused before anything else is looked at', async () => {
  const { ask, advance } = await aCluster({ nodes: 0, options: { controllers: 'serviceaccount' } });
  await advance(1000);
  const refused = ask('POST', path, { ...pod, spec: { ...spec, containers: [], preemptionPolicy: 'Never' } });
  expect(refused.status).toBe(403);
  expect(JSON.stringify(refused.object)).toContain('the string value of PreemptionPolicy (Never) must not be provided in pod spec');
});

test('one address of a pod is also the first of several, whoever writes which', async () => {
  const { call, advance } = await aCluster({ nodes: 0, options: { controllers: 'serviceaccount' } });
  await advance(1000);
  call('POST', path, { ...pod, spec });
  const patched = call<Pod>('PATCH', `${path}/a/status`, { status: { podIPs: [{ ip: 'fd00::1' }] } }, 'application/merge-patch+json');
  expect(patched.status).toMatchObject({ podIP: 'fd00::1', podIPs: [{ ip: 'fd00::1' }] });
});
