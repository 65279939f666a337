/** The adapter over a small registry, for tests that speak HTTP without sockets. */
import { createSchemaRegistry } from '../../api/schemas.ts';
import { defineKind, type KindDefinition } from '../../contracts/kind.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { Random } from '../../base/random.ts';
import { createMachinery } from '../../registry/default-machinery.ts';
import { stampRevision } from '../../registry/meta.ts';
import { createResourceRegistry, type ResourceRegistry } from '../../registry/resource-registry.ts';
import { enterNow } from '../../registry/testing/serve-now.ts';
import { createStore } from '../../store/memory-store.ts';
import { createDefaultCodec } from '../default-codec.ts';
import { HttpApi, type HttpApiOptions } from '../http.ts';
import type { HttpResponse } from '../http-types.ts';
import { ApiServer } from '../pipeline.ts';
import { featureEnabled } from '../../../test/support/default-gates.ts';

export const schemas = createSchemaRegistry();
export const configMaps: KindDefinition = defineKind({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  singular: 'configmap',
  shortNames: ['cm'],
  namespaced: true,
  schema: 'io.k8s.api.core.v1.ConfigMap',
  storagePrefix: 'configmaps',
  hasGeneration: false,
});
const pods: KindDefinition = defineKind({
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  singular: 'pod',
  namespaced: true,
  schema: 'io.k8s.api.core.v1.Pod',
  storagePrefix: 'pods',
  statusSubresource: true,
});
const nodes: KindDefinition = defineKind({
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  singular: 'node',
  namespaced: false,
  schema: 'io.k8s.api.core.v1.Node',
  storagePrefix: 'minions',
  statusSubresource: true,
});
const deployments: KindDefinition = defineKind({
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  singular: 'deployment',
  categories: ['all'],
  namespaced: true,
  schema: 'io.k8s.api.apps.v1.Deployment',
  storagePrefix: 'deployments',
  statusSubresource: true,
  scale: { getReplicas: () => 1, getStatusReplicas: () => 0, getSelector: () => '', setReplicas: (object) => object },
});

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
  readonly bytes: Uint8Array;
}

export interface Wire {
  readonly http: HttpApi;
  readonly registry: ResourceRegistry;
  raw(method: string, path: string, body?: string, headers?: Readonly<Record<string, string>>): HttpResponse;
  send(method: string, path: string, body?: string, headers?: Readonly<Record<string, string>>): Answer;
}

export function makeWire(
  more: Partial<HttpApiOptions & ConstructorParameters<typeof ApiServer>[0]> = {},
  computed: ConstructorParameters<typeof ApiServer>[0]['computed'] = [],
  kinds: readonly KindDefinition[] = [],
): Wire {
  const registry = createResourceRegistry({
    featureEnabled,
    store: createStore<KubeObject>({ stamp: stampRevision }),
    schemas,
    kinds: [configMaps, pods, nodes, deployments, ...kinds],
    machinery: createMachinery(schemas),
    clock: { nowMs: () => Date.UTC(2026, 0, 1) },
    random: new Random(3),
  });
  const http = new HttpApi({
    server: new ApiServer({ registry, computed, ...(more.kubelets && { kubelets: more.kubelets }) }),
    codec: createDefaultCodec(schemas),
    schemas,
    ...more,
  });
  const raw: Wire['raw'] = (method, path, body = '', headers = {}) => {
    const [plain = '', query = ''] = path.split('?');
    const request = {
      method,
      path: plain,
      query,
      headers,
      body: new TextEncoder().encode(body),
      ...(headers['authorization'] === undefined ? { identity: { name: 'u', groups: [] } } : undefined),
    };
    return http.handle(request, enterNow(registry));
  };
  return {
    http,
    registry,
    raw,
    send: (method, path, body, headers) => {
      const response = raw(method, path, body, headers);
      if (!('body' in response)) throw new Error('a stream came back');
      const chunks = typeof response.body === 'string' || response.body instanceof Uint8Array ? [response.body] : [...response.body];
      const bytes = chunks.find((chunk) => chunk instanceof Uint8Array) ?? new Uint8Array();
      return { status: response.status, headers: response.headers, text: chunks.filter((chunk) => typeof chunk === 'string').join(''), bytes };
    },
  };
}

export const cm = (name: string, data: object = { a: 'b' }): string =>
  JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, data });
