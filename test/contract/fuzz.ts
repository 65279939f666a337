/**
 * Malformed requests over every route, subresource, media type (protobuf with flipped bytes too), patch and query, from a seed; watches are opened. None may be answered with 500 that is not upstream's,
 * throw, or change anything when it was refused.
 */
import { formatGroupVersion } from '../../engine/apimachinery/object.ts';
import { wrapEnvelope } from '../../engine/apimachinery/serializer/envelope.ts';
import type { MessageSchema } from '../../engine/apimachinery/schema.ts';
import { encodeJson } from '../../engine/apimachinery/serializer/json.ts';
import type { JsonObject } from '../../engine/base/json.ts';
import { Random, type RandomStream } from '../../engine/base/random.ts';
import { kinds } from '../../engine/kinds/index.gen.ts';
import { benchCodec, benchSchemas, makeApiBench } from '../support/api-bench.ts';
import { sampleOf } from '../support/samples.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const words = [
  '',
  'a',
  '..',
  '%2e',
  '%00',
  '%',
  '__proto__',
  'constructor',
  'status',
  'scale',
  'log',
  'eviction',
  'binding',
  'token',
  'exec',
  'attach',
  'portforward',
  'proxy',
  'ephemeralcontainers',
  'resize',
  'approval',
  'finalize',
  'ü',
  'a b',
  'A',
  'x'.repeat(300),
];
const types = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'text/plain',
  '',
  'application/json;;;',
  '*/*',
];
const accepts = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  '',
  ',,;',
  'a/b',
  '*/*;q=x',
];
const queries = [
  'limit',
  'continue',
  'labelSelector',
  'fieldSelector',
  'resourceVersion',
  'resourceVersionMatch',
  'watch',
  'timeoutSeconds',
  'dryRun',
  'fieldManager',
  'force',
  'fieldValidation',
  'gracePeriodSeconds',
  'propagationPolicy',
  'pretty',
  'includeObject',
  'export',
  'allowWatchBookmarks',
  'sendInitialEvents',
  'orphanDependents',
];
const values = [
  '',
  'true',
  '-1',
  '1e9',
  '99999999999999999999',
  'All',
  'a=b',
  '((',
  'a in (',
  '!',
  'Exact',
  'Strict',
  'x'.repeat(200),
  '%ff',
  '{}',
  '__proto__',
  '\u0000',
];
const shreds = [
  '',
  'null',
  '[]',
  '{}',
  '"',
  '{"',
  '0',
  '[null]',
  '{"kind":1}',
  '{"metadata":null}',
  '{"metadata":[]}',
  '{"__proto__":{}}',
  'a: &a [*a]',
  '---\n---',
  'k8s\u0000',
  '\ufeff{}',
  '[{"op":"test"}]',
  '[{"op":"copy","from":"/","path":"/x"}]',
  '{"spec":{"$patch":"delete"}}',
  '{"$patch":"replace"}',
  '{"metadata":{"$setElementOrder/finalizers":1}}',
];
/** 500s that a real server gives too. */
const upstreams =
  /does not contain declared merge key|expected a (?:\[\]|map\[string\])interface|The order in patch list|value for key \d+ is not a map|unable to find api field in struct|failed to create typed patch object|failed to convert new object|unknown patch type|merging lists cannot yet|resourceVersion should not be set on objects to be created|cannot merge lists without merge key|Too large resource version|strconv\.ParseUint: parsing/;

/** What was written is told in a form that it does not have: a real server finds that out when it has written, too. */
const toldTooLate = /Unable to convert to Table as requested|you requested PartialObjectMetadata, but the requested object is/;

function pick<T>(random: RandomStream, from: readonly T[]): T {
  return from[Math.floor(random.next() * from.length)] as T;
}

interface Target {
  readonly path: string;
  readonly body: JsonObject;
  readonly schema: MessageSchema;
}

function targetOf(random: RandomStream): Target {
  const kind = pick(random, kinds);
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${formatGroupVersion(kind)}`;
  const collection = `${root}/${kind.namespaced ? 'namespaces/default/' : ''}${kind.plural}`;
  const { name = 'a', ...sample } = sampleOf(kind, benchSchemas);
  const tail =
    random.next() < 0.4
      ? ''
      : `/${random.next() < 0.6 ? (name as string) : pick(random, words)}${random.next() < 0.3 ? `/${pick(random, words)}` : ''}`;
  const path = random.next() < 0.05 ? `/${pick(random, words)}/${pick(random, words)}` : `${collection}${tail}`;
  const schema = typeof kind.schema === 'string' ? benchSchemas.mustGet(kind.schema) : kind.schema;
  return { path, schema, body: { kind: kind.kind, apiVersion: formatGroupVersion(kind), metadata: { name }, ...sample } as JsonObject };
}

const protobuf = 'application/vnd.kubernetes.protobuf';

/** As the type says now and then, so that what is flipped stands deep in a document that began well. */
function bodyOf(random: RandomStream, { body, schema }: Target, type: string): Uint8Array {
  const isFitting = type === protobuf && random.next() < 0.8;
  const text = random.next() < 0.3 ? pick(random, shreds) : encodeJson(body);
  const bytes = isFitting
    ? wrapEnvelope(String(body['apiVersion']), String(body['kind']), benchCodec.toProtobuf(body, schema))
    : new TextEncoder().encode(text);
  const changes = random.next() < 0.5 ? 0 : 1 + Math.floor(random.next() * 4);
  for (let i = 0; i < changes && bytes.length > 0; i++) bytes[Math.floor(random.next() * bytes.length)] = Math.floor(random.next() * 256);
  return random.next() < 0.2 ? bytes.subarray(0, Math.floor(random.next() * bytes.length)) : bytes;
}

function queryOf(random: RandomStream): string {
  const watch = random.next() < 0.1 ? [`watch=${pick(random, ['true', '1'])}`] : [];
  const odd =
    random.next() < 0.5
      ? []
      : [`${pick(random, queries)}=${encodeURIComponent(pick(random, values))}`, `${pick(random, queries)}=${pick(random, values)}`];
  return watch.length + odd.length === 0 ? '' : `?${[...watch, ...odd].join('&')}`;
}

/** Makes so many requests of a seed; throws with the first that is answered as none may be. */
export function fuzz(seed: number, requests: number): void {
  const bench = makeApiBench();
  const random = new Random(seed).stream('fuzz');
  for (let i = 0; i < requests; i++) {
    const method = pick(random, methods);
    const target = targetOf(random);
    const { path } = target;
    const query = queryOf(random);
    const type = pick(random, types);
    const bytes = bodyOf(random, target, type);
    const accept = pick(random, accepts);
    const what = `request ${i}: ${method} ${path}${query} ${type} ${accept} ${new TextDecoder().decode(bytes).slice(0, 300)}`;
    const before = bench.revision();
    let answer;
    try {
      answer = bench.send(method, path + query, bytes, type, accept);
    } catch (error) {
      throw new Error(`${what}: ${String(error)}`, { cause: error });
    }
    // 501 says what is not built, 504 that a revision does not exist yet.
    const isOurs =
      answer.status >= 500 &&
      answer.status !== 501 &&
      answer.status !== 504 &&
      // YAML folds long texts.
      !upstreams.test((answer.text || Buffer.from(answer.bytes).toString('latin1')).replace(/\n +/g, ' '));
    if (isOurs) throw new Error(`${what}: answered ${answer.status} ${answer.text.slice(0, 300)}`);
    const mayBeWritten = answer.status < 400 || toldTooLate.test(answer.text);
    if (!mayBeWritten && bench.revision() !== before) throw new Error(`${what}: answered ${answer.status}, and something was written`);
  }
}
