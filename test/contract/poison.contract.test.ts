/**
 * What any field of any kind can be given: the largest numbers of its type and larger ones, `null` and nothing where a list, a map or
 * a struct belongs, and keys that every JavaScript object inherits. Nothing of it may be answered with 500, and what is accepted reads
 * back the same in every form and through every verb.
 */
import { describe, expect, it } from 'vitest';
import { formatGroupVersion } from '../../engine/apimachinery/object.ts';
import type { FieldSchema, MessageSchema } from '../../engine/apimachinery/schema.ts';
import { wrapEnvelope } from '../../engine/apimachinery/serializer/envelope.ts';
import { decodeYaml } from '../../engine/apimachinery/serializer/yaml.ts';
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import type { KindDefinition } from '../../engine/contracts/kind.ts';
import { kinds } from '../../engine/kinds/index.gen.ts';
import { type ApiBench, type BenchAnswer, benchCodec, benchSchemas, makeApiBench, objectOf } from '../support/api-bench.ts';
import { sampleOf } from '../support/samples.ts';
import { placesOf, valueAt, withValue } from '../support/schema-fields.ts';

const protobuf = 'application/vnd.kubernetes.protobuf';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

interface Subject {
  readonly kind: KindDefinition;
  readonly schema: MessageSchema;
  readonly path: string;
  readonly item: string;
  readonly body: JsonObject;
}

function subjectOf(kind: KindDefinition): Subject {
  const { name = 'a', ...rest } = sampleOf(kind, benchSchemas);
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${formatGroupVersion(kind)}`;
  const path = `${root}/${kind.namespaced ? 'namespaces/default/' : ''}${kind.plural}`;
  const metadata = { name, ...(kind.namespaced ? { namespace: 'default' } : undefined) } as JsonObject;
  const schema = typeof kind.schema === 'string' ? benchSchemas.mustGet(kind.schema) : kind.schema;
  return {
    kind,
    schema,
    path,
    item: `${path}/${name as string}`,
    body: { kind: kind.kind, apiVersion: formatGroupVersion(kind), metadata, ...rest },
  };
}

const int32Max = 2_147_483_647n;
const int64Max = 9_223_372_036_854_775_807n;
const numbers = [
  int32Max,
  -int32Max - 1n,
  int32Max + 1n,
  9_007_199_254_740_991n,
  9_007_199_254_740_993n,
  -9_007_199_254_740_993n,
  int64Max,
  -int64Max - 1n,
];
const tooLarge = [int64Max + 1n, -int64Max - 2n, 10n ** 40n];

function isInteger(field: FieldSchema): field is FieldSchema & { readonly type: 'int32' | 'int64' } {
  return field.type === 'int32' || field.type === 'int64';
}

function fits(value: bigint, type: 'int32' | 'int64'): boolean {
  return type === 'int64' ? value <= int64Max && value >= -int64Max - 1n : value <= int32Max && value >= -int32Max - 1n;
}

function compact(value: bigint): JsonValue {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function shaped(field: FieldSchema, value: JsonValue): JsonValue {
  return field.card === 'list' ? [value] : field.card === 'map' ? { k: value } : field.card === 'mapOfLists' ? { k: [value] } : value;
}

/** What a place can be given that is nothing, or next to it. */
function nothings(field: FieldSchema): readonly JsonValue[] {
  if (field.card === 'list') return [null, [], [null]];
  if (field.card === 'map') return [null, {}, { k: null }];
  if (field.card === 'mapOfLists') return [null, {}, { k: null }, { k: [] }];
  return typeof field.type === 'string' ? [null] : [null, {}];
}

const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'] as const;
const entries: { readonly [type: string]: JsonValue } = {
  string: 'v',
  bytes: 'Yg==',
  quantity: '1',
  bool: true,
  int32: 1,
  int64: 1,
  json: 'v',
  rawExtension: {},
};

function inheritedKeys(field: FieldSchema): JsonValue {
  const one = typeof field.type === 'string' ? (entries[field.type] ?? null) : {};
  return Object.fromEntries(inherited.map((key) => [key, field.card === 'mapOfLists' ? [one] : one]));
}

function nameIn({ metadata }: JsonObject): JsonValue | undefined {
  return (metadata as JsonObject | null)?.['name'];
}

function create(bench: ApiBench, subject: Subject, body: JsonValue, what: string): BenchAnswer {
  const answer = bench.send('POST', subject.path, body);
  expect(isAnswered(answer), `${what}: ${answer.status} ${answer.message}`).toBe(true);
  return answer;
}

/** The stored object in every form is one object, and every verb takes it back. */
function readsBack(bench: ApiBench, subject: Subject, what: string): JsonObject {
  const { item, schema, kind } = subject;
  const stored = bench.send('GET', item);
  expect(stored.status, what).toBe(200);
  const object = objectOf(stored);
  expect(decodeYaml(bench.send('GET', item, undefined, undefined, 'application/yaml').text).value, what).toEqual(object);
  expect(bench.send('GET', item, undefined, undefined, table).status, what).toBe(200);
  expect(bench.send('GET', subject.path, undefined, undefined, table).status, what).toBe(200);
  if (typeof kind.schema === 'string') {
    const { bytes } = bench.send('GET', item, undefined, undefined, protobuf);
    const decoded = benchCodec.decode(protobuf, bytes, schema);
    const { value, apiVersion } = decoded;
    expect({ kind: decoded.kind, apiVersion, ...(value as JsonObject) }, what).toEqual(withoutInnerTypes(object));
    const list = bench.send('GET', subject.path, undefined, undefined, protobuf);
    expect(list.status, what).toBe(200);
  }
  return object;
}

/** Protobuf carries no kind and version of objects inside of objects. */
function withoutInnerTypes(object: JsonObject): JsonObject {
  const spec = object['spec'] as JsonObject | undefined;
  const claims = spec?.['volumeClaimTemplates'] as readonly JsonObject[] | undefined;
  if (claims === undefined) return object;
  const volumeClaimTemplates = claims.map(({ kind: _kind, apiVersion: _version, ...claim }) => claim);
  return { ...object, spec: { ...spec, volumeClaimTemplates } as JsonObject };
}

/** What a real server too answers with 500: patches that do not say which item of a list they mean. */
const upstreams500 = /does not contain declared merge key|^failed to create typed patch object .*associative list with keys/;

function isAnswered({ status, message }: BenchAnswer): boolean {
  return [200, 201, 400, 403, 404, 405, 409, 415, 422].includes(status) || (status === 500 && upstreams500.test(message));
}

/** The same value through the other doors. */
function writesBack(bench: ApiBench, subject: Subject, object: JsonObject, path: readonly (string | number)[], value: JsonValue, what: string): void {
  const { item, schema, kind } = subject;
  const put = bench.send('PUT', item, object);
  expect(isAnswered(put), `PUT ${what}: ${put.status} ${put.message}`).toBe(true);
  const change = withValue(undefined, path, value);
  const identified = { ...(change as JsonObject), kind: kind.kind, apiVersion: formatGroupVersion(kind) };
  for (const [type, document] of [
    ['merge-patch+json', change],
    ['strategic-merge-patch+json', change],
    ['json-patch+json', [{ op: 'add', path: `/${path.join('/')}`, value }]],
    ['apply-patch+yaml?fieldManager=m&force=true', identified],
  ] as const) {
    const [media = '', query = ''] = type.split('?');
    const answer = bench.send('PATCH', query === '' ? item : `${item}?${query}`, document, `application/${media}`);
    expect(isAnswered(answer), `${media} ${what}: ${answer.status} ${answer.message}`).toBe(true);
  }
  if (typeof kind.schema !== 'string') return;
  const bytes = wrapEnvelope(formatGroupVersion(kind), kind.kind, benchCodec.toProtobuf(object, schema));
  const again = bench.send('PUT', item, bytes, protobuf);
  expect(isAnswered(again), `protobuf ${what}: ${again.status} ${again.message}`).toBe(true);
  const status = bench.send('PUT', `${item}/status`, object);
  expect(isAnswered(status), `status ${what}: ${status.status} ${status.message}`).toBe(true);
  bench.send('GET', subject.path, undefined, undefined, table);
}

/** The largest types have a kind of their own, or one that stands for all that hold them. */
const openedBy: ReadonlyMap<string, string> = new Map([
  ['io.k8s.api.core.v1.PodSpec', 'v1 Pod'],
  ['io.k8s.api.core.v1.PodTemplateSpec', 'apps/v1 Deployment'],
  ['io.k8s.api.batch.v1.JobSpec', 'batch/v1 Job'],
  ['io.k8s.api.core.v1.PersistentVolumeSpec', 'v1 PersistentVolume'],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta', 'v1 ConfigMap'],
]);

function closedIn(kind: KindDefinition): ReadonlySet<string> {
  const name = `${formatGroupVersion(kind)} ${kind.kind}`;
  return new Set([...openedBy].filter(([, opener]) => opener !== name).map(([type]) => type));
}

/** What only a scale is served of cannot be made. */
const made = kinds.filter(({ insideVerbs }) => insideVerbs?.includes('create') !== true);

describe.each(made.map((kind) => [`${kind.kind} ${formatGroupVersion(kind)}`, kind] as const))('%s', (_name, kind) => {
  const subject = subjectOf(kind);
  const places = placesOf(subject.schema, benchSchemas, closedIn(kind)).filter(({ path }) => path[0] !== 'kind' && path[0] !== 'apiVersion');

  it('takes whole numbers to the ends of their types and says what is beyond', () => {
    for (const { path, field } of places) {
      if (!isInteger(field)) continue;
      for (const value of [...numbers, ...tooLarge]) {
        const what = `${path.join('.')}=${value}`;
        const bench = makeApiBench();
        const given = shaped(field, compact(value));
        const answer = create(bench, subject, withValue(subject.body, path, given), what);
        if (fits(value, field.type)) expect(answer.message, what).not.toMatch(/cannot unmarshal/);
        else {
          expect(answer.status, what).toBe(400);
          expect(answer.message, what).toMatch(
            new RegExp(`json: cannot unmarshal number -?[0-9e+]+ into Go struct field \\S+ of type ${field.type}`),
          );
        }
        if (answer.status !== 201 || kind.createOnly !== undefined) continue;
        const object = readsBack(bench, subject, what);
        if (value === int64Max || value === int32Max) writesBack(bench, subject, object, path, given, what);
      }
    }
  }, 120_000);

  it('takes null and nothing for what they are', () => {
    for (const { path, field } of places) {
      for (const given of nothings(field)) {
        const what = `${path.join('.')}=${JSON.stringify(given)}`;
        const bench = makeApiBench();
        const answer = create(bench, subject, withValue(subject.body, path, given), what);
        if (answer.status !== 201 || kind.createOnly !== undefined) continue;
        // Some kinds name what came without a name.
        if (path[0] === 'metadata' && nameIn(objectOf(answer)) !== nameIn(subject.body)) continue;
        const object = readsBack(bench, subject, what);
        const kept = valueAt(object, path);
        if (Array.isArray(kept)) expect(kept.length, what).toBeGreaterThan(0);
        if (given === null) writesBack(bench, subject, object, path, given, what);
      }
    }
  }, 120_000);

  it('takes keys that every object inherits for keys', () => {
    for (const { path, field } of places) {
      if (field.card !== 'map' && field.card !== 'mapOfLists') continue;
      const given = inheritedKeys(field);
      const what = `${path.join('.')}=${JSON.stringify(given)}`;
      const bench = makeApiBench();
      const answer = create(bench, subject, withValue(subject.body, path, given), what);
      if (answer.status !== 201 || kind.createOnly !== undefined) continue;
      const object = readsBack(bench, subject, what);
      const kept = valueAt(object, path);
      if (kept !== undefined) expect(Object.keys(kept as object), what).toEqual(expect.arrayContaining([...inherited]));
      writesBack(bench, subject, object, path, given, what);
    }
  }, 120_000);
});
