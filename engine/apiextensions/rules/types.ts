/**
 * What expressions know of values by their schemas: types, and how large values are at most. Mirrors pkg/cel/common/schemas.go of apiserver
 * and pkg/apiserver/schema/cel/model of apiextensions-apiserver. Types are made as they are asked for: of a large schema a rule names little.
 */
import { bool, bytes, type CelType, double, duration, dyn, type Fields, int, listOf, mapOf, string, timestamp } from '../../cel/types.ts';
import { lazyFields } from '../../cel/message-types.ts';
import { structuralOf, type Structural } from '../schema/structural.ts';

/** Of a request. */
const bytesMax = 3 * 1024 * 1024;
const timeSizes = { duration: { least: 3, most: 32 }, date: { least: 12, most: 12 }, 'date-time': { least: 21, most: 32 } } as const;

export class SchemaTypes {
  readonly #whole = new WeakMap<Structural, Structural>();
  readonly #least = new WeakMap<Structural, number | undefined>();

  /** `name`: of the type, where it is an object. Undefined for a schema that says too little to be seen by expressions. */
  typeOf(given: Structural, isResourceRoot: boolean, name: string): CelType | undefined {
    if (this.leastSize(given, isResourceRoot) === undefined) return undefined;
    const s = this.seen(given, isResourceRoot);
    if (s.intOrString) return { ...dyn, sizeMax: s.limits.maxLength === undefined ? bytesMax - 2 : longest(s.limits.maxLength) };
    if (s.type === 'array' && s.items !== undefined) return this.#list(s, s.items, name);
    if (s.type === 'object') return this.#object(s, name);
    if (s.type === 'string') return textType(s);
    const plain = { boolean: bool, number: double, integer: int }[s.type];
    return plain && { ...plain, sizeMax: 0 };
  }

  /** At the root of a resource its type and its name can always be asked for. */
  seen(s: Structural, isResourceRoot: boolean): Structural {
    if (!isResourceRoot || s.intOrString) return s;
    let whole = this.#whole.get(s);
    if (whole === undefined) {
      whole = withTypeAndName(s);
      this.#whole.set(s, whole);
    }
    return whole;
  }

  /** How many bytes a value has at least, as JSON; undefined where expressions cannot see it. */
  leastSize(given: Structural, isResourceRoot: boolean): number | undefined {
    const s = this.seen(given, isResourceRoot);
    if (!this.#least.has(s)) this.#least.set(s, this.#measure(s));
    return this.#least.get(s);
  }

  #measure(s: Structural): number | undefined {
    if (s.intOrString) return 1;
    const { items, additionalProperties } = s;
    switch (s.type) {
      case 'array':
        return items !== undefined && this.leastSize(items, items.embeddedResource) !== undefined ? 2 : undefined;
      case 'object':
        if (typeof additionalProperties !== 'object') return this.#measureFields(s);
        return this.leastSize(additionalProperties, additionalProperties.embeddedResource) === undefined ? undefined : 2;
      case 'string':
        return timeOf(s)?.least ?? 2;
      case 'boolean':
        return 4;
      case 'number':
      case 'integer':
        return 1;
      default:
        return undefined;
    }
  }

  #measureFields({ properties, required }: Structural): number {
    const needed = new Set(required);
    let size = 2;
    for (const [name, property] of properties) {
      const own = this.leastSize(property, property.embeddedResource);
      if (own !== undefined && needed.has(name) && property.default === undefined) size += Buffer.byteLength(name) + own + 4;
    }
    return size;
  }

  #list(s: Structural, items: Structural, name: string): CelType {
    const element = this.typeOf(items, items.embeddedResource, `${name}.@idx`) ?? dyn;
    const least = this.leastSize(items, items.embeddedResource) ?? 1;
    const sizeMax = s.limits.maxItems === undefined ? Math.floor((bytesMax - 2) / (least + 1)) : Math.max(0, s.limits.maxItems);
    return { ...listOf(element), sizeMax };
  }

  #object(s: Structural, name: string): CelType {
    const { additionalProperties: values, properties, limits } = s;
    if (typeof values !== 'object') return { kind: 'object', name, fields: this.#fields(properties, name), sizeMax: 0 };
    const value = this.typeOf(values, values.embeddedResource, `${name}.@elem`) ?? dyn;
    const least = this.leastSize(values, values.embeddedResource) ?? 1;
    const sizeMax = limits.maxProperties === undefined ? Math.floor((bytesMax - 2) / (least + 6)) : Math.max(0, limits.maxProperties);
    return { ...mapOf({ ...string, sizeMax: 0 }, value), sizeMax };
  }

  #fields(properties: ReadonlyMap<string, Structural>, name: string): Fields {
    const all = [...properties].map(([own, property]) => ({ name: own, property }));
    return lazyFields(all, ({ property }, field) => this.typeOf(property, property.embeddedResource, `${name}.${field}`));
  }
}

/** Code points of four bytes. */
function longest(maxLength: number): number {
  return Math.max(0, maxLength) * 4;
}

function timeOf({ format }: Structural): { readonly least: number; readonly most: number } | undefined {
  return format === 'duration' || format === 'date' || format === 'date-time' ? timeSizes[format] : undefined;
}

function textType(s: Structural): CelType {
  const { format, limits, enum: values } = s;
  const time = timeOf(s);
  if (time !== undefined) return { ...(format === 'duration' ? duration : timestamp), sizeMax: time.most };
  if (format === 'byte') return { ...bytes, sizeMax: limits.maxLength === undefined ? bytesMax - 2 : Math.max(0, limits.maxLength) };
  if (limits.maxLength !== undefined) return { ...string, sizeMax: longest(limits.maxLength) };
  const lengths = (s.props.enum ?? []).map((one) => (typeof one === 'string' ? Buffer.byteLength(one) : 0));
  return { ...string, sizeMax: values === undefined ? bytesMax - 2 : lengths.reduce((most, length) => Math.max(most, length), 0) };
}

function withTypeAndName(s: Structural): Structural {
  const isText = (one: Structural | undefined): boolean => one?.type === 'string';
  const { properties } = s;
  const metadata = properties.get('metadata');
  const isNamed = metadata?.type === 'object' && isText(metadata.properties.get('name')) && isText(metadata.properties.get('generateName'));
  if (isText(properties.get('kind')) && isText(properties.get('apiVersion')) && isNamed) return s;
  const text = { type: 'string' };
  const known = structuralOf({
    properties: { kind: text, apiVersion: text, metadata: { type: 'object', properties: { name: text, generateName: text } } },
  });
  return { ...s, properties: new Map([...properties, ...known.properties]) };
}
