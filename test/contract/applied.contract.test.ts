/**
 * Values that do not fit, applied: server-side apply merges a document before its Go types look at it. Every field of every kind is
 * given what it cannot hold; what is refused is refused in upstream's words (seen at a real 1.36.3), never by a panic.
 */
import { describe, expect, it, test } from 'vitest';
import { formatGroupVersion } from '../../engine/apimachinery/object.ts';
import type { FieldSchema } from '../../engine/apimachinery/schema.ts';
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import { kinds } from '../../engine/kinds/index.gen.ts';
import { benchSchemas, makeApiBench } from '../support/api-bench.ts';
import { sampleOf } from '../support/samples.ts';
import { placesOf, withValue } from '../support/schema-fields.ts';

const misfits: readonly JsonValue[] = ['!', -1.5, 10n ** 30n, true, [1], { a: { b: 1 } }];
const inside: readonly JsonValue[] = ['!', 4_294_967_296, {}];
const times: readonly JsonValue[] = ['2026-13-01T00:00:00Z', '2026-06-30T23:59:60Z'];
const refusals = /^failed to (create typed patch object|convert new object) \(|name must be provided$|^strconv\.ParseUint: parsing /;
const query = '?fieldManager=m&force=true';

function valuesFor({ type, card }: FieldSchema): readonly JsonValue[] {
  const values = type === 'time' || type === 'microTime' ? [...misfits, ...times] : misfits;
  if (card === 'list') return [...values, ...inside.map((value) => [value])];
  return card === 'one' ? values : [...values, ...inside.map((value) => ({ k: value }))];
}

/** The insides of pods are looked at in pods. */
const closed = new Set(['io.k8s.api.core.v1.PodSpec', 'io.k8s.api.core.v1.PodTemplateSpec', 'io.k8s.api.core.v1.PersistentVolumeSpec']);
const opened = new Set(['v1 Pod', 'v1 PersistentVolume']);

describe.each(kinds.filter(({ createOnly }) => createOnly === undefined).map((kind) => [`${kind.kind} ${formatGroupVersion(kind)}`, kind] as const))(
  '%s',
  (_name, kind) => {
    it('is applied with what does not fit, and answers', () => {
      const apiVersion = formatGroupVersion(kind);
      const schema = typeof kind.schema === 'string' ? benchSchemas.mustGet(kind.schema) : kind.schema;
      const { name = 'a', ...rest } = sampleOf(kind, benchSchemas);
      const collection = `${kind.group === '' ? '/api/' : '/apis/'}${apiVersion}/${kind.namespaced ? 'namespaces/default/' : ''}${kind.plural}`;
      const identity = { kind: kind.kind, apiVersion, metadata: { name } } as JsonObject;
      const bench = makeApiBench();
      bench.send('POST', collection, { ...identity, ...rest });
      for (const { path, field } of placesOf(schema, benchSchemas, opened.has(`${apiVersion} ${kind.kind}`) ? new Set() : closed)) {
        if (path[0] === 'kind' || path[0] === 'apiVersion') continue;
        for (const value of valuesFor(field)) {
          const item = `${collection}/${name as string}${path[0] === 'status' ? '/status' : ''}${query}`;
          const { status, text, message } = bench.send('PATCH', item, withValue(identity, path, value), 'application/apply-patch+yaml');
          const what = `${path.join('.')}=${JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? String(one) : one))}: ${text}`;
          if (status === 500) expect(message, what).toMatch(refusals);
          else expect([200, 201, 400, 404, 405, 409, 415, 422], what).toContain(status);
        }
      }
    }, 120_000);
  },
);

const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' } };
const typed = 'failed to create typed patch object (/d; apps/v1, Kind=Deployment): ';
const converted =
  'failed to convert new object (/d; apps/v1, Kind=Deployment) to proper version: unable to convert unstructured object to apps/v1, Kind=Deployment: ';

test.each<[string, JsonValue, string]>([
  ['a text for a number', { minReadySeconds: '1' }, `${typed}.spec.minReadySeconds: expected numeric (int or float), got string`],
  [
    'a map for a number',
    { minReadySeconds: { a: 'b' } },
    `${typed}.spec.minReadySeconds: expected numeric (int or float), got map[string]interface {}`,
  ],
  ['a fraction', { minReadySeconds: 1.5 }, `${converted}cannot convert float64 to int32`],
  ['a number for a switch', { paused: 1 }, `${typed}.spec.paused: expected boolean, got &{1}`],
  [
    'a map for the name of an item',
    { template: { spec: { containers: [{ name: { a: 'b', c: 1 } }, { name: [] }] } } },
    `${typed}errors:
  .spec.template.spec.containers[name=a="b"c=1].name: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"a":"b", "c":1}}
  .spec.template.spec.containers[name=[]].name: expected string, got &value.valueUnstructured{Value:[]interface {}{}}`,
  ],
  [
    'a list for a text',
    { strategy: { type: [1, 'a'] } },
    `${typed}.spec.strategy.type: expected string, got &value.valueUnstructured{Value:[]interface {}{1, "a"}}`,
  ],
  [
    'a switch for a number or text',
    { strategy: { rollingUpdate: { maxSurge: true } } },
    `${converted}json: cannot unmarshal bool into Go value of type int32`,
  ],
  [
    'a number in a list that is owned as a whole',
    { selector: { matchExpressions: [{ key: 'a', operator: 'In', values: [1] }] } },
    `${typed}.spec.selector.matchExpressions[0].values[0]: expected string, got &value.valueUnstructured{Value:1}`,
  ],
  ['a field that is none in a map that is owned as a whole', { selector: { foo: 1 } }, `${typed}.spec.selector.foo: field not declared in schema`],
  [
    'a map for a quantity',
    { template: { spec: { containers: [{ name: 'c', resources: { limits: { cpu: { a: 1 } } } }] } } },
    `${typed}.spec.template.spec.containers[name="c"].resources.limits.cpu: expected any scalar, got &{map[a:1]}`,
  ],
  [
    'a time that is none',
    { template: { metadata: { creationTimestamp: '2026-02-30T00:00:00Z' } } },
    `${converted}parsing time "2026-02-30T00:00:00Z": day out of range`,
  ],
])('%s is refused as a real server refuses it', (_name, spec, message) => {
  const bench = makeApiBench();
  const path = `/apis/apps/v1/namespaces/default/deployments/d${query}`;
  expect(bench.send('PATCH', path, { ...deployment, spec }, 'application/apply-patch+yaml')).toMatchObject({ status: 500, message });
});

test('who owned the metadata as a whole and leaves it out gives up the name too', () => {
  const bench = makeApiBench();
  const path = `/api/v1/namespaces/default/configmaps/a${query}`;
  const map = { apiVersion: 'v1', kind: 'ConfigMap' };
  expect(bench.send('PATCH', path, { ...map, metadata: { name: 'a', labels: null } }, 'application/apply-patch+yaml').status).toBe(201);
  const message = 'the name of the object (a based on URL) was undeterminable: name must be provided';
  expect(bench.send('PATCH', path, map, 'application/apply-patch+yaml')).toMatchObject({ status: 400, message });
});

describe('kubectl, which migrates from client-side apply', () => {
  const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
  const document = (annotations: JsonValue, value: string): JsonObject =>
    ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', annotations }, data: { a: value } }) as JsonObject;
  const migrated = (annotations: JsonValue): JsonObject => {
    const bench = makeApiBench();
    bench.send('POST', '/api/v1/namespaces/default/configmaps?fieldManager=kubectl-client-side-apply', document({ [annotation]: '{}' }, '1'));
    const path = '/api/v1/namespaces/default/configmaps/a?fieldManager=kubectl&force=true';
    const { status, value } = bench.send('PATCH', path, document(annotations, '2'), 'application/apply-patch+yaml');
    expect(status).toBe(200);
    return (value as unknown as { readonly metadata: { readonly annotations: JsonObject } }).metadata.annotations;
  };

  it.each<[string, JsonValue, string]>([
    ['null is kept as an empty text', { y: null }, '"annotations":{"y":""},'],
    ['annotations that are null are left out', null, ''],
  ])('%s', (_name, annotations, said) => {
    expect(migrated(annotations)[annotation]).toBe(`{"apiVersion":"v1","data":{"a":"2"},"kind":"ConfigMap","metadata":{${said}"name":"a"}}\n`);
  });
});

test('a map of which an applier gives up all stays, with whom it belongs to', () => {
  const bench = makeApiBench();
  const path = '/api/v1/namespaces/default/configmaps';
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  bench.send('POST', `${path}?fieldManager=maker`, { ...map, data: { a: '1' } });
  bench.send('PATCH', `${path}/a${query}`, { ...map, data: { a: '2' } }, 'application/apply-patch+yaml');
  const { value } = bench.send('PATCH', `${path}/a${query}`, map, 'application/apply-patch+yaml');
  expect(value).not.toHaveProperty('data');
  expect(value).toMatchObject({ metadata: { managedFields: [{ manager: 'maker', fieldsV1: { 'f:data': {} } }] } });
});

test('references of a service account to Secrets are names alone', () => {
  const bench = makeApiBench();
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' }, secrets: [{ name: 's', namespace: 'x', kind: 'Secret' }] };
  expect(bench.send('POST', '/api/v1/namespaces/default/serviceaccounts', account).value).toMatchObject({ secrets: [{ name: 's' }] });
});
