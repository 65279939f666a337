/** Definitions that the real library and the real server were asked about: mostly bad ones, each by its name. */
import type { JSONSchemaProps } from '../../../engine/api/apiextensions/v1/types.gen.ts';
import type { JsonObject } from '../../../engine/base/json.ts';

export interface DefinitionCase {
  readonly name: string;
  readonly new: JsonObject;
  /** What is stored before; a creation without it. */
  readonly old?: JsonObject;
}

type Members = { readonly [member: string]: unknown };

const spec = { group: 'a.example.com', scope: 'Namespaced', names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' } };
const version = (more: Members = {}): Members => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object' } },
  ...more,
});

function definition(more: Members, meta: Members = {}): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.a.example.com', ...meta },
    spec: { ...spec, versions: [version()], ...more },
  } as unknown as JsonObject;
}

const schemaOf = (openAPIV3Schema: unknown, more: Members = {}): JsonObject =>
  definition({ versions: [version({ schema: { openAPIV3Schema }, ...more })] });
/** A schema whose spec is this. */
const ofSpec = (given: unknown, more: Members = {}): JsonObject => schemaOf({ type: 'object', properties: { spec: given } }, more);

const text: JSONSchemaProps = { type: 'string' };
const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true };
const preserve = { 'x-kubernetes-preserve-unknown-fields': true };
const list = (more: Members): Members => ({ type: 'array', items: { type: 'object', properties: { a: text, b: { type: 'integer' } } }, ...more });
const keys = (...names: readonly string[]): Members => ({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': names });

/** Schemas of `spec`. */
const ofSpecs: { readonly [name: string]: unknown } = {
  'no type': {},
  'unknown type': { type: 'text' },
  'null type': { type: 'null' },
  'list without items': { type: 'array' },
  'items without type': { type: 'array', items: {} },
  'items as a list': { type: 'array', items: [text] },
  'unique items': { type: 'array', items: text, uniqueItems: true },
  'bad pattern': { type: 'string', pattern: '(' },
  'bad pattern in anyOf': { type: 'string', anyOf: [{ pattern: '[b-a]' }] },
  backreference: { type: 'string', pattern: '(a)\\1' },
  lookahead: { type: 'string', pattern: 'a(?=b)' },
  'huge repetition': { type: 'string', pattern: 'a{1001}' },
  'types in branches': {
    type: 'object',
    properties: { a: text },
    allOf: [{ type: 'object' }],
    anyOf: [{ properties: { a: { type: 'string' } } }],
    oneOf: [{ title: 't' }],
    not: { description: 'd' },
  },
  'what branches may not say': {
    type: 'object',
    properties: { a: text },
    anyOf: [
      { nullable: true, default: 'x', ...preserve, additionalProperties: true },
      { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-int-or-string': true },
    ],
    allOf: [{ 'x-kubernetes-list-type': 'set', 'x-kubernetes-list-map-keys': ['a'], 'x-kubernetes-map-type': 'atomic' }],
  },
  'rules in branches': { type: 'object', allOf: [{ 'x-kubernetes-validations': [{ rule: 'true' }] }] },
  'metadata in branches': { type: 'object', properties: { metadata: { type: 'object' } }, anyOf: [{ properties: { metadata: {} } }] },
  'branches name what structure does not': {
    type: 'object',
    properties: { a: text },
    anyOf: [{ properties: { b: { minLength: 1 } } }],
    not: { items: { minLength: 1 } },
    allOf: [{ oneOf: [{ properties: { a: { properties: { c: {} } } } }] }],
  },
  'int or string': { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
  'int or string in allOf': { 'x-kubernetes-int-or-string': true, allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: 'a' }] },
  'int or string the other way': { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'string' }, { type: 'integer' }] },
  'int or string with more': { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string' }] },
  'int or string that preserves': { 'x-kubernetes-int-or-string': true, ...preserve, 'x-kubernetes-embedded-resource': true },
  'preserves not': { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
  'embedded of no object': { type: 'array', items: text, 'x-kubernetes-embedded-resource': true },
  'embedded without type': { 'x-kubernetes-embedded-resource': true, ...preserve },
  'embedded without properties': embedded,
  'embedded with a map': { ...embedded, ...preserve, additionalProperties: text },
  'embedded with metadata': { ...embedded, properties: { metadata: { type: 'string' }, kind: { type: 'integer' }, apiVersion: { type: 'boolean' } } },
  'embedded in metadata': { ...embedded, properties: { metadata: { type: 'object', properties: { a: { ...embedded, ...preserve } } } } },
  'both properties': { type: 'object', properties: { a: text }, additionalProperties: text },
  'both properties, no others': { type: 'object', properties: { a: text }, additionalProperties: false },
  'both properties, any other': { type: 'object', properties: { a: text }, additionalProperties: true },
  'list type of an object': { type: 'object', 'x-kubernetes-list-type': 'set' },
  'list type without type': { ...preserve, 'x-kubernetes-list-type': 'set' },
  'unheard list type': list({ 'x-kubernetes-list-type': 'bag' }),
  'map type of a list': list({ 'x-kubernetes-map-type': 'atomic' }),
  'map type without type': { ...preserve, 'x-kubernetes-map-type': 'atomic' },
  'unheard map type': { type: 'object', 'x-kubernetes-map-type': 'loose' },
  'map without keys': list({ 'x-kubernetes-list-type': 'map' }),
  'keys without map': list({ 'x-kubernetes-list-map-keys': ['a'] }),
  'keys of a set': list({ 'x-kubernetes-list-type': 'set', 'x-kubernetes-list-map-keys': ['a'] }),
  'keys that are none': list(keys('a', 'z', 'a')),
  'keys that are not required': list(keys('a', 'b')),
  'key that is a list': {
    type: 'array',
    ...keys('a'),
    items: { type: 'object', required: ['a'], properties: { a: { type: 'array', items: text } } },
  },
  'key that is nullable': {
    type: 'array',
    ...keys('a'),
    items: { type: 'object', required: ['a'], nullable: true, properties: { a: { type: 'string', nullable: true } } },
  },
  'key with a default': { type: 'array', ...keys('a'), items: { type: 'object', properties: { a: { type: 'string', default: 'x' } } } },
  'map of texts': { type: 'array', ...keys('a'), items: text },
  'map without items': { type: 'array', ...keys('a') },
  'map of a list of items': { type: 'array', ...keys('a'), items: [{ type: 'object' }] },
  'set of nullables': { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string', nullable: true } },
  'set of objects': list({ 'x-kubernetes-list-type': 'set' }),
  'set of atomic objects': { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'object', 'x-kubernetes-map-type': 'atomic' } },
  'set of sets': { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'array', 'x-kubernetes-list-type': 'set', items: text } },
  'refused members': {
    type: 'object',
    id: 'x',
    $ref: '#/a',
    patternProperties: { a: text },
    definitions: { a: text },
    dependencies: { a: ['b'] },
    additionalItems: true,
  },
  $schema: { type: 'object', $schema: 'http://x' },
  'default of another type': { type: 'string', default: 1 },
  'default of no enum': { type: 'string', enum: ['a'], default: 'b' },
  'default beyond a limit': { type: 'integer', maximum: 5, default: 7 },
  'default with unknown fields': { type: 'object', properties: { a: text }, default: { b: 1, a: 'x' } },
  'default that lacks': { type: 'object', required: ['a', 'b'], properties: { a: { type: 'string', default: 'x' }, b: text }, default: {} },
  'default null': { type: 'string', default: null },
  'default of an item': { type: 'array', items: { type: 'object', properties: { a: { type: 'integer', default: 'x' } } } },
  'default of a map': { type: 'object', additionalProperties: { type: 'integer', default: 'x' } },
  'default in a branch': { type: 'object', properties: { a: text }, anyOf: [{ properties: { a: { default: 'x' } } }] },
  'default with a format': { type: 'string', format: 'date', default: 'tomorrow' },
  'default with an unheard format': { type: 'string', format: 'unheard-of', default: 'x' },
  'default of an int or string': { 'x-kubernetes-int-or-string': true, default: true },
  'default of embedded': { ...embedded, ...preserve, default: {} },
  'default of embedded, whole': { ...embedded, ...preserve, default: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } } },
  'default of embedded, malformed': {
    ...embedded,
    ...preserve,
    default: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'A B', labels: { 'b b': 'x' } } },
  },
  'default of embedded, unreadable': { ...embedded, ...preserve, default: { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: 1 } } } },
  'default of embedded, unknown': { ...embedded, properties: { spec: { type: 'object' } }, default: { apiVersion: 'v1', kind: 'Pod', x: 1 } },
  'default of embedded metadata': {
    ...embedded,
    ...preserve,
    properties: { metadata: { type: 'object', properties: { name: { type: 'string', default: 'A B' } } } },
  },
  'default of embedded kind': {
    ...embedded,
    ...preserve,
    properties: { kind: { type: 'string', default: 'no kind' }, apiVersion: { type: 'string', default: 'a/b/c' } },
  },
  'default of embedded labels': {
    ...embedded,
    ...preserve,
    properties: { metadata: { type: 'object', properties: { labels: { type: 'object', additionalProperties: { type: 'string', default: 'x' } } } } },
  },
  'default that is huge': { type: 'integer', format: 'int32', default: 3_000_000_000 },
  'rule without text': {
    type: 'object',
    'x-kubernetes-validations': [{ rule: ' ' }, { rule: 'true', message: ' ' }, { rule: 'true', message: 'a\nb' }, { rule: 'true ||\nfalse' }],
  },
  'rule with bad members': {
    type: 'object',
    properties: { a: text },
    'x-kubernetes-validations': [
      { rule: 'true', messageExpression: ' ', reason: 'No', fieldPath: '.b' },
      { rule: 'true', fieldPath: ' ' },
      { rule: 'true', fieldPath: '.a\n' },
      { rule: 'true', fieldPath: "['a']" },
      { rule: 'true', fieldPath: '.a' },
    ],
  },
  'nested deep': Array.from({ length: 60 }).reduce<Members>((inner) => ({ type: 'object', properties: { a: inner } }), {}),
  'names of every object': {
    type: 'object',
    properties: JSON.parse('{"constructor":{"type":"string"},"__proto__":{"type":"text"},"toString":{}}') as unknown,
  },
  'multiple of nothing': { type: 'integer', multipleOf: 0, default: 3 },
};

function* schemas(): Iterable<DefinitionCase> {
  for (const [name, one] of Object.entries(ofSpecs)) yield { name, new: ofSpec(one) };
  const roots: { readonly [name: string]: unknown } = {
    'root without type': {},
    'root of another type': { type: 'string' },
    'root that is a map': { type: 'object', additionalProperties: text },
    'root that is nullable': { type: 'object', nullable: true },
    'root that preserves': { type: 'object', ...preserve },
    'root with metadata': { type: 'object', properties: { metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 3 } } } } },
    'root with more metadata': { type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } },
    'root with described metadata': { type: 'object', properties: { metadata: { type: 'object', description: 'x' } } },
    'root with other types': { type: 'object', properties: { metadata: { type: 'string' }, kind: { type: 'integer' }, apiVersion: {} } },
    'root with defaults of metadata': {
      type: 'object',
      properties: { metadata: { type: 'object', properties: { name: { type: 'string', default: 'a' } } }, kind: { type: 'string', default: 'K' } },
    },
    'root with a default': { type: 'object', properties: { spec: { type: 'object' } }, default: { spec: {} } },
    'root with an enum': { type: 'object', enum: [{}] },
  };
  for (const [name, one] of Object.entries(roots)) {
    yield { name, new: schemaOf(one) };
    yield { name: `${name}, with status`, new: schemaOf(one, { subresources: { status: {} } }) };
  }
  yield { name: 'no schema', new: definition({ versions: [version({ schema: undefined })] }) };
  yield { name: 'empty schema', new: definition({ versions: [version({ schema: {} })] }) };
  yield { name: 'two versions, one schema', new: definition({ versions: [version(), version({ name: 'v2', storage: false, schema: undefined })] }) };
  yield {
    name: 'two versions, both bad',
    new: definition({
      versions: [
        version({ schema: { openAPIV3Schema: {} } }),
        version({ name: 'v2', storage: false, schema: { openAPIV3Schema: { type: 'array' } } }),
      ],
    }),
  };
  yield {
    name: 'two versions, alike and bad',
    new: definition({
      versions: [version({ schema: { openAPIV3Schema: {} } }), version({ name: 'v2', storage: false, schema: { openAPIV3Schema: {} } })],
    }),
  };
}

const rooted = {
  type: 'object',
  properties: {
    metadata: { type: 'object' },
    spec: {
      type: 'object',
      properties: {
        a: text,
        n: { type: 'integer' },
        f: { type: 'number' },
        l: { type: 'array', items: text },
        m: { type: 'object', additionalProperties: text },
      },
    },
  },
};
const selecting = (...paths: readonly string[]): JsonObject =>
  definition({ versions: [version({ schema: { openAPIV3Schema: rooted }, selectableFields: paths.map((jsonPath) => ({ jsonPath })) })] });
const many = Array.from({ length: 9 }, (_, index) => `f${index}`);
const crowded = (more: Members = {}): JsonObject =>
  definition({
    versions: [
      version({
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: Object.fromEntries(many.map((name) => [name, text])) } },
          },
        },
        selectableFields: many.map((name) => ({ jsonPath: `.spec.${name}` })),
        ...more,
      }),
    ],
  });

function* others(): Iterable<DefinitionCase> {
  const columns = (...given: readonly Members[]): JsonObject => definition({ versions: [version({ additionalPrinterColumns: given })] });
  yield {
    name: 'columns',
    new: columns(
      {},
      { name: 'a', type: 'text', format: 'x', jsonPath: 'spec' },
      { name: 'b', type: 'date', format: 'int32', jsonPath: '.' },
      { name: 'c', type: 'string', jsonPath: '.a[' },
    ),
  };
  for (const scale of [
    {},
    { specReplicasPath: 'a', statusReplicasPath: '.spec.b' },
    { specReplicasPath: '.spec.a', statusReplicasPath: '.status.a', labelSelectorPath: '.a' },
    { specReplicasPath: '.spec', statusReplicasPath: '.status.', labelSelectorPath: 'x' },
  ])
    yield { name: `scale ${JSON.stringify(scale)}`, new: definition({ versions: [version({ subresources: { scale } })] }) };
  for (const path of [
    '',
    '.spec.a',
    '.spec.n',
    '.spec.f',
    '.spec.l',
    '.spec.m',
    '.spec.m.x',
    '.spec.z',
    'spec',
    '.metadata',
    '.metadata.name',
    ".spec['a']",
    '.spec.',
    '.',
    '.spec.a.b',
    '.spec..a',
    ".spec.'a'",
  ])
    yield { name: `selectable ${path}`, new: selecting(path) };
  yield { name: 'selectable twice', new: selecting('.spec.a', '.spec.a', '.spec.n') };
  yield { name: 'too many selectable', new: crowded() };
  yield {
    name: 'selectable without a schema',
    new: definition({ versions: [version({ schema: undefined, selectableFields: [{ jsonPath: '.spec.a' }] })] }),
  };
  yield {
    name: 'selectable in one of two',
    new: definition({ versions: [version({ selectableFields: [{ jsonPath: '.spec.a' }] }), version({ name: 'v2', storage: false })] }),
  };
  for (const [name, more] of Object.entries({
    group: { group: 'A' },
    'group without dot': { group: 'a' },
    'no group': { group: '' },
    'long group': { group: `${'a'.repeat(260)}.b` },
    scope: { scope: 'World' },
    'no scope': { scope: '' },
    'bad names': { names: { plural: 'Things', singular: '-', kind: 'no kind', listKind: 'x_y', shortNames: ['A', 'b'], categories: ['c d'] } },
    'no names': { names: {} },
    'kind is listKind': { names: { plural: 'things', kind: 'Thing', listKind: 'Thing' } },
    'no versions': { versions: undefined },
    'no storage': { versions: [version({ storage: false })] },
    'two storages': { versions: [version(), version({ name: 'v2' })] },
    'two storages, different': {
      versions: [
        version({ additionalPrinterColumns: [{ name: 'a', type: 'string', jsonPath: '.a' }], subresources: { status: {} } }),
        version({
          name: 'v2',
          subresources: { scale: { specReplicasPath: '.spec.a', statusReplicasPath: '.status.a' } },
          schema: { openAPIV3Schema: { type: 'object', description: 'x', properties: { b: text } } },
        }),
      ],
    },
    'same names': { versions: [version(), version({ storage: false })] },
    'bad version': { versions: [version({ name: 'V1' })] },
    'no version name': { versions: [version({ name: '' })] },
    preserving: { preserveUnknownFields: true },
    'preserving with defaults': {
      preserveUnknownFields: true,
      versions: [version({ schema: { openAPIV3Schema: { type: 'object', properties: { a: { type: 'string', default: 'x' } } } } })],
    },
    'preserving and converting': {
      preserveUnknownFields: true,
      conversion: { strategy: 'Webhook', webhook: { clientConfig: { url: 'https://a/b' }, conversionReviewVersions: ['v1'] } },
    },
    'warning of no deprecated version': { versions: [version({ deprecationWarning: 'x' })] },
    'empty warning': { versions: [version({ deprecated: true, deprecationWarning: '' })] },
    'long warning': { versions: [version({ deprecated: true, deprecationWarning: 'ä'.repeat(200) })] },
    'hidden warning': { versions: [version({ deprecated: true, deprecationWarning: 'ä\tb' })] },
    conversion: { conversion: { strategy: 'Magic' } },
    'conversion without webhook': { conversion: { strategy: 'Webhook' } },
    'conversion with none': { conversion: { strategy: 'None', webhook: { clientConfig: { url: 'https://a' }, conversionReviewVersions: ['v1'] } } },
    'conversion with both': {
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { url: 'https://a', service: { namespace: 'a', name: 'b' } }, conversionReviewVersions: ['v9', 'v9', 'V'] },
      },
    },
    'conversion with a bad url': {
      conversion: { strategy: 'Webhook', webhook: { clientConfig: { url: 'http://a?b#c' }, conversionReviewVersions: [] } },
    },
    'conversion with a bad service': {
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { service: { namespace: '', name: '', port: 0, path: 'x' } }, conversionReviewVersions: ['v1beta1'] },
      },
    },
  }))
    yield { name, new: definition(more) };
  yield { name: 'another name', new: definition({}, { name: 'others.a.example.com' }) };
  yield { name: 'protected group', new: definition({ group: 'a.k8s.io' }, { name: 'things.a.k8s.io' }) };
  yield {
    name: 'protected group, bad approval',
    new: definition({ group: 'a.k8s.io' }, { name: 'things.a.k8s.io', annotations: { 'api-approved.kubernetes.io': 'yes' } }),
  };
  yield {
    name: 'protected group, approved',
    new: definition({ group: 'a.k8s.io' }, { name: 'things.a.k8s.io', annotations: { 'api-approved.kubernetes.io': 'https://a.b/c' } }),
  };
  yield {
    name: 'protected group, bypassed',
    new: definition({ group: 'kubernetes.io' }, { name: 'things.kubernetes.io', annotations: { 'api-approved.kubernetes.io': 'unapproved, x' } }),
  };
}

/** Marks a definition as stored: its versions are, and it is established. */
function stored(one: JsonObject, versions: readonly string[] = ['v1'], more: Members = {}): JsonObject {
  const { metadata } = one as { readonly metadata: Members };
  const status = { storedVersions: versions, acceptedNames: spec.names, conditions: [{ type: 'Established', status: 'True' }], ...more };
  return { ...one, metadata: { ...metadata, resourceVersion: '1' }, status } as unknown as JsonObject;
}

function* updates(): Iterable<DefinitionCase> {
  const change = (name: string, before: JsonObject, after: JsonObject, versions?: readonly string[]): DefinitionCase => ({
    name,
    old: stored(before, versions),
    new: stored(after, versions),
  });
  for (const name of [
    'set of objects',
    'unheard list type',
    'unknown type',
    'keys that are not required',
    'set of nullables',
    'default with unknown fields',
    'types in branches',
    'unique items',
    'no type',
    'default of another type',
    'bad pattern',
  ])
    yield change(`still ${name}`, ofSpec(ofSpecs[name]), ofSpec(ofSpecs[name], { served: false }));
  yield change(
    'no schema as before',
    definition({ versions: [version({ schema: undefined })] }),
    definition({ versions: [version({ schema: undefined, deprecated: true })] }),
  );
  yield change('too many selectable as before', crowded(), crowded({ deprecated: true }));
  yield change('more selectable than before', definition({}), crowded());
  yield change('another scope', definition({}), definition({ scope: 'Cluster' }));
  yield change('another kind', definition({}), definition({ names: { ...spec.names, kind: 'Other' } }));
  yield change('another group', definition({}), definition({ group: 'b.example.com' }));
  yield change('another plural', definition({}), definition({ names: { ...spec.names, plural: 'others' } }));
  yield change('storage version gone', definition({}), definition({ versions: [version({ name: 'v2' })] }), ['v1', 'v2']);
  yield change(
    'preserving as before',
    definition({ preserveUnknownFields: true }),
    definition({ preserveUnknownFields: true, versions: [version({ schema: { openAPIV3Schema: {} } })] }),
  );
  yield change('preserving anew', definition({}), definition({ preserveUnknownFields: true }));
  yield change(
    'approval as before',
    definition({ group: 'a.k8s.io' }, { name: 'things.a.k8s.io' }),
    definition({ group: 'a.k8s.io' }, { name: 'things.a.k8s.io', labels: { a: 'b' } }),
  );
  const reviews = (...versions: readonly string[]): Members => ({
    conversion: { strategy: 'Webhook', webhook: { clientConfig: { url: 'https://a/b' }, conversionReviewVersions: versions } },
  });
  yield change('strange reviews as before', definition(reviews('v9')), definition(reviews('v8')));
  yield change('strange reviews anew', definition(reviews('v1')), definition(reviews('v8')));
}

export function definitionCases(): readonly DefinitionCase[] {
  return [...schemas(), ...others(), ...updates()].map((one) => JSON.parse(JSON.stringify(one)) as DefinitionCase);
}
