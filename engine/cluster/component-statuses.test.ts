import { expect, test } from 'vitest';
import type { ComponentStatus } from '../api/core/v1/types.gen.ts';
import type { HttpPlainResponse } from '../apiserver/http-types.ts';
import type { Answer, Question } from '../contracts/questions.ts';
import { adminIdentity } from './identities.ts';
import { aCluster, madeCluster, type TestCluster } from '../../test/support/cluster.ts';

const path = '/api/v1/componentstatuses';

async function read<T>({ door }: TestCluster, route: string): Promise<T> {
  const headers = { accept: 'application/json' };
  const answer = (await door.serve({
    method: 'GET',
    path: route,
    query: '',
    headers,
    body: new Uint8Array(),
    identity: adminIdentity,
  })) as HttpPlainResponse;
  return JSON.parse(String(answer.body)) as T;
}

const healthOf = ({ metadata, conditions }: ComponentStatus): string =>
  `${metadata.name} ${conditions?.map(({ type, status, message }) => `${type}=${status} ${message}`).join()}`;

test('what runs within is well, and nobody is asked', async () => {
  const tank = madeCluster();
  const { items, metadata } = tank.call<{ items: ComponentStatus[]; metadata: object }>('GET', path);
  expect(metadata).toEqual({});
  expect(items.map(healthOf)).toEqual(['controller-manager Healthy=True ok', 'scheduler Healthy=True ok', 'etcd-0 Healthy=True ok']);
  expect(healthOf(tank.call('GET', `${path}/scheduler`))).toBe('scheduler Healthy=True ok');
  expect(tank.ask('GET', `${path}/nope`).object).toMatchObject({ message: 'componentstatus "nope" not found' });
});

test('what is left to programs outside is asked at its port', async () => {
  const asked: string[] = [];
  const ask = async ({ to }: Question): Promise<Answer> => {
    asked.push(to);
    if (to.includes('10257')) return { outcome: 'answered', body: { code: 200, text: 'ok' } };
    return { outcome: 'failed', message: 'dial tcp 127.0.0.1:10259: connect: connection refused' };
  };
  const tank = madeCluster({ options: { controllers: '', scheduler: 'false' } }, { ask });
  const { items } = await read<{ items: ComponentStatus[] }>(tank, path);
  expect(items.map(healthOf)).toEqual([
    'controller-manager Healthy=True ok',
    'scheduler Healthy=False Get "https://127.0.0.1:10259/healthz": dial tcp 127.0.0.1:10259: connect: connection refused',
    'etcd-0 Healthy=True ok',
  ]);
  expect(asked).toEqual(['health/https://127.0.0.1:10257/healthz', 'health/https://127.0.0.1:10259/healthz']);
  expect(healthOf(await read(tank, `${path}/controller-manager`))).toBe('controller-manager Healthy=True ok');
});

test('release 1.13 asks at the ports of then, in its words', async () => {
  const asked: string[] = [];
  const ask = async ({ to }: Question): Promise<Answer> => {
    asked.push(to);
    return to.includes('10252') ? { outcome: 'timedOut' } : { outcome: 'failed', message: 'dial tcp 127.0.0.1:10251: connect: connection refused' };
  };
  const tank = madeCluster({ release: '1.13', options: { controllers: '', scheduler: 'false' } }, { ask });
  const { items } = await read<{ items: ComponentStatus[] }>(tank, path);
  expect(items.map(healthOf)).toEqual([
    'controller-manager Healthy=False Get http://127.0.0.1:10252/healthz: net/http: request canceled (Client.Timeout exceeded while awaiting headers)',
    'scheduler Healthy=False Get http://127.0.0.1:10251/healthz: dial tcp 127.0.0.1:10251: connect: connection refused',
    'etcd-0 Healthy=True {"health":"true"}',
  ]);
});

test.each([
  ['1.36', { 'endpointslice.kubernetes.io/skip-mirror': 'true' }],
  ['1.13', undefined],
])('Endpoints of the API server of %s speak of slices where somebody knows of them', async (release, labels) => {
  const { call } = await aCluster({ release });
  const endpoints = call<{ metadata: { labels?: unknown } }>('GET', '/api/v1/namespaces/default/endpoints/kubernetes');
  expect(endpoints.metadata.labels).toEqual(labels);
});

test('classes of critical pods say what they are for, in upstream’s words', async () => {
  const { call } = await aCluster();
  const { items } = call<{ items: { description?: string }[] }>('GET', '/apis/scheduling.k8s.io/v1/priorityclasses');
  expect(items.map(({ description }) => description)).toEqual([
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
    'Used for system critical pods that must not be moved from their current node.',
  ]);
});
