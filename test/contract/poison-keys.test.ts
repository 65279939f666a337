/**
 * Keys that every JavaScript object inherits, wherever a user may choose a key beyond the fields of objects (poison.contract.test.ts):
 * selectors, query parameters, headers, types of Secrets, names of resources and of objects, topology keys, mounted files.
 * Each is an ordinary name: it matches what has it, and nothing else.
 */
import { describe, expect, test } from 'vitest';
import type { Pod } from '../../engine/api/core/v1/types.gen.ts';
import type { KubeList, KubeObject } from '../../engine/apimachinery/object.ts';
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import { makeApiBench } from '../support/api-bench.ts';
import { aCluster, type TestCluster } from '../support/cluster.ts';

const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'] as const;
const maps = '/api/v1/namespaces/default/configmaps';
const podsPath = '/api/v1/namespaces/default/pods';

/** `{ "__proto__": … }` as JSON.parse makes it. */
function one(key: string, value: JsonValue): JsonObject {
  return JSON.parse(`{${JSON.stringify(key)}: ${JSON.stringify(value)}}`) as JsonObject;
}

function names(list: unknown): readonly string[] {
  return (list as KubeList).items.map(({ metadata }) => metadata.name ?? '');
}

describe.each(inherited)('the key %s', (key) => {
  test('selects by label only what has that label', () => {
    const bench = makeApiBench();
    bench.send('POST', maps, { metadata: { name: 'with', labels: one(label(key), 'x') } });
    bench.send('POST', maps, { metadata: { name: 'without', labels: { a: 'b' } } });
    const list = (selector: string): readonly string[] =>
      names(JSON.parse(bench.send('GET', `${maps}?labelSelector=${encodeURIComponent(selector)}`).text));
    const name = label(key);
    expect([list(name), list(`!${name}`), list(`${name}=x`), list(`${name}!=x`), list(`${name} in (x)`), list(`${name} notin (x)`)]).toEqual([
      ['with'],
      ['without'],
      ['with'],
      ['without'],
      ['with'],
      ['without'],
    ]);
  });

  test('is no field to select by, no parameter and no header that means anything', () => {
    const bench = makeApiBench();
    expect(bench.send('GET', `${maps}?fieldSelector=${key}=x`).status).toBe(400);
    expect(bench.send('GET', `${maps}?${key}=x&limit=5`).status).toBe(200);
    expect(bench.send('POST', `${maps}?${key}=x&dryRun=All`, { metadata: { name: 'a' } }).status).toBe(201);
    expect(bench.send('GET', maps, undefined, undefined, `application/json;${key}=x`).status).toBe(200);
    expect([404, 405]).toContain(bench.send('GET', `/api/v1/namespaces/default/${key}`).status);
    expect(bench.send('GET', `/apis/${key}/v1/things`).status).toBe(404);
    expect(bench.send('GET', `/apis/apps/${key}/things`).status).toBe(404);
  });

  test('is a type of Secrets like any other', () => {
    const bench = makeApiBench();
    const made = bench.send('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 'a' }, type: key, data: one('k', 'Yg==') });
    expect([201, 422]).toContain(made.status);
  });

  test('names a resource that a quota counts, a range limits and no container has', () => {
    const bench = makeApiBench();
    const item = { type: 'Container', default: one(key, '1'), defaultRequest: one(key, '1'), min: one(key, '1'), max: one(key, '2') };
    for (const [path, spec] of [
      ['/api/v1/namespaces/default/resourcequotas', { hard: one(`requests.${key}`, '1') }],
      ['/api/v1/namespaces/default/resourcequotas', { hard: one(key, '1') }],
      ['/api/v1/namespaces/default/limitranges', { limits: [item] }],
    ] as const) {
      const { status, message } = bench.send('POST', path, { metadata: { name: 'a' }, spec });
      expect([201, 409, 422], message).toContain(status);
    }
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i', resources: { limits: one(key, '1') } }] } };
    expect([201, 403, 422]).toContain(bench.send('POST', podsPath, pod).status);
  });

  test('as a topology key, a node selector, a service selector and a key of a mounted file: what does not have it does not match, and nothing crashes', async () => {
    const tank = await aCluster({ nodes: 2 });
    const name = label(key);
    tank.call('POST', maps, { metadata: { name: 'files' }, data: { other: 'x' } });
    const terms = [{ matchExpressions: [{ key: name, operator: 'Exists' }] }];
    create(tank, 'selects', { nodeSelector: one(name, 'x') });
    create(tank, 'requires', { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } } });
    create(tank, 'spreads', {
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: name, whenUnsatisfiable: 'DoNotSchedule', labelSelector: {}, matchLabelKeys: [name] }],
    });
    const spec = { replicas: 1, selector: { matchExpressions: [{ key: name, operator: 'Exists' }], matchLabels: { a: 'b' } } };
    const volumes = [{ name: 'v', configMap: { name: 'files', items: [{ key: name, path: 'p' }] } }];
    create(tank, 'mounts', { volumes, containers: [{ name: 'c', image: 'i', volumeMounts: [{ name: 'v', mountPath: '/m' }] }] });
    tank.call('POST', '/api/v1/namespaces/default/services', { metadata: { name: 's' }, spec: { selector: one(name, 'x'), ports: [{ port: 80 }] } });
    expect(
      tank.ask('POST', '/apis/apps/v1/namespaces/default/replicasets', { metadata: { name: 'r' }, spec: { ...spec, template: template({ a: 'b' }) } })
        .status,
    ).toBe(422);
    await tank.advance(30_000);
    for (const pod of ['selects', 'requires', 'spreads']) expect(read(tank, pod).spec?.nodeName, pod).toBeUndefined();
    const { subsets } = tank.call<KubeObject & { subsets?: unknown[] }>('GET', '/api/v1/namespaces/default/endpoints/s');
    expect(subsets ?? []).toEqual([]);
  });
});

/** The part behind the slash must begin and end with a letter or digit. */
function label(key: string): string {
  return key.startsWith('_') ? 'constructor' : key;
}

function template(labels: object): object {
  return { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
}

function create(tank: TestCluster, name: string, spec: object): void {
  tank.call('POST', podsPath, { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } });
}

function read(tank: TestCluster, name: string): Pod {
  return tank.call<Pod & KubeObject>('GET', `${podsPath}/${name}`);
}
