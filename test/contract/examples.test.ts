/**
 * 416 manifests of the Kubernetes website through the kind definitions alone: defaults, strategy and validation must give the real
 * server's verdict and its defaulted object. What admission plugins add is left out of the comparison. The data is handed over
 * beside the project; without it there is nothing to compare and the test says so.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newInvalid } from '../../engine/apimachinery/errors.ts';
import type { KindDefinition, StrategyContext } from '../../engine/contracts/kind.ts';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import { StatusError } from '../../engine/apimachinery/status.ts';
import { validateObjectMeta } from '../../engine/apimachinery/validation.ts';
import { root } from '../../engine/apimachinery/field-errors.ts';
import { canonicalize } from '../../engine/apimachinery/serializer/canonicalize.ts';
import { createSchemaRegistry } from '../../engine/api/schemas.ts';
import { checksOfCreate } from '../../engine/registry/meta-checks.ts';
import { kinds } from '../../engine/kinds/index.gen.ts';
import { featureEnabled } from '../support/default-gates.ts';

const folder = join(import.meta.dirname, '../../../shared/testdata/examples');
const present = existsSync(folder);

interface Doc {
  readonly id: string;
  readonly path: string;
  readonly doc: KubeObject;
}

const schemas = createSchemaRegistry();

/** Verdicts that need more than the kind: other objects, the decoder, addresses of the cluster. */
const beyondKinds = new Set(['AlreadyExists', 'Forbidden', 'BadRequest']);

const context: StrategyContext = {
  identity: { name: 'admin', groups: ['system:masters'] },
  nowMs: Date.UTC(2026, 0, 1),
  nowText: '<time>',
  dryRun: false,
  newUid: () => 'uid-of-the-test',
  randomSuffix: () => 'abcde',
  lookup: () => undefined,
  featureEnabled,
  ratcheted: () => true,
};

test.skipIf(!present)("the website's examples give the verdicts and objects of the real server", () => {
  const failures = run();
  expect(failures).toEqual([]);
});

test.runIf(!present)('shared/testdata/examples is absent: the examples are not compared', () => {
  console.log('shared/testdata/examples is absent: the examples are not compared');
});

function run(): readonly string[] {
  const docs = readLines('docs.jsonl')
    .map((line) => JSON.parse(line) as Doc)
    .filter((doc) => doc.path);
  const verdicts = new Map(
    readLines('expected.tsv')
      .filter((line) => !line.startsWith('#'))
      .map((line) => [line.split('\t')[0] ?? '', line.split('\t')]),
  );
  const objects = new Map(
    readLines('expected-objects.jsonl')
      .map((line) => JSON.parse(line) as { id: string; object: JsonObject })
      .map((entry) => [entry.id, entry.object]),
  );
  const failures: string[] = [];
  let compared = 0;
  for (const doc of docs) {
    const [, , verdict, , reason = '', message = ''] = verdicts.get(doc.id) ?? [];
    if (beyondKinds.has(reason)) continue;
    compared++;
    const got = create(doc);
    if (verdict === 'rejected') {
      if (!('message' in got) || got.message !== message)
        failures.push(`${doc.id}: wanted ${message}, got ${'message' in got ? got.message : 'acceptance'}`);
    } else if ('message' in got) failures.push(`${doc.id}: ${got.message}`);
    else failures.push(...differences(normalise(objects.get(doc.id) ?? {}), normalise(got.object as unknown as JsonObject), doc.id));
  }
  const failed = new Set(failures.map((failure) => failure.slice(0, failure.indexOf('#') + 2))).size;
  console.log(`examples through the kinds alone: ${compared - failed}/${compared} (${docs.length} documents)`);
  return failures;
}

function readLines(name: string): readonly string[] {
  return readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

function create({ doc, path }: Doc): { readonly object: KubeObject } | { readonly message: string } {
  const kind = kinds.find(
    (entry) => doc.apiVersion === (entry.group === '' ? entry.version : `${entry.group}/${entry.version}`) && entry.kind === doc.kind,
  );
  if (kind === undefined) return { message: `no kind ${doc.apiVersion} ${doc.kind}` };
  const namespace = /\/namespaces\/([^/]+)\//.exec(path)?.[1];
  const metadata = namespace !== undefined && kind.namespaced ? { ...doc.metadata, namespace } : doc.metadata;
  try {
    const schema = typeof kind.schema === 'string' ? schemas.mustGet(kind.schema) : kind.schema;
    const object = canonicalize<KubeObject>({ ...doc, metadata }, schema, schemas);
    return { object: store(kind, object) };
  } catch (error) {
    if (error instanceof StatusError) return { message: error.status.message ?? '' };
    throw error;
  }
}

/** The way of a creation through the registry, in short. */
function store(kind: KindDefinition, doc: KubeObject): KubeObject {
  let object = kind.defaults?.(doc) ?? doc;
  const meta = { ...object.metadata, uid: 'uid-of-the-test', ...((kind.hasGeneration ?? 'spec' in doc) ? { generation: 1 } : undefined) };
  if (meta.name === undefined && meta.generateName !== undefined) meta.name = `${meta.generateName}abcde`;
  object = kind.storage?.toStorage({ ...object, metadata: meta }) ?? { ...object, metadata: meta };
  const stored =
    kind.storage === undefined
      ? kind
      : (kinds.find(
          (entry) => entry.group === (kind.storage?.group ?? kind.group) && entry.version === kind.storage?.version && entry.kind === kind.kind,
        ) ?? kind);
  object = stored.prepareForCreate?.(object, context) ?? object;
  const metaFaults = validateObjectMeta(object.metadata, kind.namespaced, kind.nameValidation ?? 'dns1123subdomain', root('metadata'));
  const faults = checksOfCreate(metaFaults, stored.validate?.(object, context) ?? []);
  if (faults.length > 0) throw newInvalid(kind, object.metadata.name ?? '', faults);
  object = stored.settle?.(object, context) ?? object;
  return kind.storage?.fromStorage(object) ?? object;
}

/** Empty members say nothing, and what admission and allocation add is not the kind's. */
function normalise(object: JsonObject): JsonValue {
  return prune(object) ?? {};
}

function prune(value: JsonValue, key = ''): JsonValue | undefined {
  if (value === null || value === false || value === '' || value === 0) return undefined;
  if (typeof value === 'string') return value.replace(uuid, '<uid>');
  if (typeof value !== 'object') return value;
  if (isList(value)) {
    const list = value.filter((element) => !isInjected(element)).map((element) => prune(element) ?? {});
    return list.length === 0 ? undefined : list;
  }
  const entries = Object.entries(value)
    .filter(([name]) => !added.has(name) && !(key === 'status' && name === 'conditions'))
    .map(([name, member]) => [name, prune(member, name)] as const)
    .filter(([, member]) => member !== undefined);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as JsonObject);
}

/** The recorded objects hold no random identifiers. */
const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const added = new Set([
  'namespace',
  'uid',
  'creationTimestamp',
  'managedFields',
  'resourceVersion',
  'serviceAccount',
  'serviceAccountName',
  'priority',
  'preemptionPolicy',
  'clusterIP',
  'clusterIPs',
  'nodePort',
  'healthCheckNodePort',
  'storageClassName',
  'finalizers',
]);

function isInjected(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null || isList(value)) return false;
  const { name, key, operator } = value as { name?: JsonValue; key?: JsonValue; operator?: JsonValue };
  if (typeof name === 'string' && name.startsWith('kube-api-access')) return true;
  return operator === 'Exists' && typeof key === 'string' && /^node\.kubernetes\.io\/(not-ready|unreachable|memory-pressure)$/.test(key);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function differences(want: JsonValue, got: JsonValue, path: string): readonly string[] {
  if (typeof want !== 'object' || typeof got !== 'object' || want === null || got === null) {
    if (want === '<uid>' || want === '<time>') return typeof got === 'string' ? [] : [`${path}: wanted ${text(want)}, got ${text(got)}`];
    return String(want) === String(got) ? [] : [`${path}: wanted ${text(want)}, got ${text(got)}`];
  }
  const keys = new Set([...Object.keys(want), ...Object.keys(got)]);
  return [...keys].flatMap((key) => {
    const [left, right] = [(want as JsonObject)[key], (got as JsonObject)[key]];
    if (left === undefined || right === undefined) return [`${path}.${key}: wanted ${text(left)}, got ${text(right)}`];
    return differences(left, right, `${path}.${key}`);
  });
}

function text(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
