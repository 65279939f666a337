/**
 * What every kind must do behind the API, over HTTP: create, read, update, four patches, delete, list and watch; dry run, 409, 404,
 * finalizers; and the same object in JSON, YAML and protobuf.
 */
import { describe, expect, it } from 'vitest';
import { createDefaultCodec } from '../../engine/apiserver/default-codec.ts';
import { HttpApi } from '../../engine/apiserver/http.ts';
import type { HttpResponse } from '../../engine/apiserver/http-types.ts';
import { ApiServer } from '../../engine/apiserver/pipeline.ts';
import { createSchemaRegistry } from '../../engine/api/schemas.ts';
import type { KindDefinition } from '../../engine/contracts/kind.ts';
import { formatGroupVersion, type KubeObject } from '../../engine/apimachinery/object.ts';
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import { Random } from '../../engine/base/random.ts';
import { kinds } from '../../engine/kinds/index.gen.ts';
import { createMachinery } from '../../engine/registry/default-machinery.ts';
import { stampRevision } from '../../engine/registry/meta.ts';
import { createResourceRegistry } from '../../engine/registry/resource-registry.ts';
import { enterNow } from '../../engine/registry/testing/serve-now.ts';
import { createStore } from '../../engine/store/memory-store.ts';
import type { Store } from '../../engine/store/store.ts';
import { sampleOf } from '../support/samples.ts';
import columns from './columns.json' with { type: 'json' };
import { featureEnabled } from '../support/default-gates.ts';

const own = kinds.flatMap((kind) => [...(kind.schemas ?? []), ...(typeof kind.schema === 'string' ? [] : [kind.schema])]);
const schemas = createSchemaRegistry(own);
const machinery = createMachinery(schemas);
const codec = createDefaultCodec(schemas);
const json = 'application/json';
const protobuf = 'application/vnd.kubernetes.protobuf';

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly object: KubeObject & { readonly items?: readonly KubeObject[]; readonly reason?: string; readonly message?: string };
}

/** What `columns.json` holds for every kind: the cells of its sample by the names of their columns, as upstream's printers have them. */
interface PrintedTable {
  readonly columnDefinitions: readonly { readonly name: string }[];
  readonly rows: readonly { readonly cells: readonly JsonValue[] }[];
}

interface Bench {
  readonly store: Store<KubeObject>;
  send(method: string, path: string, body?: JsonValue | string | Uint8Array, headers?: { readonly [name: string]: string }): Answer;
  watch(path: string): readonly string[];
}

function makeBench(): Bench {
  const store = createStore<KubeObject>({ stamp: stampRevision });
  const nowMs = Date.UTC(2026, 0, 1);
  const registry = createResourceRegistry({
    featureEnabled,
    store,
    schemas,
    kinds,
    machinery,
    clock: { nowMs: () => nowMs },
    random: new Random(7),
  });
  const http = new HttpApi({ server: new ApiServer({ registry }), codec, schemas });
  const handle = (method: string, path: string, body: Uint8Array, headers: { readonly [name: string]: string }): HttpResponse => {
    const [plain = '', query = ''] = path.split('?');
    const request = {
      method,
      path: plain,
      query,
      headers: { accept: json, 'user-agent': 'suite/1', ...headers },
      body,
      identity: { name: 'suite', groups: [] },
    };
    return http.handle(request, enterNow(registry));
  };
  return {
    store,
    send: (method, path, body, headers = {}) => {
      const bytes =
        body === undefined
          ? new Uint8Array()
          : body instanceof Uint8Array
            ? body
            : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
      return read(handle(method, path, bytes, headers));
    },
    watch: (path) => {
      const types: string[] = [];
      const response = handle('GET', path, new Uint8Array(), {});
      if (!('open' in response)) throw new Error(`no stream: ${JSON.stringify(response)}`);
      response.open({
        write: (chunk) => types.push((JSON.parse(String(typeof chunk === 'function' ? chunk() : chunk)) as { type: string }).type),
        end: () => types.push('end'),
      });
      return types;
    },
  };
}

function read(response: HttpResponse): Answer {
  if ('open' in response || 'upgrade' in response) throw new Error('a stream came back');
  const { body, status } = response;
  const chunks = typeof body === 'string' || body instanceof Uint8Array ? [body] : [...body];
  const first = chunks[0];
  const bytes = first instanceof Uint8Array ? first : new Uint8Array();
  const text = chunks.every((chunk) => typeof chunk === 'string') ? chunks.join('') : '';
  return { status, text, bytes, object: (text.startsWith('{') ? JSON.parse(text) : {}) as Answer['object'] };
}

/** Collection path and a body. */
function subject(kind: KindDefinition): { readonly path: string; readonly name: string; readonly body: JsonObject } {
  const { name = 'a', ...rest } = sampleOf(kind, schemas);
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${formatGroupVersion(kind)}`;
  const metadata = { name, ...(kind.namespaced ? { namespace: 'default' } : undefined) } as JsonObject;
  const path = `${root}/${kind.namespaced ? 'namespaces/default/' : ''}${kind.plural}`;
  return { path, name: name as string, body: { kind: kind.kind, apiVersion: formatGroupVersion(kind), metadata, ...rest } };
}

function withMeta(object: JsonObject | KubeObject, metadata: object): JsonObject {
  return { ...object, metadata: { ...(object.metadata as object), ...metadata } } as unknown as JsonObject;
}

function suite(kind: KindDefinition): void {
  const { path, name, body } = subject(kind);
  const item = `${path}/${name}`;

  it('creates, reads, refuses a second and lists', () => {
    const bench = makeBench();
    const made = bench.send('POST', `${path}?fieldValidation=Strict`, body);
    expect(made.text, made.object.message).toContain('"uid"');
    expect(made.status).toBe(201);
    expect(bench.send('GET', item).object).toEqual(made.object);
    expect(bench.send('POST', path, body)).toMatchObject({ status: 409, object: { reason: 'AlreadyExists' } });
    const list = bench.send('GET', path).object;
    expect(list.kind).toBe(kind.listKind ?? `${kind.kind}List`);
    expect(list.items).toHaveLength(1);
  });

  it('shows in each column what that column is called', () => {
    const bench = makeBench();
    const { uid = '' } = bench.send('POST', path, body).object.metadata;
    const table = bench.send('GET', path, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }).object as unknown as PrintedTable;
    const names = table.columnDefinitions.map((column) => column.name);
    expect(new Set(names).size).toBe(names.length);
    const cells = table.rows[0]?.cells ?? [];
    const shown = Object.fromEntries(names.map((column, i) => [column, typeof cells[i] === 'string' ? cells[i].replace(uid, '<uid>') : cells[i]]));
    expect(shown).toEqual((columns as Readonly<Record<string, object>>)[`${formatGroupVersion(kind)} ${kind.kind}`]);
    // Upstream's own printer of IPAddress has a cell too many.
    expect(cells.length - names.length).toBe(kind.kind === 'IPAddress' ? 1 : 0);
  });

  it('updates, patches in four ways and bumps nothing for nothing', () => {
    const bench = makeBench();
    const made = bench.send('POST', path, body).object;
    const labelled = bench.send('PUT', item, withMeta(made, { labels: { a: '1' } }));
    expect(labelled.object.metadata.labels, labelled.text).toMatchObject({ a: '1' });
    expect(bench.send('PUT', item, withMeta(made, { labels: { a: '2' } })).status).toBe(409);
    const again = bench.send('PUT', item, labelled.object as unknown as JsonObject).object;
    expect(again.metadata.resourceVersion).toBe(labelled.object.metadata.resourceVersion);
    const patch = (type: string, document: JsonValue, query = ''): Answer =>
      bench.send('PATCH', item + query, document, { 'content-type': `application/${type}` });
    expect(patch('merge-patch+json', { metadata: { labels: { b: '1' } } }).object.metadata.labels).toMatchObject({ a: '1', b: '1' });
    expect(patch('json-patch+json', [{ op: 'add', path: '/metadata/labels/c', value: '1' }]).object.metadata.labels).toMatchObject({
      b: '1',
      c: '1',
    });
    const merged = patch('strategic-merge-patch+json', { metadata: { labels: { d: '1' } } });
    if (isGenerated(kind)) expect(merged.object.metadata.labels).toMatchObject({ c: '1', d: '1' });
    else expect(merged).toMatchObject({ status: 415, object: { reason: 'UnsupportedMediaType' } });
    const applied = patch(
      'apply-patch+yaml',
      { kind: kind.kind, apiVersion: formatGroupVersion(kind), metadata: { name, labels: { e: '1' } } },
      '?fieldManager=me',
    );
    expect(applied.object.metadata.labels, applied.text).toMatchObject({ c: '1', e: '1' });
    expect(patch('merge-patch+json', {}).object.metadata.resourceVersion).toBe(applied.object.metadata.resourceVersion);
  });

  it('leaves no trace on dry run', () => {
    const bench = makeBench();
    const before = bench.store.currentRevision();
    expect(bench.send('POST', `${path}?dryRun=All`, body).status).toBe(201);
    expect(bench.send('GET', item).status).toBe(404);
    expect(bench.store.currentRevision()).toBe(before);
  });

  it('deletes, with finalizers first, and is watched', () => {
    const bench = makeBench();
    const seen = bench.watch(`${path}?watch=1`);
    bench.send('POST', path, withMeta(body, { finalizers: ['example.com/f'] }));
    expect(bench.send('DELETE', `${item}?gracePeriodSeconds=0`).status).toBe(200);
    const marked = bench.send('GET', item).object;
    expect(marked.metadata.deletionTimestamp).toBe('2026-01-01T00:00:00Z');
    bench.send('PATCH', item, { metadata: { finalizers: null } }, { 'content-type': 'application/merge-patch+json' });
    if (kind.hasOtherFinalizers === undefined) {
      expect(bench.send('GET', item).status).toBe(404);
      expect(seen).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
      expect(bench.send('DELETE', item)).toMatchObject({ status: 404, object: { reason: 'NotFound' } });
    }
  });

  it('says the same in every form that it has', () => {
    const bench = makeBench();
    bench.send('POST', path, body);
    const reread = (type: string, bytes: Uint8Array | string): Answer => bench.send('PUT', item, bytes, { 'content-type': type });
    // Of claims the first write makes a revision though it changes nothing.
    const made = reread('application/json', bench.send('GET', item).text).object;
    const yaml = bench.send('GET', item, undefined, { accept: 'application/yaml' }).text;
    expect(reread('application/yaml', yaml).object).toEqual(made);
    if (!isGenerated(kind)) {
      expect(bench.send('GET', item, undefined, { accept: protobuf }).status).toBe(406);
      return;
    }
    const bytes = bench.send('GET', item, undefined, { accept: protobuf }).bytes;
    expect(reread(protobuf, bytes).object).toEqual(made);
    expect(bench.send('GET', path, undefined, { accept: protobuf }).bytes.length).toBeGreaterThan(bytes.length - 20);
  });
}

/** Generated kinds know protobuf and strategic merges; those with a schema of their own know neither, as custom resources. */
function isGenerated({ schema }: KindDefinition): boolean {
  return typeof schema === 'string';
}

const stored = kinds.filter(
  ({ createOnly, verbs, insideVerbs }) => createOnly === undefined && verbs?.includes('create') !== false && insideVerbs?.includes('create') !== true,
);

describe.each(stored.map((kind) => ({ title: `${formatGroupVersion(kind)} ${kind.kind}`, kind })))('$title', ({ kind }) => suite(kind));
