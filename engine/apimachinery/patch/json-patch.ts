/**
 * JSON patch, RFC 6902, on immutable values: the result shares everything the operations leave alone. What a client reads when it
 * fails is what upstream's handler makes of the failure: 400 for no patch, 413 for too many operations, 422 for one that does not apply.
 */
import { newBadRequest, newGenericServerResponse, newRequestEntityTooLarge } from '../errors.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { setOwn } from '../../base/dictionary.ts';
import { jsonDepthMax } from '../serializer/json.ts';
import type { StatusError } from '../status.ts';
import { fieldAt } from '../../base/plain.ts';

const maxOperations = 10_000;
/** What `copy` operations may add in all, as upstream's JSONPatchMaxCopyBytes. */
const copiedBytesMax = 3 * 1024 * 1024;

function doesNotApply(): StatusError {
  return newGenericServerResponse({ code: 422, verb: '' });
}

/** What stands before the first slash is not looked at. */
function parsePointer(value: JsonValue | undefined): readonly string[] {
  if (typeof value !== 'string' || (value !== '' && !value.includes('/'))) throw doesNotApply();
  return pointerKeys(value);
}

/** The keys of a JSON pointer (RFC 6901). */
export function pointerKeys(pointer: string): readonly string[] {
  return pointer.split('/').slice(1).map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')); // biome-ignore format: a chain
}

/** The place in a list; `size` stands for the end where adding is allowed. Negative indices count from the end, and a sign may stand before others, as upstream reads them. */
function listIndex(key: string, size: number, adding: boolean): number {
  if (key === '-' && adding) return size;
  if (!/^[-+]?[0-9]+$/.test(key)) throw doesNotApply();
  const index = Number(key) < 0 ? Number(key) + size + (adding ? 1 : 0) : Number(key);
  if (index < 0 || index > (adding ? size : size - 1)) throw doesNotApply();
  return index;
}

/**
 * The document while operations change it. Containers are copied when first written to and then belong to the patch, so that ten
 * thousand operations on one large map cost ten thousand steps.
 */
class Draft {
  #document: JsonValue;
  /** Containers of the draft. */
  readonly #own = new WeakMap<object, Owned>();
  /** Levels of values that nobody changes. */
  readonly #levels = new WeakMap<object, number>();
  #copiedBytes = 0;

  constructor(document: JsonValue) {
    this.#document = document;
  }

  get document(): JsonValue {
    return this.#document;
  }

  get(path: readonly string[]): JsonValue | undefined {
    let current: JsonValue | undefined = this.#document;
    for (const key of path) {
      if (isList(current)) current = current[listIndex(key, current.length, false)];
      else if (isObject(current) && Object.hasOwn(current, key)) current = current[key];
      else return undefined;
    }
    return current;
  }

  /** Of a member that is not there, null; what should hold it must be there. */
  held(path: readonly string[]): JsonValue {
    const holder = this.get(path.slice(0, -1));
    if (!isObject(holder) && !isList(holder)) throw doesNotApply();
    return this.get(path) ?? null;
  }

  add(path: readonly string[], value: JsonValue): void {
    const levels = this.#depthOf(value);
    if (path.length === 0 || path.length + levels > jsonDepthMax) throw doesNotApply();
    const { container, key } = this.#writable(path, levels);
    if (isList(container)) (container as JsonValue[]).splice(listIndex(key, container.length, true), 0, value);
    else setOwn(container as Plain, key, value);
  }

  remove(path: readonly string[]): void {
    if (path.length === 0) throw doesNotApply();
    const { container, key } = this.#writable(path, 0);
    if (isList(container)) (container as JsonValue[]).splice(listIndex(key, container.length, false), 1);
    else if (Object.hasOwn(container, key)) delete (container as Plain)[key];
    else throw doesNotApply();
  }

  replace(path: readonly string[], value: JsonValue): void {
    const levels = this.#depthOf(value);
    if (path.length + levels > jsonDepthMax) throw doesNotApply();
    if (path.length === 0) {
      if (!isObject(value) && !isList(value)) throw doesNotApply();
      this.#document = value;
      return;
    }
    const { container, key } = this.#writable(path, levels);
    if (isList(container)) (container as JsonValue[])[listIndex(key, container.length, false)] = value;
    // Upstream's library replaces what is not there, too.
    else setOwn(container as Plain, key, value);
  }

  /** A copy of its own: as text, so that what all copies add up to is known before it is there. */
  copyOf(value: JsonValue): JsonValue {
    this.#copiedBytes += sizeOf(value, copiedBytesMax - this.#copiedBytes);
    if (this.#copiedBytes > copiedBytesMax) throw doesNotApply();
    return clone(value);
  }

  /** The container that the last key is looked up in, and everything on the way to it, belong to the draft. `levels`: of what will stand there. */
  #writable(path: readonly string[], levels: number): { readonly container: JsonObject | readonly JsonValue[]; readonly key: string } {
    let container = this.#owned(this.#document, path.length + levels);
    this.#document = container;
    for (const [at, key] of path.slice(0, -1).entries()) {
      const below = path.length - at - 1 + levels;
      if (isList(container)) {
        const index = listIndex(key, container.length, false);
        const next = this.#owned(container[index], below);
        (container as JsonValue[])[index] = next;
        container = next;
      } else {
        if (!Object.hasOwn(container, key)) throw doesNotApply();
        const next = this.#owned(container[key], below);
        setOwn(container as Plain, key, next);
        container = next;
      }
    }
    return { container, key: path.at(-1) ?? '' };
  }

  #owned(value: JsonValue | undefined, levels: number): JsonObject | readonly JsonValue[] {
    if (!isObject(value) && !isList(value)) throw doesNotApply();
    const known = this.#own.get(value);
    if (known !== undefined) {
      known.grown = Math.max(known.grown, levels);
      return value;
    }
    const copy = isList(value) ? [...value] : { ...value };
    this.#own.set(copy, { began: value, grown: levels });
    return copy;
  }

  /**
   * Levels of lists and maps. What may be moved ten thousand times is looked through once; of a container of the draft it is what
   * it had at most, so that taking something out of it costs no second look.
   */
  #depthOf(value: JsonValue): number {
    if (typeof value !== 'object' || value === null) return 0;
    const own = this.#own.get(value);
    if (own !== undefined) return Math.max(own.grown, this.#depthOf(own.began));
    const known = this.#levels.get(value);
    if (known !== undefined) return known;
    let deepest = 0;
    for (const inner of isList(value) ? value : Object.values(value)) deepest = Math.max(deepest, this.#depthOf(inner));
    this.#levels.set(value, deepest + 1);
    return deepest + 1;
  }
}

interface Owned {
  /** What it is a copy of. */
  readonly began: JsonValue;
  /** Levels that what was put into it had at most. */
  grown: number;
}

type Plain = { [key: string]: JsonValue };

/** Characters of the value as JSON, about; not counted on beyond `max`. */
function sizeOf(value: JsonValue, max: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 4;
  let size = 2;
  if (isList(value)) {
    for (const inner of value) {
      if (size > max) return size;
      size += sizeOf(inner, max - size) + 1;
    }
    return size;
  }
  for (const [key, inner] of Object.entries(value)) {
    if (size > max) return size;
    size += key.length + 4 + sizeOf(inner, max - size);
  }
  return size;
}

function clone(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(clone);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clone(inner)]));
}

function applyOperation(draft: Draft, operation: JsonObject): void {
  const path = parsePointer(operation['path']);
  const value = operation['value'] ?? null;
  switch (operation['op']) {
    case 'add':
      return draft.add(path, value);
    case 'remove':
      return draft.remove(path);
    case 'replace':
      return draft.replace(path, value);
    case 'test':
      if (!equalTo(draft.held(path), value)) throw doesNotApply();
      return;
    case 'copy':
    case 'move': {
      const start = parsePointer(operation['from']);
      if (start.length === 0) throw doesNotApply();
      const source = draft.held(start);
      if (operation['op'] === 'copy') return draft.add(path, draft.copyOf(source));
      draft.remove(start);
      return draft.add(path, source);
    }
    default:
      throw doesNotApply();
  }
}

/** Whether the document holds what the patch names; costs no more than the patch's value is large. */
function equalTo(value: JsonValue, wanted: JsonValue): boolean {
  if (isObject(value) && isObject(wanted)) {
    const keys = Object.keys(wanted);
    for (const key of keys) if (!Object.hasOwn(value, key)) return false;
    if (hasMoreKeysThan(value, keys.length)) return false;
    return keys.every((key) => equalTo(value[key] ?? null, wanted[key] ?? null));
  }
  if (isList(value) && isList(wanted)) return value.length === wanted.length && wanted.every((item, index) => equalTo(value[index] ?? null, item));
  return value === wanted;
}

function hasMoreKeysThan(value: JsonObject, count: number): boolean {
  let left = count;
  for (const key in value) if (fieldAt(value, key) !== undefined && --left < 0) return true;
  return false;
}

/** Throws StatusError. */
export function applyJsonPatch(original: JsonValue, patch: JsonValue): JsonValue {
  if (!isList(patch)) throw newBadRequest('json: cannot unmarshal object into Go value of type jsonpatch.Patch');
  if (patch.length > maxOperations)
    throw newRequestEntityTooLarge(`The allowed maximum operations in a JSON patch is ${maxOperations}, got ${patch.length}`);
  const draft = new Draft(original);
  for (const operation of patch) {
    // Nothing is an operation without a name.
    applyOperation(draft, isObject(operation) ? operation : {});
  }
  return draft.document;
}
