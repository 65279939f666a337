/** Flow schemas and priority levels beside those of a real kube-apiserver 1.36: what is refused, what is there from the start, what is put right. */
import { expect, test } from 'vitest';
import type { FlowSchema, PriorityLevelConfiguration } from '../../../engine/api/flowcontrol/v1/types.gen.ts';
import type { KubeList, KubeObject } from '../../../engine/apimachinery/object.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import recordedObjects from './recorded-objects.json' with { type: 'json' };
import recordedValidation from './recorded-validation.json' with { type: 'json' };

const base = '/apis/flowcontrol.apiserver.k8s.io/v1';
const schemas = `${base}/flowschemas`;
const levels = `${base}/prioritylevelconfigurations`;

interface Case {
  readonly method: string;
  readonly path: string;
  readonly body: { readonly metadata: { readonly name: string } };
  readonly code: number;
  readonly message?: string;
  readonly spec?: object;
}

test('what is wrong with them is said in upstream’s words', async () => {
  const { ask } = await aCluster({ nodes: 0 });
  for (const { method, path, body, code, message, spec } of recordedValidation.cases as Case[]) {
    const answer = ask<KubeObject & { spec?: object }>(method, path, body);
    const got = answer.status >= 400 ? { message: answer.object.message } : { spec: answer.object.spec };
    expect({ body, code: answer.status, ...got }).toEqual({ body, code, ...(message === undefined ? { spec: spec ?? got.spec } : { message }) });
    if (method === 'POST' && code === 201) ask('DELETE', `${path}/${body.metadata.name}`);
  }
});

test('a cluster begins with those of the release, each with its managers and its status', async () => {
  const { call, advance } = await aCluster({ nodes: 0 });
  await advance(1000);
  const found = [schemas, levels].flatMap((path) =>
    call<KubeList<FlowSchema | PriorityLevelConfiguration>>('GET', path).items.map((item) => ({ path, item })),
  );
  const told = found.map(({ path, item: { metadata, spec, status } }) => ({
    kind: path === schemas ? 'FlowSchema' : 'PriorityLevelConfiguration',
    name: metadata.name,
    annotations: metadata.annotations,
    spec,
    status: status?.conditions === undefined ? {} : { conditions: status.conditions.map(({ lastTransitionTime: _, ...rest }) => rest) },
    managers: metadata.managedFields?.map(({ manager, operation, subresource = '' }) => [manager, operation, subresource]),
  }));
  expect(told).toEqual(recordedObjects.objects);
});

function sharesOf({ call }: TestCluster): Record<string, unknown> {
  const { items } = call<KubeList<PriorityLevelConfiguration>>('GET', levels);
  return Object.fromEntries(
    items.map(({ metadata, spec }) => [
      metadata.name,
      [metadata.annotations?.['apf.kubernetes.io/autoupdate-spec'], (spec?.limited ?? spec?.exempt)?.nominalConcurrencyShares],
    ]),
  );
}

test('each minute what the server made is put right, but for what somebody has taken over', async () => {
  const tank = await aCluster({ nodes: 0 });
  const { call } = tank;
  call('DELETE', `${levels}/workload-low`);
  call('DELETE', `${levels}/catch-all`);
  call('DELETE', `${schemas}/catch-all`);
  const edit = (name: string, shares: number | undefined, autoupdate: string | undefined): void => {
    const level = call<PriorityLevelConfiguration>('GET', `${levels}/${name}`);
    const { annotations: _, managedFields: _managed, ...metadata } = level.metadata;
    const limited = { ...level.spec?.limited, ...(shares !== undefined && { nominalConcurrencyShares: shares }) };
    const spec = level.spec?.type === 'Exempt' ? { type: 'Exempt', exempt: { nominalConcurrencyShares: shares } } : { ...level.spec, limited };
    const annotated = autoupdate === undefined ? {} : { annotations: { 'apf.kubernetes.io/autoupdate-spec': autoupdate } };
    call('PUT', `${levels}/${name}`, { ...level, metadata: { ...metadata, ...annotated }, spec });
  };
  edit('workload-high', 41, 'true');
  edit('system', 31, 'false');
  edit('node-high', undefined, undefined);
  edit('global-default', 21, undefined);
  edit('exempt', 7, 'true');
  const spec = { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } };
  call('POST', levels, { metadata: { name: 'of-an-older-release', annotations: { 'apf.kubernetes.io/autoupdate-spec': 'true' } }, spec });
  call('POST', levels, { metadata: { name: 'mine' }, spec });
  await tank.advance(3000);
  expect(call<FlowSchema>('GET', `${schemas}/service-accounts`).status?.conditions).toMatchObject([
    {
      type: 'Dangling',
      status: 'True',
      reason: 'NotFound',
      message: 'This FlowSchema references the PriorityLevelConfiguration object named "workload-low" but there is no such object',
    },
  ]);
  expect(sharesOf(tank)['workload-high']).toEqual(['true', 41]);
  await tank.advance(60_000);
  expect(sharesOf(tank)).toEqual({
    'catch-all': ['true', 5],
    exempt: ['true', 7],
    'global-default': ['false', 21],
    'leader-election': ['true', 10],
    mine: [undefined, 30],
    'node-high': ['true', 40],
    system: ['false', 31],
    'workload-high': ['true', 40],
    'workload-low': ['true', 100],
  });
  expect(call<FlowSchema>('GET', `${schemas}/catch-all`).status?.conditions).toMatchObject([{ status: 'False', reason: 'Found' }]);
  expect(call<FlowSchema>('GET', `${schemas}/service-accounts`).status?.conditions).toMatchObject([{ status: 'False', reason: 'Found' }]);
  const { store } = tank.cluster;
  const before = store.currentRevision();
  await tank.advance(180_000);
  const changed = Array.from({ length: store.currentRevision() - before }, (_, index) => store.changeAt(before + 1 + index)?.key ?? '');
  expect(changed.filter((key) => !key.startsWith('/registry/leases/kube-system/apiserver-'))).toEqual([]);
});

test('an older release begins without them', async () => {
  const { cluster } = await aCluster({ nodes: 0, release: '1.13' });
  expect(cluster.stored('flowschemas')).toEqual([]);
});
