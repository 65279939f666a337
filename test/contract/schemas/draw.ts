/** Draws schemas, and values that mostly fit them. The same seed draws the same. */
import type { JSONSchemaProps } from '../../../engine/api/apiextensions/v1/types.gen.ts';
import type { JsonValue } from '../../../engine/base/json.ts';
import { Random, type RandomStream } from '../../../engine/base/random.ts';
import type { Case } from './cases.ts';

type Schema = { -readonly [member in keyof JSONSchemaProps]: JSONSchemaProps[member] };

const names = ['a', 'b', 'c', 'name', 'metadata', 'kind', 'apiVersion', 'constructor', '__proto__', 'x-y'];
const formats = [
  'date',
  'date-time',
  'email',
  'ipv4',
  'uuid',
  'byte',
  'int32',
  'int64',
  'double',
  'float',
  'k8s-short-name',
  'unheard-of',
  'duration',
];
const texts = ['', 'a', 'ab', 'abcdef', 'Ä', '😀😀', '2020-02-29', '1.2.3.4', 'A', '7', 'x y', '1h'];
const patterns = ['^[a-z]+$', 'b', '^$', '[[:upper:]]', '^.{2}$', '\\d'];
const numbers: readonly (number | bigint)[] = [0, 1, 2, 5, -1, 7.5, 0.1, 1e-7, 1e21, 2_147_483_648, 9_007_199_254_740_993n, -5, 2.000000001, 100];

const metas: readonly JsonValue[] = [
  { name: 'a' },
  { name: 'A/b', labels: { 'a b': 'c' } },
  { unheard: 1, name: 'x' },
  { namespace: 'N', annotations: { a: 'b' } },
];

class Drawer {
  readonly #random: RandomStream;

  constructor(seed: number) {
    this.#random = new Random(seed).stream('schemas');
  }

  chance(share: number): boolean {
    return this.#random.next() < share;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.#random.integer(list.length)] as T;
  }

  count(most: number): number {
    return this.#random.integer(most + 1);
  }

  /** `isNested`: within `allOf` and the like, where structure has no place but validations have. */
  schema(depth: number, isNested: boolean): Schema {
    const types = depth > 0 ? ['object', 'object', 'array', 'string', 'integer', 'number', 'boolean'] : ['string', 'integer', 'number', 'boolean'];
    const type = this.pick(types);
    const s: Schema = isNested && this.chance(0.5) ? {} : { type };
    if (!isNested && this.chance(0.15)) s.nullable = true;
    if (!isNested && depth > 0 && this.chance(0.07)) return this.#special(depth);
    this.#limits(s, type);
    if (type === 'object') this.#object(s, depth, isNested);
    if (type === 'array') this.#array(s, depth, isNested);
    if (this.chance(0.08)) s.enum = Array.from({ length: 1 + this.count(2) }, () => this.scalar(this.chance(0.8) ? type : this.pick(types)));
    if (depth > 0 && this.chance(0.2)) this.#branches(s, depth);
    if (!isNested && this.chance(0.2)) s.default = this.value(s, 0.1);
    return s;
  }

  #special(depth: number): Schema {
    if (this.chance(0.4))
      return { 'x-kubernetes-int-or-string': true, ...(this.chance(0.5) && { anyOf: [{ type: 'integer' }, { type: 'string' }] }) };
    if (this.chance(0.5))
      return {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        ...(this.chance(0.5) && { properties: { a: this.schema(depth - 1, false) } }),
      };
    return { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true };
  }

  #limits(s: Schema, type: string): void {
    if (type === 'string') {
      if (this.chance(0.15)) s.maxLength = this.count(4);
      if (this.chance(0.15)) s.minLength = this.count(3);
      if (this.chance(0.2)) s.pattern = this.pick(patterns);
    }
    if (type === 'integer' || type === 'number') {
      if (this.chance(0.2)) s.maximum = Number(this.pick(numbers));
      if (this.chance(0.2)) s.minimum = Number(this.pick(numbers));
      if (this.chance(0.1)) s.multipleOf = this.pick([1, 2, 0.5, 0.1, 3]);
      if (this.chance(0.1)) s.exclusiveMaximum = true;
      if (this.chance(0.1)) s.exclusiveMinimum = true;
    }
    if (this.chance(type === 'boolean' ? 0.05 : 0.2)) s.format = this.pick(formats);
  }

  #object(s: Schema, depth: number, isNested: boolean): void {
    if (!isNested && this.chance(0.25)) s.additionalProperties = (this.chance(0.8) ? this.schema(depth - 1, false) : true) as JsonValue;
    else {
      const properties: [string, JSONSchemaProps][] = [];
      for (let i = this.count(4); i > 0; i--) properties.push([this.pick(names), this.schema(depth - 1, isNested)]);
      s.properties = Object.fromEntries(properties);
    }
    if (this.chance(0.3)) s.required = [this.pick(names)];
    if (this.chance(0.1)) s.maxProperties = this.count(2);
    if (this.chance(0.1)) s.minProperties = this.count(3);
  }

  #array(s: Schema, depth: number, isNested: boolean): void {
    s.items = this.schema(depth - 1, isNested) as JsonValue;
    if (this.chance(0.15)) s.maxItems = this.count(2);
    if (this.chance(0.15)) s.minItems = this.count(3);
    if (isNested) return;
    if (this.chance(0.2)) s['x-kubernetes-list-type'] = 'set';
    else if (this.chance(0.3)) {
      s['x-kubernetes-list-type'] = 'map';
      s['x-kubernetes-list-map-keys'] = this.chance(0.5) ? ['a'] : ['a', 'b'];
      s.items = {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'integer' }, c: this.schema(depth - 1, false) },
      } as JSONSchemaProps as JsonValue;
    }
  }

  #branches(s: Schema, depth: number): void {
    const some = (): Schema[] => Array.from({ length: 1 + this.count(2) }, () => this.schema(depth - 1, true));
    if (this.chance(0.4)) s.allOf = some();
    if (this.chance(0.4)) s.anyOf = some();
    if (this.chance(0.4)) s.oneOf = some();
    if (this.chance(0.3)) s.not = this.schema(depth - 1, true);
  }

  scalar(type: string): JsonValue {
    if (type === 'string') return this.pick(texts);
    if (type === 'boolean') return this.chance(0.5);
    if (type === 'integer' || type === 'number') return this.pick(numbers);
    return this.pick<JsonValue>([null, {}, [], 'a', 1]);
  }

  /** `wrong`: how often something else stands there. */
  value(s: JSONSchemaProps, wrong: number): JsonValue {
    if (this.chance(wrong)) return this.scalar(this.pick(['string', 'integer', 'boolean', 'other']));
    if (s.enum && this.chance(0.5)) return this.pick(s.enum);
    if (s['x-kubernetes-int-or-string']) return this.scalar(this.pick(['string', 'integer']));
    if (s['x-kubernetes-embedded-resource']) return this.#resource();
    if (s.type === 'array') return Array.from({ length: this.count(3) }, () => this.value((s.items ?? {}) as JSONSchemaProps, wrong));
    if (s.type !== 'object') return this.scalar(s.type ?? this.pick(['string', 'integer', 'other']));
    const members: [string, JsonValue][] = [];
    for (const [name, below] of Object.entries(s.properties ?? {})) if (this.chance(0.75)) members.push([name, this.value(below, wrong)]);
    const others = typeof s.additionalProperties === 'object' ? (s.additionalProperties as JSONSchemaProps) : {};
    for (let i = this.chance(0.4) ? this.count(2) : 0; i > 0; i--) members.push([this.pick(names), this.value(others, wrong)]);
    return Object.fromEntries(members);
  }

  #resource(): JsonValue {
    const members: [string, JsonValue][] = [];
    // One of them at most: which of two faults upstream meets first is chance.
    const wrong = this.pick(['apiVersion', 'kind', 'metadata', 'none', 'none']);
    if (this.chance(0.8)) members.push(['apiVersion', wrong === 'apiVersion' ? 3 : this.pick(['v1', 'a/b', 'a/b/c', ''])]);
    if (this.chance(0.8)) members.push(['kind', wrong === 'kind' ? true : this.pick(['Pod', 'no_kind', '', 'x'.repeat(70)])]);
    if (this.chance(0.8)) members.push(['metadata', wrong === 'metadata' ? this.pick<JsonValue>([{ labels: { a: 1 } }, 'x']) : this.pick(metas)]);
    members.push(['spec', this.scalar('other')]);
    return Object.fromEntries(members);
  }

  /** The value with a part of it replaced. */
  changed(value: JsonValue, s: JSONSchemaProps): JsonValue {
    if (this.chance(0.2)) return this.value(s, 0.3);
    if (Array.isArray(value))
      return value.map((item) => (this.chance(0.7) ? (item as JsonValue) : this.changed(item as JsonValue, (s.items ?? {}) as JSONSchemaProps)));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        key,
        this.chance(0.6) ? (member as JsonValue) : this.changed(member as JsonValue, s.properties?.[key] ?? {}),
      ]),
    );
  }
}

/** A case of a whole object, whose root names a spec and what else was drawn. */
export function drawCase(seed: number): Case {
  const drawer = new Drawer(seed);
  const spec = drawer.schema(3, false);
  const schema: JSONSchemaProps = { type: 'object', properties: { spec } };
  const whole = (value: JsonValue): JsonValue => ({ apiVersion: 'a.b/v1', kind: 'C', metadata: { name: 'x' }, spec: value });
  const value = drawer.value(spec, 0.15);
  return { name: `drawn ${seed}`, schema, value: whole(value), old: whole(drawer.changed(value, spec)) };
}
