/**
 * Hostile objects of every kind for a cluster that lives: controllers, scheduler and kubelets work on what the API took. Each round makes
 * one, puts it, patches it in all four ways, deletes something, and lets time pass. Nothing may crash, be answered with 500 that is not
 * upstream's, or stop the loop.
 */
import { formatGroupVersion } from '../../engine/apimachinery/object.ts';
import { encodeJson } from '../../engine/apimachinery/serializer/json.ts';
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import { Random } from '../../engine/base/random.ts';
import { adminIdentity } from '../../engine/cluster/identities.ts';
import type { KindDefinition } from '../../engine/contracts/kind.ts';
import { kinds } from '../../engine/kinds/index.gen.ts';
import { benchSchemas } from '../support/api-bench.ts';
import { aCluster, type TestCluster } from '../support/cluster.ts';
import { sampleOf } from '../support/samples.ts';
import { type Place, placesOf, withValue } from '../support/schema-fields.ts';
import { HostileValues } from './hostile-values.ts';

/** What upstream answers with 500 too. */
const upstreams =
  /does not contain declared merge key|failed to create typed patch|failed to convert new object|associative list|resourceVersion should not be set|etcdserver|cannot merge lists|ServerTimeout|not.*built|does not exist|strconv\.ParseUint: parsing/;
/** How many are there is no question of this test: it would be one of patience. */
const counts: ReadonlySet<string> = new Set(['replicas', 'parallelism', 'completions', 'minReplicas', 'maxReplicas', 'count']);
const patchTypes = ['merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml', 'json-patch+json'] as const;
const passes = [1, 1_000, 5_000, 60_000, 300_000];

/** What was found, each with the request or the place; empty when all is well. */
export async function livingFuzz(seed: number, rounds: number): Promise<readonly string[]> {
  const findings = new Set<string>();
  const onCrash = ({ component, key, error }: { component: string; key: string; error: unknown }): void => {
    findings.add(`${component} crashed at ${key}: ${error instanceof Error ? error.stack : String(error)}`);
  };
  const made = await aCluster({ nodes: 2, seed }, { onCrash });
  const fuzzer = new LivingFuzzer(made, seed, findings);
  for (let round = 0; round < rounds && made.cluster.loop.failure === undefined; round++) await fuzzer.round(round);
  await made.advance(600_000);
  if (made.cluster.loop.failure !== undefined) findings.add(`the loop failed: ${String(made.cluster.loop.failure)}`);
  return [...findings];
}

class LivingFuzzer {
  readonly #made: TestCluster;
  readonly #findings: Set<string>;
  readonly #values: HostileValues;
  readonly #kinds: readonly KindDefinition[];
  readonly #places = new Map<KindDefinition, readonly Place[]>();
  readonly #items: string[] = [];

  constructor(made: TestCluster, seed: number, findings: Set<string>) {
    this.#made = made;
    this.#findings = findings;
    this.#values = new HostileValues(new Random(seed).stream('living-fuzz'), benchSchemas);
    this.#kinds = kinds.filter((kind) => kind.createOnly === undefined && made.ask('GET', `${collectionOf(kind)}?limit=1`).status === 200);
  }

  async round(round: number): Promise<void> {
    const kind = this.#values.pick(this.#kinds);
    const { name = `fuzz-${round}`, ...sample } = sampleOf(kind, benchSchemas);
    const metadata = { name, labels: { app: 'a' } };
    const base = { kind: kind.kind, apiVersion: formatGroupVersion(kind), metadata, ...sample } as JsonObject;
    const item = `${collectionOf(kind)}/${String(name)}`;
    const isMade = this.#create(kind, base);
    if (isMade) this.#items.push(item);
    if (isMade) for (let change = 0; change < 3; change++) this.#change(kind, item, base);
    if (this.#items.length > 0 && this.#values.pick([true, false, false])) this.#delete(this.#values.pick(this.#items));
    await this.#made.advance(this.#values.pick(passes));
  }

  /** As hostile as it is taken. */
  #create(kind: KindDefinition, base: JsonObject): boolean {
    for (let attempt = 0; attempt < 6; attempt++) if (this.#send('POST', collectionOf(kind), this.#mangled(kind, base)) === 201) return true;
    return this.#send('POST', collectionOf(kind), base) === 201;
  }

  #change(kind: KindDefinition, item: string, base: JsonObject): void {
    this.#send('PUT', `${item}/status`, this.#mangled(kind, base));
    const { path, field } = this.#values.pick(this.#placesOf(kind));
    if (path[1] === 'namespace' || counts.has(String(path.at(-1)))) return;
    const value = this.#values.of(field, 3);
    const change = withValue(undefined, path, value) as JsonObject;
    const target = path[0] === 'status' ? `${item}/status` : item;
    for (const type of patchTypes) {
      const isApply = type === 'apply-patch+yaml';
      const applied = { ...change, kind: kind.kind, apiVersion: formatGroupVersion(kind) };
      const body = type === 'json-patch+json' ? [{ op: 'add', path: `/${path.join('/')}`, value }] : isApply ? applied : change;
      this.#send('PATCH', isApply ? `${target}?fieldManager=fuzz&force=true` : target, body, `application/${type}`);
    }
  }

  #delete(item: string): void {
    const gracePeriodSeconds = this.#values.pick<JsonValue>([0, 1, 30, 9_223_372_036_854_775_807n]);
    this.#send('DELETE', item, { gracePeriodSeconds, propagationPolicy: this.#values.pick(['Foreground', 'Background', 'Orphan']) });
  }

  #mangled(kind: KindDefinition, base: JsonObject): JsonValue {
    let object: JsonValue = base;
    for (let changes = this.#values.pick([1, 2, 3, 4]); changes > 0; changes--) {
      const { path, field } = this.#values.pick(this.#placesOf(kind));
      const [first, second] = path;
      if (
        first === 'kind' ||
        first === 'apiVersion' ||
        (first === 'metadata' && (second === undefined || second === 'name' || second === 'namespace'))
      )
        continue;
      const value = counts.has(String(path.at(-1))) ? this.#values.pick([0, 1, 2, 4]) : this.#values.of(field, 3);
      object = withValue(object, path, value);
    }
    return object;
  }

  #placesOf(kind: KindDefinition): readonly Place[] {
    let places = this.#places.get(kind);
    if (places === undefined) {
      places = placesOf(typeof kind.schema === 'string' ? benchSchemas.mustGet(kind.schema) : kind.schema, benchSchemas);
      this.#places.set(kind, places);
    }
    return places;
  }

  #send(method: string, target: string, body: JsonValue, contentType = 'application/json'): number {
    const [path = '', query = ''] = target.split('?', 2);
    const text = encodeJson(body);
    const said = `${method} ${target} ${contentType} ${text.slice(0, 900)}`;
    const headers = { accept: 'application/json', 'content-type': contentType, 'user-agent': 'living-fuzz' };
    const request = { method, path, query, headers, body: new TextEncoder().encode(text), identity: adminIdentity };
    const response = this.#made.door.serveAtOnce(request);
    if (!('status' in response)) throw new Error(`${said}: a connection is no answer`);
    const answer = 'body' in response && typeof response.body === 'string' ? response.body : '';
    if (response.status >= 500 && !upstreams.test(answer)) this.#findings.add(`${response.status} ${answer.slice(0, 300)}\n  to ${said}`);
    return response.status;
  }
}

function collectionOf(kind: KindDefinition): string {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${formatGroupVersion(kind)}`;
  return `${root}/${kind.namespaced ? 'namespaces/default/' : ''}${kind.plural}`;
}
