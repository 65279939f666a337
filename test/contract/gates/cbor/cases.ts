/** What clients that speak CBOR ask, of a real API server (record.ts) and of ours (cbor.test.ts), with the gate on and off. */
import { byteText, documentOf, head, item, Raw, utf8Text } from './bytes.ts';

export interface CborStep {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly accept: string;
  readonly type?: string;
  readonly bytes?: readonly number[];
  /** What is made has to settle before the next. */
  readonly settles?: true;
}

/** What came of it; an answer in CBOR in hexadecimal digits. */
export interface CborTold {
  readonly code: number;
  readonly type: string;
  readonly warnings?: readonly string[];
  readonly cbor?: string;
  readonly text?: string;
}

export const states = { on: 'CBORServingAndStorage=true', off: 'CBORServingAndStorage=false' } as const;

const cbor = 'application/cbor';
const json = 'application/json';
const namespaces = '/api/v1/namespaces';
const configmaps = '/api/v1/namespaces/default/configmaps';
const things = '/apis/cbor.example.com/v1/namespaces/default/things';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const partial = (as: string): string => `${cbor};as=${as};g=meta.k8s.io;v=v1`;

const get = (name: string, path: string, accept = cbor): CborStep => ({ name, method: 'GET', path, accept });
const send = (name: string, method: string, path: string, bytes: readonly number[], accept = json, type = cbor): CborStep => ({
  ...{ name, method, path, accept, type, bytes },
});
const post = (name: string, bytes: readonly number[], query = ''): CborStep =>
  send(`body: ${name}`, 'POST', `${configmaps}?dryRun=All${query}`, bytes);
const apply = (name: string, bytes: readonly number[], path = `${configmaps}/applied`, query = '?fieldManager=me'): CborStep =>
  send(`apply: ${name}`, 'PATCH', `${path}${query}`, bytes, json, 'application/apply-patch+cbor');

const configMap = (more: object): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, ...more });
const thing = (more: object): object => ({ apiVersion: 'cbor.example.com/v1', kind: 'Thing', metadata: { name: 't' }, ...more });
const thingPost = (name: string, bytes: readonly number[], query = ''): CborStep =>
  send(`custom body: ${name}`, 'POST', `${things}?dryRun=All${query}`, bytes);
const twice = (name: string, value: string): Raw =>
  new Raw(...head(5, 2), ...byteText(name), ...byteText(value), ...byteText(name), ...byteText(value));
const isStrict = '&fieldValidation=Strict';

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        n: { type: 'number', maximum: 10, minimum: 0.5 },
        s: { type: 'string', default: 'x' },
        any: { 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
};
const floats = { maximum: new Raw(0xf9, 0x49, 0), minimum: new Raw(0xf9, 0x38, 0) };
const typed = { ...schema.properties.spec.properties, n: { type: 'number', ...floats } };
const definition = {
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'things.cbor.example.com' } },
  spec: {
    ...{ group: 'cbor.example.com', scope: 'Namespaced', names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' } },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: typed } } } },
      },
    ],
  },
};
const jsonDefinition = {
  ...definition,
  spec: { ...definition.spec, versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }] },
};

const whole: readonly CborStep[] = [
  send(
    'made in CBOR',
    'POST',
    configmaps,
    documentOf(configMap({ metadata: { name: 'own', labels: { own: 'y' } }, data: { a: 'b', ä: 'ö' } })),
    cbor,
  ),
  send(
    'bytes',
    'POST',
    configmaps,
    documentOf(configMap({ metadata: { name: 'bytes', labels: { own: 'y' } }, binaryData: { x: new Raw(0xd6, 0x43, 1, 2, 0xff) } })),
    cbor,
  ),
  get('an object', `${configmaps}/own`),
  get('an object with bytes', `${configmaps}/bytes`),
  get('a list', `${configmaps}?labelSelector=own`),
  get('an empty list', `${configmaps}?labelSelector=none`),
  get('a page of a list', `${configmaps}?labelSelector=own&limit=1`),
  get('nothing', `${configmaps}/none`),
  get('a watch', `${configmaps}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name=own`),
  get('a watch asked for as a stream', `${configmaps}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name=own`, `${cbor};stream=watch`),
  get('a watch of metadata', `${configmaps}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name=own`, partial('PartialObjectMetadata')),
  get('a watch in YAML', `${configmaps}?watch=1&timeoutSeconds=1`, 'application/yaml'),
  get('metadata', `${configmaps}/own`, partial('PartialObjectMetadata')),
  get('a list of metadata', `${configmaps}?labelSelector=own`, partial('PartialObjectMetadataList')),
  get('an empty list of metadata', `${configmaps}?labelSelector=none`, partial('PartialObjectMetadataList')),
  get('a table', configmaps, partial('Table')),
  get('a sequence', `${configmaps}/own`, 'application/cbor-seq'),
  get('what else is taken', `${configmaps}/none`, `text/plain, ${cbor};q=0.5, ${json};q=0.4`),
  get('groups', '/apis'),
  get('versions', '/api'),
  get('a log of nobody', '/api/v1/namespaces/default/pods/none/log', `${cbor}, ${json};q=0.5`),
  get('a kind that nobody knows', `${namespaces}/default/nothings`),
  send('put', 'PUT', `${configmaps}/own`, documentOf(configMap({ metadata: { name: 'own', labels: { own: 'y' } }, data: { q: 'r' } })), cbor),
  send('a put that is cut short', 'PUT', `${configmaps}/own`, [0xa1]),
  send('a merge patch', 'PATCH', `${configmaps}/own`, [...new TextEncoder().encode('{"data":{"z":"y"}}')], cbor, 'application/merge-patch+json'),
  send('a patch that is an object', 'PATCH', `${configmaps}/own`, documentOf({})),
  send('a deletion in a dry run', 'DELETE', `${configmaps}/bytes`, documentOf({ kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] }), cbor),
  send('options that are cut short', 'DELETE', `${configmaps}/bytes`, [0xa1]),
  send('options of another kind', 'DELETE', `${configmaps}/bytes`, documentOf({ kind: 'Foo', apiVersion: 'v1' })),
  send('options that do not fit', 'DELETE', `${configmaps}/bytes`, documentOf({ gracePeriodSeconds: 'x' })),
  send('a body of another form', 'POST', configmaps, [0x78], json, 'text/x'),
  send('a body that is a sequence', 'POST', configmaps, [0x78], json, 'application/cbor-seq'),
];

const bodies: readonly CborStep[] = [
  post('without the tag', item(configMap({ data: { a: 'b' } }))),
  post('in text strings', [
    ...head(5, 2),
    ...utf8Text('kind'),
    ...utf8Text('ConfigMap'),
    ...utf8Text('metadata'),
    ...head(5, 1),
    ...utf8Text('name'),
    ...utf8Text('a'),
  ]),
  post('of no length said', [0xbf, ...byteText('metadata'), 0xbf, ...byteText('name'), 0x5f, ...byteText('a'), ...byteText('b'), 0xff, 0xff, 0xff]),
  post('nothing at all', []),
  post('JSON', [...new TextEncoder().encode('{"kind":"ConfigMap"}')]),
  post('the tag alone', [0xd9, 0xd9, 0xf7]),
  post('cut short', documentOf(configMap({})).slice(0, 20)),
  post('more than one', [...documentOf(configMap({})), 0]),
  post('a name twice', [...head(5, 2), ...byteText('kind'), ...byteText('ConfigMap'), ...byteText('kind'), ...byteText('ConfigMap')]),
  post('a key twice', documentOf(configMap({ data: twice('a', 'b') }))),
  post(
    'a key as bytes and as text',
    documentOf(configMap({ data: new Raw(...head(5, 2), ...byteText('a'), ...byteText('b'), ...utf8Text('a'), ...byteText('b')) })),
  ),
  post('an unknown field', documentOf(configMap({ foo: 1 }))),
  post('an unknown field, strictly', documentOf(configMap({ foo: 1 })), isStrict),
  post('unknown fields inside and outside, strictly', documentOf(configMap({ metadata: { name: 'a', bar: 1 }, foo: 1 })), isStrict),
  post('an unknown field inside, strictly', documentOf(configMap({ metadata: { name: 'a', bar: 1 } })), isStrict),
  post('a field in other letters, strictly', documentOf(configMap({ Data: { a: 'b' } })), isStrict),
  post('names that are numbers', [0xa1, 1, 2]),
  post('keys that are numbers', documentOf(configMap({ data: new Raw(0xa1, 1, 2) }))),
  ...[
    ['a list', 0x80],
    ['a number', 1],
    ['null', 0xf6],
    ['an empty map', 0xa0],
    ['undefined', 0xf7],
    ['true', 0xf5],
    ['a text', 0x40],
  ].map(([name, byte]) => post(String(name), [Number(byte)])),
  post('a number where text belongs', documentOf(configMap({ data: { a: 1 } }))),
  post('a text where a boolean belongs', documentOf(configMap({ immutable: 'x' }))),
  post('a list where metadata belongs', documentOf(configMap({ metadata: [] }))),
  post('a map where text belongs', documentOf(configMap({ metadata: { name: {} } }))),
  post('a negative number where text belongs', documentOf(configMap({ data: { a: -5 } }))),
  post(
    'a number that no integer holds',
    documentOf(configMap({ metadata: { name: 'a', generation: new Raw(0x1b, ...Array<number>(8).fill(255)) } })),
  ),
  post('no number', documentOf(configMap({ data: new Raw(0xf9, 0x7e, 0) }))),
  post('infinity', documentOf(configMap({ data: new Raw(0xf9, 0x7c, 0) }))),
  post('a simple value', documentOf(configMap({ data: new Raw(0xe0) }))),
  post('a simple value ill formed', documentOf(configMap({ data: new Raw(0xf8, 0x10) }))),
  post('an undefined part', documentOf(configMap({ data: new Raw(0xf7) }))),
  post('a big number', documentOf(configMap({ data: new Raw(0xc2, 0x41, 1) }))),
  post('text that is no UTF-8', documentOf(configMap({ data: { a: new Raw(0x61, 0xff) } }))),
  post('bytes that are no UTF-8', documentOf(configMap({ data: { a: new Raw(0x41, 0xff) } }))),
  post('a length of 2^63', [0x5b, 0x7f, ...Array<number>(7).fill(255)]),
  post('a length of 2^64', [0x5b, ...Array<number>(8).fill(255)]),
  post('a list of 2^32', [0x9b, 0, 0, 0, 1, 0, 0, 0, 0]),
  post('a list of 2^64', [0x9b, ...Array<number>(8).fill(255)]),
  post('a map of 2^32', [0xbb, 0, 0, 0, 1, 0, 0, 0, 0]),
  post('10,001 levels', [...Array<number>(10_001).fill(0x81), 1]),
  post('a reserved head', [0x1c]),
  post('a break', [0xff]),
  post('a break in a map', [0xbf, 1, 0xff]),
  post('an integer of no length', [0x1f]),
  post('a piece of another type', documentOf(configMap({ data: { a: new Raw(0x7f, ...byteText('a'), 0xff) } }))),
  post('a piece of no length', documentOf(configMap({ data: { a: new Raw(0x5f, 0x5f, 0xff, 0xff) } }))),
  post('bytes as base64', documentOf(configMap({ binaryData: { a: 'AQID' } }))),
  post('bytes as no base64', documentOf(configMap({ binaryData: { a: 'A!' } }))),
  post('bytes as a list', documentOf(configMap({ binaryData: { a: [1, 2, 3] } }))),
  post('bytes as a number', documentOf(configMap({ binaryData: { a: new Raw(0xd6, 1) } }))),
  post('null where a map belongs', documentOf(configMap({ data: null }))),
  post(
    'a time with its tag',
    documentOf(configMap({ metadata: { name: 'a', deletionTimestamp: new Raw(0xc0, ...utf8Text('2020-01-01T00:00:00Z')) } })),
  ),
  post('a time in seconds', documentOf(configMap({ metadata: { name: 'a', creationTimestamp: 5 } }))),
  post('a time that is none', documentOf(configMap({ metadata: { name: 'a', creationTimestamp: 'x' } }))),
  post('a tag of times on a number', documentOf(configMap({ metadata: { name: new Raw(0xc0, 1) } }))),
  post('a tag that nobody knows', documentOf(configMap({ metadata: { name: new Raw(0xd8, 100, ...byteText('a')) } }))),
  post('another kind', documentOf({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } })),
  post('no kind', documentOf({ metadata: { name: 'a' } })),
  post('another namespace', documentOf(configMap({ metadata: { name: 'a', namespace: 'b' } }))),
];

const applied: readonly CborStep[] = [
  apply('made', documentOf(configMap({ metadata: { name: 'applied' }, data: { a: 'b' }, binaryData: { x: new Raw(0xd6, 0x43, 1, 2, 3) } }))),
  apply('with less', documentOf(configMap({ metadata: { name: 'applied' }, data: { a: 'b' } }))),
  apply(
    'what is another’s',
    documentOf(configMap({ metadata: { name: 'applied' }, data: { a: 'c' } })),
    `${configmaps}/applied`,
    '?fieldManager=you',
  ),
  apply('cut short', [0xa1]),
  apply('a name twice', documentOf(twice('kind', 'T'))),
  apply('nothing', []),
  apply('a list', [0x80]),
  apply('null', [0xf6]),
  apply('no kind', documentOf({ metadata: { name: 'applied' } })),
  apply('keys that are numbers', documentOf(new Raw(0xa1, 1, 2))),
];

const custom: readonly CborStep[] = [
  { ...send('a definition', 'POST', definitions, [...new TextEncoder().encode(JSON.stringify(jsonDefinition))], cbor, json), settles: true },
  send(
    'a definition in CBOR',
    'POST',
    `${definitions}?dryRun=All`,
    documentOf({
      ...definition,
      metadata: { name: 'others.cbor.example.com' },
      spec: { ...definition.spec, names: { plural: 'others', kind: 'Other' } },
    }),
    cbor,
  ),
  get('a definition with floating point', `${definitions}/things.cbor.example.com`),
  send(
    'custom: made',
    'POST',
    things,
    documentOf(
      thing({
        metadata: { name: 't', labels: { own: 'y' } },
        spec: {
          n: 1,
          any: {
            list: [1, -5, true, null, 'x', {}, []],
            tenth: new Raw(0xfb, 0x3f, 0xb9, ...Array<number>(5).fill(0x99), 0x9a),
            half: new Raw(0xf9, 0x38, 0),
            bytes: new Raw(0xd6, 0x43, 1, 2, 3),
            url: new Raw(0xd5, 0x43, 0xff, 2, 3),
            hex: new Raw(0xd7, 0x43, 1, 2, 0xab),
            epoch: new Raw(0xc1, 0x1a, 0x5e, 0x0b, 0xe1, 0),
            stamp: new Raw(0xc0, ...utf8Text('2020-01-01T00:00:00.5Z')),
            most: new Raw(0x1b, 0x7f, ...Array<number>(7).fill(255)),
            least: new Raw(0x3b, 0x7f, ...Array<number>(7).fill(255)),
          },
        },
      }),
    ),
    cbor,
  ),
  get('custom: an object', `${things}/t`),
  get('custom: a list', things),
  get('custom: a list in JSON', things, json),
  get('custom: a watch', `${things}?watch=1&timeoutSeconds=1`),
  get('custom: a table', `${things}/t`, partial('Table')),
  get('custom: metadata', things, partial('PartialObjectMetadataList')),
  get('custom: in protobuf', `${things}/t`, 'application/vnd.kubernetes.protobuf, text/plain'),
  thingPost('no kind', documentOf({ metadata: { name: 'a' }, l: [1, -2, true, null] })),
  thingPost('another kind', documentOf({ ...thing({}), kind: 'Other' })),
  thingPost('cut short', [0xd9, 0xd9, 0xf7, 0xa1]),
  thingPost('nothing', []),
  thingPost('a list', [0x80]),
  thingPost('a name twice', documentOf(twice('kind', 'Thing'))),
  thingPost('a key twice', documentOf(thing({ spec: twice('s', 'x') }))),
  thingPost('keys that are numbers', documentOf(thing({ spec: new Raw(0xa1, 1, 2) }))),
  thingPost('metadata that is a number', documentOf({ ...thing({}), metadata: 5 })),
  thingPost('a number that no integer holds', documentOf(thing({ spec: { n: new Raw(0x1b, ...Array<number>(8).fill(255)) } }))),
  thingPost('a tag of times on bytes', documentOf(thing({ spec: { s: new Raw(0xc0, ...byteText('x')) } }))),
  thingPost('unknown fields, strictly', documentOf(thing({ foo: 1, spec: { bar: 1 } })), isStrict),
  apply('custom', documentOf(thing({ metadata: { name: 'applied' }, spec: { n: 3 } })), `${things}/applied`),
  send('custom: a collection is deleted', 'DELETE', things, [], cbor),
];

export const cborSteps: readonly CborStep[] = [...whole, ...bodies, ...applied, ...custom];
