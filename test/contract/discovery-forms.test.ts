/** Lists of resources of the two groups that were there before versions say none of their own, as real servers of both releases write them (curl, all three forms). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unwrapEnvelope } from '../../engine/apimachinery/serializer/codec.ts';
import { aCluster } from '../support/cluster.ts';
import { asker } from './seeds-client.ts';

const cases = [
  ['/api/v1', undefined],
  ['/apis/extensions/v1beta1', undefined],
  ['/apis/apps/v1', 'v1'],
] as const;

describe.each(['1.36', '1.13'])('discovery of release %s', (release) => {
  it.each(cases)('%s is of version %s', async (path, version) => {
    const ask = asker(await aCluster({ seed: 1, nodes: 0, release, options: { controllers: '-*' } }));
    expect(ask('GET', path).body['apiVersion']).toBe(version);
    expect(ask('GET', path, { accept: 'application/yaml' }).text.startsWith('apiVersion: v1\n')).toBe(version !== undefined);
    const { bytes } = ask('GET', path, { accept: 'application/vnd.kubernetes.protobuf' });
    expect(unwrapEnvelope(bytes)).toMatchObject({ apiVersion: version ?? '', kind: 'APIResourceList' });
  });
});

it('each version of a custom resource tells by a hash which one is stored, as a real 1.36.3 does', async () => {
  const tank = await aCluster({ seed: 1, nodes: 0 });
  const schema = { openAPIV3Schema: { type: 'object' } };
  const versions = ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v2', schema }));
  tank.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'hulls.wharf.example.com' },
    spec: { group: 'wharf.example.com', scope: 'Namespaced', names: { plural: 'hulls', kind: 'Hull' }, versions },
  });
  await tank.advance(5_000);
  const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
  const hull = { name: 'hulls', singularName: 'hull', namespaced: true, kind: 'Hull', verbs, storageVersionHash: 'K3ohdst8OXQ=' };
  for (const version of ['v1', 'v2'])
    expect(asker(tank)('GET', `/apis/wharf.example.com/${version}`).body).toEqual({
      ...{ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `wharf.example.com/${version}` },
      resources: [hull],
    });
});

it('each resource tells by a hash which version of it is stored, as a real 1.36.3 does', async () => {
  const ask = asker(await aCluster({ seed: 1, nodes: 0, options: { controllers: '-*' } }));
  const hashes = JSON.parse(readFileSync(join(import.meta.dirname, 'storage-hashes.json'), 'utf8')) as Readonly<Record<string, string>>;
  const versions = new Set(Object.keys(hashes).map((path) => path.slice(0, path.lastIndexOf('/'))));
  const told = [...versions].flatMap((path) => {
    const resources = ask('GET', path).body['resources'] as unknown as readonly { readonly name: string; readonly storageVersionHash?: string }[];
    return resources.flatMap(({ name, storageVersionHash }) => (storageVersionHash === undefined ? [] : [[`${path}/${name}`, storageVersionHash]]));
  });
  expect(Object.fromEntries(told)).toEqual(hashes);
});

it.each(['bindings', 'bindings/x', 'pods'])('a list of one name is asked of the collection: %s', async (path) => {
  const ask = asker(await aCluster({ seed: 1, nodes: 0, options: { controllers: '-*' } }));
  const { status } = ask('GET', `/api/v1/namespaces/default/${path}?fieldSelector=metadata.name%3Dx`);
  expect(status).toBe({ bindings: 405, pods: 200 }[path] ?? 404);
});

/** Those of a real 1.36.3 that belong to no group. */
const rootPaths = JSON.parse(readFileSync(join(import.meta.dirname, 'root-paths.json'), 'utf8')) as readonly string[];

it('what answers beside groups is listed at the root, each check of health too', async () => {
  const ask = asker(await aCluster({ seed: 1, nodes: 0, options: { controllers: '-*' } }));
  const paths = ask('GET', '/').body['paths'] as unknown as readonly string[];
  expect(paths.filter((path) => !path.startsWith('/api'))).toEqual(rootPaths);
});

it.each(['9223372036854775807', '-9223372036854775808', '000000000000000000000000001'])('limit=%s is a number', async (limit) => {
  const ask = asker(await aCluster({ seed: 1, nodes: 0, options: { controllers: '-*' } }));
  expect(ask('GET', `/api/v1/namespaces/default/pods?limit=${limit}`).status).toBe(200);
});

it('a grace period of all seconds that there are ends nobody', async () => {
  const ask = asker(await aCluster({ seed: 1, nodes: 0, options: { controllers: '-*', 'disable-admission-plugins': 'ServiceAccount' } }));
  const path = '/api/v1/namespaces/default/pods';
  ask('POST', path, { body: { metadata: { name: 'p' }, spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] } } });
  expect(ask('DELETE', `${path}/p?gracePeriodSeconds=9223372036854775807`).status).toBeLessThan(500);
  expect(ask('GET', path).status).toBe(200);
});
