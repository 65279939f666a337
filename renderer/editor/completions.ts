/** What can be written at a place, by the kind's schema: fields with what they are for, and values where a field takes one of a few. */
import type { CursorField } from './cursor-path.ts';
import { type KindSchema, type Schema, typeWords } from './schema.ts';

export interface Choice {
  readonly label: string;
  readonly detail: string;
  readonly info?: string;
  /** What is written, with what must follow it. */
  readonly apply: string;
  /** Fields without which the object is refused stand first. */
  readonly boost: number;
}

/** `written` are the fields that stand beside it already. */
export function complete(kind: KindSchema, { parent, key, inValue, column }: CursorField, written: ReadonlySet<string>): readonly Choice[] {
  const map = kind.at(parent);
  if (map === undefined) return [];
  if (inValue) return valuesOf(kind.field(map, key)).map((value) => ({ label: value, detail: '', apply: value, boost: 0 }));
  const missing = Object.entries(map.properties ?? {}).filter(([name]) => !written.has(name));
  return missing.map(([name, field]) => {
    const schema = kind.resolve(field);
    return {
      label: name,
      detail: typeWords(kind, schema),
      ...(schema.description === undefined ? {} : { info: schema.description }),
      apply: name + behind(schema, column),
      boost: map.required?.includes(name) ? 1 : 0,
    };
  });
}

/** A map's fields and a list's elements begin on the next line. */
function behind(schema: Schema, column: number): string {
  if (schema.type === 'array') return `:\n${' '.repeat(column)}- `;
  return schema.type === 'object' || schema.properties ? `:\n${' '.repeat(column + 2)}` : ': ';
}

function valuesOf(schema: Schema | undefined): readonly string[] {
  if (schema?.type === 'boolean') return ['true', 'false'];
  return (schema?.enum ?? []).map(String).filter((value) => value !== '');
}
