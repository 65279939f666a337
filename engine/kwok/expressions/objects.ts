/**
 * API objects as KWOK's expressions see them: as Go structs, in which a field that is not set has its zero value, and `has` tells the
 * difference; objects of other kinds are maps. Mirrors github.com/wzshiming/easycel with the conversions of pkg/utils/cel.
 */
import { createSchemaRegistry } from '../../api/schemas.ts';
import { parseQuantity } from '../../apimachinery/quantity.ts';
import type { FieldSchema, MessageSchema, SchemaRegistry, TypeRef } from '../../apimachinery/schema.ts';
import { decodeBase64 } from '../../base/base64.ts';
import { getOwn } from '../../base/dictionary.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { CelTimestamp, readTimestamp } from '../../cel/libraries/times.ts';
import { bool, bytes, type CelType, double, dyn, int, listOf, mapOf, string, timestamp, uint } from '../../cel/types.ts';
import { celMap, type CelObject, type CelValue, Unsigned } from '../../cel/values.ts';
import { KwokQuantity, quantityType, ResourceList, resourceListType } from './quantities.ts';

/** Of the year 1. */
const zeroTime = new CelTimestamp(-62_135_596_800_000_000_000n);

export class ObjectTypes {
  readonly #schemas: SchemaRegistry = createSchemaRegistry();
  readonly #types = new Map<string, CelType>();

  /** The type of a message, e.g. `io.k8s.api.core.v1.Pod`. */
  typeOf(message: string): CelType {
    const known = this.#types.get(message);
    if (known !== undefined) return known;
    const fields = new Map<string, CelType>();
    const type: CelType = { kind: 'object', name: goName(message), fields };
    this.#types.set(message, type);
    for (const field of this.#fields(message)) fields.set(field.name, this.#fieldType(field));
    return type;
  }

  /** An object of that message. */
  valueOf(message: string, object: JsonObject): CelObject {
    const fields = new Map(this.#fields(message).map((field) => [field.name, field] as const));
    return {
      celType: goName(message),
      field: (name) => {
        const field = fields.get(name);
        return field && this.#fieldValue(field, getOwn(object, name));
      },
      isSet: (name) => {
        const value = getOwn(object, name);
        return value !== undefined && value !== null && value !== '' && value !== 0 && value !== false;
      },
    };
  }

  /** With those of embedded structs. */
  #fields(message: string): readonly FieldSchema[] {
    const schema: MessageSchema | undefined = this.#schemas.get(message);
    return (schema?.fields ?? []).flatMap((field) =>
      field.inline === true && typeof field.type === 'object' ? this.#fields(field.type.message) : [field],
    );
  }

  #fieldType({ type, card }: FieldSchema): CelType {
    if (card === 'map' && type === 'quantity') return resourceListType;
    const one = this.#scalarType(type);
    switch (card) {
      case 'one':
        return one;
      case 'list':
        return listOf(one);
      case 'map':
        return mapOf(string, one);
      case 'mapOfLists':
        return mapOf(string, listOf(one));
    }
  }

  #scalarType(type: TypeRef): CelType {
    if (typeof type === 'object') return this.typeOf(type.message);
    switch (type) {
      case 'string':
      case 'duration':
        return string;
      case 'bool':
        return bool;
      case 'int32':
      case 'int64':
        return int;
      case 'uint32':
      case 'uint64':
        return uint;
      case 'double':
        return double;
      case 'bytes':
        return bytes;
      case 'quantity':
        return quantityType;
      case 'time':
      case 'microTime':
        return timestamp;
      default:
        return dyn;
    }
  }

  #fieldValue(field: FieldSchema, value: JsonValue | undefined): CelValue {
    const { type, card, pointer } = field;
    if (card === 'map' && type === 'quantity') return new ResourceList((value ?? {}) as Readonly<Record<string, string>>);
    if (card === 'list') return ((value ?? []) as readonly JsonValue[]).map((one) => this.#scalarValue(type, one));
    if (card === 'map') return celMap(Object.entries((value ?? {}) as JsonObject).map(([key, one]) => [key, this.#scalarValue(type, one)] as const));
    if (card === 'mapOfLists')
      return celMap(
        Object.entries((value ?? {}) as Readonly<Record<string, readonly JsonValue[]>>).map(
          ([key, list]) => [key, list.map((one) => this.#scalarValue(type, one))] as const,
        ),
      );
    if ((value === undefined || value === null) && pointer && type !== 'time' && type !== 'microTime') return null;
    return this.#scalarValue(type, value);
  }

  #scalarValue(type: TypeRef, value: JsonValue | undefined): CelValue {
    if (typeof type === 'object') return this.valueOf(type.message, (value ?? {}) as JsonObject);
    switch (type) {
      case 'string':
      case 'duration':
        return typeof value === 'string' ? value : '';
      case 'bool':
        return value === true;
      case 'int32':
      case 'int64':
        return BigInt((value ?? 0) as number);
      case 'uint32':
      case 'uint64':
        return new Unsigned(BigInt((value ?? 0) as number));
      case 'double':
        return Number(value ?? 0);
      case 'bytes':
        return decodeBase64(typeof value === 'string' ? value : '');
      case 'quantity':
        return new KwokQuantity(parseQuantity(typeof value === 'string' ? value : '0'));
      case 'time':
      case 'microTime':
        return typeof value === 'string' ? (readTimestamp(value) ?? zeroTime) : zeroTime;
      default:
        return plainValue(value ?? null);
    }
  }
}

/** JSON as Go decodes it into interfaces: whole numbers are integers. */
export function plainValue(value: JsonValue): CelValue {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(plainValue);
  if (typeof value !== 'object' || value === null) return value;
  return celMap(Object.entries(value).map(([key, one]) => [key, plainValue(one)] as const));
}

/** As Go calls the type: `v1.PodSpec`. */
function goName(message: string): string {
  return message.split('.').slice(-2).join('.');
}
