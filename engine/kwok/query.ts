/**
 * The part of jq that stages select with: paths, iteration, pipes, `select`, comparisons, `and`, `or`, `//`, literals, and the usual
 * filters without definitions of one's own. What is not here is refused when the query is read. Mirrors github.com/itchyny/gojq.
 */
import { getOwn } from '../base/dictionary.ts';
import { deepEqual } from '../base/equal.ts';
import type { JsonValue } from '../base/json.ts';

export class QueryError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'QueryError';
  }
}

/** Gives the outputs for an input; throws QueryError where jq ends with an error. */
export type Query = (input: JsonValue) => readonly JsonValue[];

type Token = readonly [type: 'name' | 'field' | 'string' | 'number' | 'mark', text: string];

const forms = /\s+|#[^\n]*|("(?:[^"\\]|\\.)*")|(\d+(?:\.\d+)?)|\.([A-Za-z_]\w*)|([A-Za-z_]\w*)|(\/\/|==|!=|<=|>=|\.\.|[.[\]()|,:<>?+*/%{}$-])/y;
const depthMax = 50;
const lengthMax = 4096;
/** Of one query: a product of lists must not fill the memory. */
const outputsMax = 10_000;

/** Throws QueryError for what cannot be read. */
export function parseQuery(source: string): Query {
  if (source.length > lengthMax) throw new QueryError(`the query is longer than ${lengthMax} characters`);
  const tokens: Token[] = [];
  forms.lastIndex = 0;
  while (forms.lastIndex < source.length) {
    const from = forms.lastIndex;
    const found = forms.exec(source);
    if (found === null) throw new QueryError(`unexpected ${JSON.stringify(source.slice(from, from + 1))} in query ${JSON.stringify(source)}`);
    const [, string, number, field, name, mark] = found;
    if (string !== undefined) tokens.push(['string', readString(string)]);
    else if (number !== undefined) tokens.push(['number', number]);
    else if (field !== undefined) tokens.push(['field', field]);
    else if (name !== undefined) tokens.push(['name', name]);
    else if (mark !== undefined) tokens.push(['mark', mark]);
  }
  const parser = new QueryParser(tokens, source);
  return parser.whole();
}

function readString(text: string): string {
  if (/\\\(/.test(text)) throw new QueryError('string interpolation is not built');
  try {
    return JSON.parse(text) as string;
  } catch {
    throw new QueryError(`invalid string ${text}`);
  }
}

class QueryParser {
  readonly #tokens: readonly Token[];
  readonly #source: string;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], source: string) {
    this.#tokens = tokens;
    this.#source = source;
  }

  whole(): Query {
    const query = this.#pipe();
    if (this.#at < this.#tokens.length) this.#refuse();
    return query;
  }

  #refuse(): never {
    const token = this.#tokens[this.#at];
    throw new QueryError(`unexpected ${token === undefined ? 'end' : JSON.stringify(token[1])} in query ${JSON.stringify(this.#source)}`);
  }

  #take(...marks: readonly string[]): string | undefined {
    const token = this.#tokens[this.#at];
    if (token === undefined || (token[0] !== 'mark' && token[0] !== 'name') || !marks.includes(token[1])) return undefined;
    this.#at++;
    return token[1];
  }

  #expect(mark: string): void {
    if (this.#take(mark) === undefined) this.#refuse();
  }

  #pipe(): Query {
    if (++this.#depth > depthMax) throw new QueryError('the query is too deep');
    let left = this.#comma();
    while (this.#take('|') !== undefined) left = through(left, this.#comma());
    this.#depth--;
    return left;
  }

  #comma(): Query {
    const parts = [this.#alternative()];
    while (this.#take(',') !== undefined) parts.push(this.#alternative());
    return parts.length === 1 ? (parts[0] as Query) : (input) => gather(parts, (part) => part(input));
  }

  /** The first part that gives something counts, and the last one whatever it gives. */
  #alternative(): Query {
    const parts = [this.#or()];
    while (this.#take('//') !== undefined) parts.push(this.#or());
    const last = parts.pop() as Query;
    if (parts.length === 0) return last;
    return (input) => {
      for (const part of parts) {
        const found = quietly(part)(input).filter((value) => value !== null && value !== false);
        if (found.length > 0) return found;
      }
      return last(input);
    };
  }

  #or(): Query {
    let left = this.#and();
    while (this.#take('or') !== undefined) left = both(left, this.#and(), (a, b) => isTruthy(a) || isTruthy(b));
    return left;
  }

  #and(): Query {
    let left = this.#comparison();
    while (this.#take('and') !== undefined) left = both(left, this.#comparison(), (a, b) => isTruthy(a) && isTruthy(b));
    return left;
  }

  #comparison(): Query {
    const left = this.#sum();
    const mark = this.#take('==', '!=', '<=', '>=', '<', '>');
    return mark === undefined ? left : both(left, this.#sum(), (a, b) => compares(mark, a, b));
  }

  #sum(): Query {
    let left = this.#postfix();
    for (let mark = this.#take('+', '-'); mark !== undefined; mark = this.#take('+', '-')) left = both(left, this.#postfix(), adder(mark));
    return left;
  }

  #postfix(): Query {
    let query = this.#term();
    for (;;) {
      const token = this.#tokens[this.#at];
      if (token?.[0] === 'field') {
        this.#at++;
        query = through(query, fieldQuery(token[1]));
      } else if (this.#take('[') !== undefined) query = this.#bracket(query);
      else if (this.#take('?') !== undefined) query = quietly(query);
      else if (!this.#isSuffix()) return query;
      else if (this.#tokens[++this.#at]?.[0] === 'string') query = through(query, fieldQuery(this.#tokens[this.#at++]?.[1] ?? ''));
    }
  }

  /** `.a.[]` and `.a."b"` are `.a[]` and `.a["b"]`. */
  #isSuffix(): boolean {
    const [dot, next] = [this.#tokens[this.#at], this.#tokens[this.#at + 1]];
    return dot?.[0] === 'mark' && dot[1] === '.' && (next?.[0] === 'string' || (next?.[0] === 'mark' && next[1] === '['));
  }

  #bracket(base: Query): Query {
    if (this.#take(']') !== undefined) return through(base, iterate);
    const key = this.#pipe();
    this.#expect(']');
    return (input) => gather(base(input), (value) => key(input).map((each) => at(value, each)));
  }

  #term(): Query {
    const token = this.#tokens[this.#at];
    if (token === undefined) this.#refuse();
    this.#at++;
    const [type, text] = token;
    if (type === 'string') return () => [text];
    if (type === 'number') return () => [Number(text)];
    if (type === 'field') return fieldQuery(text);
    if (type === 'name') return this.#call(text);
    if (text === '.') return this.#dot();
    if (text === '(') {
      const inner = this.#pipe();
      this.#expect(')');
      return inner;
    }
    if (text === '[') return this.#array();
    if (text === '-') {
      if (++this.#depth > depthMax) throw new QueryError('the query is too deep');
      const inner = this.#postfix();
      this.#depth--;
      return (input) => inner(input).map((value) => (typeof value === 'number' ? -value : fail(`${typeof value} cannot be negated`)));
    }
    this.#at--;
    return this.#refuse();
  }

  #dot(): Query {
    const next = this.#tokens[this.#at];
    if (next?.[0] === 'string') {
      this.#at++;
      return fieldQuery(next[1]);
    }
    return (input) => [input];
  }

  #array(): Query {
    if (this.#take(']') !== undefined) return () => [[]];
    const inner = this.#pipe();
    this.#expect(']');
    return (input) => [[...inner(input)]];
  }

  #call(name: string): Query {
    if (name === 'true' || name === 'false') return () => [name === 'true'];
    if (name === 'null') return () => [null];
    const given: Query[] = [];
    if (this.#take('(') !== undefined) {
      given.push(this.#pipe());
      this.#expect(')');
    }
    const filter = (given.length === 0 ? plainFilters : filtersOfOne).get(name);
    if (filter === undefined) throw new QueryError(`function not defined: ${name}/${given.length}`);
    return filter(given[0] ?? ((input) => [input]));
  }
}

const plainFilters: ReadonlyMap<string, (self: Query) => Query> = new Map<string, (self: Query) => Query>([
  ['empty', () => () => []],
  ['not', () => (input) => [!isTruthy(input)]],
  ['length', () => (input) => [lengthOf(input)]],
  ['keys', () => (input) => [isObject(input) ? Object.keys(input).sort() : fail('only objects have keys')]],
  ['type', () => (input) => [typeOf(input)]],
  ['first', () => (input) => [at(input, 0)]],
  ['last', () => (input) => [at(input, -1)]],
  ['tostring', () => (input) => [typeof input === 'string' ? input : JSON.stringify(input)]],
  ['tonumber', () => (input) => [Number.isNaN(Number(input)) || input === '' ? fail('not a number') : Number(input)]],
  ['ascii_downcase', () => (input) => [typeof input === 'string' ? input.toLowerCase() : fail('not a string')]],
  ['any', () => (input) => [listOf(input).some(isTruthy)]],
  ['all', () => (input) => [listOf(input).every(isTruthy)]],
  ['add', () => (input) => [listOf(input).reduce<JsonValue>((sum, value) => adder('+')(sum, value), null)]],
]);

const filtersOfOne: ReadonlyMap<string, (argument: Query) => Query> = new Map<string, (argument: Query) => Query>([
  ['select', (condition) => (input) => condition(input).flatMap((value) => (isTruthy(value) ? [input] : []))],
  ['map', (each) => (input) => [gather(listOf(input), each)]],
  ['first', (each) => (input) => each(input).slice(0, 1)],
  ['any', (each) => (input) => [listOf(input).some((value) => each(value).some(isTruthy))]],
  ['all', (each) => (input) => [listOf(input).every((value) => each(value).every(isTruthy))]],
  [
    'has',
    (key) => (input) => key(input).map((value) => (isObject(input) ? Object.hasOwn(input, String(value)) : Number(value) < listOf(input).length)),
  ],
  ['startswith', (part) => (input) => part(input).map((value) => textOf(input).startsWith(textOf(value)))],
  ['endswith', (part) => (input) => part(input).map((value) => textOf(input).endsWith(textOf(value)))],
  [
    'join',
    (separator) => (input) =>
      separator(input).map((value) =>
        listOf(input)
          .map((item) => (item === null ? '' : String(item)))
          .join(textOf(value)),
      ),
  ],
]);

function through(first: Query, second: Query): Query {
  return (input) => gather(first(input), second);
}

function gather<T>(items: readonly T[], outputs: (item: T) => readonly JsonValue[]): readonly JsonValue[] {
  const all: JsonValue[] = [];
  for (const item of items) {
    for (const output of outputs(item)) all.push(output);
    if (all.length > outputsMax) fail(`a query gives more than ${outputsMax} values`);
  }
  return all;
}

function both(left: Query, right: Query, act: (a: JsonValue, b: JsonValue) => JsonValue): Query {
  return (input) => gather(right(input), (b) => left(input).map((a) => act(a, b)));
}

function quietly(query: Query): Query {
  return (input) => {
    try {
      return query(input);
    } catch (error) {
      if (error instanceof QueryError) return [];
      throw error;
    }
  };
}

function fieldQuery(name: string): Query {
  return (input) => [at(input, name)];
}

function iterate(input: JsonValue): readonly JsonValue[] {
  if (Array.isArray(input)) return input as readonly JsonValue[];
  return isObject(input)
    ? Object.keys(input)
        .sort()
        .map((key) => input[key] as JsonValue)
    : fail(`cannot iterate over: ${typeOf(input)}`);
}

function at(value: JsonValue, key: JsonValue): JsonValue {
  if (value === null) return null;
  if (Array.isArray(value) && typeof key === 'number') return (value as readonly JsonValue[]).at(Math.trunc(key)) ?? null;
  if (isObject(value) && typeof key === 'string') return getOwn(value, key) ?? null;
  return fail(`expected an object but got: ${typeOf(value)}`);
}

function lengthOf(value: JsonValue): number {
  if (value === null) return 0;
  if (typeof value === 'string') return [...value].length;
  if (typeof value === 'number') return Math.abs(value);
  return Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : fail(`${typeOf(value)} has no length`);
}

function compares(mark: string, a: JsonValue, b: JsonValue): boolean {
  if (mark === '==') return deepEqual(a, b);
  if (mark === '!=') return !deepEqual(a, b);
  if (typeof a !== typeof b || (typeof a !== 'string' && typeof a !== 'number')) return fail(`${typeOf(a)} and ${typeOf(b)} have no order here`);
  const order = a === b ? 0 : a < (b as typeof a) ? -1 : 1;
  return mark === '<' ? order < 0 : mark === '<=' ? order <= 0 : mark === '>' ? order > 0 : order >= 0;
}

function adder(mark: string): (a: JsonValue, b: JsonValue) => JsonValue {
  return (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') return mark === '+' ? a + b : a - b;
    if (mark === '+' && a === null) return b;
    if (mark === '+' && b === null) return a;
    if (mark === '+' && typeof a === 'string' && typeof b === 'string') return a + b;
    return fail(`cannot ${mark === '+' ? 'add' : 'subtract'} ${typeOf(a)} and ${typeOf(b)}`);
  };
}

function isTruthy(value: JsonValue): boolean {
  return value !== null && value !== false;
}

function listOf(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : fail(`expected a list but got: ${typeOf(value)}`);
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : fail(`expected a string but got: ${typeOf(value)}`);
}

function isObject(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function typeOf(value: JsonValue): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function fail(message: string): never {
  throw new QueryError(message);
}
