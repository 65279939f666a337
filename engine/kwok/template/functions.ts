/**
 * The functions that templates of stages may call: those of text/template, of KWOK (pkg/utils/gotpl/funcs.go) and the usual ones of
 * sprig. A name that is not here is refused when the template is read.
 */
import { getOwn, setOwn } from '../../base/dictionary.ts';
import { deepEqual } from '../../base/equal.ts';
import type { JsonValue } from '../../base/json.ts';
import { encodeYaml } from '../../apimachinery/serializer/yaml.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import type { TemplateFunction } from './execute.ts';
import { TemplateError } from './tokens.ts';
import { isTrue, show, type Value } from './values.ts';

type Entries = readonly (readonly [string, TemplateFunction])[];

const membersMax = 2000;

/** Names that the engine itself knows. */
const own = ['and', 'or'];

export function namesOf(functions: ReadonlyMap<string, TemplateFunction>): ReadonlySet<string> {
  return new Set([...own, ...functions.keys()]);
}

/** What needs neither time nor cluster. */
export function plainFunctions(): Entries {
  return [...comparisons, ...collections, ...texts, ...numbers, ...quoting];
}

const text = (value: Value): string => (typeof value === 'string' ? value : value === undefined || value === null ? '' : show(value));
const list = (value: Value): readonly JsonValue[] => (Array.isArray(value) ? (value as readonly JsonValue[]) : []);
const number = (value: Value): number => {
  const read = Number(typeof value === 'string' ? value.trim() : (value ?? 0));
  return Number.isFinite(read) ? read : 0;
};
const whole = (value: Value): number => Math.trunc(number(value));

const comparisons: Entries = [
  ['not', (value) => !isTrue(value)],
  ['eq', (first, ...others) => others.some((other) => equal(first, other))],
  ['ne', (a, b) => !equal(a, b)],
  ['lt', (a, b) => compare(a, b) < 0],
  ['le', (a, b) => compare(a, b) <= 0],
  ['gt', (a, b) => compare(a, b) > 0],
  ['ge', (a, b) => compare(a, b) >= 0],
];

function equal(a: Value, b: Value): boolean {
  return deepEqual(a ?? null, b ?? null);
}

function compare(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a !== 'number' || typeof b !== 'number') throw new TemplateError('incompatible types for comparison');
  return a - b;
}

const collections: Entries = [
  ['len', (value) => lengthOf(value)],
  ['index', (value, ...keys) => keys.reduce(itemOf, value)],
  ['slice', (value, from, to) => sliceOf(value, whole(from), to === undefined ? undefined : whole(to))],
  ['dict', (...pairs) => dictionaryOf(pairs)],
  ['list', (...values) => small(values.map((value) => value ?? null))],
  ['first', (value) => list(value)[0]],
  ['last', (value) => list(value).at(-1)],
  ['has', (needle, value) => list(value).some((item) => equal(item, needle))],
  ['get', (value, key) => (typeof value === 'object' && value !== null ? (getOwn(value as never, text(key)) ?? '') : '')],
  ['hasKey', (value, key) => typeof value === 'object' && value !== null && Object.hasOwn(value, text(key))],
  ['keys', (value) => (typeof value === 'object' && value !== null ? Object.keys(value).sort() : [])],
  ['join', (separator, value) => list(value).map(text).join(text(separator))],
  ['default', (standard, value) => (isTrue(value) ? value : standard)],
  ['empty', (value) => !isTrue(value)],
  ['coalesce', (...values) => values.find(isTrue)],
  ['ternary', (yes, no, condition) => (isTrue(condition) ? yes : no)],
];

function lengthOf(value: Value): number {
  if (typeof value === 'string') return new TextEncoder().encode(value).length;
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? value.length : Object.keys(value).length;
  throw new TemplateError(`len of ${value === undefined || value === null ? 'nil pointer' : `type ${typeof value}`}`);
}

function itemOf(value: Value, key: Value): Value {
  if (value === undefined || value === null) throw new TemplateError('index of untyped nil');
  if (Array.isArray(value)) {
    const at = whole(key);
    if (typeof key !== 'number' || at < 0 || at >= value.length) throw new TemplateError(`index out of range: ${show(key)}`);
    return value[at] as JsonValue;
  }
  if (typeof value !== 'object') throw new TemplateError(`can't index item of type ${typeof value}`);
  return getOwn(value as { readonly [name: string]: JsonValue }, text(key));
}

function sliceOf(value: Value, from: number, to: number | undefined): Value {
  const size = typeof value === 'string' || Array.isArray(value) ? value.length : -1;
  if (size < 0) throw new TemplateError(`can't slice item of type ${typeof value}`);
  if (from < 0 || from > size || (to ?? size) < from || (to ?? size) > size) throw new TemplateError(`index out of range: ${from}`);
  return (value as string).slice(from, to);
}

function dictionaryOf(pairs: readonly Value[]): Value {
  const made: Record<string, JsonValue> = {};
  for (let at = 0; at < pairs.length; at += 2) setOwn(made, text(pairs[at]), pairs[at + 1] ?? '');
  return small(made);
}

/** Lists of lists of the same must not grow beyond what can be shown. */
function small(value: JsonValue): JsonValue {
  let count = 0;
  const visit = (each: JsonValue): void => {
    if (++count > membersMax) throw new TemplateError(`a value has more than ${membersMax} members`);
    if (typeof each === 'object' && each !== null) for (const inner of Object.values(each)) visit(inner as JsonValue);
  };
  visit(value);
  return value;
}

const texts: Entries = [
  ['print', (...values) => values.map(show).join('')],
  ['println', (...values) => `${values.map(show).join(' ')}\n`],
  ['printf', (form, ...values) => format(text(form), values)],
  ['toString', (value) => show(value)],
  ['toJson', (value) => JSON.stringify(value ?? null)],
  ['trim', (value) => text(value).trim()],
  ['trimPrefix', (prefix, value) => (text(value).startsWith(text(prefix)) ? text(value).slice(text(prefix).length) : text(value))],
  [
    'trimSuffix',
    (suffix, value) => (text(suffix) !== '' && text(value).endsWith(text(suffix)) ? text(value).slice(0, -text(suffix).length) : text(value)),
  ],
  ['upper', (value) => text(value).toUpperCase()],
  ['lower', (value) => text(value).toLowerCase()],
  ['replace', (old, next, value) => text(value).replaceAll(text(old), () => text(next))],
  ['contains', (part, value) => text(value).includes(text(part))],
  ['hasPrefix', (prefix, value) => text(value).startsWith(text(prefix))],
  ['hasSuffix', (suffix, value) => text(value).endsWith(text(suffix))],
  ['splitList', (separator, value) => text(value).split(text(separator))],
  ['trunc', (size, value) => (whole(size) < 0 ? text(value).slice(whole(size)) : text(value).slice(0, whole(size)))],
  ['indent', (spaces, value) => indented(whole(spaces), text(value))],
  ['nindent', (spaces, value) => `\n${indented(whole(spaces), text(value))}`],
];

function indented(spaces: number, value: string): string {
  const pad = ' '.repeat(Math.min(Math.max(spaces, 0), 100));
  return pad + value.replaceAll('\n', `\n${pad}`);
}

/** %s, %v, %d, %q and %%; others are refused. */
function format(form: string, values: readonly Value[]): string {
  let at = 0;
  return form.replaceAll(/%(.?)/g, (_all, verb: string) => {
    if (verb === '%') return '%';
    if (!'svdq'.includes(verb) || verb === '') throw new TemplateError(`printf knows no %${verb}`);
    const value = values[at++];
    return verb === 'q' ? goQuote(text(value)) : show(value);
  });
}

const numbers: Entries = [
  ['int', whole],
  ['int64', whole],
  ['float64', number],
  ['add', (...values) => values.reduce<number>((sum, value) => sum + whole(value), 0)],
  ['sub', (a, b) => whole(a) - whole(b)],
  ['mul', (...values) => values.reduce<number>((product, value) => product * whole(value), 1)],
  ['div', (a, b) => divided(a, b, (x, y) => Math.trunc(x / y))],
  ['mod', (a, b) => divided(a, b, (x, y) => x % y)],
  ['max', (...values) => Math.max(...values.map(whole))],
  ['min', (...values) => Math.min(...values.map(whole))],
];

function divided(a: Value, b: Value, act: (x: number, y: number) => number): number {
  if (whole(b) === 0) throw new TemplateError('integer divide by zero');
  return act(whole(a), whole(b));
}

const quoting: Entries = [
  ['Quote', (value) => (typeof value === 'string' ? JSON.stringify(value) : goQuote(JSON.stringify(value ?? null)))],
  [
    'quote',
    (...values) =>
      values
        .filter((value) => value !== undefined && value !== null)
        .map((value) => goQuote(show(value)))
        .join(' '),
  ],
  [
    'squote',
    (...values) =>
      values
        .filter((value) => value !== undefined && value !== null)
        .map((value) => `'${show(value)}'`)
        .join(' '),
  ],
  ['YAML', (value, depth) => yaml(value, depth === undefined ? 0 : whole(depth))],
];

/** Indented by two spaces a level, behind a new line. */
function yaml(value: Value, depth: number): string {
  const lines = encodeYaml(value ?? null);
  return depth > 0 ? `\n${lines}`.replaceAll('\n', `\n${'  '.repeat(Math.min(depth, 50))}`) : lines;
}
