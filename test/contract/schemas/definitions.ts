/** Definitions that the real library and the real server were asked about: mostly bad ones, each by its name. */
import type { JsonObject } from '../../../engine/base/json.ts';
import { preserve, schemasOfSpec, text } from './definition-schemas.ts';

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

function* schemas(): Iterable<DefinitionCase> {
  for (const [name, one] of Object.entries(schemasOfSpec)) yield { name, new: ofSpec(one) };
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
  const open = { type: 'object', properties: { spec: { type: 'object', additionalProperties: true } } };
  yield { name: 'selectable of anything', new: schemaOf(open, { selectableFields: [{ jsonPath: '.spec.a' }] }) };
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
    yield change(`still ${name}`, ofSpec(schemasOfSpec[name]), ofSpec(schemasOfSpec[name], { served: false }));
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
