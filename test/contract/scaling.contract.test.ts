/**
 * Requests whose cost must not grow faster than they do. The sizes are such that work with the square of them would take minutes:
 * the time-out of the suite is the only clock.
 */
import { describe, expect, it } from 'vitest';
import { readPem } from '../../engine/apimachinery/pem.ts';
import { canonicalQuantity } from '../../engine/apimachinery/quantity-text.ts';
import { formatDurationNanos, parseDurationNanos, parseTime } from '../../engine/apimachinery/time.ts';
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import { uncovered } from '../../engine/kinds/rbac/v1/rule-coverage.ts';
import { type ApiBench, type BenchAnswer, makeApiBench } from '../support/api-bench.ts';

const size = 16_000;
const maps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const strategic = 'application/strategic-merge-patch+json';
const apply = 'application/apply-patch+yaml';

const many = (item: (i: number) => JsonValue, count = size): readonly JsonValue[] => Array.from({ length: count }, (_, i) => item(i));
const map = (metadata: JsonObject): JsonObject => ({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a', ...metadata } });
const finalizers = (prefix: string): readonly JsonValue[] => many((i) => `example.com/${prefix}${i}`);
const owners = (prefix: string): readonly JsonValue[] => many((i) => ({ apiVersion: 'v1', kind: 'Pod', name: `p${i}`, uid: `${prefix}${i}` }));
const container = (prefix: string): JsonObject => ({ name: 'c', image: 'x', env: many((i) => ({ name: `${prefix}${i}`, value: 'v' })) });
const pod = (prefix: string): JsonObject => ({ kind: 'Pod', apiVersion: 'v1', metadata: { name: 'a' }, spec: { containers: [container(prefix)] } });
const managers = (operation: string): readonly JsonValue[] =>
  many((i) => ({
    manager: `m${i}`,
    operation,
    apiVersion: 'v1',
    time: '2026-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { [`f:k${i}`]: {} } },
  }));

const podOf = (spec: JsonObject): JsonObject => ({ ...pod('E'), spec: { containers: [{ name: 'c', image: 'x' }], ...spec } });
const mounts: JsonObject = {
  volumes: many((i) => ({ name: `v${i}`, emptyDir: {} })),
  containers: [{ name: 'c', image: 'x', volumeMounts: many((i) => ({ name: `v${i}`, mountPath: `/m${i}` })) }],
};
const spread = many((i) => ({ maxSkew: 1, topologyKey: `k${i}`, whenUnsatisfiable: 'DoNotSchedule' }), 2 * size);
const definition: JsonObject = {
  metadata: { name: 'as.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'as', kind: 'A' },
    versions: many((i) => ({ name: `v${i + 1}`, served: true, storage: i === 0, schema: { openAPIV3Schema: { type: 'object' } } })),
  },
};
const classes = '/apis/storage.k8s.io/v1/storageclasses';
const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const policy = (spec: JsonObject): JsonObject => ({
  metadata: { name: 'a' },
  spec: {
    failurePolicy: 'Fail',
    matchConstraints: { resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }] },
    validations: [{ expression: 'true' }],
    ...spec,
  },
});
const claims: JsonObject = {
  resourceClaims: many((i) => ({ name: `r${i}`, resourceClaimName: `x${i}` })),
  containers: [{ name: 'c', image: 'x', resources: { claims: many((i) => ({ name: `r${i}` })) } }],
};

const cases: readonly (readonly [name: string, code: number, run: (bench: ApiBench) => BenchAnswer])[] = [
  ['finalizers', 201, (bench) => bench.send('POST', maps, map({ finalizers: finalizers('f') }))],
  [
    'finalizers merged into others',
    200,
    (bench) => {
      bench.send('POST', maps, map({ finalizers: finalizers('f') }));
      return bench.send(
        'PATCH',
        `${maps}/a`,
        { metadata: { finalizers: finalizers('g'), '$setElementOrder/finalizers': finalizers('g') } },
        strategic,
      );
    },
  ],
  [
    'finalizers taken away one by one',
    200,
    (bench) => {
      bench.send('POST', maps, map({ finalizers: finalizers('f') }));
      return bench.send('PATCH', `${maps}/a`, { metadata: { '$deleteFromPrimitiveList/finalizers': finalizers('f') } }, strategic);
    },
  ],
  [
    'finalizers of what is deleted',
    200,
    (bench) => {
      bench.send('POST', maps, map({ finalizers: many((i) => `example.com/f${i as number}`, 100_000) }));
      return bench.send('DELETE', `${maps}/a`);
    },
  ],
  ['mounts', 201, (bench) => bench.send('POST', pods, podOf(mounts))],
  ['scheduling gates', 201, (bench) => bench.send('POST', pods, podOf({ schedulingGates: many((i) => ({ name: `example.com/g${i}` })) }))],
  ['spread constraints', 201, (bench) => bench.send('POST', pods, podOf({ topologySpreadConstraints: spread }))],
  ['versions of a definition', 201, (bench) => bench.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)],
  [
    'host aliases',
    201,
    (bench) => bench.send('POST', pods, podOf({ hostAliases: many((i) => ({ ip: `10.1.${i >> 8}.${i & 255}`, hostnames: ['a'] })) })),
  ],
  ['pull secrets', 201, (bench) => bench.send('POST', pods, podOf({ imagePullSecrets: many((i) => ({ name: `s${i}` })) }))],
  ['claims', 201, (bench) => bench.send('POST', pods, podOf(claims))],
  [
    'conditions',
    200,
    (bench) => {
      bench.send('POST', pods, podOf({}));
      const conditions = many((i) => ({ type: `example.com/c${i}`, status: 'True' }));
      return bench.send('PATCH', `${pods}/a/status`, { status: { conditions } }, strategic);
    },
  ],
  [
    'an environment written again',
    200,
    (bench) => {
      bench.send('POST', pods, pod('E'));
      return bench.send('PUT', `${pods}/a`, { ...pod('E'), metadata: { name: 'a', labels: { a: 'b' } } });
    },
  ],
  [
    'finalizers written in another order',
    200,
    (bench) => {
      bench.send('POST', maps, map({ finalizers: finalizers('f') }));
      return bench.send('PUT', `${maps}/a`, map({ finalizers: [...finalizers('f')].reverse() }));
    },
  ],
  [
    'finalizers applied by two',
    200,
    (bench) => {
      bench.send('PATCH', `${maps}/a?fieldManager=m`, map({ finalizers: finalizers('f') }), apply);
      return bench.send('PATCH', `${maps}/a?fieldManager=k`, map({ finalizers: finalizers('g') }), apply);
    },
  ],
  [
    'managers of fields written again',
    200,
    (bench) => {
      bench.send('POST', maps, map({ managedFields: managers('Update') }));
      return bench.send('PUT', `${maps}/a`, { ...map({ managedFields: managers('Update') }), data: { z: '1' } });
    },
  ],
  [
    'managers of fields and a write that changes nothing',
    200,
    (bench) => {
      bench.send('POST', maps, { ...map({ managedFields: managers('Apply') }), data: { z: '1' } });
      return bench.send('PATCH', `${maps}/a`, {}, 'application/merge-patch+json');
    },
  ],
  [
    'managers of fields that an apply takes over, and one who applies less than before',
    200,
    (bench) => {
      const data = Object.fromEntries(many((i) => i).map((i) => [`k${String(i)}`, 'v']));
      bench.send('POST', maps, { ...map({ managedFields: managers('Apply') }), data });
      const taken = Object.fromEntries(Object.keys(data).map((key) => [key, 'w']));
      bench.send('PATCH', `${maps}/a?fieldManager=m&force=true`, { ...map({}), data: taken }, apply);
      bench.send('PUT', `${maps}/a`, { ...map({ managedFields: managers('Apply') }), data: taken });
      bench.send('PATCH', `${maps}/a?fieldManager=m&force=true`, { ...map({}), data: taken }, apply);
      return bench.send('PATCH', `${maps}/a?fieldManager=m&force=true`, map({}), apply);
    },
  ],
  ['finalizers applied', 201, (bench) => bench.send('PATCH', `${maps}/a?fieldManager=m`, map({ finalizers: finalizers('f') }), apply)],
  ['the same owner again and again', 201, (bench) => bench.send('POST', maps, map({ ownerReferences: [...owners('u'), ...owners('u')] }))],
  [
    'owners merged into others',
    200,
    (bench) => {
      bench.send('POST', maps, map({ ownerReferences: owners('u') }));
      return bench.send('PATCH', `${maps}/a`, { metadata: { ownerReferences: owners('v') } }, strategic);
    },
  ],
  [
    'terms of a storage class that are all alike',
    422,
    (bench) => bench.send('POST', classes, { metadata: { name: 'a' }, provisioner: 'a', allowedTopologies: many(() => ({})) }),
  ],
  [
    'terms of a storage class',
    201,
    (bench) =>
      bench.send('POST', classes, {
        metadata: { name: 'a' },
        provisioner: 'a',
        allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: many((i) => `z${i}`, 5 * size) }] }],
      }),
  ],
  [
    'versions of reviews',
    422,
    (bench) =>
      bench.send('POST', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
        metadata: { name: 'a' },
        webhooks: [{ name: 'a.example.com', admissionReviewVersions: many((i) => `v${i}`, 10 * size) }],
      }),
  ],
  ['variables of a policy', 201, (bench) => bench.send('POST', policies, policy({ variables: many((i) => ({ name: `v${i}`, expression: '1' })) }))],
  [
    'expressions that are wrong everywhere',
    422,
    (bench) => bench.send('POST', policies, policy({ variables: many((i) => ({ name: `v${i}`, expression: '$'.repeat(16_000) }), 60) })),
  ],
  ['an environment', 201, (bench) => bench.send('POST', pods, pod('E'))],
  ['an environment applied', 201, (bench) => bench.send('PATCH', `${pods}/a?fieldManager=m`, pod('E'), apply)],
  [
    'an environment merged into another',
    422,
    (bench) => {
      bench.send('POST', pods, pod('E'));
      return bench.send('PATCH', `${pods}/a`, { spec: { containers: [container('F')] } }, strategic);
    },
  ],
  ['managers of fields', 201, (bench) => bench.send('POST', maps, map({ managedFields: managers('Update') }))],
  [
    'a map with ten thousand patches',
    200,
    (bench) => {
      bench.send('POST', maps, { ...map({}), data: Object.fromEntries(many((i) => `k${i as number}`).map((key) => [key as string, 'v'])) });
      return bench.send(
        'PATCH',
        `${maps}/a`,
        many((i) => ({ op: 'add', path: `/data/z${i}`, value: 'x' }), 10_000),
        'application/json-patch+json',
      );
    },
  ],
  [
    'copies of copies',
    422,
    (bench) => {
      bench.send('POST', maps, { ...map({}), data: { a: 'x'.repeat(1_000) } });
      return bench.send(
        'PATCH',
        `${maps}/a`,
        many((i) => ({ op: 'copy', from: '/data', path: `/data/c${i}` }), 60),
        'application/json-patch+json',
      );
    },
  ],
];

describe('a request costs no more than its size', () => {
  it.each(cases)(
    '%s',
    (_name, code, run) => {
      const answer = run(makeApiBench());
      expect(answer.status, answer.message.slice(0, 200)).toBe(code);
    },
    60_000,
  );
});

it('a role whose verbs, resources and groups stand for more parts than memory holds is refused at once, or let through as a whole', () => {
  const list = (prefix: string): string[] => Array.from({ length: 2_000 }, (_, i) => `${prefix}${i}`);
  const wanted = { apiGroups: list('g'), resources: list('r'), verbs: list('v') };
  expect(uncovered([{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }], [wanted])).toEqual([]);
  expect(uncovered([{ apiGroups: ['*'], resources: ['*'], verbs: ['get'] }], [wanted]).length).toBeGreaterThan(0);
  expect(
    uncovered([{ apiGroups: ['g0'], resources: ['r0'], verbs: ['v0', 'v1'] }], [{ apiGroups: ['g0'], resources: ['r0', 'r1'], verbs: ['v1'] }]),
  ).toEqual([{ apiGroups: ['g0'], resources: ['r1'], verbs: ['v1'] }]);
});

describe('a text costs no more than its length', () => {
  const long = 1_000_000;

  it('durations, exact to the nanosecond', () => {
    expect(parseDurationNanos('1'.repeat(long))).toBeUndefined();
    expect(parseDurationNanos(`${'1'.repeat(long)}s`)).toBeUndefined();
    expect(parseDurationNanos(`${'1ns'.repeat(long)}`)).toBe(1_000_000n);
    expect(parseDurationNanos(`0.${'0'.repeat(long)}1s`)).toBe(0n);
    expect(parseDurationNanos(`${'0'.repeat(long)}1s`)).toBe(1_000_000_000n);
    expect(parseDurationNanos('.')).toBeUndefined();
    expect(parseDurationNanos('9223372037s')).toBeUndefined();
    for (const text of ['2562047h47m16.854775807s', '-2562047h47m16.854775808s', '1h0m0s', '1.000000001s', '1ns'])
      expect(formatDurationNanos(parseDurationNanos(text) ?? 0n)).toBe(text);
  });

  it('PEM of many blocks whose every line might be a header', () => {
    expect(readPem('-----BEGIN A:-----\nx:y\n-----END A:-----\n'.repeat(long / 10))).toEqual({ blocks: [], hasRest: true });
    expect(readPem('-----BEGIN A:B-----\n-----END A:B-----\n').blocks).toEqual([]);
    expect(readPem('-----BEGIN A-----\nx:y\n\neHg=\n-----END A-----\n').blocks).toMatchObject([{ type: 'A', hasHeaders: true }]);
  });

  it('quantities and times', () => {
    for (const text of ['1'.repeat(long), `1.${'0'.repeat(long)}`, ' '.repeat(long), `${'1.'.repeat(long)}Ki`])
      expect(() => canonicalQuantity(text)).toThrow('quantities must match');
    // Of a fraction nine digits are read, however many there are.
    expect(parseTime(`2026-01-01T00:00:00.${'1'.repeat(long)}Z`)).toBeCloseTo(Date.UTC(2026, 0, 1) + 111.111111, 3);
    expect(parseTime(`2026-01-01T00:00:00.${'1'.repeat(long)}`)).toBeUndefined();
  });
});
