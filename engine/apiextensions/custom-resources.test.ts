/** Kinds that users add, as their clients meet them, in a whole cluster. What a real server answers stands in test/contract. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { CustomResourceDefinition } from '../api/apiextensions/v1/types.gen.ts';
import type { KubeList, KubeObject } from '../apimachinery/object.ts';
import { aCluster, madeCluster, type TestCluster, type WatchedEvent } from '../../test/support/cluster.ts';
import { replayInputs } from '../../test/support/replay.ts';

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const cronTabs = '/apis/stable.example.com/v1/namespaces/default/crontabs';
const mergePatch = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';

type CronTab = KubeObject & {
  readonly spec?: { readonly [member: string]: unknown };
  readonly status?: { readonly [member: string]: unknown };
};

const cronTabSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        schedule: { type: 'string', pattern: '^\\d+$' },
        image: { type: 'string', default: 'nginx' },
        replicas: { type: 'integer', minimum: 1 },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, port: { type: 'integer' } } },
        },
      },
    },
    status: { type: 'object', properties: { replicas: { type: 'integer' }, selector: { type: 'string' } } },
  },
};

function definition(plural: string, kind: string, spec: object = {}): object {
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: cronTabSchema },
    subresources: {
      status: {},
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', labelSelectorPath: '.status.selector' },
    },
    additionalPrinterColumns: [{ name: 'Schedule', type: 'string', jsonPath: '.spec.schedule' }],
    selectableFields: [{ jsonPath: '.spec.image' }],
  };
  return {
    metadata: { name: `${plural}.stable.example.com` },
    spec: {
      group: 'stable.example.com',
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind, shortNames: [plural.slice(0, 2)] },
      versions: [version],
      ...spec,
    },
  };
}

function cronTab(name: string, spec: object = {}): object {
  return { apiVersion: 'stable.example.com/v1', kind: 'CronTab', metadata: { name }, spec };
}

async function served(spec: object = {}): Promise<TestCluster> {
  const made = await aCluster({ nodes: 0 });
  made.call('POST', definitionsPath, definition('crontabs', 'CronTab', spec));
  await made.advance(1_000);
  return made;
}

function conditionsOf(made: TestCluster, name: string): readonly string[] {
  const { status } = made.call<CustomResourceDefinition>('GET', `${definitionsPath}/${name}`);
  return (status?.conditions ?? []).map((condition) => `${condition.type}=${condition.status} ${condition.reason}: ${condition.message}`);
}

describe('objects of a kind that a user added', () => {
  let made: TestCluster;
  beforeAll(async () => {
    made = await served();
  });

  test('are pruned, filled in, counted and kept', () => {
    const created = made.call<CronTab>('POST', cronTabs, { ...cronTab('a', { schedule: '5', unknown: 1 }), status: { replicas: 3 } });
    expect(created.spec).toEqual({ image: 'nginx', schedule: '5' });
    expect(created.status).toBeUndefined();
    expect(created.metadata.generation).toBe(1);
    expect(made.call('GET', `${cronTabs}/a`)).toEqual(created);
    expect(made.call<KubeList>('GET', cronTabs).items).toEqual([created]);
  });

  test('are refused with what is wrong with them', () => {
    expect(made.ask('POST', cronTabs, cronTab('bad', { schedule: 'x', replicas: 0 }))).toMatchObject({
      status: 422,
      object: {
        message:
          'CronTab.stable.example.com "bad" is invalid: [spec.replicas: Invalid value: 0: spec.replicas in body should be greater than or equal to 1, spec.schedule: Invalid value: "x": spec.schedule in body should match \'^\\d+$\']',
      },
    });
    const strict = made.ask('POST', `${cronTabs}?fieldValidation=Strict`, { ...cronTab('strict', { foo: 1 }), metadata: { name: 'strict', bar: 1 } });
    expect(strict.object.message).toBe(
      'CronTab in version "v1" cannot be handled as a CronTab: strict decoding error: unknown field "metadata.bar", unknown field "spec.foo"',
    );
    expect(made.ask('POST', cronTabs, { metadata: { name: 'nokind' } }).status).toBe(400);
    expect(made.ask('POST', cronTabs, { ...cronTab('other'), kind: 'Other' }).object.message).toBe(
      'Other.stable.example.com "other" is invalid: kind: Invalid value: "Other": must be CronTab',
    );
    const twice = made.ask('POST', cronTabs, cronTab('twice', { ports: [{ name: 'a' }, { name: 'a' }] }));
    expect(twice.object.message).toContain('spec.ports[1]: Duplicate value: {"name":"a"}');
    for (const name of ['bad', 'strict', 'nokind', 'other', 'twice']) expect(made.ask('GET', `${cronTabs}/${name}`).status).toBe(404);
  });

  // As a real kube-apiserver 1.36.3 shows one that kubectl apply patches with a field too many.
  test('are shown with all keys sorted where a patch does not fit', () => {
    made.call('POST', `${cronTabs}?fieldManager=maker`, cronTab('shown', { replicas: 1 }));
    const refused = made.ask('PATCH', `${cronTabs}/shown?fieldValidation=Strict`, { spec: { extra: 1 } }, mergePatch);
    expect(refused.object.message).toMatch(
      /"metadata\\":\{\\"creationTimestamp\\":.*\\"managedFields\\":\[\{\\"apiVersion\\":\\"stable.example.com\/v1\\",\\"fieldsType\\":.*\\"manager\\":\\"maker\\".*\\"name\\":\\"shown\\".*unknown field "spec.extra"$/,
    );
  });

  test('have a status of their own, which leaves all else alone', () => {
    made.call('POST', cronTabs, cronTab('status', { replicas: 1 }));
    const told = made.call<CronTab>(
      'PATCH',
      `${cronTabs}/status/status`,
      { spec: { replicas: 9 }, status: { replicas: 1, selector: 'a=b' } },
      mergePatch,
    );
    expect(told.spec?.['replicas']).toBe(1);
    expect(told.status).toEqual({ replicas: 1, selector: 'a=b' });
    expect(told.metadata.generation).toBe(1);
    const changed = made.call<CronTab>('PATCH', `${cronTabs}/status`, { spec: { replicas: 2 }, status: { replicas: 9 } }, mergePatch);
    expect(changed.status?.['replicas']).toBe(1);
    expect(changed.metadata.generation).toBe(2);
  });

  test('are scaled by the paths of their definition', () => {
    made.call('POST', cronTabs, cronTab('scaled', { replicas: 1 }));
    made.call('PATCH', `${cronTabs}/scaled/scale`, { spec: { replicas: 4 } }, mergePatch);
    expect(made.call<CronTab>('GET', `${cronTabs}/scaled`).spec?.['replicas']).toBe(4);
    expect(made.call('GET', `${cronTabs}/scaled/scale`)).toMatchObject({ kind: 'Scale', spec: { replicas: 4 } });
    const negative = made.ask('PATCH', `${cronTabs}/scaled/scale`, { spec: { replicas: -1 } }, mergePatch);
    expect(negative.object.message).toContain('.spec.replicas: Invalid value: -1: should be a non-negative integer');
  });

  test('are owned field by field as the schema says', () => {
    const ports = (...names: string[]): object => cronTab('owned', { ports: names.map((name) => ({ name })) });
    made.call('PATCH', `${cronTabs}/owned?fieldManager=one`, ports('a'), apply);
    made.call('PATCH', `${cronTabs}/owned?fieldManager=two`, ports('b'), apply);
    const both = made.call<CronTab>('GET', `${cronTabs}/owned`);
    expect(both.spec?.['ports']).toEqual([{ name: 'a' }, { name: 'b' }]);
    const image = { ...cronTab('owned', { image: 'x' }) };
    made.call('PATCH', `${cronTabs}/owned?fieldManager=one`, image, apply);
    expect(made.call<CronTab>('GET', `${cronTabs}/owned`).spec).toEqual({ image: 'x', ports: [{ name: 'b' }] });
    expect(made.ask('PATCH', `${cronTabs}/owned?fieldManager=two`, cronTab('owned', { image: 'y' }), apply).status).toBe(409);
    expect(made.ask('PATCH', `${cronTabs}/owned?fieldManager=two`, cronTab('owned', { nothing: 1 }), apply).object.message).toContain(
      '.spec.nothing: field not declared in schema',
    );
  });

  test('are found by the fields that the definition names', () => {
    made.call('POST', cronTabs, cronTab('found', { image: 'rare' }));
    expect(made.call<KubeList>('GET', `${cronTabs}?fieldSelector=spec.image%3Drare`).items).toHaveLength(1);
    expect(made.ask('GET', `${cronTabs}?fieldSelector=spec.schedule%3D5`).object.message).toContain('field label not supported: spec.schedule');
  });

  test('have no strategic merge and nothing that their schema does not know', () => {
    made.call('POST', cronTabs, cronTab('patched'));
    expect(made.ask('PATCH', `${cronTabs}/patched`, {}, 'application/strategic-merge-patch+json').status).toBe(415);
    expect(made.call<CronTab>('PATCH', `${cronTabs}/patched`, { spec: { foo: 1 } }, mergePatch).spec).toEqual({ image: 'nginx' });
    expect(made.ask('PUT', `${cronTabs}/patched`, cronTab('patched')).object.message).toContain('must be specified for an update');
    expect(made.ask('GET', `${cronTabs}/patched/nothing`).object.message).toBe('crontabs.stable.example.com "patched" not found');
  });
});

describe('a definition', () => {
  test('is named, then established, and its kind is served with that write', async () => {
    const made = await aCluster({ nodes: 0 });
    const told: string[] = [];
    const stop = made.watch(`${definitionsPath}?watch=1`, ({ object }) => {
      const { status } = object as CustomResourceDefinition;
      told.push(
        `${(status?.conditions ?? []).map((condition) => `${condition.type}=${condition.status}`).join(' ')} ${made.ask('GET', cronTabs).status}`,
      );
    });
    made.call('POST', definitionsPath, definition('crontabs', 'CronTab'));
    await made.advance(1_000);
    stop();
    expect(told).toEqual([' 404', 'NamesAccepted=True Established=False 404', 'NamesAccepted=True Established=True 200']);
    expect(made.call('GET', '/apis/stable.example.com/v1')).toMatchObject({
      resources: [{ name: 'crontabs', kind: 'CronTab', shortNames: ['cr'] }, { name: 'crontabs/status' }, { name: 'crontabs/scale' }],
    });
  });

  test('waits for names that another one has, until they are free', async () => {
    const made = await served();
    made.call('POST', definitionsPath, definition('crontabz', 'CronTab'));
    await made.advance(1_000);
    expect(conditionsOf(made, 'crontabz.stable.example.com')).toEqual([
      'NamesAccepted=False ListKindConflict: "CronTabList" is already in use',
      'Established=False NotAccepted: not all names are accepted',
    ]);
    made.call('DELETE', `${definitionsPath}/crontabs.stable.example.com`);
    await made.advance(5_000);
    expect(conditionsOf(made, 'crontabz.stable.example.com')).toContain(
      'Established=True InitialNamesAccepted: the initial names have been accepted',
    );
    expect(made.ask('GET', '/apis/stable.example.com/v1/crontabz').status).toBe(200);
  });

  test('goes when its last object has gone, takes none meanwhile, and ends watches', async () => {
    const made = await served();
    made.call('POST', cronTabs, cronTab('free'));
    made.call('POST', cronTabs, { ...cronTab('held'), metadata: { name: 'held', finalizers: ['example.com/hold'] } });
    const events: WatchedEvent[] = [];
    made.watch(`${cronTabs}?watch=1`, (event) => events.push(event));
    made.call('DELETE', `${definitionsPath}/crontabs.stable.example.com`);
    await made.advance(7_000);
    expect(made.call<KubeList>('GET', cronTabs).items.map(({ metadata }) => metadata.name)).toEqual(['held']);
    expect(conditionsOf(made, 'crontabs.stable.example.com')).toContain(
      'Terminating=True InstanceDeletionInProgress: CustomResource deletion is in progress',
    );
    expect(made.ask('POST', cronTabs, cronTab('late')).object.message).toBe(
      'crontabs.stable.example.com "late" is forbidden: create not allowed while custom resource definition is terminating',
    );
    const { resources } = made.call<{ readonly resources: readonly { readonly verbs: readonly string[] }[] }>('GET', '/apis/stable.example.com/v1');
    expect(resources[0]?.verbs).toEqual(['delete', 'deletecollection', 'get', 'list', 'watch']);
    made.call('PATCH', `${cronTabs}/held`, { metadata: { finalizers: null } }, mergePatch);
    await made.advance(10_000);
    expect(made.ask('GET', `${definitionsPath}/crontabs.stable.example.com`).status).toBe(404);
    expect(made.ask('GET', cronTabs).object.message).toBe('404 page not found\n');
    expect(events.filter(({ type }) => type === 'DELETED').map(({ object }) => object.metadata.name)).toEqual(['free', 'held']);
  });

  test('that never was served goes at once', async () => {
    const made = await served();
    made.call('POST', definitionsPath, definition('crontabz', 'CronTab'));
    await made.advance(1_000);
    made.call('DELETE', `${definitionsPath}/crontabz.stable.example.com`);
    await made.advance(1_000);
    expect(made.ask('GET', `${definitionsPath}/crontabz.stable.example.com`).status).toBe(404);
    expect(made.ask('GET', cronTabs).status).toBe(200);
  });

  test('may change its schema: what is stored is read by the new one', async () => {
    const made = await served();
    made.call('POST', cronTabs, cronTab('old', { schedule: '5', image: 'x' }));
    const before = made.call<CronTab>('GET', `${cronTabs}/old`);
    const { schedule: _, ...kept } = cronTabSchema.properties.spec.properties;
    const spec = { type: 'object', properties: { ...kept, added: { type: 'string', default: 'new' } } };
    const path = '/spec/versions/0/schema/openAPIV3Schema/properties/spec';
    made.call('PATCH', `${definitionsPath}/crontabs.stable.example.com`, [{ op: 'replace', path, value: spec }], 'application/json-patch+json');
    const now = made.call<CronTab>('GET', `${cronTabs}/old`);
    expect(now.spec).toEqual({ added: 'new', image: 'x' });
    expect(now.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    expect(made.call<KubeList>('GET', cronTabs).items).toEqual([now]);
  });

  test('may come to refuse what is stored: that may stay as it is, and whatever else may change', async () => {
    const made = await served();
    made.call('POST', cronTabs, cronTab('old', { schedule: '5', replicas: 2 }));
    const path = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/replicas/minimum';
    made.call('PATCH', `${definitionsPath}/crontabs.stable.example.com`, [{ op: 'replace', path, value: 3 }], 'application/json-patch+json');
    const changed = made.ask('PATCH', `${cronTabs}/old`, { spec: { schedule: '6' } }, mergePatch);
    expect(changed).toMatchObject({ status: 200, object: { spec: { schedule: '6', replicas: 2 } } });
    const worse = made.ask('PATCH', `${cronTabs}/old`, { spec: { replicas: 1 } }, mergePatch);
    expect(worse).toMatchObject({ status: 422, object: { message: expect.stringContaining('should be greater than or equal to 3') } });
    expect(made.ask('POST', cronTabs, cronTab('new', { replicas: 2 })).status).toBe(422);
  });
});

test('versions of one kind show the same object, each by its own schema', async () => {
  const schemaWith = (...members: string[]): object => ({
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: Object.fromEntries(members.map((name) => [name, { type: 'string' }])) } },
    },
  });
  const versions = [
    { name: 'v1beta1', served: true, storage: false, deprecated: true, schema: schemaWith('both', 'old') },
    { name: 'v1', served: true, storage: true, schema: schemaWith('both', 'new') },
  ];
  const made = await served({ versions });
  const beta = cronTabs.replace('/v1/', '/v1beta1/');
  made.call('POST', cronTabs, cronTab('a', { both: '1', new: '2', old: '3' }));
  expect(made.call<CronTab>('GET', `${beta}/a`)).toMatchObject({ apiVersion: 'stable.example.com/v1beta1', spec: { both: '1' } });
  made.call('PATCH', `${beta}/a`, { spec: { both: '4' } }, mergePatch);
  expect(made.call<CronTab>('GET', `${cronTabs}/a`).spec).toEqual({ both: '4' });
  const stored = [
    { op: 'replace', path: '/spec/versions/0/storage', value: true },
    { op: 'replace', path: '/spec/versions/1/storage', value: false },
  ];
  const changed = made.call<CustomResourceDefinition>(
    'PATCH',
    `${definitionsPath}/crontabs.stable.example.com`,
    stored,
    'application/json-patch+json',
  );
  expect(changed.status?.storedVersions).toEqual(['v1', 'v1beta1']);
  expect(made.call<CronTab>('GET', `${cronTabs}/a`)).toMatchObject({ apiVersion: 'stable.example.com/v1', spec: { both: '4' } });
});

test('namespaces and owners take custom objects with them', async () => {
  const made = await served();
  made.call('POST', '/api/v1/namespaces', { metadata: { name: 'mine' } });
  made.call('POST', cronTabs.replace('/default/', '/mine/'), cronTab('inside'));
  const owner = made.call('POST', cronTabs, cronTab('owner'));
  const reference = { apiVersion: 'stable.example.com/v1', kind: 'CronTab', name: 'owner', uid: owner.metadata.uid };
  made.call('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'owned', ownerReferences: [reference] } });
  await made.advance(40_000);
  made.call('DELETE', '/api/v1/namespaces/mine');
  made.call('DELETE', `${cronTabs}/owner`);
  await made.advance(60_000);
  expect(made.ask('GET', '/api/v1/namespaces/mine').status).toBe(404);
  expect(made.ask('GET', '/api/v1/namespaces/default/configmaps/owned').status).toBe(404);
});

// Before and after the garbage collector has looked for new kinds.
test.each([3_000, 40_000])('a cluster that is restored or replayed after %i ms serves the same', async (seenMs) => {
  const made = await served();
  made.call('POST', cronTabs, cronTab('kept', { replicas: 2 }));
  await made.advance(seenMs);
  await made.quiet();
  const restored = madeCluster({ nodes: 0 });
  restored.cluster.restore(made.cluster.save());
  restored.door.continueAfter(made.door.inputs);
  expect(restored.call('GET', `${cronTabs}/kept`)).toEqual(made.call('GET', `${cronTabs}/kept`));
  for (const one of [made, restored]) {
    one.call('PATCH', `${cronTabs}/kept`, { spec: { replicas: 3 } }, mergePatch);
    one.call('DELETE', `${definitionsPath}/crontabs.stable.example.com`);
    await one.advance(50_000);
    one.call('POST', definitionsPath, definition('crontabs', 'CronTab'));
    await one.advance(50_000);
    const owner = one.call('POST', cronTabs, cronTab('again'));
    const reference = { apiVersion: 'stable.example.com/v1', kind: 'CronTab', name: 'again', uid: owner.metadata.uid };
    one.call('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'owned', ownerReferences: [reference] } });
    await one.advance(1_000);
    one.call('DELETE', `${cronTabs}/again`);
    await one.advance(5_000);
    expect(one.ask('GET', '/api/v1/namespaces/default/configmaps/owned').status).toBe(404);
  }
  expect(restored.cluster.digest).toBe(made.cluster.digest);
  const replayed = await aCluster({ nodes: 0 });
  await replayInputs(replayed, made.inputs, made.cluster.loop.nowMs());
  expect(replayed.cluster.digest).toBe(made.cluster.digest);
});

test.each([
  ['networking.k8s.io', undefined],
  ['snapshot.storage.k8s.io', 'FooList'],
])('a definition in %s, which is built in here, lists %s: only groups that are upstream’s own hide it', async (group, listed) => {
  const made = await aCluster({ nodes: 0 });
  const { metadata: _metadata, ...rest } = definition('foos', 'Foo', { group }) as { readonly metadata: object };
  const annotations = { 'api-approved.kubernetes.io': 'unapproved, for a test' };
  made.call('POST', definitionsPath, { metadata: { name: `foos.${group}`, annotations }, ...rest });
  await made.advance(5_000);
  const list = (): KubeList => made.call<KubeList>('GET', `/apis/${group}/v1/foos`);
  if (listed === undefined) expect(list).toThrow('the server could not find the requested resource');
  else expect(list().kind).toBe(listed);
});
