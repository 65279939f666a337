/** Schemas with rules, and values, that the real library was asked about. */
import type { JSONSchemaProps } from '../../../engine/api/apiextensions/v1/types.gen.ts';
import type { JsonObject, JsonValue } from '../../../engine/base/json.ts';
import { expressions, messages } from './expressions.ts';

export interface RuleCase {
  readonly name: string;
  readonly schema: JSONSchemaProps;
  readonly values: readonly { readonly value: JsonObject; readonly old?: JsonObject }[];
}

type Schema = { readonly [member: string]: unknown };

const text = (more: Schema = {}): Schema => ({ type: 'string', ...more });
const object = (properties: Schema, more: Schema = {}): Schema => ({ type: 'object', properties, ...more });
const list = (items: Schema, more: Schema = {}): Schema => ({ type: 'array', items, ...more });
const rules = (...all: readonly (string | Schema)[]): Schema => ({
  'x-kubernetes-validations': all.map((one) => (typeof one === 'string' ? { rule: one } : one)),
});

const part = object({ name: text({ maxLength: 20 }), port: { type: 'integer' } }, { required: ['name'] });

/** Something of everything. `isBounded`: with greatest lengths. */
function everything(isBounded: boolean): Schema {
  const length = isBounded ? { maxLength: 30 } : {};
  const items = isBounded ? { maxItems: 20 } : {};
  const members = isBounded ? { maxProperties: 10 } : {};
  return {
    n: { type: 'integer' },
    m: { type: 'integer', format: 'int32', default: 3 },
    x: { type: 'number' },
    b: { type: 'boolean' },
    s: text(length),
    t: text(length),
    e: text({ enum: ['one', 'three', 'eleven'] }),
    o: object({ inner: text(length), count: { type: 'integer' }, deep: object({ er: text(length) }) }),
    p: object({ inner: text(length), count: { type: 'integer' } }),
    l: list(text(length), items),
    k: list({ type: 'integer' }, items),
    ll: list(list({ type: 'integer' }, items), items),
    parts: list(part, { ...items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }),
    others: list(part, { ...items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }),
    set: list(text(length), { ...items, 'x-kubernetes-list-type': 'set' }),
    set2: list(text(length), { ...items, 'x-kubernetes-list-type': 'set' }),
    plain: list(part, items),
    map: { type: 'object', additionalProperties: text(length), ...members },
    counts: { type: 'object', additionalProperties: { type: 'integer' }, ...members },
    objects: { type: 'object', additionalProperties: part, ...members },
    either: { 'x-kubernetes-int-or-string': true, ...length },
    since: text({ format: 'date-time' }),
    day: text({ format: 'date' }),
    span: text({ format: 'duration' }),
    raw: text({ format: 'byte', ...length }),
    nothing: text({ nullable: true, ...length }),
    any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    anything: { 'x-kubernetes-preserve-unknown-fields': true },
    embedded: object({ spec: object({ n: { type: 'integer' } }) }, { 'x-kubernetes-embedded-resource': true }),
    'with-dash': text(length),
    'with.dot': text(length),
    'with/slash': text(length),
    with__two: text(length),
    namespace: text(length),
    int: text(length),
    'with space': text(length),
    '9': text(length),
  };
}

const full: JsonObject = {
  ...{
    n: 5,
    m: 3,
    x: 1.5,
    b: true,
    s: 'a text',
    t: 'other',
    e: 'three',
    o: { inner: 'i', count: 2, deep: { er: 'd' } },
    p: { inner: 'i', count: 2 },
  },
  ...{ l: ['a', 'b', 'c'], k: [3, 1, 2], ll: [[1], [2, 3]], set: ['a', 'b'], set2: ['b', 'a'], map: { a: 'x', b: 'y' }, counts: { a: 1, b: 2 } },
  parts: [
    { name: 'a', port: 1 },
    { name: 'b', port: 2 },
  ],
  others: [
    { name: 'b', port: 2 },
    { name: 'a', port: 1 },
  ],
  plain: [{ name: 'a', port: 1 }],
  objects: { one: { name: 'a', port: 1 } },
  ...{ either: '50%', since: '2024-01-02T03:04:05Z', day: '2024-01-02', span: '1h30m', raw: 'aGVsbG8=', nothing: null, any: { a: 1 }, anything: 7 },
  embedded: { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'inside', generateName: 'x' }, spec: { n: 1 } },
  ...{
    'with-dash': 'dash',
    'with.dot': 'dot',
    'with/slash': 'slash',
    with__two: 'two',
    namespace: 'ns',
    int: 'word',
    'with space': 'w',
    '9': 'nine',
  },
} as unknown as JsonObject;
const changed: JsonObject = {
  ...full,
  n: 6,
  s: 'b',
  l: ['a'],
  k: [],
  either: 7,
  map: {},
  parts: [],
  set: ['a', 'b'],
  o: { inner: 'j' },
  embedded: {},
} as unknown as JsonObject;
const meta = { apiVersion: 'a.example.com/v1', kind: 'Thing', metadata: { name: 'thing' } };
const whole = (spec: JsonValue): JsonObject => ({ ...meta, spec });

function* ofExpressions(): Iterable<RuleCase> {
  const values = [
    { value: whole(full) },
    { value: whole({}) },
    { value: whole(changed), old: whole(full) },
    { value: whole(full), old: whole(full) },
  ];
  for (const isBounded of [true, false])
    for (const expression of expressions) {
      const schema = object({ spec: object(everything(isBounded), rules(expression)) }) as JSONSchemaProps;
      yield { name: `${isBounded ? 'bounded' : 'unbounded'}: ${expression}`, schema, values: isBounded ? values : [] };
    }
  for (const [index, one] of messages.entries()) {
    const schema = object({ spec: object(everything(true), rules(one)) }) as JSONSchemaProps;
    yield { name: `message ${index}: ${JSON.stringify(one)}`, schema, values };
  }
}

/** Rules where they stand: on what they are, and how deep. */
function* ofPlaces(): Iterable<RuleCase> {
  const failing = rules('self == self && false');
  const ofSpec = (name: string, spec: Schema, ...values: readonly (readonly [JsonValue, JsonValue?])[]): RuleCase => ({
    name,
    schema: object({ spec }) as JSONSchemaProps,
    values: values.map(([value, old]) => ({ value: whole(value), ...(old !== undefined && { old: whole(old) }) })),
  });
  yield {
    name: 'root',
    schema: object({}, rules("self.metadata.name.startsWith('x')", 'self.kind == "Other"')) as JSONSchemaProps,
    values: [{ value: whole({}) }],
  };
  yield { name: 'root labels', schema: object({}, rules("'a' in self.metadata.labels")) as JSONSchemaProps, values: [] };
  yield { name: 'metadata', schema: object({ metadata: object({}, rules("self.name == 'x'")) }) as JSONSchemaProps, values: [] };
  for (const [type, value] of [
    ['string', 'a'],
    ['integer', 1],
    ['number', 1.5],
    ['number', 2],
    ['boolean', true],
  ] as const)
    yield ofSpec(`a ${type}: ${value}`, { type, ...failing }, [value], [value, value]);
  yield ofSpec('an enum', text({ enum: ['a', 'b'], ...rules('self == "b"') }), ['a'], ['a', 'a'], ['a', 'b']);
  yield ofSpec(
    'int or string',
    { 'x-kubernetes-int-or-string': true, ...rules('self == 5 || self == "x"', 'type(self) == int', 'self > 3') },
    [5],
    ['x'],
    [2],
  );
  yield ofSpec(
    'items',
    list({ type: 'integer', ...rules('self > 1') }),
    [[1, 2, 0]],
    [
      [1, 2],
      [1, 3],
    ],
  );
  yield ofSpec(
    'items of a map',
    list({ ...part, ...rules('self.port > 1') }, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }),
    [[{ name: 'a', port: 1 }]],
    [[{ name: 'a', port: 1 }], [{ name: 'a', port: 1 }]],
    [
      [
        { name: 'b', port: 1 },
        { name: 'a', port: 0 },
      ],
      [{ name: 'a', port: 1 }],
    ],
  );
  yield ofSpec('values', { type: 'object', additionalProperties: text({ maxLength: 5, ...failing }) }, [{ a: 'x', 'b.c': 'y' }]);
  yield ofSpec(
    'transition of items of a map',
    list(
      { ...part, ...rules('self.port >= oldSelf.port') },
      { maxItems: 5, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
    ),
    [[{ name: 'a', port: 1 }]],
    [
      [
        { name: 'b', port: 1 },
        { name: 'a', port: 0 },
      ],
      [{ name: 'a', port: 1 }],
    ],
  );
  yield ofSpec('transition of items', list(text(rules('self == oldSelf'))), [['a']]);
  yield ofSpec('transition of items of a set', list(text(rules('self == oldSelf')), { 'x-kubernetes-list-type': 'set' }), [['a'], ['b']]);
  yield ofSpec('transition deep in a list', list(object({ a: list(text(rules('self == oldSelf'))) })));
  yield ofSpec('transition in an atomic map', object({ a: text(rules('self == oldSelf')) }, { 'x-kubernetes-map-type': 'atomic' }), [
    { a: 'x' },
    { a: 'y' },
  ]);
  yield ofSpec('transition of values', { type: 'object', additionalProperties: text(rules('self == oldSelf')), maxProperties: 3 }, [
    { a: 'x', b: 'y' },
    { a: 'y' },
  ]);
  yield ofSpec(
    'optional transition',
    { type: 'integer', ...rules({ rule: 'oldSelf.hasValue() ? self > oldSelf.value() : self == 1', optionalOldSelf: true }) },
    [1],
    [2],
    [2, 1],
    [1, 1],
  );
  yield ofSpec('optional transition of items', list({ type: 'integer', ...rules({ rule: 'oldSelf.orValue(0) < self', optionalOldSelf: true }) }), [
    [1],
  ]);
  yield ofSpec('optional without old', text(rules({ rule: 'self == "a"', optionalOldSelf: true })), ['b']);
  yield ofSpec('not optional without old', text(rules({ rule: 'self == "a"', optionalOldSelf: false })), ['b']);
  yield ofSpec('immutable', text(rules({ rule: 'self == oldSelf', message: ' it stays ' })), ['a'], ['a', 'b'], ['a', 'a']);
  yield ofSpec(
    'old in a loop',
    list(text({ maxLength: 3 }), { maxItems: 3, ...rules('self.all(oldSelf, oldSelf == "a")') }),
    [['a']],
    [['b'], ['b']],
  );
  yield ofSpec('preserving', { 'x-kubernetes-preserve-unknown-fields': true, ...failing });
  yield ofSpec('preserving object', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, ...rules('has(self.a)', 'self == oldSelf') }, [
    { a: 1 },
    { a: 2 },
  ]);
  yield ofSpec('unseen items', list({ 'x-kubernetes-preserve-unknown-fields': true }, failing));
  yield ofSpec(
    'an embedded resource',
    object({ e: object({}, { 'x-kubernetes-embedded-resource': true, ...rules('self.metadata.name == "a"', 'self.kind == "K"') }) }),
    [{ e: { apiVersion: 'v1', kind: 'X', metadata: { name: 'b' } } }],
  );
  for (const [name, schema] of [
    ['of strings', list(text(rules('self.contains("a")')))],
    ['of short strings', list(text({ maxLength: 10, ...rules('self.contains("a")') }))],
    ['of lists', list(list(text({ maxLength: 10, ...rules('self.matches("^a*$")') }), { maxItems: 100 }), { maxItems: 100 })],
    ['of maps', { type: 'object', maxProperties: 50, additionalProperties: list({ type: 'integer', ...rules('self > 1') }, { maxItems: 1000 }) }],
    [
      'of unbounded maps',
      {
        type: 'object',
        additionalProperties: object({ a: text({ maxLength: 100, ...rules('self.size() > 1 && self.lowerAscii() == self') }) }, { required: ['a'] }),
      },
    ],
    ['of nothing', list(text(rules('self == "a"')), { maxItems: 0 })],
    [
      'of required members',
      list(
        object(
          { alpha: text(), beta: { type: 'integer' }, gamma: text({ default: '' }) },
          { required: ['alpha', 'beta', 'gamma'], ...rules('self.alpha < "x"') },
        ),
      ),
    ],
  ] as const)
    yield ofSpec(`costs ${name}`, schema);
  const costly = 'self.all(x, self.all(y, x == y))';
  const many = (count: number, maxItems: number): Schema =>
    object(
      Object.fromEntries(
        Array.from({ length: count }, (_, i) => [`f${i}`, list(text({ maxLength: 10 }), { maxItems: maxItems + i * 7, ...rules(costly) })]),
      ),
    );
  yield ofSpec('costs of many', many(12, 1000));
  yield ofSpec('costs of many, each too much', many(3, 2000));
  yield ofSpec('costs of more', many(30, 1200));
  yield ofSpec(
    'cost of a message',
    text({ maxLength: 100_000, ...rules({ rule: 'self == ""', messageExpression: 'self.replace("a", "bb").replace("b", "cc")' }) }),
  );
  yield ofSpec('costly message', list(text(), { ...rules({ rule: 'self.size() == 0', messageExpression: 'self.join(self[0])' }) }));
  yield ofSpec('a list that is gone through', list({ type: 'integer' }, rules('self.all(x, self.all(y, x != y + 1))')), [
    Array.from({ length: 800 }, (_, i) => i * 2),
  ]);
  yield ofSpec(
    'budget',
    object({ a: list({ type: 'integer' }, { ...rules(...Array.from({ length: 14 }, () => 'self.all(x, self.all(y, x != y + 1))')) }) }),
    [{ a: Array.from({ length: 300 }, (_, i) => i * 2) }],
  );
  const withDefault = (schema: Schema): RuleCase => ofSpec(`default: ${JSON.stringify(schema)}`, object({ d: schema }), [{}]);
  yield withDefault(text({ default: 'a', ...rules('self == "b"') }));
  yield withDefault({ type: 'integer', default: 1, ...rules('self > oldSelf') });
  yield withDefault({ type: 'integer', default: 1, ...rules({ rule: 'oldSelf.hasValue()', optionalOldSelf: true }) });
  yield withDefault(object({ x: text(rules('self == "b"')) }, { default: { x: 'a' } }));
  yield withDefault(list(text(rules('self == "b"')), { default: ['a', 'b', 'c'] }));
  yield withDefault(
    object({}, { default: { metadata: { name: 'a' } }, 'x-kubernetes-embedded-resource': true, ...rules('self.metadata.name == "b"') }),
  );
  yield withDefault(text({ default: 'a', ...rules('self.nothing') }));
}

export function ruleCases(): readonly RuleCase[] {
  return [...ofExpressions(), ...ofPlaces()];
}
