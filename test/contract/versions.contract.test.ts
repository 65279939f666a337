/**
 * Versions of one storage, in each release: what is written in one is read in all others, and a version that writes back what it
 * read changes nothing.
 */
import { describe, expect, it } from 'vitest';
import { createSchemaRegistry } from '../../engine/api/schemas.ts';
import { formatGroupVersion, type KubeObject } from '../../engine/apimachinery/object.ts';
import type { KindDefinition } from '../../engine/contracts/kind.ts';
import { kinds } from '../../engine/kinds/index.gen.ts';
import { releases } from '../../engine/releases/releases.ts';
import { servedKinds } from '../../engine/releases/served-kinds.ts';
import { sampleOf } from '../support/samples.ts';
import { aCluster } from '../support/cluster.ts';
import { type Ask, asker } from './seeds-client.ts';

const schemas = createSchemaRegistry();

describe.each(releases.map((release) => [release.name, release] as const))('release %s', (name, release) => {
  const served = servedKinds(release, kinds, new Map(), () => true).filter(
    ({ visibility, createOnly, insideVerbs = [] }) => visibility !== 'internal' && createOnly === undefined && !insideVerbs.includes('get'),
  );
  const families = [...Map.groupBy(served, ({ storagePrefix }) => storagePrefix).values()].filter((versions) => versions.length > 1);

  it('reads in every version what was written in any', async () => {
    expect(families.length).toBeGreaterThan(0);
    const ask: Ask = asker(await aCluster({ seed: 1, nodes: 0, release: name }));
    for (const versions of families) for (const kind of versions) check(ask, kind, versions);
  });
});

/**
 * Whose generation a write that changes nothing raises: the real 1.13.12 read empty lists of their older version as lists of nothing,
 * and told those from what is stored (`test/contract/old-release/judged.test.ts`).
 */
const countedAnew: ReadonlySet<string> = new Set(['NetworkPolicy']);

function check(ask: Ask, kind: KindDefinition, versions: readonly KindDefinition[]): void {
  const { name: fixed, ...body } = sampleOf(kind, schemas);
  const name = typeof fixed === 'string' ? fixed : `a-${kind.version}`;
  const title = `${formatGroupVersion(kind)} ${kind.kind}`;
  const object = { kind: kind.kind, apiVersion: formatGroupVersion(kind), metadata: { name, labels: { app: 'a' } }, ...body };
  const made = ask('POST', collection(kind), { body: object });
  expect(made.status, `${title}: ${made.text}`).toBe(201);
  for (const other of versions) {
    const path = `${collection(other)}/${name}`;
    const read = ask('GET', path);
    expect(read.body, title).toMatchObject({ kind: kind.kind, apiVersion: formatGroupVersion(other), metadata: { uid: metaOf(made.body).uid } });
    const written = ask('PUT', path, { body: read.body as unknown as object });
    expect(written.status, `${title} written as ${formatGroupVersion(other)}: ${written.text}`).toBe(200);
  }
  expect(told(ask('GET', `${collection(kind)}/${name}`).body), title).toEqual(told(made.body));
  ask('DELETE', `${collection(kind)}/${name}`, {
    body: { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, propagationPolicy: 'Background' },
  });
}

function collection(kind: KindDefinition): string {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${formatGroupVersion(kind)}`;
  return `${root}/${kind.namespaced ? 'namespaces/default/' : ''}${kind.plural}`;
}

/** Without who wrote it when. */
function told(body: unknown): KubeObject {
  const object = body as KubeObject;
  const { resourceVersion: _version, managedFields: _fields, generation, ...metadata } = object.metadata;
  return { ...object, metadata: countedAnew.has(object.kind) || generation === undefined ? metadata : { ...metadata, generation } };
}

function metaOf(body: unknown): KubeObject['metadata'] {
  return (body as KubeObject).metadata;
}
