/**
 * A living cluster is given everything that its API accepts: numbers at the ends of their types, nothing where something belongs, keys
 * that every object inherits, in specs and in status. No component may crash for it (a crash stops the loop of a test), and an hour
 * later everything can be deleted.
 */
import { describe, expect, it } from 'vitest';
import { formatGroupVersion } from '../../engine/apimachinery/object.ts';
import type { FieldSchema } from '../../engine/apimachinery/schema.ts';
import { encodeJson } from '../../engine/apimachinery/serializer/json.ts';
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import { adminIdentity } from '../../engine/cluster/identities.ts';
import type { KindDefinition } from '../../engine/contracts/kind.ts';
import { kinds } from '../../engine/kinds/index.gen.ts';
import { benchSchemas } from '../support/api-bench.ts';
import { aCluster, type TestCluster } from '../support/cluster.ts';
import { sampleOf } from '../support/samples.ts';
import { type Place, placesOf, withValue } from '../support/schema-fields.ts';

/** What controllers, scheduler and nodes read, and of which types the inside is looked at elsewhere. */
const watched: readonly (readonly [apiVersion: string, kind: string, closed: readonly string[]])[] = [
  ['v1', 'Pod', ['core.v1.Volume', 'core.v1.EphemeralContainer']],
  ['v1', 'Service', []],
  ['v1', 'Endpoints', []],
  ['v1', 'Node', []],
  ['v1', 'ResourceQuota', []],
  ['v1', 'LimitRange', []],
  ['v1', 'PersistentVolumeClaim', []],
  ['v1', 'ReplicationController', ['core.v1.PodTemplateSpec']],
  ['apps/v1', 'Deployment', ['core.v1.PodTemplateSpec']],
  ['apps/v1', 'ReplicaSet', ['core.v1.PodTemplateSpec']],
  ['batch/v1', 'Job', ['core.v1.PodTemplateSpec']],
  ['batch/v1', 'CronJob', ['core.v1.PodTemplateSpec']],
  ['policy/v1', 'PodDisruptionBudget', []],
  ['discovery.k8s.io/v1', 'EndpointSlice', []],
  ['autoscaling/v2', 'HorizontalPodAutoscaler', []],
  ['coordination.k8s.io/v1', 'Lease', []],
  ['rbac.authorization.k8s.io/v1', 'ClusterRole', []],
  ['rbac.authorization.k8s.io/v1', 'RoleBinding', []],
];

/** Two billion pods are made as asked, and take their time. */
const endless: ReadonlySet<string> = new Set(['spec.replicas', 'spec.parallelism']);

const int64Max = 9_223_372_036_854_775_807n;
const inherited = ['constructor', '__proto__', 'toString'];
const entries: { readonly [type: string]: JsonValue } = { string: 'v', bytes: 'Yg==', quantity: '1' };

function poisons({ type, card }: FieldSchema): readonly JsonValue[] {
  if (card === 'map') {
    const entry = typeof type === 'string' ? (entries[type] ?? null) : {};
    return [null, Object.fromEntries(inherited.map((key) => [key, entry])), { k: null }];
  }
  if (card === 'list') return type === 'int64' ? [[int64Max], null] : [null, [], [null]];
  if (type === 'int32') return [2_147_483_647, -2_147_483_648, null];
  if (type === 'int64') return [int64Max, -int64Max - 1n, 9_007_199_254_740_993n, null];
  return typeof type === 'string' ? [null] : [null, {}];
}

class Poisoner {
  readonly #cluster: TestCluster;
  readonly made: string[] = [];
  accepted = 0;
  #count = 0;

  constructor(cluster: TestCluster) {
    this.#cluster = cluster;
  }

  give(kind: KindDefinition, { path, field }: Place): void {
    const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${formatGroupVersion(kind)}`;
    const collection = `${root}/${kind.namespaced ? 'namespaces/default/' : ''}${kind.plural}`;
    for (const poison of poisons(field)) {
      const name = `p${++this.#count}`;
      const { name: _, ...sample } = sampleOf(kind, benchSchemas);
      const body: JsonObject = { kind: kind.kind, apiVersion: formatGroupVersion(kind), metadata: { name, labels: { app: 'a' } }, ...sample };
      const isStatus = path[0] === 'status';
      const poisoned = withValue(body, path, poison);
      if (this.#send('POST', collection, isStatus ? body : poisoned) !== 201) continue;
      this.made.push(`${collection}/${name}`);
      if (!isStatus || this.#send('PUT', `${collection}/${name}/status`, poisoned) === 200) this.accepted++;
    }
  }

  remove(): void {
    for (const path of this.made) this.#send('DELETE', path, { gracePeriodSeconds: 9_007_199_254_740_993n, propagationPolicy: 'Background' });
  }

  #send(method: string, path: string, body: JsonValue): number {
    const headers = { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'poison' };
    const bytes = new TextEncoder().encode(encodeJson(body));
    const response = this.#cluster.door.serveAtOnce({ method, path, query: '', headers, body: bytes, identity: adminIdentity });
    if (!('body' in response)) throw new Error(`${method} ${path} answered a stream`);
    expect(response.status, `${method} ${path} ${encodeJson(body)}: ${String(response.body)}`).toBeLessThan(500);
    return response.status;
  }
}

describe('a living cluster', () => {
  it.each(watched)(
    'survives every %s %s that its API accepts',
    async (apiVersion, kindName, closed) => {
      const cluster = await aCluster({ nodes: 2 });
      const kind = kinds.find((one) => one.kind === kindName && formatGroupVersion(one) === apiVersion);
      if (kind === undefined || typeof kind.schema !== 'string') throw new Error(`${kindName} is no kind`);
      const closedTypes = new Set(['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta', ...closed.map((type) => `io.k8s.api.${type}`)]);
      const places = placesOf(benchSchemas.mustGet(kind.schema), benchSchemas, closedTypes);
      const poisoner = new Poisoner(cluster);
      for (const [index, place] of places.entries()) {
        if (endless.has(place.path.join('.')) || place.path[0] === 'metadata' || place.path[0] === 'kind' || place.path[0] === 'apiVersion') continue;
        poisoner.give(kind, place);
        if (index % 20 === 19) await cluster.advance(2_000);
      }
      expect(poisoner.accepted).toBeGreaterThan(0);
      await cluster.advance(60_000);
      poisoner.remove();
      await cluster.advance(3_600_000);
      expect(cluster.cluster.loop.failure).toBeUndefined();
    },
    120_000,
  );
});
