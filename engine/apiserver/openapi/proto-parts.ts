/** What the protobuf forms of both versions of OpenAPI have in common. */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { ProtoWriter } from './proto-writer.ts';

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
  writer.text(2, `${yamlLines(value).join('\n')}\n`);
}

/** In blocks, as gnostic writes what it read. */
function yamlLines(value: JsonValue): readonly string[] {
  if (Array.isArray(value) && value.length > 0) return (value as readonly JsonValue[]).flatMap((item) => indented(yamlLines(item), '- ', '  '));
  if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length === 0) return [yamlScalar(value)];
  return Object.entries(value as JsonObject).flatMap(([key, inner]) => {
    const lines = yamlLines(inner);
    const isNested = typeof inner === 'object' && inner !== null && Object.keys(inner).length > 0;
    if (!isNested) return [`${yamlScalar(key)}: ${lines[0] ?? ''}`];
    return [`${yamlScalar(key)}:`, ...indented(lines, '    ', '    ')];
  });
}

function indented(lines: readonly string[], first: string, others: string): readonly string[] {
  return lines.map((line, index) => (index === 0 ? first : others) + line);
}

/** A text that is but words stands without quotes. */
function yamlScalar(value: JsonValue): string {
  const isWord = typeof value === 'string' && words.test(value) && !meaning.has(value.toLowerCase());
  return isWord ? value : JSON.stringify(value);
}

const words = /^[A-Za-z](?:[\w+./ <>=-]*\w)?$/;
/** What YAML 1.1 takes for no text. */
const meaning: ReadonlySet<string> = new Set(['y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null']);

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
