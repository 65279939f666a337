/** Clients that meet objects which wait for initializers. Put before a real 1.13.12 by record-initializers.ts, before ours by the test. */
export interface Step {
  readonly does: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly type?: string;
  /** Impersonated; the admin when absent. */
  readonly as?: string;
  /** Goes on without the answer, which the step `answerTo` of that name waits for. */
  readonly later?: boolean;
}

/** The answer to a step that went on without it. */
export interface Answered {
  readonly answerTo: string;
}

export interface Case {
  readonly name: string;
  readonly gate?: boolean;
  readonly plugin?: boolean;
  readonly steps: readonly (Step | Answered)[];
}

const maps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const configurations = '/apis/admissionregistration.k8s.io/v1alpha1/initializerconfigurations';
const jsonPatch = 'application/json-patch+json';
const mergePatch = 'application/merge-patch+json';
const strategicPatch = 'application/strategic-merge-patch+json';
const all = 'includeUninitialized=true';

const pending = (...names: readonly string[]): object => ({ pending: names.map((name) => ({ name })) });
const map = (name: string, initializers?: unknown, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...(initializers === undefined ? {} : { initializers }) },
  ...more,
});
const pod = (name: string, image = 'a', metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image }] },
});
const configuration = (name: string, ...initializers: readonly object[]): object => ({ metadata: { name }, initializers });
const initializer = (name: string, resources: readonly string[], groups: readonly string[] = ['']): object => ({
  name,
  rules: [{ apiGroups: groups, apiVersions: ['*'], resources }],
});
const post = (does: string, path: string, body: object, more: Partial<Step> = {}): Step => ({ does, method: 'POST', path, body, ...more });
const put = (does: string, path: string, body: object, more: Partial<Step> = {}): Step => ({ does, method: 'PUT', path, body, ...more });
const get = (does: string, path: string): Step => ({ does, method: 'GET', path });
const remove = (does: string, path: string): Step => ({ does, method: 'DELETE', path });
const patch = (does: string, path: string, type: string, body: object, more: Partial<Step> = {}): Step => ({
  does,
  method: 'PATCH',
  path,
  type,
  body,
  ...more,
});
const configure = (...resources: readonly string[]): Step =>
  post('configuration', configurations, configuration('ic', initializer('one.example.com', resources), initializer('two.example.com', resources)));
const unconfigure = remove('configuration removed', `${configurations}/ic`);
const tidy = remove('all maps deleted', maps);

export const cases: readonly Case[] = [
  {
    name: 'lists and watches hide what is not initialized',
    steps: [
      configure('configmaps'),
      post('create', `${maps}?timeout=1s`, map('a')),
      post('create that is told all', `${maps}?${all}`, map('b', undefined, { data: { k: 'v' } })),
      get('get', `${maps}/a`),
      get('get, all', `${maps}/a?${all}`),
      get('list', maps),
      get('list, all', `${maps}?${all}`),
      get('list, not all', `${maps}?includeUninitialized=false`),
      get('list by name', `${maps}?fieldSelector=metadata.name%3Da`),
      get('list by name, all', `${maps}?fieldSelector=metadata.name%3Da&${all}`),
      get('page', `${maps}?limit=1`),
      get('page, all', `${maps}?limit=1&${all}`),
      get('list from the cache', `${maps}?resourceVersion=0`),
      get('list everywhere, all', `/api/v1/configmaps?${all}&labelSelector=!no`),
      get('watch', `${maps}?watch=1&resourceVersion=0&timeoutSeconds=1`),
      get('watch, all', `${maps}?watch=1&resourceVersion=0&timeoutSeconds=1&${all}`),
      get('watch of one', `/api/v1/watch/namespaces/default/configmaps/a?resourceVersion=0&timeoutSeconds=1`),
      get('watch of one, all', `/api/v1/watch/namespaces/default/configmaps/a?resourceVersion=0&timeoutSeconds=1&${all}`),
      put('first goes', `${maps}/a`, map('a', pending('two.example.com'))),
      put('last goes', `${maps}/a`, map('a')),
      get('list after', maps),
      get('watch after', `${maps}?watch=1&resourceVersion={start}&timeoutSeconds=1`),
      get('watch after, all', `${maps}?watch=1&resourceVersion={start}&timeoutSeconds=1&${all}`),
      remove('delete pending', `${maps}/b`),
      remove('delete initialized', `${maps}/a`),
      get('watch at the end', `${maps}?watch=1&resourceVersion={start}&timeoutSeconds=1`),
      get('watch at the end, all', `${maps}?watch=1&resourceVersion={start}&timeoutSeconds=1&${all}`),
      unconfigure,
    ],
  },
  {
    name: 'a create waits',
    steps: [
      configure('configmaps'),
      post('create a', maps, map('a'), { later: true }),
      post('create again', maps, map('a')),
      put('first goes', `${maps}/a`, map('a', pending('two.example.com'), { data: { one: '1' } })),
      put('last goes', `${maps}/a`, map('a', undefined, { data: { two: '2' } })),
      { answerTo: 'create a' },
      post('create b', maps, map('b'), { later: true }),
      put(
        'b fails',
        `${maps}/b`,
        map('b', { ...pending('one.example.com'), result: { status: 'Failure', code: 403, reason: 'Forbidden', message: 'no' } }),
      ),
      { answerTo: 'create b' },
      get('b', `${maps}/b`),
      post('create c', maps, map('c'), { later: true }),
      remove('c goes', `${maps}/c`),
      { answerTo: 'create c' },
      post('create d', maps, map('d'), { later: true }),
      put('d fails without a code', `${maps}/d`, map('d', { pending: [], result: { status: 'Failure', message: 'bare' } })),
      { answerTo: 'create d' },
      post('create for what is no time', `${maps}?timeout=x`, map('f'), { later: true }),
      put('f completes', `${maps}/f`, map('f')),
      { answerTo: 'create for what is no time' },
      post('dry run', `${maps}?timeout=1s&dryRun=All`, map('g')),
      post('create with a drawn name', `${maps}?timeout=1s`, { metadata: { generateName: 'h-' } }),
      get('watch, all', `${maps}?watch=1&resourceVersion={start}&timeoutSeconds=1&${all}`),
      tidy,
      get('list, all', `${maps}?${all}`),
      unconfigure,
    ],
  },
  {
    name: 'who writes what',
    steps: [
      configure('configmaps'),
      post('a', `${maps}?${all}`, map('a')),
      put('names in another order', `${maps}/a`, map('a', pending('two.example.com', 'one.example.com'))),
      put('more names', `${maps}/a`, map('a', pending('two.example.com', 'one.example.com', 'three.example.com'))),
      put('a bad name', `${maps}/a`, map('a', pending('Bad'))),
      put('a short name', `${maps}/a`, map('a', pending('a.b'))),
      put('no name', `${maps}/a`, map('a', { pending: [{}] })),
      put('a good result', `${maps}/a`, map('a', { ...pending('two.example.com'), result: { status: 'Success' } })),
      put('a result without a status', `${maps}/a`, map('a', { ...pending('two.example.com'), result: { message: 'x' } })),
      patch('one removed by number', `${maps}/a`, jsonPatch, [{ op: 'remove', path: '/metadata/initializers/pending/0' }]),
      patch('one removed by name', `${maps}/a`, strategicPatch, {
        metadata: { initializers: { pending: [{ $patch: 'delete', name: 'one.example.com' }] } },
      }),
      patch('no list', `${maps}/a`, mergePatch, { metadata: { initializers: { pending: [] } } }),
      patch('set again', `${maps}/a`, mergePatch, { metadata: { initializers: pending('one.example.com') } }),
      patch('an empty list set again', `${maps}/a`, mergePatch, { metadata: { initializers: { pending: [] } } }),
      post('b', `${maps}?${all}`, map('b')),
      patch('nothing', `${maps}/b`, mergePatch, { metadata: { initializers: null } }),
      post('c', `${maps}?${all}`, map('c')),
      patch('result', `${maps}/c`, mergePatch, {
        metadata: { initializers: { result: { status: 'Failure', code: 409, reason: 'Conflict', message: 'so' } } },
      }),
      get('c', `${maps}/c`),
      post('own names', `${maps}?${all}`, map('d', pending('own.example.com'))),
      post('no names', maps, map('e', { pending: [] })),
      post('an empty one', maps, map('f', {})),
      post('null', `${maps}?${all}`, map('g', null)),
      post('null as list', `${maps}?${all}`, map('h', { pending: null })),
      post('a result', `${maps}?${all}`, map('i', { pending: [], result: { status: 'Failure', code: 400, message: 'at once' } })),
      post('a bad name at once', maps, map('j', pending('Bad'))),
      post('no object', maps, map('k', 'x')),
      post('no list', maps, map('l', { pending: 'x' })),
      post('names are no objects', maps, map('m', { pending: ['x'] })),
      put('finalizer while pending', `${maps}/d`, {
        ...map('d', pending('own.example.com')),
        metadata: { name: 'd', initializers: pending('own.example.com'), finalizers: ['a.com/b'] },
      }),
      remove('delete with finalizer', `${maps}/d`),
      get('d', `${maps}/d`),
      put('d fails', `${maps}/d`, map('d', { ...pending('own.example.com'), result: { status: 'Failure', code: 403, message: 'm' } })),
      get('d again', `${maps}/d`),
      tidy,
      unconfigure,
    ],
  },
  {
    name: 'who may',
    steps: [
      post('role', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
        metadata: { name: 'maps' },
        rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'update', 'patch', 'get', 'list', 'delete'] }],
      }),
      post('binding', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
        metadata: { name: 'maps' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'maps' },
        subjects: [{ kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' }],
      }),
      configure('configmaps'),
      post('create', `${maps}?${all}`, map('a'), { as: 'jane' }),
      put('update', `${maps}/a`, map('a', pending('one.example.com', 'two.example.com'), { data: { k: 'v' } }), { as: 'jane' }),
      put('complete', `${maps}/a`, map('a'), { as: 'jane' }),
      put('badly', `${maps}/a`, map('a', { ...pending('two.example.com'), result: { status: 'Success' } }), { as: 'jane' }),
      patch('patch', `${maps}/a`, mergePatch, { metadata: { initializers: null } }, { as: 'jane' }),
      post('create with names', maps, map('b', pending('own.example.com')), { as: 'jane' }),
      post('bypass', maps, map('b', { pending: [] }), { as: 'jane' }),
      post('with a drawn name', maps, { metadata: { generateName: 'b-', initializers: { pending: [] } } }, { as: 'jane' }),
      { does: 'delete', method: 'DELETE', path: `${maps}/a`, as: 'jane' },
      tidy,
      remove('no binding', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/maps'),
      remove('no role', '/apis/rbac.authorization.k8s.io/v1/clusterroles/maps'),
      unconfigure,
    ],
  },
  {
    name: 'pods',
    steps: [
      configure('pods'),
      post('a', `${pods}?${all}`, pod('a')),
      put('another image and more', `${pods}/a`, {
        ...pod('a', 'b', { initializers: pending('two.example.com') }),
        spec: {
          automountServiceAccountToken: false,
          hostname: 'h',
          containers: [
            { name: 'c', image: 'b' },
            { name: 'd', image: 'd' },
          ],
        },
      }),
      put('badly', `${pods}/a`, {
        ...pod('a', 'b', { initializers: pending('two.example.com') }),
        spec: { containers: [{ name: 'C', image: 'b' }] },
      }),
      patch('status', `${pods}/a/status`, mergePatch, { status: { message: 'm' } }),
      post('binding', `${pods}/a/binding`, { metadata: { name: 'a' }, target: { kind: 'Node', name: 'n' } }),
      post('eviction', `${pods}/a/eviction`, { metadata: { name: 'a' } }),
      post('b', `${pods}?${all}`, pod('b')),
      patch('complete', `${pods}/b`, mergePatch, { metadata: { initializers: null } }),
      patch('image', `${pods}/b`, strategicPatch, { spec: { hostname: 'x' } }),
      patch('status after', `${pods}/b/status`, mergePatch, { status: { message: 'm' } }),
      post('mirror', `${pods}?${all}`, pod('m', 'a', { annotations: { 'kubernetes.io/config.mirror': 'x' } })),
      remove('all pods deleted', pods),
      unconfigure,
    ],
  },
  {
    name: 'configurations',
    steps: [
      post('second by name', configurations, configuration('z', initializer('z.example.com', ['configmaps']))),
      post(
        'first by name',
        configurations,
        configuration('b', initializer('b.example.com', ['configmaps']), initializer('c.example.com', ['*']), initializer('p.example.com', ['pods'])),
      ),
      post(
        'another group',
        configurations,
        configuration('c', initializer('apps.example.com', ['*'], ['apps']), initializer('any.example.com', ['configmaps'], ['*'])),
      ),
      post('no rules', configurations, configuration('d', { name: 'none.example.com' })),
      post(
        'two rules',
        configurations,
        configuration(
          'e',
          {
            name: 'both.example.com',
            rules: [
              { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
              { apiGroups: ['*'], apiVersions: ['v1'], resources: ['*'] },
            ],
          },
          {
            name: 'either.example.com',
            rules: [
              { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
              { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] },
            ],
          },
          { name: 'version.example.com', rules: [{ apiGroups: [''], apiVersions: ['v2'], resources: ['configmaps'] }] },
        ),
      ),
      post('map', `${maps}?${all}`, map('a')),
      post('deployment', `/apis/apps/v1/namespaces/default/deployments?${all}`, {
        metadata: { name: 'd' },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        },
      }),
      remove('z', `${configurations}/z`),
      remove('b', `${configurations}/b`),
      remove('c', `${configurations}/c`),
      remove('d', `${configurations}/d`),
      remove('e', `${configurations}/e`),
      post('map after', `${maps}?${all}`, map('b')),
      remove('deployment deleted', '/apis/apps/v1/namespaces/default/deployments/d'),
      tidy,
    ],
  },
  {
    name: 'without the plug-in',
    plugin: false,
    steps: [
      configure('configmaps'),
      post('create', maps, map('a')),
      post('with names', `${maps}?timeout=1s`, map('b', pending('own.example.com'))),
      post('with names, all', `${maps}?${all}`, map('c', pending('own.example.com'))),
      post('with an empty list', `${maps}?timeout=1s`, map('d', { pending: [] })),
      get('list', maps),
      put('complete', `${maps}/b`, map('b')),
      put('set again', `${maps}/b`, map('b', pending('own.example.com'))),
      put('an empty list', `${maps}/c`, map('c', { pending: [] })),
      put('a good result', `${maps}/c`, map('c', { pending: [], result: { status: 'Success' } })),
      tidy,
      unconfigure,
    ],
  },
  {
    name: 'without the gate',
    gate: false,
    plugin: false,
    steps: [
      configure('configmaps'),
      post('with names', maps, map('b', pending('own.example.com'))),
      put('set', `${maps}/b`, map('b', pending('own.example.com'))),
      patch('patched', `${maps}/b`, mergePatch, { metadata: { initializers: pending('Bad') } }),
      get('list', maps),
      tidy,
      unconfigure,
    ],
  },
];

type Fact = { readonly [name: string]: unknown };

interface Told {
  readonly kind?: string;
  readonly metadata?: {
    readonly name?: string;
    readonly generateName?: string;
    readonly initializers?: unknown;
    readonly continue?: string;
    readonly deletionTimestamp?: string;
  };
  readonly items?: readonly Told[] | null;
  readonly [name: string]: unknown;
}

/** What is kept of an answer. `text` holds events where it is one of a watch. */
export function factOf(code: number, text: string, isWatch: boolean): Fact {
  if (isWatch) {
    const lines = text.split('\n').filter((line) => line !== '');
    const told = lines.map((line) => JSON.parse(line) as { readonly type: string; readonly object: Told });
    // What is there at the beginning comes in any order, and in these cases as ADDED alone.
    const events = told.every(({ type }) => type === 'ADDED') ? told.sort((a, b) => (nameOf(a.object) < nameOf(b.object) ? -1 : 1)) : told;
    return { code, events: events.map(({ type, object }) => [type, shown(object)]) };
  }
  const object = JSON.parse(text) as Told;
  return { code, ...shown(object) };
}

function nameOf({ metadata }: Told): string {
  return metadata?.name ?? '';
}

function shown(object: Told): Fact {
  if (object.kind === 'Status') {
    const { status, reason, message, details, code } = object;
    return {
      status,
      ...(reason === undefined ? {} : { reason }),
      ...(message === undefined ? {} : { message: stable(message as string) }),
      ...(details === undefined ? {} : { details: withoutUid(details as Details) }),
      ...(code === undefined ? {} : { code }),
    };
  }
  if (object.items !== undefined)
    return {
      names: (object.items ?? []).map(({ metadata }) => stable(metadata?.name ?? '')),
      ...(object.metadata?.continue ? { continues: true } : {}),
    };
  const { name, generateName, initializers, deletionTimestamp } = object.metadata ?? {};
  return {
    name: generateName === undefined ? name : `${generateName}<drawn>`,
    ...(initializers === undefined ? {} : { initializers }),
    ...(deletionTimestamp === undefined ? {} : { isGoing: true }),
    ...(object['data'] === undefined ? {} : { data: object['data'] }),
    ...(object.kind === 'Pod'
      ? { images: (object['spec'] as { readonly containers: readonly { readonly image: string }[] }).containers.map(({ image }) => image) }
      : {}),
  };
}

/** Without what is drawn, and without what a pod's update may change, which is no matter of initializers. */
function stable(text: string): string {
  return text.replace(/\b([bh]-)[a-z0-9]{5}\b/g, '$1<drawn>').replace(/(may not change fields other than)[^]*/, '$1');
}

interface Details {
  readonly uid?: string;
  readonly causes?: readonly { readonly message: string }[];
}

function withoutUid({ uid: _, causes, ...details }: Details): object {
  return { ...details, ...(causes === undefined ? {} : { causes: causes.map((cause) => ({ ...cause, message: stable(cause.message) })) }) };
}
