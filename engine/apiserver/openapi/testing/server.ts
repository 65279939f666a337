/** A server of every kind, and its OpenAPI documents as a client gets them. */
import { createHash } from 'node:crypto';
import { createSchemaRegistry } from '../../../api/schemas.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import type { SchemaRegistry } from '../../../apimachinery/schema.ts';
import { Random } from '../../../base/random.ts';
import { kinds } from '../../../kinds/index.gen.ts';
import { createMachinery } from '../../../registry/default-machinery.ts';
import { stampRevision } from '../../../registry/meta.ts';
import { createResourceRegistry } from '../../../registry/resource-registry.ts';
import { createStore } from '../../../store/memory-store.ts';
import { ApiServer } from '../../pipeline.ts';
import { createOpenApi, type DocumentHandler, type OpenApiOptions } from '../openapi.ts';
import type { HttpPlainResponse } from '../../http-types.ts';
import { featureEnabled } from '../../../../test/support/default-gates.ts';

export interface OpenApiFixture {
  readonly server: ApiServer;
  readonly schemas: SchemaRegistry;
  readonly documents: DocumentHandler;
  get(path: string, headers?: Readonly<Record<string, string>>, method?: string): HttpPlainResponse | undefined;
}

export function createOpenApiFixture(more: Partial<OpenApiOptions> = {}): OpenApiFixture {
  const schemas = createSchemaRegistry(kinds.flatMap((kind) => [...(typeof kind.schema === 'string' ? [] : [kind.schema]), ...(kind.schemas ?? [])]));
  const registry = createResourceRegistry({
    featureEnabled,
    store: createStore<KubeObject>({ stamp: stampRevision }),
    schemas,
    kinds,
    machinery: createMachinery(schemas),
    clock: { nowMs: () => Date.UTC(2026, 0, 1) },
    random: new Random(3),
  });
  const server = new ApiServer({ registry });
  const documents = createOpenApi({ server, schemas, hash: (text) => createHash('sha512').update(text).digest('hex'), ...more });
  return {
    server,
    schemas,
    documents,
    get: (path, headers = {}, method = 'GET') => {
      const [plain = '', query = ''] = path.split('?');
      return documents({ method, path: plain, query, headers, body: new Uint8Array(), identity: { name: 'u', groups: [] } }, plain);
    },
  };
}
