/**
 * Malformed requests over every route, media type, patch and query, from a seed. None may be answered with 500 that is not upstream's,
 * throw, or change anything when it was refused.
 */
import { formatGroupVersion } from '../../engine/apimachinery/object.ts';
import { encodeJson } from '../../engine/apimachinery/serializer/json.ts';
import type { JsonObject } from '../../engine/base/json.ts';
import { Random, type RandomStream } from '../../engine/base/random.ts';
import { kinds } from '../../engine/kinds/index.gen.ts';
import { benchSchemas, makeApiBench } from '../support/api-bench.ts';
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
  /does not contain declared merge key|failed to create typed patch object|unknown patch type|merging lists cannot yet|resourceVersion should not be set on objects to be created|cannot merge lists without merge key|Too large resource version/;

function pick<T>(random: RandomStream, from: readonly T[]): T {
  return from[Math.floor(random.next() * from.length)] as T;
}

function pathOf(random: RandomStream): { readonly path: string; readonly body: JsonObject } {
  const kind = pick(random, kinds);
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${formatGroupVersion(kind)}`;
  const collection = `${root}/${kind.namespaced ? 'namespaces/default/' : ''}${kind.plural}`;
  const { name = 'a', ...sample } = sampleOf(kind, benchSchemas);
  const tail =
    random.next() < 0.4
      ? ''
      : `/${random.next() < 0.6 ? (name as string) : pick(random, words)}${random.next() < 0.3 ? `/${pick(random, words)}` : ''}`;
  const path = random.next() < 0.05 ? `/${pick(random, words)}/${pick(random, words)}` : `${collection}${tail}`;
  return { path, body: { kind: kind.kind, apiVersion: formatGroupVersion(kind), metadata: { name }, ...sample } as JsonObject };
}

function bodyOf(random: RandomStream, sample: JsonObject): Uint8Array {
  const text = random.next() < 0.3 ? pick(random, shreds) : encodeJson(sample);
  const bytes = new TextEncoder().encode(text);
  const changes = random.next() < 0.5 ? 0 : 1 + Math.floor(random.next() * 4);
  for (let i = 0; i < changes && bytes.length > 0; i++) bytes[Math.floor(random.next() * bytes.length)] = Math.floor(random.next() * 256);
  return random.next() < 0.2 ? bytes.subarray(0, Math.floor(random.next() * bytes.length)) : bytes;
}

/** Makes so many requests of a seed; throws with the first that is answered as none may be. */
export function fuzz(seed: number, requests: number): void {
  const bench = makeApiBench();
  const random = new Random(seed).stream('fuzz');
  for (let i = 0; i < requests; i++) {
    const method = pick(random, methods);
    const { path, body } = pathOf(random);
    const query =
      random.next() < 0.5
        ? ''
        : `?${pick(random, queries)}=${encodeURIComponent(pick(random, values))}&${pick(random, queries)}=${pick(random, values)}`;
    const bytes = bodyOf(random, body);
    const type = pick(random, types);
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
    const isOurs = answer.status >= 500 && answer.status !== 501 && answer.status !== 504 && !upstreams.test(answer.text);
    if (isOurs) throw new Error(`${what}: answered ${answer.status} ${answer.text.slice(0, 300)}`);
    if (answer.status >= 400 && bench.revision() !== before) throw new Error(`${what}: answered ${answer.status}, and something was written`);
  }
}
