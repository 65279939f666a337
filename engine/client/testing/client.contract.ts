/**
 * What every client promises (client.ts), whatever carries its requests: the verbs, the errors, conditional writes, patches, pages. Each
 * client runs it against a whole API server without controllers.
 */
import { expect, onTestFinished, test } from 'vitest';
import type { ConfigMap, Pod } from '../../api/core/v1/types.gen.ts';
import type { Deployment } from '../../api/apps/v1/types.gen.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { type Status, StatusError } from '../../apimachinery/status.ts';
import type { PatchType } from '../../contracts/request.ts';
import type { JsonValue } from '../../base/json.ts';
import type { Client } from '../client.ts';
import { configMaps, deployments, namespaces, nodes, pods, serviceAccounts } from '../resources.ts';

export interface ClientBench {
  readonly client: Client;
  /** Lets time pass until the call is answered. */
  answer<T>(call: Promise<T>): Promise<T>;
  /** Everything before the present becomes too old to be read. */
  compact(): void;
  close(): Promise<void>;
}

/** `create` gives a bench of its own; `default` is empty but for what bootstrap makes. */
export function clientContract(create: () => Promise<ClientBench>): void {
  const setUp = async () => {
    const bench = await create();
    onTestFinished(() => bench.close());
    const { client } = bench;
    return {
      bench,
      client,
      ask: <T>(call: Promise<T>): Promise<T> => bench.answer(call),
      /** The Status that says why not. */
      refused: async (call: Promise<unknown>): Promise<Status> => {
        const error: unknown = await bench.answer(call).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (!(error instanceof StatusError)) throw new Error(`no StatusError: ${String(error)}`);
        return error.status;
      },
      make: (name: string, data: Record<string, string> = { a: '1' }, labels?: Record<string, string>): Promise<ConfigMap> =>
        bench.answer(client.create(configMaps, configMap(name, data, labels))),
      read: (name: string): Promise<ConfigMap> => bench.answer(client.get(configMaps, 'default', name)),
    };
  };

  test('what is created is read back whole, with what the server adds', async () => {
    const { make, read } = await setUp();
    const made = await make('one', { a: '1' });
    expect(made).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'one', namespace: 'default' }, data: { a: '1' } });
    expect(made.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(await read('one')).toEqual(made);
  });

  test('what nobody looks at when it is created is stored as any other', async () => {
    const { ask, client, read } = await setUp();
    await ask(client.create(configMaps, configMap('one', { a: '1' }), { unread: true }));
    expect(await read('one')).toMatchObject({
      kind: 'ConfigMap',
      metadata: { name: 'one', namespace: 'default', resourceVersion: expect.stringMatching(/^\d+$/) },
      data: { a: '1' },
    });
    const twice = await ask(client.create(configMaps, configMap('one', {}), { unread: true }).catch((error: unknown) => error));
    expect(twice).toMatchObject({ status: { code: 409, reason: 'AlreadyExists' } });
  });

  test('objects without a namespace, and names that the server gives', async () => {
    const { ask, client } = await setUp();
    await ask(client.create(namespaces, { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'team' } }));
    expect((await ask(client.get(namespaces, undefined, 'team'))).metadata.name).toBe('team');
    const given = await ask(client.create(configMaps, { kind: 'ConfigMap', apiVersion: 'v1', metadata: { namespace: 'team', generateName: 'x-' } }));
    expect(given.metadata).toMatchObject({ namespace: 'team', name: expect.stringMatching(/^x-.{5}$/) });
  });

  test('an error is the Status of the server: code, reason, and what it is about', async () => {
    const { client, make, refused } = await setUp();
    await make('one');
    expect(await refused(client.get(configMaps, 'default', 'none'))).toMatchObject({
      code: 404,
      reason: 'NotFound',
      message: 'configmaps "none" not found',
      details: { name: 'none', kind: 'configmaps' },
    });
    expect(await refused(client.create(configMaps, configMap('one')))).toMatchObject({ code: 409, reason: 'AlreadyExists' });
    expect(await refused(client.create(configMaps, configMap('Not A Name')))).toMatchObject({
      code: 422,
      reason: 'Invalid',
      details: { causes: [{ field: 'metadata.name', reason: 'FieldValueInvalid' }] },
    });
    expect(await refused(client.create(configMaps, { ...configMap('x'), metadata: { name: 'x', namespace: 'nowhere' } }))).toMatchObject({
      code: 404,
      reason: 'NotFound',
      message: 'namespaces "nowhere" not found',
    });
    expect(await refused(client.delete(configMaps, 'default', 'none'))).toMatchObject({ code: 404, reason: 'NotFound' });
  });

  test('an update of what was read earlier conflicts; one without a revision does not', async () => {
    const { ask, client, make, read, refused } = await setUp();
    const first = await make('one');
    const second = await ask(client.update(configMaps, { ...first, data: { a: '2' } }));
    expect(Number(second.metadata.resourceVersion)).toBeGreaterThan(Number(first.metadata.resourceVersion));
    expect(await refused(client.update(configMaps, { ...first, data: { a: '3' } }))).toMatchObject({ code: 409, reason: 'Conflict' });
    expect((await read('one')).data).toEqual({ a: '2' });
    await ask(client.update(configMaps, configMap('one', { a: '4' })));
    expect((await read('one')).data).toEqual({ a: '4' });
  });

  test('an update that changes nothing leaves the revision', async () => {
    const { ask, client, make } = await setUp();
    const made = await make('one');
    expect((await ask(client.update(configMaps, made))).metadata.resourceVersion).toBe(made.metadata.resourceVersion);
  });

  test('the status and the rest of an object are written apart', async () => {
    const { ask, client } = await setUp();
    const made = await ask(client.create(deployments, deployment('web')));
    const next = { ...made, spec: { ...made.spec, replicas: 7 }, status: { replicas: 3 } } as Deployment;
    const told = await ask(client.updateStatus(deployments, next));
    expect([told.spec?.replicas, told.status?.replicas]).toEqual([2, 3]);
    const scaled = await ask(client.update(deployments, { ...next, metadata: told.metadata, status: { replicas: 9 } }));
    expect([scaled.spec?.replicas, scaled.status?.replicas]).toEqual([7, 3]);
    const scale = await ask(client.patch(deployments, 'default', 'web', 'merge', { spec: { replicas: 4 } }, { subresource: 'scale' }));
    expect(scale).toMatchObject({ kind: 'Scale', spec: { replicas: 4 } });
  });

  test.each<{ readonly type: PatchType; readonly patch: JsonValue; readonly want: readonly string[] }>([
    { type: 'json', patch: [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'x' }], want: ['c x', 'd busybox'] },
    { type: 'merge', patch: { spec: { template: { spec: { containers: [{ name: 'c', image: 'x' }] } } } }, want: ['c x'] },
    {
      type: 'strategic',
      patch: { spec: { template: { spec: { containers: [{ name: 'd', image: 'x' }] } } } },
      want: ['c nginx', 'd x'],
    },
    {
      type: 'apply',
      patch: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: { template: { spec: { containers: [{ name: 'd', image: 'busybox', command: ['x'] }] } } },
      },
      want: ['c nginx', 'd busybox x'],
    },
  ])('a $type patch', async ({ type, patch, want }) => {
    const { ask, client } = await setUp();
    await ask(client.create(deployments, deployment('web')));
    const options = type === 'apply' ? { fieldManager: 'me' } : {};
    const patched = await ask(client.patch(deployments, 'default', 'web', type, patch, options));
    const containers = patched.spec?.template?.spec?.containers ?? [];
    expect(containers.map(({ name, image, command }) => [name, image, ...(command ?? [])].join(' '))).toEqual(want);
  });

  test('a patch that the server cannot read or apply is refused', async () => {
    const { client, make, refused } = await setUp();
    await make('one');
    expect(await refused(client.patch(configMaps, 'default', 'one', 'json', [{ op: 'test', path: '/data/a', value: 'no' }]))).toMatchObject({
      code: 422,
    });
    expect(await refused(client.patch(configMaps, 'default', 'none', 'merge', { data: {} }))).toMatchObject({ code: 404 });
    for (const type of ['merge', 'strategic'] as const)
      expect(await refused(client.patch(configMaps, 'default', 'one', type, { metadata: { uid: 'another' } }))).toMatchObject({
        code: 422,
        reason: 'Invalid',
      });
    const replaced = [{ op: 'replace', path: '/metadata/uid', value: 'another' }];
    expect(await refused(client.patch(configMaps, 'default', 'one', 'json', replaced))).toMatchObject({ code: 422, reason: 'Invalid' });
    const stale = { metadata: { resourceVersion: '1' }, data: { a: '9' } };
    expect(await refused(client.patch(configMaps, 'default', 'one', 'merge', stale))).toMatchObject({ code: 409, reason: 'Conflict' });
  });

  test('an apply takes no field from another manager unless it is forced', async () => {
    const { ask, client, read, refused } = await setUp();
    const apply = (manager: string, value: string, force?: boolean): Promise<ConfigMap> =>
      client.patch(configMaps, 'default', 'one', 'apply', { ...configMap('one', { a: value }) } as never, {
        fieldManager: manager,
        ...(force === undefined ? {} : { force }),
      });
    await ask(apply('first', '1'));
    expect(await refused(apply('second', '2'))).toMatchObject({
      code: 409,
      reason: 'Conflict',
      details: { causes: [{ reason: 'FieldManagerConflict', field: '.data.a' }] },
    });
    await ask(apply('second', '2', true));
    const { data, metadata } = await read('one');
    expect([data, (metadata.managedFields ?? []).map(({ manager }) => manager)]).toEqual([{ a: '2' }, ['second']]);
  });

  test('a dry run answers what would be, and leaves everything as it was', async () => {
    const { ask, client, make, read, refused } = await setUp();
    const made = await make('one');
    const dryRun = true;
    expect((await ask(client.create(configMaps, configMap('two'), { dryRun }))).metadata.uid).toBeDefined();
    expect((await ask(client.update(configMaps, { ...made, data: { a: '2' } }, { dryRun }))).data).toEqual({ a: '2' });
    expect((await ask(client.patch(configMaps, 'default', 'one', 'merge', { data: { a: '3' } }, { dryRun }))).data).toEqual({ a: '3' });
    await ask(client.delete(configMaps, 'default', 'one', { dryRun: ['All'] }));
    expect(await read('one')).toEqual(made);
    expect((await refused(client.get(configMaps, 'default', 'two'))).code).toBe(404);
    expect(await refused(client.create(configMaps, configMap('one'), { dryRun }))).toMatchObject({ reason: 'AlreadyExists' });
  });

  test('a delete keeps to its preconditions, its policy and the grace of what it deletes', async () => {
    const { ask, client, make, refused } = await setUp();
    const { metadata } = await make('one');
    const gone = client.delete(configMaps, 'default', 'one', { preconditions: { uid: 'another' } });
    expect(await refused(gone)).toMatchObject({ code: 409, reason: 'Conflict' });
    await ask(client.delete(configMaps, 'default', 'one', { preconditions: { uid: metadata.uid ?? '' } }));
    expect((await refused(client.get(configMaps, 'default', 'one'))).code).toBe(404);
    await ask(client.create(deployments, deployment('web')));
    await ask(client.delete(deployments, 'default', 'web', { propagationPolicy: 'Foreground' }));
    expect((await ask(client.get(deployments, 'default', 'web'))).metadata).toMatchObject({
      deletionTimestamp: expect.any(String),
      finalizers: ['foregroundDeletion'],
    });
  });

  test('a collection is deleted as far as its selector reaches', async () => {
    const { ask, client, make } = await setUp();
    for (const [name, app] of [
      ['a', 'x'],
      ['b', 'y'],
      ['c', 'x'],
    ] as const)
      await make(name, {}, { app });
    await ask(client.deleteCollection(configMaps, 'default', {}, { labelSelector: 'app=x' }));
    const { items } = await ask(client.list(configMaps, 'default', { labelSelector: 'app' }));
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['b']);
  });

  test('lists: namespaces, labels, fields, and items that say what they are', async () => {
    const { ask, client, make } = await setUp();
    await make('a', {}, { app: 'x' });
    await make('b', {}, { app: 'y' });
    const names = async (namespace: string | undefined, options: object): Promise<readonly string[]> =>
      (await ask(client.list(configMaps, namespace, options))).items.map(({ metadata }) => metadata.name ?? '');
    expect(await names('default', { labelSelector: 'app in (x,z)' })).toEqual(['a']);
    expect(await names('default', { fieldSelector: 'metadata.name=b' })).toEqual(['b']);
    expect(await names('kube-public', { labelSelector: 'app' })).toEqual([]);
    expect(await names(undefined, { labelSelector: 'app' })).toEqual(['a', 'b']);
    const { items, metadata } = await ask(client.list(configMaps, 'default', { labelSelector: 'app=x' }));
    expect(items[0]).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1' });
    expect(Number(metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(items[0]?.metadata.resourceVersion));
  });

  test('a list in chunks shows one instant, each object once, and ends with 410 where that instant is too old', async () => {
    const { ask, bench, client, make, refused } = await setUp();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await make(name, {}, { app: 'x' });
    const chunk = (from?: string) =>
      client.list(configMaps, 'default', { labelSelector: 'app', limit: 2, ...(from === undefined ? {} : { continue: from }) });
    const seen: string[] = [];
    let page = await ask(chunk());
    const { resourceVersion } = page.metadata;
    await make('bb', {}, { app: 'x' });
    for (;;) {
      seen.push(...page.items.map(({ metadata }) => metadata.name ?? ''));
      expect(page.metadata.resourceVersion).toBe(resourceVersion);
      const from = page.metadata.continue;
      if (from === undefined || from === '') break;
      page = await ask(chunk(from));
    }
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
    const { metadata } = await ask(chunk());
    expect(metadata.continue).toEqual(expect.any(String));
    await make('f');
    bench.compact();
    const late = await refused(chunk(metadata.continue));
    expect(late).toMatchObject({ code: 410, reason: 'Expired' });
    expect(late.metadata?.continue).toEqual(expect.any(String));
    expect((await refused(chunk('nonsense'))).code).toBe(400);
  });

  test('posts of another kind to a subresource: a binding, an eviction, a token', async () => {
    const { ask, client, refused } = await setUp();
    await ask(client.create(nodes, { kind: 'Node', apiVersion: 'v1', metadata: { name: 'n' } }));
    for (const name of ['default', 'me'])
      await ask(client.create(serviceAccounts, { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name, namespace: 'default' } }));
    await ask(client.create(pods, pod('p')));
    const target = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } };
    await ask(client.post(pods, 'default', 'p', 'binding', target));
    expect((await ask(client.get(pods, 'default', 'p'))).spec?.nodeName).toBe('n');
    expect(await refused(client.post(pods, 'default', 'p', 'binding', target))).toMatchObject({ code: 409, reason: 'Conflict' });
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {}, spec: { audiences: [], expirationSeconds: 600 } };
    const answer = (await ask(client.post(serviceAccounts, 'default', 'me', 'token', request as KubeObject))) as KubeObject & {
      readonly status?: { readonly token?: string };
    };
    expect(answer.status?.token).toMatch(/^ey/);
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p', namespace: 'default' } };
    await ask(client.post(pods, 'default', 'p', 'eviction', eviction));
    expect((await ask(client.get(pods, 'default', 'p'))).metadata.deletionTimestamp).toEqual(expect.any(String));
  });

  test('calls that are made together are all answered, each with its own', async () => {
    const { ask, client } = await setUp();
    const names = Array.from({ length: 20 }, (_, i) => `n-${i}`);
    await ask(Promise.all(names.map((name) => client.create(configMaps, configMap(name, { name })))));
    const read = await ask(Promise.all(names.map((name) => client.get(configMaps, 'default', name))));
    expect(read.map(({ data }) => data?.['name'])).toEqual(names);
  });
}

function configMap(name: string, data: Record<string, string> = {}, labels?: Record<string, string>): ConfigMap {
  const metadata = { name, namespace: 'default', ...(labels === undefined ? {} : { labels }) };
  return { kind: 'ConfigMap', apiVersion: 'v1', metadata, data };
}

function deployment(name: string): Deployment {
  const labels = { app: name };
  const containers = [
    { name: 'c', image: 'nginx' },
    { name: 'd', image: 'busybox' },
  ];
  const spec = { replicas: 2, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } };
  return { kind: 'Deployment', apiVersion: 'apps/v1', metadata: { name, namespace: 'default' }, spec } as Deployment;
}

function pod(name: string): Pod {
  const spec = { containers: [{ name: 'c', image: 'nginx' }], automountServiceAccountToken: false, serviceAccountName: 'default' };
  return { kind: 'Pod', apiVersion: 'v1', metadata: { name, namespace: 'default' }, spec } as Pod;
}
