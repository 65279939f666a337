/**
 * Message schemas made ready for work: inlined messages flattened into their parent in JSON order, nested messages linked. A
 * message is compiled when it is first met.
 */
import type { FieldSchema, MessageSchema, ScalarType, SchemaRegistry } from '../schema.ts';

export interface CompiledField {
  readonly inline: false;
  readonly name: string;
  readonly number: number;
  readonly scalar: ScalarType | undefined;
  readonly message: () => CompiledMessage;
  readonly card: FieldSchema['card'];
  readonly omitEmpty: boolean;
  readonly pointer: boolean;
  readonly wrapped: boolean;
  readonly goType: string | undefined;
  /** The name on a path, behind those of the Go structs that it is inlined from. */
  readonly place: string;
}

/** A nested message on the wire whose fields JSON lays into the parent. */
export interface InlineGroup {
  readonly inline: true;
  readonly number: number;
  readonly pointer: boolean;
  readonly message: () => CompiledMessage;
}

export interface CompiledMessage {
  readonly name: string;
  /** All JSON fields in upstream's order, those of inlined messages included. */
  readonly json: readonly CompiledField[];
  readonly byName: ReadonlyMap<string, CompiledField>;
  /** Index in `json` by name. */
  readonly positions: ReadonlyMap<string, number>;
  /** Fields that are written even when they are zero. */
  readonly always: readonly CompiledField[];
  /** What protobuf carries, by ascending field number. */
  readonly wire: readonly (CompiledField | InlineGroup)[];
  readonly byNumber: ReadonlyMap<number, CompiledField | InlineGroup>;
}

export function isInline(entry: CompiledField | InlineGroup): entry is InlineGroup {
  return entry.inline;
}

/** Between the names of structs, which only misfits tell, and that of the field. */
export const inlineMark = '\x01';

function within(owner: string, field: CompiledField): CompiledField {
  const [name = '', owners] = field.place.split(inlineMark).reverse();
  return { ...field, place: `${owner}${owners === undefined ? '' : `.${owners}`}${inlineMark}${name}` };
}

export class Compiler {
  readonly #schemas: SchemaRegistry;
  readonly #compiled = new Map<string, CompiledMessage>();

  constructor(schemas: SchemaRegistry) {
    this.#schemas = schemas;
  }

  get(schema: MessageSchema): CompiledMessage {
    const known = this.#compiled.get(schema.name);
    if (known !== undefined) return known;
    const json: CompiledField[] = [];
    const wire: (CompiledField | InlineGroup)[] = [];
    for (const field of schema.fields) {
      if (field.inline && typeof field.type !== 'string') {
        const inner = this.#schemas.mustGet(field.type.message);
        const owner = field.name.charAt(0).toUpperCase() + field.name.slice(1);
        json.push(...this.get(inner).json.map((one) => within(owner, one)));
        if (field.number > 0) wire.push({ inline: true, number: field.number, pointer: field.pointer, message: () => this.get(inner) });
      } else {
        const compiled = this.#field(field);
        json.push(compiled);
        if (field.number > 0) wire.push(compiled);
      }
    }
    wire.sort((a, b) => a.number - b.number);
    const message: CompiledMessage = {
      name: schema.name,
      json,
      byName: new Map(json.map((field) => [field.name, field])),
      positions: new Map(json.map((field, index) => [field.name, index])),
      always: json.filter((field) => !field.omitEmpty),
      wire,
      byNumber: new Map(wire.map((entry) => [entry.number, entry])),
    };
    this.#compiled.set(schema.name, message);
    return message;
  }

  mustGet(name: string): CompiledMessage {
    return this.get(this.#schemas.mustGet(name));
  }

  #field(field: FieldSchema): CompiledField {
    const { type } = field;
    let linked: CompiledMessage | undefined;
    return {
      inline: false,
      name: field.name,
      number: field.number,
      scalar: typeof type === 'string' ? type : undefined,
      message: () => {
        linked ??= this.get(this.#schemas.mustGet((type as { readonly message: string }).message));
        return linked;
      },
      card: field.card,
      omitEmpty: field.omitEmpty,
      pointer: field.pointer,
      wrapped: field.wrapped === true,
      goType: field.goType,
      place: field.name,
    };
  }
}
