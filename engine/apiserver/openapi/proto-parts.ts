/** What the protobuf forms of both versions of OpenAPI have in common. */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { ProtoWriter } from './proto-writer.ts';
import { yamlValue } from './yaml-value.ts';

type Write = (writer: ProtoWriter, value: JsonValue) => void;

/** `message Named… { string name = 1; … value = 2; }` */
export function named(writer: ProtoWriter, field: number, values: JsonObject, write: Write): void {
  for (const [name, value] of Object.entries(values)) {
    writer.message(field, () => {
      writer.text(1, name);
      writer.message(2, () => write(writer, value));
    });
  }
}

/** `message Any { … string yaml = 2; }` */
export function anything(writer: ProtoWriter, value: JsonValue): void {
  writer.text(2, yamlValue(value));
}

export function texts(writer: ProtoWriter, field: number, value: JsonValue | undefined): void {
  for (const item of list(value)) writer.item(field, text(item));
}

export function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

export function object(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
