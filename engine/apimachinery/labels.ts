/**
 * Label selectors: the text form of requests, the object form of specs, and matching. Mirrors k8s.io/apimachinery pkg/labels and
 * LabelSelectorAsSelector of pkg/apis/meta/v1. Parsing stands in `label-parser.ts`.
 */
import { aggregateText, type FieldError, type FieldPath, invalid, notSupported, root } from './field-errors.ts';
import { isQualifiedName, isValidLabelValue } from './formats.ts';
import { goQuote } from './quote.ts';

export type LabelSet = { readonly [key: string]: string };
export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** `metav1.LabelSelector`. */
export interface LabelSelector {
  readonly matchLabels?: LabelSet;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/** A text or an object that is no selector. The message is upstream's. */
export class SelectorError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SelectorError';
  }
}

const allOperators: readonly LabelOperator[] = ['in', 'notin', '=', '==', '!=', 'gt', 'lt', 'exists', '!'];
const int64Text = /^[+-]?[0-9]+$/;

function parseInt64(text: string): bigint | undefined {
  if (!int64Text.test(text)) return undefined;
  const value = text.startsWith('+') ? BigInt(text.slice(1)) : BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function countFault(operator: LabelOperator, count: number): string | undefined {
  switch (operator) {
    case 'in':
    case 'notin':
      return count === 0 ? "for 'in', 'notin' operators, values set can't be empty" : undefined;
    case '=':
    case '==':
    case '!=':
      return count === 1 ? undefined : 'exact-match compatibility requires one single value';
    case 'exists':
    case '!':
      return count === 0 ? undefined : 'values set must be empty for exists and does not exist';
    case 'gt':
    case 'lt':
      return count === 1 ? undefined : "for 'Gt', 'Lt' operators, exactly one value is required";
  }
}

/** A checked requirement; throws SelectorError. */
export function newRequirement(key: string, operator: LabelOperator, values: readonly string[], path?: FieldPath): LabelRequirement {
  const at = (name: string): FieldPath => (path === undefined ? root(name) : path.child(name));
  const faults: FieldError[] = [];
  const keyFaults = isQualifiedName(key);
  if (keyFaults.length > 0) faults.push(invalid(at('key'), key, keyFaults.join('; ')));
  if (!allOperators.includes(operator)) faults.push(notSupported(at('operator'), operator, allOperators));
  const fault = countFault(operator, values.length);
  if (fault !== undefined) faults.push(invalid(at('values'), values, fault));
  for (const [index, value] of values.entries()) {
    if ((operator === 'gt' || operator === 'lt') && parseInt64(value) === undefined) {
      faults.push(invalid(at('values').index(index), value, "for 'Gt', 'Lt' operators, the value must be an integer"));
    }
  }
  for (const [index, value] of values.entries()) {
    const valueFaults = isValidLabelValue(value);
    if (valueFaults.length > 0) faults.push(invalid(at('values').index(index).key(key), value, valueFaults.join('; ')));
  }
  if (faults.length > 0) throw new SelectorError(aggregateText(faults));
  return { key, operator, values };
}

function requirementMatches(requirement: LabelRequirement, labels: LabelSet): boolean {
  const value = Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined;
  switch (requirement.operator) {
    case '=':
    case '==':
    case 'in':
      return value !== undefined && requirement.values.includes(value);
    case '!=':
    case 'notin':
      return value === undefined || !requirement.values.includes(value);
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    default: {
      const left = value === undefined ? undefined : parseInt64(value);
      const right = parseInt64(requirement.values[0] ?? '');
      if (left === undefined || right === undefined) return false;
      return requirement.operator === 'gt' ? left > right : left < right;
    }
  }
}

function requirementText(requirement: LabelRequirement): string {
  const { key, operator } = requirement;
  const values = requirement.values.length < 2 ? requirement.values.join(',') : requirement.values.toSorted().join(',');
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${values})`;
    case 'gt':
      return `${key}>${values}`;
    case 'lt':
      return `${key}<${values}`;
    default:
      return `${key}${operator}${values}`;
  }
}

const noLabels: LabelSet = Object.freeze({});

/** Requirements that must all hold, sorted by key. Immutable. */
export class Selector {
  readonly requirements: readonly LabelRequirement[];
  readonly #nothing: boolean;

  constructor(requirements: readonly LabelRequirement[], nothing = false) {
    this.requirements = requirements.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    this.#nothing = nothing;
  }

  matches(labels: LabelSet | undefined): boolean {
    if (this.#nothing) return false;
    const set = labels ?? noLabels;
    for (const requirement of this.requirements) if (!requirementMatches(requirement, set)) return false;
    return true;
  }

  /** It selects everything. */
  isEmpty(): boolean {
    return !this.#nothing && this.requirements.length === 0;
  }

  matchesNothing(): boolean {
    return this.#nothing;
  }

  /** The one value the label must have, if the selector asks for exactly one. */
  requiresExactMatch(label: string): string | undefined {
    const found = this.requirements.find((requirement) => requirement.key === label);
    if (found === undefined || found.values.length !== 1) return undefined;
    return found.operator === '=' || found.operator === '==' || found.operator === 'in' ? found.values[0] : undefined;
  }

  add(...requirements: readonly LabelRequirement[]): Selector {
    return this.#nothing ? this : new Selector([...this.requirements, ...requirements]);
  }

  toString(): string {
    return this.requirements.map(requirementText).join(',');
  }
}

export function everything(): Selector {
  return new Selector([]);
}

export function nothing(): Selector {
  return new Selector([], true);
}

/** Equality of every label; not checked. */
export function selectorFromSet(labels: LabelSet | undefined): Selector {
  return new Selector(Object.entries(labels ?? {}).map(([key, value]) => ({ key, operator: '=', values: [value] })));
}

const objectOperators: ReadonlyMap<string, LabelOperator> = new Map<string, LabelOperator>([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/** Absent selects nothing, empty selects everything. Throws SelectorError. */
export function labelSelectorAsSelector(selector: LabelSelector | undefined | null): Selector {
  if (selector === undefined || selector === null) return nothing();
  const requirements = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => newRequirement(key, '=', [value]));
  for (const expression of selector.matchExpressions ?? []) {
    const operator = objectOperators.get(expression.operator);
    if (operator === undefined) throw new SelectorError(`${goQuote(expression.operator)} is not a valid label selector operator`);
    requirements.push(newRequirement(expression.key, operator, expression.values ?? []));
  }
  return new Selector(requirements);
}

/** For tables: `<none>` when empty, `<error>` when broken. */
export function formatLabelSelector(selector: LabelSelector | undefined | null): string {
  try {
    const text = labelSelectorAsSelector(selector).toString();
    return text === '' ? '<none>' : text;
  } catch (error) {
    if (error instanceof SelectorError) return '<error>';
    throw error;
  }
}

/** `a=b,c=d` in byte order, as labels.Set prints. */
export function formatLabels(labels: LabelSet | undefined): string {
  return Object.keys(labels ?? {})
    .sort()
    .map((key) => `${key}=${labels?.[key] ?? ''}`)
    .join(',');
}

export { parseSelector } from './label-parser.ts';
