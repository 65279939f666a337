/** Binding, eviction and tokens, over a few kinds of the core. */
import { describe, expect, it } from 'vitest';
import { createSchemaRegistry } from '../api/schemas.ts';
import { ApiServer } from '../apiserver/pipeline.ts';
import { defineKind, type KindDefinition } from '../contracts/kind.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { ApiRequest } from '../contracts/request.ts';
import { StatusError, type Status } from '../apimachinery/status.ts';
import { Random } from '../base/random.ts';
import { createStore } from '../store/memory-store.ts';
import { createMachinery } from './default-machinery.ts';
import { stampRevision } from './meta.ts';
import { createResourceRegistry } from './resource-registry.ts';
import { serveNow } from './testing/serve-now.ts';
import type { TokenClaims } from '../contracts/tokens.ts';
import { featureEnabled } from '../../test/support/default-gates.ts';

const schemas = createSchemaRegistry();

function core(kind: string, plural: string, more: Partial<KindDefinition> = {}): KindDefinition {
  return defineKind({
    group: '',
    version: 'v1',
    kind,
    plural,
    singular: kind.toLowerCase(),
    namespaced: true,
    schema: `io.k8s.api.core.v1.${kind}`,
    storagePrefix: plural,
    ...more,
  });
}

const budgets = core('PodDisruptionBudget', 'poddisruptionbudgets', {
  group: 'policy',
  schema: 'io.k8s.api.policy.v1.PodDisruptionBudget',
  statusSubresource: true,
  prepareForCreate: (object) => object,
});
const keepStatus: Partial<KindDefinition> = { statusSubresource: true, prepareForCreate: (object) => object };

interface Api {
  readonly claims: TokenClaims[];
  send(request: Partial<ApiRequest>): KubeObject & { readonly spec?: Record<string, unknown>; readonly status?: Record<string, unknown> };
  fails(request: Partial<ApiRequest>): Status;
}

function makeApi(): Api {
  const claims: TokenClaims[] = [];
  const registry = createResourceRegistry({
    featureEnabled,
    store: createStore<KubeObject>({ stamp: stampRevision }),
    schemas,
    kinds: [
      core('Pod', 'pods', { ...keepStatus, gracefulDelete: (_pod, options) => options.gracePeriodSeconds ?? 30 }),
      core('ServiceAccount', 'serviceaccounts'),
      budgets,
    ],
    machinery: createMachinery(schemas),
    clock: { nowMs: () => Date.UTC(2026, 0, 1) },
    random: new Random(3),
    tokenSigner: {
      audiences: ['api'],
      sign: (claim) => {
        claims.push(claim);
        return 'signed';
      },
    },
  });
  const server = new ApiServer({ registry });
  const send: Api['send'] = (request) => {
    const base = {
      verb: 'create',
      group: '',
      version: 'v1',
      resource: 'pods',
      namespace: 'default',
      identity: { name: 'u', groups: [] },
      userAgent: 't',
      causes: [],
    } as const;
    return serveNow(registry, (attempt) => server.attempt({ ...base, ...request }, attempt)).object as ReturnType<Api['send']>;
  };
  return {
    claims,
    send,
    fails: (request) => {
      try {
        send(request);
      } catch (error) {
        if (error instanceof StatusError) return error.status;
        throw error;
      }
      throw new Error('did not fail');
    },
  };
}

function pod(name: string, status: object = {}): KubeObject {
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name, labels: { app: 'a' } },
    spec: { containers: [{ name: 'c', image: 'i' }] },
    status,
  } as KubeObject;
}

function binding(name: string, node: string): Partial<ApiRequest> {
  return {
    name,
    subresource: 'binding',
    body: { kind: 'Binding', apiVersion: 'v1', metadata: { name, annotations: { x: 'y' } }, target: { kind: 'Node', name: node } },
  };
}

describe('binding', () => {
  it('assigns a node once', () => {
    const api = makeApi();
    api.send({ body: pod('p') });
    expect(api.send(binding('p', 'n1'))).toMatchObject({ kind: 'Status', status: 'Success' });
    const bound = api.send({ verb: 'get', name: 'p' });
    expect(bound).toMatchObject({
      metadata: { annotations: { x: 'y' } },
      spec: { nodeName: 'n1' },
      status: { conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }] },
    });
    expect(bound.metadata.generation).toBe(1);
    expect(api.fails(binding('p', 'n2'))).toMatchObject({
      code: 409,
      message: 'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n1"',
    });
    expect(api.fails(binding('q', 'n2')).code).toBe(404);
  });

  it('takes the older path', () => {
    const api = makeApi();
    api.send({ body: pod('p') });
    const { name: _, subresource: __, ...rest } = binding('p', 'n1');
    api.send({ ...rest, resource: 'bindings' });
    expect(api.send({ verb: 'get', name: 'p' }).spec).toMatchObject({ nodeName: 'n1' });
  });
});

describe('eviction', () => {
  const running = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  const evict = (name: string): Partial<ApiRequest> => ({
    name,
    subresource: 'eviction',
    body: { kind: 'Eviction', apiVersion: 'policy/v1', metadata: { name } },
  });
  const budget = (name: string, status: object): Partial<ApiRequest> => ({
    group: 'policy',
    resource: 'poddisruptionbudgets',
    body: {
      kind: 'PodDisruptionBudget',
      apiVersion: 'policy/v1',
      metadata: { name },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } },
      status: { observedGeneration: 1, expectedPods: 1, ...status },
    },
  });

  it('deletes with a condition where no budget speaks against it', () => {
    const api = makeApi();
    api.send({ body: pod('p', running) });
    expect(api.send(evict('p'))).toMatchObject({ status: 'Success' });
    const gone = api.send({ verb: 'get', name: 'p' });
    expect(gone.metadata.deletionGracePeriodSeconds).toBe(30);
    expect(gone.status).toMatchObject({
      conditions: [{ type: 'Ready' }, { type: 'DisruptionTarget', reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' }],
    });
  });

  it('is refused by a budget that is used up', () => {
    const api = makeApi();
    api.send({ body: pod('p', running) });
    api.send(budget('b', { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1 }));
    expect(api.fails(evict('p'))).toMatchObject({
      code: 429,
      reason: 'TooManyRequests',
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: { causes: [{ reason: 'DisruptionBudget', message: 'The disruption budget b needs 1 healthy pods and has 1 currently' }] },
    });
    api.send(budget('c', { disruptionsAllowed: 1, currentHealthy: 1, desiredHealthy: 1 }));
    expect(api.fails(evict('p')).code).toBe(500);
  });

  it('counts down what is allowed', () => {
    const api = makeApi();
    api.send({ body: pod('p', running) });
    api.send(budget('b', { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1 }));
    api.send(evict('p'));
    const after = api.send({ verb: 'get', group: 'policy', resource: 'poddisruptionbudgets', name: 'b' });
    expect(after.status).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: { p: '2026-01-01T00:00:00Z' },
      conditions: [{ type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' }],
    });
  });
});

it('issues tokens', () => {
  const api = makeApi();
  const account = api.send({ resource: 'serviceaccounts', body: { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'a' } } });
  const ask = (spec: object): Partial<ApiRequest> => ({
    resource: 'serviceaccounts',
    name: 'a',
    subresource: 'token',
    body: { kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1', metadata: {}, spec } as KubeObject,
  });
  expect(api.send(ask({ audiences: ['x'], expirationSeconds: 600 })).status).toEqual({
    token: 'signed',
    expirationTimestamp: '2026-01-01T00:10:00Z',
  });
  expect(api.claims).toMatchObject([{ namespace: 'default', serviceAccount: { name: 'a', uid: account.metadata.uid }, audiences: ['x'] }]);
  expect(api.fails(ask({ expirationSeconds: 5 })).message).toContain('may not specify a duration less than 10 minutes');
});

it('a write of the status leaves everything else of the object as it was', () => {
  const { send } = makeApi();
  send({ body: pod('a') });
  const other = { ...pod('a', { phase: 'Running' }), spec: { containers: [{ name: 'c', image: 'other' }], nodeName: 'n' } } as KubeObject;
  const written = send({ verb: 'update', name: 'a', subresource: 'status', body: other });
  expect(written.status).toMatchObject({ phase: 'Running' });
  expect(written.spec).toEqual(send({ verb: 'get', name: 'a' }).spec);
  expect(written.spec).toMatchObject({ containers: [{ image: 'i' }] });
  expect(written.spec?.['nodeName']).toBeUndefined();
});
