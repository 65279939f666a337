import { expect, test } from 'vitest';
import { createSchemaRegistry } from '../../api/schemas.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { applyJsonPatch } from './json-patch.ts';
import { mergePatch } from './merge-patch.ts';
import { shownPatched } from './shown.ts';
import { strategicMergePatch } from './strategic-merge.ts';

const registry = createSchemaRegistry();
const deployment = registry.mustGet('io.k8s.api.apps.v1.Deployment');
const pod = registry.mustGet('io.k8s.api.core.v1.Pod');

test.each<[JsonValue, JsonValue, JsonValue]>([
  [{ a: 1 }, [{ op: 'add', path: '/b', value: [1] }], { a: 1, b: [1] }],
  [
    { a: [1, 3] },
    [
      { op: 'add', path: '/a/1', value: 2 },
      { op: 'add', path: '/a/-', value: 4 },
    ],
    { a: [1, 2, 3, 4] },
  ],
  [{ a: { 'x/y': 1 } }, [{ op: 'remove', path: '/a/x~1y' }], { a: {} }],
  [
    { a: 1 },
    [
      { op: 'test', path: '/a', value: 1 },
      { op: 'replace', path: '/a', value: 2 },
    ],
    { a: 2 },
  ],
  // Upstream's library lets a key be replaced that is not there.
  [{ a: 1 }, [{ op: 'replace', path: '/b', value: 2 }], { a: 1, b: 2 }],
  [{ a: { b: 1 } }, [{ op: 'move', from: '/a/b', path: '/c' }], { a: {}, c: 1 }],
  [{ a: 1 }, [{ op: 'test', path: '/b', value: null }], { a: 1 }],
])('json patch %#', (original, patch, expected) => {
  expect(applyJsonPatch(original, patch)).toEqual(expected);
});

test('json patches that do not apply', () => {
  const message = 'the server rejected our request due to an error in our request';
  for (const operation of [
    { op: 'remove', path: '/b' },
    { op: 'replace', path: '/b/c', value: 1 },
    { op: 'test', path: '/a', value: 2 },
    { op: 'add', path: '/b/c', value: 1 },
    { op: 'what', path: '/a' },
  ]) {
    expect(() => applyJsonPatch({ a: 1 }, [operation])).toThrow(message);
  }
  expect(() => applyJsonPatch({}, {})).toThrow('json: cannot unmarshal object into Go value of type jsonpatch.Patch');
  expect(() =>
    applyJsonPatch(
      {},
      Array.from({ length: 10_001 }, () => ({ op: 'test', path: '' })),
    ),
  ).toThrow('Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001');
});

test('merge patch', () => {
  const original = { a: { b: 1, c: 2 }, d: [1], keep: { x: 1 } };
  const patched = mergePatch(original, { a: { b: null, e: { f: null } }, d: [2], gone: null }) as typeof original;
  expect(patched).toEqual({ a: { c: 2, e: {} }, d: [2], keep: { x: 1 } });
  expect(patched.keep).toBe(original.keep);
  expect(mergePatch(original, { a: { b: 1 } })).toBe(original);
});

const spec = (containers: JsonValue, more: JsonObject = {}): JsonObject => ({ kind: 'Pod', spec: { containers, ...more } });
const three = [
  { name: 'a', image: '1' },
  { name: 'b', image: '1' },
  { name: 'c', image: '1' },
];

test.each<[string, JsonObject, JsonObject, JsonObject]>([
  [
    'merges by key',
    spec(three),
    spec([{ name: 'b', image: '2' }]),
    spec([
      { name: 'a', image: '1' },
      { name: 'b', image: '2' },
      { name: 'c', image: '1' },
    ]),
  ],
  ["adds to the front of the server's items", spec([{ name: 'a' }]), spec([{ name: 'z' }]), spec([{ name: 'z' }, { name: 'a' }])],
  [
    'deletes by key',
    spec(three),
    spec([{ name: 'b', $patch: 'delete' }]),
    spec([
      { name: 'a', image: '1' },
      { name: 'c', image: '1' },
    ]),
  ],
  ['replaces a list', spec(three), spec([{ $patch: 'replace' }, { name: 'x' }]), spec([{ name: 'x' }])],
  [
    'orders',
    spec(three),
    { spec: { '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }], containers: [{ name: 'a', image: '2' }] } },
    spec([
      { name: 'b', image: '1' },
      { name: 'c', image: '1' },
      { name: 'a', image: '2' },
    ]),
  ],
  [
    'merges lists of scalars',
    { metadata: { finalizers: ['a', 'b'] } },
    { metadata: { finalizers: ['c', 'b'] } },
    { metadata: { finalizers: ['c', 'a', 'b'] } },
  ],
  [
    'deletes scalars',
    { metadata: { finalizers: ['a', 'b'] } },
    { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } },
    { metadata: { finalizers: ['b'] } },
  ],
  ['deletes with null', { metadata: { labels: { a: '1', b: '2' } } }, { metadata: { labels: { a: null } } }, { metadata: { labels: { b: '2' } } }],
  ['replaces atomic lists', spec([{ name: 'a', args: ['1', '2'] }]), spec([{ name: 'a', args: ['3'] }]), spec([{ name: 'a', args: ['3'] }])],
  [
    'retains keys',
    spec([], { volumes: [{ name: 'v', emptyDir: {} }] }),
    { spec: { volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x' } }] } },
    spec([], { volumes: [{ name: 'v', hostPath: { path: '/x' } }] }),
  ],
  ['drops nulls of new values', { metadata: {} }, { metadata: { labels: { a: '1', b: null } } }, { metadata: { labels: { a: '1' } } }],
])('strategic merge %s', (_name, original, patch, expected) => {
  expect(strategicMergePatch(original, patch, pod, registry)).toEqual(expected);
});

test('strategic merge follows nested types and shares what it leaves', () => {
  const container = { name: 'a', image: '1', ports: [{ containerPort: 80, protocol: 'TCP' }] };
  const original = { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } }, template: { spec: { containers: [container] } } } };
  const patched = strategicMergePatch(
    original,
    { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
    deployment,
    registry,
  ) as typeof original;
  expect(patched.spec.strategy).toEqual({ type: 'Recreate' });
  expect(patched.spec.template).toBe(original.spec.template);
  expect(strategicMergePatch(original, { spec: { template: { spec: { containers: [{ name: 'a', image: '1' }] } } } }, deployment, registry)).toBe(
    original,
  );
  expect(() => strategicMergePatch(original, { spec: { template: { spec: { containers: [{ image: '1' }] } } } }, deployment, registry)).toThrow(
    'does not contain declared merge key: name',
  );
});

// As a real kube-apiserver 1.36.3 showed what patches had made.
test('what a patch made is shown with sorted keys where the patch went, and as it was elsewhere', () => {
  const made = { kind: 'K', apiVersion: 'v1', metadata: { uid: 'u', name: 'n' }, spec: { b: { z: 1, y: 2 }, a: [{ d: 1, c: 2 }] } };
  const shown = (patch: JsonValue): string => JSON.stringify(shownPatched(made, patch));
  expect(shown({ spec: { b: { z: 1 } } })).toBe(
    '{"apiVersion":"v1","kind":"K","metadata":{"uid":"u","name":"n"},"spec":{"a":[{"d":1,"c":2}],"b":{"y":2,"z":1}}}',
  );
  expect(shown([{ op: 'replace', path: '/spec/a/0/d', value: 1 }])).toBe(
    '{"apiVersion":"v1","kind":"K","metadata":{"uid":"u","name":"n"},"spec":{"a":[{"c":2,"d":1}],"b":{"z":1,"y":2}}}',
  );
});

test('a value that is moved ten thousand times is looked through once', () => {
  let looks = 0;
  const data = new Proxy({ k: 'v' } as JsonObject, {
    ownKeys: (target) => {
      looks++;
      return Reflect.ownKeys(target);
    },
  });
  const places = ['/a', '/b'];
  const patch = Array.from({ length: 10_000 }, (_, i) => ({ op: 'move', from: places[i % 2] as string, path: places[(i + 1) % 2] as string }));
  expect(applyJsonPatch({ a: data }, patch)).toEqual({ a: { k: 'v' } });
  expect(looks).toBeLessThan(10);
});

test('what is put into each other stays as deep as documents may be', () => {
  const chain = (levels: number): JsonValue => (levels === 0 ? 1 : { x: chain(levels - 1) });
  const into = (levels: number): JsonObject => ({ op: 'move', from: '/b', path: `/a${'/x'.repeat(levels)}` });
  const both = { a: chain(600), b: chain(390) };
  expect(() => applyJsonPatch(both, [into(500), { op: 'test', path: '/b', value: null }])).not.toThrow();
  expect(() => applyJsonPatch({ ...both, b: chain(600) }, [into(500)])).toThrow('the server rejected our request due to an error in our request');
  const deeper = [
    into(500),
    { op: 'move', from: '/a', path: '/c' },
    { op: 'add', path: '/a', value: chain(300) },
    { op: 'move', from: '/c', path: `/a${'/x'.repeat(290)}` },
  ];
  expect(() => applyJsonPatch(both, deeper)).toThrow('the server rejected our request due to an error in our request');
});
