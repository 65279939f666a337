/**
 * What differs between two versions of an object, field by field, with the values before and after. Bounded: so many fields, the others
 * are counted; of long values the part that differs.
 */
import type { FieldChange } from '../../api/sim/v1alpha1/change.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { getOwn } from '../../base/dictionary.ts';
import { keysOf, nameOf, quiet } from '../diff.ts';
import { type HiddenPaths, hiddenText, isHidden } from '../hidden-values.ts';

export interface FieldLimits {
  readonly fieldsMax: number;
  /** Characters of a value. */
  readonly textMax: number;
  /** Their values are not shown. */
  readonly hidden?: HiddenPaths;
  /** Also what only says that time has passed, behind the others. */
  readonly withBookkeeping?: boolean;
}

export interface FieldDifference {
  readonly fields: readonly FieldChange[];
  readonly more: number;
}

type Plain = { readonly [key: string]: unknown };

/** What the store and the server write of themselves at every change. */
const unsaid: ReadonlySet<string> = new Set(['resourceVersion', 'managedFields']);
const depthMax = 40;
/** So much of what both have stands before the first difference. */
const contextLength = 24;

export function compareFields(before: KubeObject | undefined, after: KubeObject | undefined, limits: FieldLimits): FieldDifference {
  const walk = new Walk(limits);
  walk.compare((before ?? {}) as unknown as Plain, (after ?? {}) as unknown as Plain);
  const all = limits.withBookkeeping === true ? [...walk.told, ...walk.bookkeeping] : walk.told;
  const fields = all.slice(0, limits.fieldsMax);
  const counted = walk.toldCount + (limits.withBookkeeping === true ? walk.bookkeepingCount : 0);
  return { fields, more: counted - fields.length };
}

class Walk {
  readonly told: FieldChange[] = [];
  readonly bookkeeping: FieldChange[] = [];
  toldCount = 0;
  bookkeepingCount = 0;
  readonly #limits: FieldLimits;

  constructor(limits: FieldLimits) {
    this.#limits = limits;
  }

  compare(before: Plain, after: Plain): void {
    for (const key of keysOf(before, after)) this.#visit(getOwn(before, key), getOwn(after, key), key, false, 0);
  }

  #visit(before: unknown, after: unknown, path: string, isQuiet: boolean, depth: number): void {
    if (before === after) return;
    if (depth < depthMax && isTree(before) && isTree(after) && !(isEmpty(before) && isEmpty(after))) {
      if (isMapOrNothing(before) && isMapOrNothing(after)) {
        this.#visitMaps(plain(before), plain(after), path, isQuiet, depth);
        return;
      }
      if (isNamedList(before) && isNamedList(after)) {
        this.#visitLists(before ?? [], after ?? [], path, isQuiet, depth);
        return;
      }
    }
    const [old, next] = [textOf(before), textOf(after)];
    if (old === next) return;
    const { textMax, hidden = [] } = this.#limits;
    const values = isHidden(path, hidden) ? shortened(old && hiddenText, next && hiddenText, textMax) : shortened(old, next, textMax);
    this.#add({ path, ...values, ...(isQuiet ? { bookkeeping: true } : {}) });
  }

  #visitMaps(before: Plain, after: Plain, path: string, isQuiet: boolean, depth: number): void {
    for (const key of keysOf(before, after)) {
      if (path === 'metadata' && unsaid.has(key)) continue;
      this.#visit(getOwn(before, key), getOwn(after, key), member(path, key), isQuiet || quiet.has(key), depth + 1);
    }
  }

  /** Items by what tells them from one another. */
  #visitLists(before: readonly unknown[], after: readonly unknown[], path: string, isQuiet: boolean, depth: number): void {
    const [old, next] = [byName(before), byName(after)];
    for (const [name, item] of next) this.#visit(old.get(name), item, `${path}[${name}]`, isQuiet, depth + 1);
    for (const [name, item] of old) if (!next.has(name)) this.#visit(item, undefined, `${path}[${name}]`, isQuiet, depth + 1);
    const [kept, keptBefore] = [[...next.keys()].filter((name) => old.has(name)), [...old.keys()].filter((name) => next.has(name))];
    if (kept.some((name, index) => name !== keptBefore[index]))
      this.#add({ path: `${path} (order)`, ...shortened(keptBefore.join(', '), kept.join(', '), this.#limits.textMax) });
  }

  #add(field: FieldChange): void {
    const [list, count] = field.bookkeeping === true ? [this.bookkeeping, ++this.bookkeepingCount] : [this.told, ++this.toldCount];
    if (count <= this.#limits.fieldsMax) list.push(field);
  }
}

/** Both at most so long: of longer ones what stands around the first difference. */
export function shortened(before: string | undefined, after: string | undefined, max: number): Omit<FieldChange, 'path'> {
  const isLong = (text: string | undefined): text is string => text !== undefined && text.length > max;
  const start = before === undefined || after === undefined ? 0 : Math.max(0, commonLength(before, after) - contextLength);
  const skips = start > 0 && (isLong(before) || isLong(after));
  const cut = (text: string): string => {
    const part = text.slice(skips ? start : 0, (skips ? start : 0) + max);
    return `${skips ? '…' : ''}${part}${(skips ? start : 0) + max < text.length ? '…' : ''}`;
  };
  return {
    ...(before === undefined ? {} : { before: cut(before) }),
    ...(after === undefined ? {} : { after: cut(after) }),
    ...(isLong(before) ? { beforeLength: before.length } : {}),
    ...(isLong(after) ? { afterLength: after.length } : {}),
  };
}

function commonLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  for (let at = 0; at < most; at++) if (a.charCodeAt(at) !== b.charCodeAt(at)) return at;
  return most;
}

function plain(value: unknown): Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Plain) : {};
}

function isTree(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'object';
}

/** `{}` is no nothing: that it is there is said. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || Object.keys(value).length === 0;
}

function isMapOrNothing(value: unknown): boolean {
  return value === undefined || value === null || !Array.isArray(value);
}

/** Of maps that can be told from one another. */
function isNamedList(value: unknown): value is readonly unknown[] | undefined | null {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item));
}

/** Where names are not unique, items by their place. */
function byName(items: readonly unknown[]): ReadonlyMap<string, unknown> {
  const named = new Map(items.map((item, index) => [nameOf(item, index), item]));
  return named.size === items.length ? named : new Map(items.map((item, index) => [String(index), item]));
}

function member(path: string, key: string): string {
  return /^[\w-]+$/.test(key) ? `${path}.${key}` : `${path}["${key}"]`;
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? Number(part) : part));
}
