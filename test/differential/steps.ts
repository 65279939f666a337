/** One step of a story: a write of any kind to its objects, or a reading of them. */
import type { RandomStream } from '../../engine/base/random.ts';
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import { drawEdits, operationOf, patchOf } from './draw.ts';
import type { Asked } from './reads.ts';
import { readStep } from './read-steps.ts';
import { deleteStep } from './delete-steps.ts';
import { edited, isForbidden, type Place, withName } from './story.ts';
import { pick } from './values.ts';

type Maker = (random: RandomStream, place: Place, name: string) => Asked;

const json = 'application/json';

const makers: readonly (readonly [Maker, number])[] = [[readStep, 34], [update, 11], [patch, 16], [metaPatch, 10], [apply, 14], [status, 8], [scale, 2], [post, 2], [create, 3], [deleteStep, 9]]; // biome-ignore format: a table
const total = makers.reduce((sum, [, weight]) => sum + weight, 0);

export function drawStep(random: RandomStream, place: Place): Asked {
  const name = random.next() < 0.8 ? (place.names[0] ?? '') : pick(random, place.names);
  let dice = random.next() * total;
  for (const [maker, weight] of makers) {
    dice -= weight;
    if (dice < 0) return maker(random, place, name);
  }
  return readStep(random, place, name);
}

function query(random: RandomStream, ...parts: readonly string[]): string {
  const more: string[] = [];
  if (random.next() < 0.3) more.push(`fieldManager=${pick(random, ['one', 'two', 'diff', 'kubectl-client-side-apply'])}`);
  if (random.next() < 0.06) more.push('dryRun=All');
  if (random.next() < 0.08) more.push(`fieldValidation=${pick(random, ['Strict', 'Warn', 'Ignore'])}`);
  return [...parts, ...more].filter((part) => part !== '').join('&');
}

function write(method: string, path: string, asked: { readonly query: string; readonly type?: string; readonly body: JsonValue }): Asked {
  return { method, path, query: asked.query, type: asked.type ?? json, accept: json, body: asked.body };
}

function create(random: RandomStream, place: Place, name: string): Asked {
  return write('POST', place.collection, { query: query(random), body: withName(place.object, name) });
}

/** What stands for the version: of now, of the beginning, none, or wrong. */
function versioned(random: RandomStream, object: JsonObject, name: string): JsonObject {
  const dice = random.next();
  if (dice < 0.35) return object;
  const resourceVersion = dice < 0.85 ? `$version:${name}` : dice < 0.95 ? `$first:${name}` : pick(random, ['0', '1', '']);
  const uid = random.next() < 0.1 ? { uid: random.next() < 0.7 ? `$uid:${name}` : 'other' } : {};
  return { ...object, metadata: { ...(object['metadata'] as JsonObject), resourceVersion, ...uid } };
}

function update(random: RandomStream, place: Place, name: string): Asked {
  const object = random.next() < 0.2 ? place.object : edited(random, place, place.base);
  return write('PUT', `${place.collection}/${name}`, { query: query(random), body: versioned(random, withName(object, name), name) });
}

function patch(random: RandomStream, place: Place, name: string): Asked {
  const base = { ...place.base, object: place.object };
  const edits = drawEdits(random, base, 'merge').filter(({ path }) => !isForbidden(path));
  const path = `${place.collection}/${name}`;
  const dice = random.next();
  if (dice < 0.3) {
    const test = random.next() < 0.2 ? [{ op: 'test', path: '/metadata/name', value: random.next() < 0.8 ? name : 'other' }] : [];
    return write('PATCH', path, { query: query(random), type: 'application/json-patch+json', body: [...test, ...edits.map(operationOf(base))] });
  }
  const body = patchOf(base, edits);
  const isMerge = dice < 0.65;
  const whole = random.next() < 0.1 ? versioned(random, { ...body, metadata: { ...((body['metadata'] ?? {}) as JsonObject) } }, name) : body;
  return write('PATCH', path, { query: query(random), type: `application/${isMerge ? 'merge' : 'strategic-merge'}-patch+json`, body: whole });
}

/** Small patches that good objects take: labels, finalizers, owners. */
function metaPatch(random: RandomStream, place: Place, name: string): Asked {
  const owner = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: 'o',
    uid: random.next() < 0.5 ? `$uid:${name}` : '1b671a64-40d5-491e-99b0-da01ff1f3341',
  };
  const metadata = pick<JsonValue>(random, [
    { labels: { app: 'a' } },
    { labels: { app: 'b', tier: 'x' } },
    { labels: null },
    { annotations: { 'example.com/a': 'b' } },
    { annotations: { 'example.com/a': null } },
    { finalizers: ['example.com/wait'] },
    { finalizers: ['example.com/wait', 'example.com/also'] },
    { finalizers: null },
    { finalizers: ['foregroundDeletion'] },
    { ownerReferences: [owner] },
    { ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }] },
    { ownerReferences: null },
    { managedFields: [{}] },
    { managedFields: [] },
    { deletionGracePeriodSeconds: 5 },
    { generation: 7 },
  ]);
  const type = `application/${random.next() < 0.7 ? 'merge' : 'strategic-merge'}-patch+json`;
  return write('PATCH', `${place.collection}/${name}`, { query: query(random), type, body: { metadata } });
}

function apply(random: RandomStream, place: Place, name: string): Asked {
  const { apiVersion, kind, ...members } = withName(random.next() < 0.3 ? place.object : edited(random, place, place.base), name);
  const spec = members['spec'];
  const isObject = typeof spec === 'object' && spec !== null && !Array.isArray(spec);
  // A part of the object, so that managers come to own different fields.
  const part = isObject && random.next() < 0.5 ? { spec: Object.fromEntries(Object.entries(spec).filter(() => random.next() < 0.6)) } : {};
  const body = { apiVersion, kind, ...members, ...part } as JsonObject;
  const force = pick(random, ['', '', 'force=true', 'force=true', 'force=false']);
  const manager = `fieldManager=${pick(random, ['one', 'two', 'three', 'diff'])}`;
  const dryRun = random.next() < 0.06 ? 'dryRun=All' : '';
  const subresource = random.next() < 0.08 ? '/status' : '';
  return write('PATCH', `${place.collection}/${name}${subresource}`, {
    query: [manager, force, dryRun].filter((word) => word !== '').join('&'),
    type: 'application/apply-patch+yaml',
    body: random.next() < 0.06 ? versioned(random, body, name) : body,
  });
}

function status(random: RandomStream, place: Place, name: string): Asked {
  const base = { ...place.base, object: place.object };
  const edits = drawEdits(random, base, 'status').filter(({ path }) => !isForbidden(path));
  const path = `${place.collection}/${name}/status`;
  const body = patchOf(base, edits);
  if (random.next() < 0.5) return write('PATCH', path, { query: query(random), type: 'application/merge-patch+json', body });
  const object = withName({ ...place.object, ...(body['status'] === undefined ? {} : { status: body['status'] }) }, name);
  return write('PUT', path, { query: query(random), body: versioned(random, object, name) });
}

function scale(random: RandomStream, place: Place, name: string): Asked {
  const path = `${place.collection}/${name}/scale`;
  const spec = { replicas: pick<JsonValue>(random, [0, 1, 5, -1]) };
  const dice = random.next();
  if (dice < 0.3) return { method: 'GET', path, query: '', type: '', accept: json };
  if (dice < 0.6) return write('PATCH', path, { query: query(random), type: 'application/merge-patch+json', body: { spec } });
  const object = withName({ apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: {}, spec }, name);
  return write('PUT', path, { query: query(random), body: versioned(random, object, name) });
}

function post(random: RandomStream, place: Place, name: string): Asked {
  const { kind } = place.base;
  const made: readonly (readonly [string, string, JsonObject])[] = [
    ['POST', 'eviction', { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name }, deleteOptions: pick<JsonObject>(random, [{}, { gracePeriodSeconds: 0 }, { preconditions: { uid: `$uid:${name}` } }, { preconditions: { uid: 'x' } }, { dryRun: ['All'] }]) }],
    ['POST', 'binding', { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: 'node-1' } }],
    ['PUT', 'finalize', withName({ ...place.object, spec: { finalizers: pick<JsonValue>(random, [['kubernetes'], []]) } }, name)],
    ['PUT', 'approval', withName({ ...place.object, status: { conditions: [{ type: pick(random, ['Approved', 'Denied', 'Odd']), status: 'True', reason: 'x' }] } }, name)],
    ['PATCH', 'resize', { spec: { containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] } }],
    ['PATCH', 'ephemeralcontainers', { spec: { ephemeralContainers: [{ name: 'e', image: 'x' }] } }],
  ]; // biome-ignore format: a table
  const fitting = kind.kind === 'Pod' ? [0, 0, 1, 1, 4, 5] : kind.kind === 'Namespace' ? [2] : kind.kind === 'CertificateSigningRequest' ? [3] : [];
  const [method, tail, body] = made[fitting.length === 0 ? random.integer(made.length) : pick(random, fitting)] ?? ['POST', 'odd', {}];
  const type = method === 'PATCH' ? 'application/strategic-merge-patch+json' : json;
  return write(method, `${place.collection}/${name}/${tail}`, { query: query(random), type, body });
}
