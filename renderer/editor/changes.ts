/** What differs between two states of an object, what two people changed at once, and the patch that brings one to the other. */
import { isList, isObject, type JsonObject, type JsonValue } from '../../engine/base/json.ts';

export type FieldPath = readonly (string | number)[];

export interface Change {
  readonly path: FieldPath;
  /** Undefined: the field was not there, or is there no more. */
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

/** Lists of the same length are compared element by element, others as a whole. */
export function changesBetween(before: JsonValue | undefined, after: JsonValue | undefined, path: FieldPath = []): readonly Change[] {
  if (before === after) return [];
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => changesBetween(own(before, name), own(after, name), [...path, name]));
  }
  if (isList(before) && isList(after) && before.length === after.length)
    return before.flatMap((one, index) => changesBetween(one, after[index], [...path, index]));
  return [{ path, before, after }];
}

/** Changes of `mine` at, above or below one of `theirs` that do not come to the same. */
export function overlaps(mine: readonly Change[], theirs: readonly Change[]): readonly { readonly mine: Change; readonly theirs: Change }[] {
  return mine.flatMap((one) =>
    theirs
      .filter((other) => touches(one.path, other.path) && !(one.path.length === other.path.length && isSame(one.after, other.after)))
      .map((other) => ({ mine: one, theirs: other })),
  );
}

function touches(a: FieldPath, b: FieldPath): boolean {
  return a.slice(0, b.length).every((part, index) => part === b[index]);
}

export function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return changesBetween(a, b).length === 0;
}

/** What was changed on both sides since `base`, in one; where both changed the same, `winner` has it. */
export function mergeThree(
  base: JsonValue | undefined,
  mine: JsonValue | undefined,
  theirs: JsonValue | undefined,
  winner: 'mine' | 'theirs',
): JsonValue | undefined {
  if (isSame(base, mine)) return theirs;
  if (isSame(base, theirs)) return mine;
  if (isObject(mine) && isObject(theirs)) {
    const from = isObject(base) ? base : {};
    const names = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])];
    const merged = names.map((name) => [name, mergeThree(own(from, name), own(mine, name), own(theirs, name), winner)] as const);
    return toObject(merged);
  }
  if (isList(base) && isList(mine) && isList(theirs) && base.length === mine.length && base.length === theirs.length)
    return base.map((one, index) => mergeThree(one, mine[index], theirs[index], winner) ?? null);
  return winner === 'mine' ? mine : theirs;
}

/** RFC 7396; undefined where nothing is to be done. */
export function mergePatch(from: JsonObject, to: JsonObject): JsonObject | undefined {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  const fields = names.flatMap((name): (readonly [string, JsonValue])[] => {
    const [before, after] = [own(from, name), own(to, name)];
    if (isSame(before, after)) return [];
    if (after === undefined) return [[name, null]];
    if (!isObject(before) || !isObject(after)) return [[name, after]];
    return [[name, mergePatch(before, after) ?? {}]];
  });
  return fields.length === 0 ? undefined : toObject(fields);
}

export function formatPath(path: FieldPath): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : /^[\w-]+$/.test(part) ? `.${part}` : `["${part}"]`)).join('');
  return text.replace(/^\./, '') || '.';
}

export function own(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Names that an assignment would lose (`__proto__`) are kept. */
function toObject(fields: readonly (readonly [string, JsonValue | undefined])[]): JsonObject {
  return Object.fromEntries(fields.filter((field): field is readonly [string, JsonValue] => field[1] !== undefined));
}
