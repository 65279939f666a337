/**
 * Schemas and values that somebody made to do harm: deep, long, repeated. All of it ends, at once and with an answer; a test that took time
 * that grows faster than what it was given would not end here.
 */
import { describe, expect, it } from 'vitest';
import type { JSONSchemaProps } from '../../api/apiextensions/v1/types.gen.ts';
import { errorText, root } from '../../apimachinery/field-errors.ts';
import { decodeJson, jsonDepthMax } from '../../apimachinery/serializer/json.ts';
import type { JsonValue } from '../../base/json.ts';
import { defaulted } from './defaulting.ts';
import { jsonPathOf, printerColumnsOf } from './json-path.ts';
import { validateListTypes } from './list-types.ts';
import { prune, pruneNaming } from './prune.ts';
import { schemaFaults } from './schema-rules.ts';
import { structuralFaults } from './structural-rules.ts';
import { structuralOf } from './structural.ts';
import { validateValue } from './validate.ts';

const whole = { isResourceRoot: true };
const rules = { requiresKnownTypes: true, requiresAtomicSets: true, requiresKeyedItems: true };
const preserving: JSONSchemaProps = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const faultsOf = (value: JsonValue, schema: JSONSchemaProps): readonly string[] =>
  validateValue(value, structuralOf(schema), undefined).map(errorText);
const nested = (depth: number, open: string, close: string, inside = '1'): JsonValue =>
  decodeJson(open.repeat(depth) + inside + close.repeat(depth)).value;
const repeated = <T>(count: number, of: (index: number) => T): readonly T[] => Array.from({ length: count }, (_, index) => of(index));

describe('depth', () => {
  const objects = nested(jsonDepthMax - 1, '{"a":', '}');
  const lists = nested(jsonDepthMax - 1, '[', ']');

  it('of values is no matter, whether a schema knows them or not', () => {
    for (const value of [objects, { a: lists } as JsonValue]) {
      const s = structuralOf(preserving);
      expect(defaulted(prune(value, s, whole), s)).toBe(value);
      expect(faultsOf(value, preserving)).toEqual([]);
      expect(pruneNaming(value, structuralOf({ type: 'object' }), whole)).toEqual({ value: {}, unknownFields: ['a'] });
    }
    expect(
      prune({ a: lists }, structuralOf({ type: 'object', properties: { a: { type: 'array', items: { type: 'array' } as JsonValue } } }), whole),
    ).toEqual({ a: lists });
  });

  it('of schemas is no matter, nor of values that follow them', () => {
    const depth = Math.floor(jsonDepthMax / 2) - 2;
    const schema = nested(depth, '{"type":"object","properties":{"a":', '}}', '{"type":"string","default":"x"}') as JSONSchemaProps;
    const s = structuralOf(schema);
    expect(structuralFaults(s, root('s'))).toEqual([]);
    expect(schemaFaults(schema, root('s'), rules, true)).toEqual([]);
    const value = nested(depth - 1, '{"a":', '}', '{}');
    expect(JSON.stringify(defaulted(value, s))).toContain('{"a":"x"}');
    expect(validateValue(nested(depth, '{"a":', '}'), s, undefined)).toHaveLength(1);
  });

  it('of branches is no matter', () => {
    const schema = nested(400, '{"allOf":[', ']}', '{"minLength":3}') as JSONSchemaProps;
    // One fault of the text, and one of each branch, all of one text.
    expect(faultsOf('a', schema)).toHaveLength(2);
    expect(structuralFaults(structuralOf({ type: 'object', properties: { a: { type: 'string', ...schema } } }), root('s'))).toEqual([]);
  });
});

describe('length', () => {
  it('of an enum and of a list of values that are not in it', () => {
    const values = repeated(50_000, (index) => `v${index}`);
    const schema: JSONSchemaProps = { type: 'array', items: { type: 'string', enum: values } as JsonValue };
    expect(faultsOf(values, schema)).toEqual([]);
    expect(
      validateValue(
        repeated(20_000, () => 'x'),
        structuralOf(schema),
        undefined,
      ).length,
    ).toBeGreaterThan(0);
  });

  it('of sets, of maps and of lists without repetitions', () => {
    const items = repeated(100_000, (index) => ({ a: index }));
    const set = structuralOf({
      type: 'object',
      properties: { l: { type: 'array', 'x-kubernetes-list-type': 'set', items: preserving as JsonValue } },
    });
    const map = structuralOf({
      type: 'object',
      properties: { l: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'], items: preserving as JsonValue } },
    });
    for (const s of [set, map]) expect(validateListTypes({ l: items }, s, undefined)).toEqual([]);
    expect(faultsOf(items, { type: 'array', uniqueItems: true })).toEqual([]);
    const unchanged = { old: { l: items }, ratcheting: true };
    expect(validateValue({ l: [...items].reverse() }, map, undefined, unchanged)).toEqual([]);
  });

  it('of a name below which much is wrong', () => {
    const long = 'n'.repeat(1 << 20);
    const below = Object.fromEntries(repeated(20_000, (index) => [`p${index}`, 1]));
    const wrong = validateValue(
      { [long]: below },
      structuralOf({ type: 'object', additionalProperties: { type: 'object', additionalProperties: { type: 'string' } } }),
      undefined,
    );
    expect(wrong.length).toBeGreaterThan(0);
    const { unknownFields } = pruneNaming({ [long]: below }, structuralOf({ type: 'object', additionalProperties: { type: 'object' } }), whole);
    expect(unknownFields.length).toBeGreaterThan(0);
    const untyped: JSONSchemaProps = {
      type: 'object',
      properties: { [long]: { type: 'object', properties: Object.fromEntries(repeated(20_000, (index) => [`p${index}`, {}])) } },
    };
    expect(structuralFaults(structuralOf(untyped), root('s')).length).toBeGreaterThan(0);
  });

  it('of texts that patterns go over again and again elsewhere', () => {
    for (const pattern of ['^(a+)+$', '^(a|aa)+$', '(a*)*b', '^(([a-z])+.)+[A-Z]([a-z])+$'])
      expect(faultsOf(`${'a'.repeat(20_000)}!`, { type: 'string', pattern })).toHaveLength(1);
  });

  it('of what a path of a column would look at', () => {
    const value = nested(900, '{"a":', '}');
    expect(jsonPathOf('..a..a..a..a..a')?.find(value)).toBeUndefined();
    expect(jsonPathOf(`.b${"['a','a']".repeat(60)}`)?.find({ b: value })).toBeUndefined();
    expect(printerColumnsOf([{ name: 'n', type: 'string', jsonPath: `.a[?(@.b==${'"x"'.repeat(3)})]` }])).toHaveLength(1);
    // A digit of another script ends a number that is none.
    expect(jsonPathOf(`.a[?(@.b==${'1'.repeat(300_000)}\u0661)]`)).toBeUndefined();
  });
});

describe('names that every object has', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  const object = decodeJson(`{${names.map((name) => `"${name}":{"a":1}`).join(',')}}`).value;

  it('are fields as others are', () => {
    const { value, unknownFields } = pruneNaming({ spec: object }, structuralOf({ type: 'object', properties: { spec: { type: 'object' } } }), whole);
    expect(value).toEqual({ spec: {} });
    expect(unknownFields).toEqual(names.map((name) => `spec.${name}`).sort());
    expect(faultsOf({}, { type: 'object', required: names })).toHaveLength(names.length);
    const schema: JSONSchemaProps = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string', default: 'd' }])) };
    const filled = defaulted({}, structuralOf(schema)) as object;
    expect(Object.keys(filled).sort()).toEqual([...names].sort());
    expect(Object.getPrototypeOf(filled)).toBe(Object.prototype);
    expect(faultsOf(object, schema)).toHaveLength(names.length);
    expect(jsonPathOf('.constructor.name')?.find({})).toEqual([]);
  });
});

describe('numbers beyond a double', () => {
  const value = (text: string): JsonValue => decodeJson(text).value;

  it('are whole numbers as long as 64 bits hold them', () => {
    const schema: JSONSchemaProps = { type: 'integer', format: 'int64' };
    expect(faultsOf(value('9223372036854775807'), schema)).toEqual([]);
    expect(faultsOf(value('9223372036854775808'), schema)).toHaveLength(2);
    expect(faultsOf(value('9007199254740993'), { type: 'integer', maximum: 9_007_199_254_740_992 })).toHaveLength(1);
    expect(faultsOf(value('-9223372036854775808'), { type: 'integer', multipleOf: 2, enum: [value('-9223372036854775808')] })).toEqual([]);
  });
});
