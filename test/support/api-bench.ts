/** The API of all kinds over an empty store, in process and without controllers: one call is one request. */
import { createDefaultCodec } from '../../engine/apiserver/default-codec.ts';
import { HttpApi } from '../../engine/apiserver/http.ts';
import type { Chunk, HttpPlainResponse, HttpResponse, HttpStreamResponse } from '../../engine/apiserver/http-types.ts';
import { ApiServer } from '../../engine/apiserver/pipeline.ts';
import { createSchemaRegistry } from '../../engine/api/schemas.ts';
import { decodeJson } from '../../engine/apimachinery/serializer/json.ts';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import { Random } from '../../engine/base/random.ts';
import { kinds } from '../../engine/kinds/index.gen.ts';
import { createMachinery } from '../../engine/registry/default-machinery.ts';
import { stampRevision } from '../../engine/registry/meta.ts';
import { enterNow } from '../../engine/registry/testing/serve-now.ts';
import { featureEnabled } from './default-gates.ts';
import { createResourceRegistry, type ResourceRegistry } from '../../engine/registry/resource-registry.ts';
import { createStore } from '../../engine/store/memory-store.ts';
import { encodeJson } from '../../engine/apimachinery/serializer/json.ts';

export interface BenchAnswer {
  readonly status: number;
  readonly text: string;
  readonly bytes: Uint8Array;
  /** The body as exact JSON; null when it is none. */
  readonly value: JsonValue;
  readonly message: string;
}

const own = kinds.flatMap((kind) => [...(kind.schemas ?? []), ...(typeof kind.schema === 'string' ? [] : [kind.schema])]);
export const benchSchemas = createSchemaRegistry(own);
export const benchCodec = createDefaultCodec(benchSchemas);
const machinery = createMachinery(benchSchemas);

export interface ApiBench {
  readonly registry: ResourceRegistry;
  /** The revision of the last change: nothing is written as long as it stays the same. */
  readonly revision: () => number;
  send(method: string, path: string, body?: JsonValue | Uint8Array, contentType?: string, accept?: string): BenchAnswer;
}

export function makeApiBench(userAgent = 'suite/1'): ApiBench {
  const store = createStore<KubeObject>({ stamp: stampRevision });
  const nowMs = Date.UTC(2026, 0, 1);
  const random = new Random(7);
  const registry = createResourceRegistry({ store, schemas: benchSchemas, kinds, machinery, clock: { nowMs: () => nowMs }, random, featureEnabled });
  const http = new HttpApi({ server: new ApiServer({ registry }), codec: benchCodec, schemas: benchSchemas });
  return {
    registry,
    revision: () => store.currentRevision(),
    send: (method, path, body, contentType = 'application/json', accept = 'application/json') => {
      const [plain = '', query = ''] = path.split('?');
      const bytes = body === undefined ? new Uint8Array() : body instanceof Uint8Array ? body : new TextEncoder().encode(encodeJson(body));
      const headers = { accept, 'user-agent': userAgent, 'content-type': contentType };
      const request = { method, path: plain, query, headers, body: bytes, identity: { name: 'suite', groups: [] } };
      return answerOf(http.handle(request, enterNow(registry)));
    },
  };
}

function chunksOf(body: HttpPlainResponse['body']): readonly Chunk[] {
  return typeof body === 'string' || body instanceof Uint8Array ? [body] : [...body];
}

/** What a stream tells at once. */
function begun(response: HttpStreamResponse): readonly Chunk[] {
  const chunks: Chunk[] = [];
  const close = response.open({ write: (chunk) => chunks.push(typeof chunk === 'function' ? chunk() : chunk), end: () => undefined });
  close();
  return chunks;
}

function answerOf(response: HttpResponse): BenchAnswer {
  if (!('body' in response) && !('open' in response)) return { status: 101, text: '', bytes: new Uint8Array(), value: null, message: '' };
  const { status } = response;
  const chunks = 'body' in response ? chunksOf(response.body) : begun(response);
  const [first] = chunks;
  const text = chunks.every((chunk) => typeof chunk === 'string') ? chunks.join('') : '';
  // A stream tells an object a line: the first one is looked at.
  const line = 'open' in response ? text.slice(0, text.indexOf('\n') + 1) : text;
  const value = line.startsWith('{') ? decodeJson(line).value : null;
  const message = (value as { readonly message?: JsonValue } | null)?.message;
  return { status, text, bytes: first instanceof Uint8Array ? first : new Uint8Array(), value, message: typeof message === 'string' ? message : '' };
}

export function objectOf(answer: BenchAnswer): JsonObject {
  return (answer.value ?? {}) as JsonObject;
}
