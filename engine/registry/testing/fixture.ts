/**
 * A small registry for tests of this room: two made-up kinds, no schemas to speak of, and a machinery that keeps objects as they are.
 */
import type { FieldSchema, MessageSchema, SchemaRegistry } from '../../apimachinery/schema.ts';
import { defineKind, type KindDefinition } from '../../contracts/kind.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { ApiRequest, Identity, Verb } from '../../contracts/request.ts';
import { Random } from '../../base/random.ts';
import { createStore } from '../../store/memory-store.ts';
import type { Store } from '../../store/store.ts';
import { ApiServer, type ApiServerOptions } from '../../apiserver/pipeline.ts';
import { serveNow } from './serve-now.ts';
import type { Machinery } from '../machinery.ts';
import { stampRevision } from '../meta.ts';
import { createResourceRegistry, type ResourceRegistry } from '../resource-registry.ts';
import { featureEnabled } from '../../../test/support/default-gates.ts';

export interface Ship extends KubeObject {
  readonly spec?: { readonly sails?: number; readonly port?: string };
  readonly status?: { readonly afloat?: boolean };
}

function field(name: string, number: number): FieldSchema {
  return { name, number, type: 'json', card: 'one', omitEmpty: true, pointer: true };
}

const schema: MessageSchema = {
  name: 'test.v1.Ship',
  fields: [field('kind', 1), field('apiVersion', 2), field('metadata', 3), field('spec', 4), field('status', 5)],
};

const shipKind: KindDefinition<Ship> = defineKind<Ship>({
  group: 'test.dev',
  version: 'v1',
  kind: 'Ship',
  plural: 'ships',
  singular: 'ship',
  namespaced: true,
  schema,
  storagePrefix: 'test.dev/ships',
  statusSubresource: true,
  selectableFields: { 'spec.port': (ship) => ship.spec?.port ?? '' },
  scale: {
    getReplicas: (ship) => ship.spec?.sails ?? 0,
    getStatusReplicas: () => 0,
    getSelector: () => '',
    setReplicas: (ship, sails) => ({ ...ship, spec: { ...ship.spec, sails } }),
  },
});

/** Has a grace period of its own. */
const harbourKind: KindDefinition = defineKind({
  group: 'test.dev',
  version: 'v1',
  kind: 'Harbour',
  plural: 'harbours',
  singular: 'harbour',
  namespaced: false,
  schema,
  storagePrefix: 'test.dev/harbours',
  gracefulDelete: (_object, options) => options.gracePeriodSeconds ?? 30,
});

const schemas: SchemaRegistry = {
  get: () => undefined,
  mustGet: (name) => ({ ...schema, name }),
  names: () => [],
};

function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const base = typeof target === 'object' && target !== null && !Array.isArray(target) ? target : {};
  const out: { [key: string]: JsonValue } = { ...(base as JsonObject) };
  for (const [key, value] of Object.entries(patch as JsonObject)) {
    if (value === null) delete out[key];
    else out[key] = mergePatch(out[key], value);
  }
  return out;
}

const machinery: Machinery = {
  wasRead: () => false,
  read: (document) => document as unknown as KubeObject,
  canonicalize: (object) => object,
  arrange: (object) => object,
  ownersFault: () => undefined,
  recordUpdate: (_live, next) => next,
  typeOf: () => ({ kind: 'deduced' }),
  applyDocument: (live, document) => mergePatch(live as unknown as JsonValue, document) as unknown as KubeObject,
  patch: (live, patch) => mergePatch(live as unknown as JsonValue, patch.document) as unknown as KubeObject,
};

export const tester: Identity = { name: 'tester', groups: [] };

export interface Fixture {
  readonly server: ApiServer;
  readonly registry: ResourceRegistry;
  readonly store: Store<KubeObject>;
  advance(ms: number): void;
  send(verb: Verb, resource: string, name: string | undefined, rest?: Partial<ApiRequest>): KubeObject & Ship;
}

export function makeFixture(options: Partial<ApiServerOptions> = {}): Fixture {
  let nowMs = Date.parse('2026-01-01T00:00:00Z');
  const store = createStore<KubeObject>({ stamp: stampRevision });
  const registry = createResourceRegistry({
    featureEnabled,
    store,
    schemas,
    kinds: [shipKind as unknown as KindDefinition, harbourKind],
    machinery,
    clock: { nowMs: () => nowMs },
    random: new Random(1),
  });
  const server = new ApiServer({ registry, ...options });
  return {
    server,
    registry,
    store,
    advance: (ms) => {
      nowMs += ms;
    },
    send: (verb, resource, name, rest = {}) =>
      serveNow(registry, (attempt) => server.attempt(makeRequest(verb, resource, name, rest), attempt)).object as KubeObject & Ship,
  };
}

export function makeRequest(verb: Verb, resource: string, name: string | undefined, rest: Partial<ApiRequest> = {}): ApiRequest {
  return {
    verb,
    group: 'test.dev',
    version: 'v1',
    resource,
    ...(resource === 'ships' ? { namespace: 'default' } : undefined),
    ...(name === undefined ? undefined : { name }),
    identity: tester,
    userAgent: 'test/1.0',
    causes: [],
    ...rest,
  };
}

export function makeShip(name: string, spec: Ship['spec'] = {}, metadata: Partial<Ship['metadata']> = {}): Ship {
  return { kind: 'Ship', apiVersion: 'test.dev/v1', metadata: { name, namespace: 'default', ...metadata }, spec } as Ship;
}
