import { expect, test } from 'vitest';
import { createSchemaRegistry } from '../../api/schemas.ts';
import { canonicalizerOf } from './canonicalize.ts';
import { encodeJson } from './json.ts';

const given = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'a', labels: { b: '1', a: '2' }, annotations: {} },
  spec: { containers: [{ image: 'i', name: 'c', resources: { requests: { memory: '1024Mi' } } }, { name: 'd' }], priority: 0 },
  status: { conditions: [{ status: 'True', type: 'Ready' }], phase: 'Running' },
};
type Pod = typeof given & { readonly spec: { readonly nodeName?: string } };

test('beside what is canonical the same comes out as alone', () => {
  const schemas = createSchemaRegistry();
  const schema = schemas.mustGet('io.k8s.api.core.v1.Pod');
  const known = canonicalizerOf(schemas).canonicalize<Pod>(given, schema);
  const [first] = known.spec.containers;
  const changed: readonly object[] = [
    { ...known, spec: { ...known.spec, nodeName: 'n', extra: 1 } },
    { ...known, spec: { ...known.spec, containers: [first, { image: '', name: 'e', resources: { limits: { cpu: '1000m' } } }] } },
    { ...known, spec: { ...known.spec, containers: [{ name: 'new' }, first] } },
    { ...known, spec: { ...known.spec, containers: [] } },
    { ...known, status: null },
    { ...known, status: { conditions: [], phase: '' }, more: {} },
    { status: known.status, kind: 'Pod', spec: given.spec, metadata: { ...known.metadata, labels: null, namespace: 'x' } },
    { kind: 'Pod' },
  ];
  for (const value of changed) {
    const beside = canonicalizerOf(schemas).canonicalize<Pod>(value, schema, known);
    // Nothing is remembered there.
    const other = createSchemaRegistry();
    expect(encodeJson(beside)).toBe(encodeJson(canonicalizerOf(other).canonicalize(value, other.mustGet('io.k8s.api.core.v1.Pod'))));
  }
});

test('what is shared with what is canonical stays as it is', () => {
  const schemas = createSchemaRegistry();
  const schema = schemas.mustGet('io.k8s.api.core.v1.Pod');
  const known = canonicalizerOf(schemas).canonicalize<Pod>(given, schema);
  const bound = canonicalizerOf(schemas).canonicalize<Pod>({ ...known, spec: { nodeName: 'n', ...known.spec } }, schema, known);
  expect(bound.spec.containers).toBe(known.spec.containers);
  expect(bound.status).toBe(known.status);
  expect(Object.keys(bound.spec).slice(0, 2)).toEqual(['containers', 'nodeName']);
});

test('a document that was read is known to be canonical, but for empty lists that storage does not keep', () => {
  const schemas = createSchemaRegistry();
  const [schema, other] = [schemas.mustGet('io.k8s.api.core.v1.Pod'), schemas.mustGet('io.k8s.api.core.v1.ConfigMap')];
  const canonicalizer = canonicalizerOf(schemas);
  const { object } = canonicalizer.decodeInto<object>({ ...given, metadata: { name: 'a' } }, schema);
  expect([canonicalizer.wasRead(object, schema), canonicalizer.wasRead(object, other)]).toEqual([true, false]);
  expect(canonicalizer.canonicalize(object, schema)).toBe(object);
  const second = canonicalizer.decodeInto<object>({ ...given, spec: { containers: [] } }, schema);
  expect([canonicalizer.wasRead(object, schema), canonicalizer.wasRead(second.object, schema)]).toEqual([false, false]);
  expect(encodeJson(canonicalizer.canonicalize(second.object, schema))).not.toBe(encodeJson(second.object));
});
