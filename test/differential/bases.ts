/**
 * Good objects to begin from: a small one of every kind that both sides serve (`own`), the website's manifests and the fully populated
 * objects of k8s.io/api, where the folder `shared` beside the project has them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatGroupVersion } from '../../engine/apimachinery/object.ts';
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import type { KindDefinition } from '../../engine/contracts/kind.ts';
import { kinds } from '../../engine/kinds/index.gen.ts';
import { benchSchemas } from '../support/api-bench.ts';
import { sampleOf } from '../support/samples.ts';
import { ownBases } from './own-bases.ts';

export interface Base {
  /** Stays the same however many others there are. */
  readonly id: string;
  readonly kind: KindDefinition;
  /** With apiVersion, kind and metadata, without name and namespace. */
  readonly object: JsonObject;
  /** Of the object as it stands there; undefined for kinds that are never stored, or that would change what others are answered. */
  readonly fixture?: string | undefined;
  /** Of the object as it is created. */
  readonly fresh: string;
  readonly namespace?: string | undefined;
}

export const namespaces = ['diff', 'diff-limits'];
const shared = join(import.meta.dirname, '../../../shared/testdata');

/** Their fixtures would be asked about, or change, other requests. */
const meddling = /WebhookConfiguration|AdmissionPolicyBinding|CustomResourceDefinition|APIService|^ComponentStatus$|^Binding$/;

export function labelOf({ group, version, kind }: Pick<KindDefinition, 'group' | 'version' | 'kind'>): string {
  return `${formatGroupVersion({ group, version })} ${kind}`;
}

/** `which`: `own`, or `all`. What is missing is said on the way. */
export function readBases(which: string, served: ReadonlySet<string>, say: (text: string) => void): readonly Base[] {
  const known = kinds.filter((kind) => served.has(`${formatGroupVersion(kind)} ${kind.plural}`));
  const bases = known.flatMap((kind) => {
    const { name: _, ...sample } = sampleOf(kind, benchSchemas);
    const more = ownBases[`${kind.group} ${kind.kind}`] ?? ownBases[`${formatGroupVersion(kind)} ${kind.kind}`] ?? [];
    return [sample, ...more].map((body, i) => makeBase(`own-${formatGroupVersion(kind)}-${kind.plural}-${i}`, kind, body, i === 0));
  });
  if (which === 'own') return bases;
  return [...bases, ...fromExamples(known, say), ...fromGoldens(known, say)];
}

function fromExamples(known: readonly KindDefinition[], say: (text: string) => void): readonly Base[] {
  const file = join(shared, 'examples/docs.jsonl');
  if (!existsSync(file)) {
    say(`${file} is absent: the website's manifests are not drawn from`);
    return [];
  }
  const lines = readFileSync(file, 'utf8').split('\n').filter((line) => line !== ''); // biome-ignore format: short
  return lines.flatMap((line) => {
    const { id, doc } = JSON.parse(line) as { readonly id: string; readonly doc: JsonObject };
    const kind = known.find((one) => formatGroupVersion(one) === doc['apiVersion'] && one.kind === doc['kind']);
    return kind === undefined ? [] : [makeBase(`web-${id}`, kind, doc, !meddling.test(kind.kind))];
  });
}

function fromGoldens(known: readonly KindDefinition[], say: (text: string) => void): readonly Base[] {
  const folder = join(shared, 'api-goldens');
  if (!existsSync(folder)) {
    say(`${folder} is absent: populated objects are not drawn from`);
    return [];
  }
  const files = new Set(readdirSync(folder));
  return known.flatMap((kind) => {
    const file = `${kind.group === '' ? 'core' : kind.group}.${kind.version}.${kind.kind}.json`;
    if (!files.has(file)) return [];
    return [makeBase(`golden-${file}`, kind, JSON.parse(readFileSync(join(folder, file), 'utf8')) as JsonObject, false)];
  });
}

function makeBase(id: string, kind: KindDefinition, body: JsonObject, isStored: boolean): Base {
  const hash = [...id].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) >>> 0, 7).toString(36);
  const named = namesOf(kind, body, hash);
  const meta = (body['metadata'] ?? {}) as JsonObject;
  const kept = Object.fromEntries(Object.entries(meta).filter(([name]) => name === 'labels' || name === 'annotations'));
  const object = { apiVersion: formatGroupVersion(kind), kind: kind.kind, metadata: kept as JsonValue, ...withoutMeta(named.body) };
  const stored =
    isStored &&
    kind.createOnly === undefined &&
    (kind.verbs === undefined || kind.verbs.includes('create')) &&
    !/^(Binding|ComponentStatus)$/.test(kind.kind);
  const namespace = kind.namespaced ? (/^(LimitRange|ResourceQuota)$/.test(kind.kind) ? 'diff-limits' : 'diff') : undefined;
  return { id, kind, object, fixture: stored ? named.fixture : undefined, fresh: named.fresh, namespace };
}

function withoutMeta(body: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(body).filter(([name]) => name !== 'metadata' && name !== 'apiVersion' && name !== 'kind' && name !== 'name'),
  );
}

/** Kinds whose name says what they hold keep to that; what is created is of another group than the fixture. */
function namesOf(kind: KindDefinition, body: JsonObject, hash: string): { body: JsonObject; fixture: string; fresh: string } {
  const name = ((body['metadata'] ?? {}) as { name?: string }).name;
  const spec = (body['spec'] ?? {}) as JsonObject & { group?: string; version?: string; names?: { plural?: string } };
  if (kind.kind === 'CustomResourceDefinition' || kind.kind === 'APIService') {
    const group = `g${hash}.example.com`;
    const named = `${kind.kind === 'APIService' ? String(spec.version) : (spec.names?.plural ?? 'samples')}.${group}`;
    return { body: { ...body, spec: { ...spec, group } }, fixture: named, fresh: named };
  }
  if (kind.kind === 'IPAddress') return { body, fixture: '10.0.0.7', fresh: '10.0.0.8' };
  if (kind.kind === 'StorageVersion') return { body, fixture: name ?? 'apps.deployments', fresh: name ?? 'apps.replicasets' };
  return { body, fixture: `f-${hash}`, fresh: `n-${hash}` };
}
