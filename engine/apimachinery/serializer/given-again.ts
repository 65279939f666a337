/** What Go's decoder makes of a field that a document gives twice: it reads into what is there. */
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { setOwn } from '../../base/dictionary.ts';
import type { CompiledField, CompiledMessage } from './compile.ts';

/** The struct that a value of the field is read into, or that each element of it is; undefined for all else. */
export function messageIn(field: CompiledField | undefined, isElement: boolean): CompiledMessage | undefined {
  return field !== undefined && field.scalar === undefined && (isElement || field.card === 'one') ? field.message() : undefined;
}

/** `field`: undefined for what is read into a map, where the last one counts. */
export function givenAgain(before: JsonValue, now: JsonValue, field: CompiledField | undefined): JsonValue {
  if (field === undefined) return now;
  if (now === null) return field.pointer || field.card !== 'one' ? null : before;
  if (field.card === 'list') return field.scalar === undefined && Array.isArray(before) && Array.isArray(now) ? listAgain(before, now, field) : now;
  if (!isObject(before) || !isObject(now)) return now;
  return field.card === 'one' ? structAgain(before, now, messageIn(field, false)) : withAll(before, now, () => undefined);
}

/** Places that were there are read into once more. */
function listAgain(before: readonly JsonValue[], now: readonly JsonValue[], field: CompiledField): JsonValue {
  return now.map((element, index) => {
    const was = before[index];
    if (was === undefined || !isObject(was)) return element;
    return element === null ? was : isObject(element) ? structAgain(was, element, field.message()) : element;
  });
}

function structAgain(before: JsonObject, now: JsonObject, message: CompiledMessage | undefined): JsonValue {
  return message === undefined ? now : withAll(before, now, (key) => message.byName.get(key));
}

function withAll(before: JsonObject, now: JsonObject, fieldOf: (key: string) => CompiledField | undefined): JsonValue {
  const all: { [key: string]: JsonValue } = {};
  for (const [key, value] of Object.entries(before)) setOwn(all, key, value as JsonValue);
  for (const [key, value] of Object.entries(now))
    setOwn(all, key, Object.hasOwn(all, key) ? givenAgain(all[key] as JsonValue, value as JsonValue, fieldOf(key)) : (value as JsonValue));
  return all;
}
