/** APIServices of what is served here, as the real kube-apiserver 1.36.3 keeps its own (asked by kubectl). */
import { expect, test } from 'vitest';
import type { KubeObject } from '../../../engine/apimachinery/object.ts';
import { aCluster, madeCluster, type TestCluster, type WatchedEvent } from '../../support/cluster.ts';

const config = { nodes: 1, seed: 3 };
const path = '/apis/apiregistration.k8s.io/v1/apiservices';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const mergePatch = 'application/merge-patch+json';
const managed = 'kube-aggregator.kubernetes.io/automanaged';

interface Listed {
  readonly metadata: { readonly continue?: string; readonly resourceVersion: string };
  readonly items: readonly KubeObject[];
}

function version(name: string, served = true, storage = false): object {
  return { name, served, storage, schema: { openAPIV3Schema: { type: 'object' } } };
}

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'toys.play.example.com' },
  spec: {
    group: 'play.example.com',
    scope: 'Namespaced',
    names: { plural: 'toys', kind: 'Toy' },
    versions: [version('v1', true, true), version('v2'), version('v3', false)],
  },
};

/** Of the group of the definition. */
function toysOf(tank: TestCluster): readonly string[] {
  return names(tank).filter((name) => name.endsWith('.play.example.com'));
}

function names(tank: TestCluster): readonly string[] {
  return tank.call<Listed>('GET', path).items.map(({ metadata: { name = '' } }) => name);
}

test('those of what is built in are stored: pages, watches and revisions tell of them, and one that is deleted stays deleted', async () => {
  const tank = await aCluster(config);
  const { items, metadata } = tank.call<Listed>('GET', `${path}?limit=5`);
  expect(items).toHaveLength(5);
  expect(metadata.continue).toMatch(/./);
  const events: WatchedEvent[] = [];
  tank.watch(`${path}?watch=true&resourceVersion=${metadata.resourceVersion}`, (event) => void events.push(event));
  tank.call('PATCH', `${path}/v1.apps`, { metadata: { labels: { a: 'b' } } }, mergePatch);
  tank.call('DELETE', `${path}/v1.apps`);
  await tank.advance(60_000);
  expect(events.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual(['MODIFIED v1.apps', 'DELETED v1.apps']);
  expect(names(tank)).not.toContain('v1.apps');
  expect(tank.ask('GET', '/apis/apps/v1/deployments').status).toBe(200);
  expect(tank.ask('GET', '/apis/apps').status).toBe(200);
  const saved = tank.cluster.save();
  const again = madeCluster(config);
  again.cluster.restore(saved);
  await again.advance(60_000);
  expect(names(again)).toEqual(names(tank));
});

test('those of a definition come, go and are put right with it', async () => {
  const tank = await aCluster(config);
  const begun = names(tank);
  tank.call('POST', definitions, definition);
  await tank.advance(1_000);
  expect(toysOf(tank)).toEqual(['v1.play.example.com', 'v2.play.example.com']);
  const v1 = `${path}/v1.play.example.com`;
  const made = tank.call('GET', v1);
  expect(made).toMatchObject({
    metadata: { labels: { [managed]: 'true' } },
    spec: { group: 'play.example.com', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 100 },
    status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] },
  });

  tank.call('DELETE', v1);
  await tank.advance(1_000);
  expect(tank.call('GET', v1).metadata.uid).not.toBe(made.metadata.uid);
  tank.call('PATCH', v1, { spec: { versionPriority: 7 } }, mergePatch);
  await tank.advance(1_000);
  expect(tank.call('GET', v1)).toMatchObject({ spec: { versionPriority: 100 } });
  // Who takes the label away keeps it as it is.
  tank.call('PATCH', v1, { metadata: { labels: { [managed]: null } }, spec: { versionPriority: 7 } }, mergePatch);
  await tank.advance(1_000);
  expect(tank.call('GET', v1)).toMatchObject({ spec: { versionPriority: 7 } });
  tank.call('PATCH', v1, { metadata: { labels: { [managed]: 'true' } } }, mergePatch);

  const versions = [version('v1', true, true), version('v2', false), version('v3')];
  tank.call('PATCH', `${definitions}/toys.play.example.com`, { spec: { versions } }, mergePatch);
  await tank.advance(1_000);
  expect(toysOf(tank)).toEqual(['v1.play.example.com', 'v3.play.example.com']);
  tank.call('DELETE', `${definitions}/toys.play.example.com`);
  await tank.advance(5_000);
  expect(names(tank)).toEqual(begun);
});

test('one that says it is kept and that nobody wants goes; one of nobody stays', async () => {
  const tank = await aCluster(config);
  const of = (name: string, labels: object): object => ({
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `v1.${name}`, labels },
    spec: { group: name, version: 'v1', groupPriorityMinimum: 1000, versionPriority: 1 },
  });
  tank.call('POST', path, of('kept.example.com', { [managed]: 'true' }));
  tank.call('POST', path, of('start.example.com', { [managed]: 'onstart' }));
  tank.call('POST', path, of('free.example.com', {}));
  await tank.advance(1_000);
  expect(names(tank).filter((name) => name.endsWith('.example.com'))).toEqual(['v1.free.example.com', 'v1.start.example.com']);
});

test('a cluster that was saved before its server kept any has them when it goes on', async () => {
  const tank = await aCluster(config);
  const begun = names(tank);
  for (const name of begun) tank.call('DELETE', `${path}/${name}`);
  await tank.advance(2_000);
  const saved = tank.cluster.save() as unknown as { readonly state: { readonly components: Readonly<Record<string, unknown>> } };
  const { 'apiserver/apiservice-registration': own, ...components } = saved.state.components;
  expect(own).toBeDefined();
  const again = madeCluster(config);
  again.cluster.restore({ ...saved, state: { ...saved.state, components } } as never);
  await again.advance(2_000);
  expect(names(again)).toEqual(begun);
});
