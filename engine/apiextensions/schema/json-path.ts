/**
 * What a path finds in an object, and what a printer column shows of it. Mirrors client-go's util/jsonpath with missing keys allowed, and
 * pkg/registry/customresource/tableconvertor of apiextensions-apiserver.
 */
import { goFloat, goJson } from '../../apimachinery/quote.ts';
import { parseTime, humanDuration } from '../../apimachinery/time.ts';
import type { CustomResourceColumnDefinition } from '../../api/apiextensions/v1/types.gen.ts';
import { getOwn } from '../../base/dictionary.ts';
import { isList, isObject, type JsonValue } from '../../base/json.ts';
import { parsePath, type PathStep, PathSyntaxError } from './json-path-parser.ts';
import { goNumberOf } from './numbers.ts';
import { inOrder } from './rewrite.ts';

export interface JsonPath {
  readonly source: string;
  /** All that it finds; undefined where it cannot be followed, as into the items of what is no list. */
  find(value: JsonValue): readonly JsonValue[] | undefined;
}

/** Undefined where it is none. */
export function jsonPathOf(source: string): JsonPath | undefined {
  try {
    const steps = parsePath(source);
    return { source, find: (value) => findBy(steps, value) };
  } catch (error) {
    if (error instanceof PathSyntaxError) return undefined;
    throw error;
  }
}

export interface PrinterColumn {
  readonly definition: CustomResourceColumnDefinition;
  /** The cell of an object; `now` in virtual milliseconds, for dates. */
  cell(object: JsonValue, now: number): JsonValue;
}

/** Columns up to the first whose path is none: upstream shows no further ones. */
export function printerColumnsOf(definitions: readonly CustomResourceColumnDefinition[]): readonly PrinterColumn[] {
  const columns: PrinterColumn[] = [];
  for (const definition of definitions) {
    const path = jsonPathOf(definition.jsonPath);
    if (path === undefined) break;
    columns.push({ definition, cell: (object, now) => cellOf(path.find(object)?.[0], definition.type, now) });
  }
  return columns;
}

function cellOf(value: JsonValue | undefined, type: string, now: number): JsonValue {
  if (value === undefined) return null;
  if (type === 'string') return textOf(value);
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  if (type === 'integer') return isNumber ? truncated(value) : null;
  if (type === 'number') return isNumber ? Number(value) : null;
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  return type === 'date' && typeof value === 'string' ? ageOf(value, now) : null;
}

function truncated(value: number | bigint): number | bigint {
  return typeof value === 'bigint' ? value : Math.trunc(value) || 0;
}

/** As Go prints it: lists and objects as JSON. */
export function textOf(value: JsonValue): string {
  if (value === null) return '<no value>';
  if (typeof value === 'string') return value;
  if (typeof value === 'object') return goJson(inOrder(value));
  if (typeof value === 'boolean') return String(value);
  const number = goNumberOf(value);
  return 'whole' in number ? String(number.whole) : goFloat(number.double);
}

function ageOf(text: string, now: number): string {
  if (text === '' || text === 'null') return '<unknown>';
  const time = parseTime(text);
  return time === undefined ? '<invalid>' : humanDuration(now - time);
}

/** What one path may look at: chains of `..` find the same values over and over. */
const looksMax = 200_000;

/** A path that cannot be followed finds nothing at all. */
class Lost extends Error {
  override readonly name = 'Lost';
}

function findBy(steps: readonly PathStep[], value: JsonValue): readonly JsonValue[] | undefined {
  try {
    return new Finder().follow(steps, [value]);
  } catch (error) {
    if (error instanceof Lost) return undefined;
    throw error;
  }
}

class Finder {
  #looks = 0;

  follow(steps: readonly PathStep[], values: readonly JsonValue[]): readonly JsonValue[] {
    let found = values;
    for (const step of steps) {
      found = this.#step(step, found);
      this.#look(found.length);
    }
    return found;
  }

  #look(count: number): void {
    this.#looks += count + 1;
    if (this.#looks > looksMax) throw new Lost();
  }

  #step(step: PathStep, values: readonly JsonValue[]): readonly JsonValue[] {
    switch (step.kind) {
      case 'field':
        return fieldsOf(values, step.name);
      case 'wildcard':
        return values.flatMap((value) => membersOf(value));
      case 'recursive':
        return this.#below(values);
      case 'slice':
        return slicesOf(values, step);
      case 'union':
        return step.parts.flatMap((part) => this.follow(part, values));
      case 'filter':
        return this.#filtered(values, step);
      case 'value':
        return values.map(() => step.value);
      case 'word':
        throw new Lost();
    }
  }

  /** Everything that holds something, outermost first. */
  #below(values: readonly JsonValue[]): readonly JsonValue[] {
    const found: JsonValue[] = [];
    const visit = (value: JsonValue): void => {
      const members = membersOf(value);
      if (members.length === 0) return;
      this.#look(1);
      found.push(value);
      for (const member of members) visit(member);
    };
    for (const value of values) visit(value);
    return found;
  }

  #filtered(values: readonly JsonValue[], { left, operator, right }: PathStep & { readonly kind: 'filter' }): readonly JsonValue[] {
    return values.flatMap((value) => {
      if (!isList(value)) throw new Lost();
      return value.filter((item) => {
        const lefts = operator === 'exists' ? this.#tried(left, item) : this.follow(left, [item]);
        if (operator === 'exists') return lefts.length > 0;
        if (lefts.length === 0) return false;
        const rights = this.follow(right, [item]);
        if (lefts.length > 1 || rights.length > 1) throw new Lost();
        return rights.length > 0 && compare(lefts[0] as JsonValue, operator, rights[0] as JsonValue);
      });
    });
  }

  #tried(steps: readonly PathStep[], item: JsonValue): readonly JsonValue[] {
    try {
      return this.follow(steps, [item]);
    } catch (error) {
      if (error instanceof Lost && this.#looks <= looksMax) return [];
      throw error;
    }
  }
}

function fieldsOf(values: readonly JsonValue[], name: string): readonly JsonValue[] {
  const found: JsonValue[] = [];
  for (const value of values) {
    const member = isObject(value) ? getOwn(value, name) : undefined;
    if (member !== undefined) found.push(member);
  }
  return found;
}

function membersOf(value: JsonValue): readonly JsonValue[] {
  if (isList(value)) return value;
  if (!isObject(value)) return [];
  return Object.keys(value)
    .sort()
    .map((key) => value[key] as JsonValue);
}

function slicesOf(values: readonly JsonValue[], step: PathStep & { readonly kind: 'slice' }): readonly JsonValue[] {
  const found: JsonValue[] = [];
  for (const value of values) {
    if (value === null) continue;
    if (!isList(value)) throw new Lost();
    const { length } = value;
    const first = step.from ?? 0;
    const from = first < 0 ? first + length : first;
    let to = step.isOne ? first + 1 : (step.to ?? length);
    if (to < 0 || (to === 0 && step.isOne)) to += length;
    if (from === to) return found;
    if (from < 0 || from >= length || to < 0 || to > length || from > to) throw new Lost();
    if (step.step !== undefined && step.step <= 0) throw new Lost();
    for (let index = from; index < to; index += step.step ?? 1) found.push(value[index] as JsonValue);
  }
  return found;
}

/** Go compares what is of one kind only. */
function compare(left: JsonValue, operator: string, right: JsonValue): boolean {
  const [a, b] = [comparable(left), comparable(right)];
  if (kindOf(a) !== kindOf(b)) throw new Lost();
  if (typeof a === 'boolean' && operator !== '==' && operator !== '!=') throw new Lost();
  switch (operator) {
    case '==':
      return a === b;
    case '!=':
      return a !== b;
    case '<':
      return a < b;
    case '>':
      return a > b;
    case '<=':
      return a <= b;
    case '>=':
      return a >= b;
    default:
      throw new Lost();
  }
}

function kindOf(value: string | number | bigint | boolean): string {
  if (typeof value !== 'number' && typeof value !== 'bigint') return typeof value;
  return 'whole' in goNumberOf(value) ? 'whole' : 'double';
}

function comparable(value: JsonValue): string | number | bigint | boolean {
  if (value === null || typeof value === 'object') throw new Lost();
  return value;
}
