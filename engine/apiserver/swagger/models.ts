/**
 * Models of Swagger 1.2: definitions of OpenAPI v2 in the form in which go-restful tells types of Go. Mirrors model_builder.go of
 * go-restful-swagger12: fields in the order of the struct, those without `omitempty` required, maps that say nothing of what they hold,
 * texts with a type of their own where a pointer or a list leads to them.
 */
import { getOwn } from '../../base/dictionary.ts';
import type { JsonObject } from '../../base/json.ts';
import type { FieldSchema } from '../../apimachinery/schema.ts';
import { dialectV2 } from '../openapi/dialect.ts';
import { inlineTypes } from '../openapi/special-types.ts';

/** How the fields of a definition lie in Go. */
export interface Shape {
  /** None where nothing is known of them: they stand as the definition has them. */
  readonly fields: readonly FieldSchema[] | undefined;
  /** Those without `omitempty`, where that is not what it is now. */
  readonly required: readonly string[] | undefined;
  /** Fields that stood elsewhere: name → the one before it. */
  readonly moved: { readonly [name: string]: string } | undefined;
}

/** Of OpenAPI v2. */
export type Definitions = { readonly [name: string]: Definition };

type Definition = JsonObject & { readonly required?: readonly string[]; readonly properties?: { readonly [name: string]: JsonObject } };

export class Models {
  readonly #definitions: Definitions;
  readonly #shapeOf: (name: string) => Shape;
  readonly #models = new Map<string, JsonObject>();

  constructor(definitions: Definitions, shapeOf: (name: string) => Shape) {
    this.#definitions = definitions;
    this.#shapeOf = shapeOf;
  }

  /** By their names, in the order in which they were met. */
  all(): JsonObject {
    return Object.fromEntries(this.#models);
  }

  /** With all that it leads to. The first of a name is the only one. */
  add(definition: string): void {
    const id = shortName(definition);
    if (this.#models.has(id)) return;
    this.#models.set(id, {});
    const { fields, moved, required: told } = this.#shapeOf(definition);
    const { description, required: stated = [], properties = {} } = this.#definitions[definition] ?? {};
    const names = Object.keys(properties);
    const ordered = inOrder(names, fields ?? [], moved);
    const byName = new Map(fields?.map((field) => [field.name, field]));
    const required = told ?? ordered.filter((name) => stated.includes(name) || isAlwaysWritten(byName.get(name)));
    const written = ordered.map((name) => [name, this.#property(properties[name] ?? {}, byName.get(name))]);
    this.#models.set(id, {
      id,
      ...said(description),
      ...(required.length === 0 ? undefined : { required }),
      properties: Object.fromEntries(written),
    });
  }

  #property({ description, ...schema }: JsonObject, field: FieldSchema | undefined): JsonObject {
    return { ...this.#typeOf(schema, field), ...said(description) };
  }

  #typeOf({ $ref, type, format, items, additionalProperties }: JsonObject, field: FieldSchema | undefined): JsonObject {
    if (typeof $ref === 'string') {
      const name = $ref.slice(dialectV2.refPrefix.length);
      return this.#isText(name) ? { type: 'string' } : this.#referTo(name);
    }
    if (type === 'array') return { type, items: this.#itemsOf(items as JsonObject, field) };
    if (additionalProperties !== undefined) return { type: 'object' };
    if (type !== 'string') return { ...(type === undefined ? undefined : { type }), ...(format === undefined ? undefined : { format }) };
    return field?.pointer === true && field.goType !== undefined ? this.#named(field.goType) : { type };
  }

  #itemsOf({ $ref, type }: JsonObject, field: FieldSchema | undefined): JsonObject {
    if (typeof $ref === 'string') return this.#referTo($ref.slice(dialectV2.refPrefix.length));
    const named = /^\[\](.+)$/.exec(field?.goType ?? '')?.[1];
    return named === undefined || type !== 'string' ? { type: type ?? '' } : this.#named(named);
  }

  #referTo(definition: string): JsonObject {
    this.add(definition);
    return { $ref: shortName(definition) };
  }

  /** A text with a type of its own has a model, of which nothing more is said. */
  #named(id: string): JsonObject {
    if (!this.#models.has(id)) this.#models.set(id, { id, properties: {} });
    return { $ref: id };
  }

  /** Whatever writes itself is a text. */
  #isText(definition: string): boolean {
    return this.#definitions[definition]?.['type'] === 'string' || definition.endsWith('.RawExtension');
  }
}

/** `v1.Pod`, whatever stands before. */
export function shortName(definition: string): string {
  return definition.split('.').slice(-2).join('.');
}

/** Structs are written whatever their tags say, which is not known of them then. */
function isAlwaysWritten(field: FieldSchema | undefined): boolean {
  if (field === undefined || field.omitEmpty) return false;
  return field.pointer || field.card !== 'one' || (typeof field.type === 'string' && inlineTypes[field.type] !== undefined);
}

function said(description: unknown): JsonObject | undefined {
  return typeof description === 'string' ? { description } : undefined;
}

/** What types have in Go, then what only the definition has, but for what stood elsewhere. */
function inOrder(names: readonly string[], fields: readonly FieldSchema[], moved: Shape['moved'] = {}): readonly string[] {
  const places = new Map(fields.map(({ name }, place) => [name, place]));
  const placeOf = (name: string): number => {
    const before = getOwn(moved, name);
    return before === undefined ? (places.get(name) ?? fields.length) : placeOf(before) + 0.5;
  };
  return [...names].sort((a, b) => placeOf(a) - placeOf(b));
}
