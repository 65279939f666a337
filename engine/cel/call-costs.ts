/**
 * What calls cost at most. Kubernetes goes by the name of the function (apiserver pkg/cel/library/cost.go), cel-go by the overload
 * (checker/cost.go, ext/lists.go, ext/sets.go).
 */
import { fixedSize, plusSizes, priced, type Size, times, timesSizes, unknownSize } from './cost-sizes.ts';
import { type Overload, traversalCost } from './functions.ts';
import type { Expression } from './syntax.ts';
import { type CelType, dyn, typeText } from './types.ts';

/** What a call is given; the target, where there is one, comes first. */
export interface Given {
  readonly expression: Expression;
  readonly type: CelType;
  readonly size: Size;
  /** Of the elements of a list, by where the list stands. */
  elements(): Size;
}

export interface CallCost {
  readonly cost: number;
  readonly size?: Size;
}

type Estimate = (given: readonly Given[], overload: Overload) => CallCost | undefined;

const patternCost = 0.25;
const listCost = 10;
const longestFormatPattern = 128;
const nothing: Given = { expression: { kind: 'literal', value: null, at: 0 }, type: dyn, size: unknownSize, elements: () => unknownSize };

const one: Estimate = () => ({ cost: 1 });
/** What is looked through, so many times. */
const through =
  (place: number, factor = 1, keepsSize = false): Estimate =>
  (given) => {
    const { size } = given[place] ?? nothing;
    return { cost: priced(size, factor * traversalCost), ...(keepsSize && { size }) };
  };
const ofTarget = (factor: number): Estimate => through(0, factor, true);

const compared: Estimate = ([list = nothing]) => {
  if (list.type.kind !== 'list') return { cost: priced(list.size, traversalCost) };
  const { kind } = list.type.element;
  const each = 1 + (kind === 'string' || kind === 'bytes' ? priced(list.elements(), traversalCost) : 0);
  return { cost: times(list.size.max, each) };
};

const replaced: Estimate = ([text = nothing, from = nothing, to = nothing]) => {
  let count = Math.ceil(times(text.size.max, 1 / from.size.min));
  let kept = 0;
  if (from.size.min === 0) [count, kept] = [text.size.max + 1, text.size.max];
  else if (to.size.max <= from.size.min) [count, kept] = [0, text.size.max];
  const max = times(count, to.size.max) + kept;
  return { cost: priced(text.size, 2 * traversalCost), size: { min: 0, max } };
};

const split: Estimate = ([text = nothing, , most]) => {
  const pieces = most === undefined ? text.size.max : numberAt(most, text.size.max);
  return { cost: priced(text.size, 2 * traversalCost), size: { min: 0, max: pieces } };
};

const joined: Estimate = ([list = nothing, separator]) => {
  const content = list.type.kind === 'list' ? timesSizes(list.size, list.elements()) : fixedSize(0);
  const between = { min: Math.max(0, list.size.min - 1), max: Math.max(0, list.size.max - 1) };
  const size = separator === undefined ? content : plusSizes(content, timesSizes(separator.size, between));
  return { cost: priced(size, traversalCost), size };
};

const tried = (text: Size, pattern: Size): number => times(priced({ ...text, max: text.max + 1 }, traversalCost), priced(pattern, patternCost));
const found: Estimate = ([text = nothing, pattern = nothing]) => ({ cost: tried(text.size, pattern.size), size: { min: 0, max: text.size.max } });

/** Of two addresses, which are 16 bytes long at most. */
const inside =
  (more: number): Estimate =>
  ([, other = nothing], { args }) => {
    const isText = args[1]?.kind === 'string';
    return { cost: Math.ceil(32 * traversalCost) + more + (isText ? priced(other.size, traversalCost) : 0) };
  };

const allocated = (perElement: number, size: Size): CallCost => ({ cost: priced(size, perElement) + 1 + listCost, size });
const squared = (size: Size, isText: boolean): CallCost => allocated(2 + (isText ? traversalCost : 0), timesSizes(size, size));
const sorted =
  (place: number): Estimate =>
  (given, { args }) => {
    const keys = args[place];
    const kind = keys?.kind === 'list' ? keys.element.kind : 'dyn';
    return squared((given[place] ?? nothing).size, kind === 'string' || kind === 'bytes');
  };
const ofSets =
  (factor: number): Estimate =>
  ([a = nothing, b = nothing]) => ({ cost: priced(timesSizes(a.size, b.size), factor) + 1 });

/** What a literal says; below nothing is nothing. */
function numberAt({ expression }: Given, otherwise: number): number {
  return expression.kind === 'literal' && typeof expression.value === 'bigint' ? Math.max(0, Number(expression.value)) : otherwise;
}

const constant = [
  ...['serviceAccount', 'path', 'group', 'resource', 'subresource', 'namespace', 'name', 'allowed', 'reason', 'error', 'errored'],
  ...['masked', 'prefixLength', 'family', 'isUnspecified', 'isLoopback', 'isLinkLocalMulticast', 'isLinkLocalUnicast', 'isGlobalUnicast'],
  ...['format.named', 'sign', 'asInteger', 'isInteger', 'asApproximateFloat', 'isGreaterThan', 'isLessThan', 'compareTo', 'add', 'sub'],
  ...['major', 'minor', 'patch', 'getScheme', 'getHostname', 'getHost', 'getPort', 'getEscapedPath', 'getQuery'],
];
const readOnce = ['cidr', 'isIP', 'isCIDR', 'quantity', 'isQuantity', 'semver', 'isSemver'];

const byName: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ...constant.map((name) => [name, one] as const),
  ...readOnce.map((name) => [name, through(0)] as const),
  ...['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'].map((name) => [name, compared] as const),
  ...['lowerAscii', 'upperAscii', 'substring', 'trim', 'url', 'jsonpatch.escapeKey'].map((name) => [name, ofTarget(1)] as const),
  // Two in a request are all that is meant to be asked.
  ['check', () => ({ cost: 350_000 })],
  ['fieldSelector', ([, text = nothing]) => ({ cost: priced(text.size, 10 * traversalCost) })],
  ['labelSelector', ([, text = nothing]) => ({ cost: priced(text.size, 10 * traversalCost) })],
  ['replace', replaced],
  ['split', split],
  ['join', joined],
  ['find', found],
  ['findAll', found],
  ['ip', (given, overload) => (overload.isMember ? { cost: 1 } : through(0)(given, overload))],
  ['ip.isCanonical', through(0, 2)],
  ['containsIP', inside(0)],
  ['containsCIDR', inside(Math.ceil(16 * traversalCost) + 1)],
  ['validate', ([, text = nothing]) => ({ cost: Math.ceil(times(priced(text.size, traversalCost), longestFormatPattern * patternCost)) })],
  ['_==_', equated],
  // Of cel-go's extensions.
  [
    'slice',
    ([list = nothing, start = nothing, end = nothing]) => allocated(1, fixedSize(Math.max(0, numberAt(end, list.size.max) - numberAt(start, 0)))),
  ],
  ['flatten', ([list = nothing, depth]) => allocated(depth === undefined ? 1 : numberAt(depth, Number.POSITIVE_INFINITY), list.size)],
  ['lists.range', ([length = nothing]) => allocated(1, fixedSize(numberAt(length, Number.POSITIVE_INFINITY)))],
  ['reverse', ([list = nothing]) => allocated(1, list.size)],
  ['distinct', ([list = nothing]) => squared(list.size, false)],
  ['sort', sorted(0)],
  ['@sortByAssociatedKeys', sorted(1)],
  ['sets.contains', ofSets(1)],
  ['sets.intersects', ofSets(1)],
  ['sets.equivalent', ofSets(2)],
  // Of cel-go itself.
  ['strings.quote', ([text = nothing]) => ({ cost: priced(text.size, traversalCost), size: quotedSize(text.size) })],
  ['format', ([text = nothing]) => ({ cost: priced(text.size, traversalCost) })],
  ['startsWith', ([, piece = nothing]) => ({ cost: priced(piece.size, traversalCost) })],
  ['endsWith', ([, piece = nothing]) => ({ cost: priced(piece.size, traversalCost) })],
  ['contains', ([text = nothing, piece = nothing]) => ({ cost: times(priced(text.size, traversalCost), priced(piece.size, traversalCost)) })],
  ['matches', ([text = nothing, pattern = nothing], { isMember }) => ({ cost: isMember ? tried(text.size, pattern.size) : 1 })],
  ['bytes', ([text = nothing], { args }) => converted(args[0]?.kind === 'string', text.size, 4)],
  ['string', ([text = nothing], { args }) => converted(args[0]?.kind === 'bytes', text.size, 1)],
]);

function converted(isRead: boolean, size: Size, growth: number): CallCost {
  return isRead ? { cost: priced(size, traversalCost), size: { min: 0, max: size.max * growth } } : { cost: 1 };
}

/** Twice as long, and two quotes. Upstream counts beyond its numbers where nothing is known, and comes to 0. */
function quotedSize({ min, max }: Size): Size {
  return { min: min + 2, max: max === Number.POSITIVE_INFINITY ? 0 : max * 2 + 2 };
}

const simple: ReadonlySet<string> = new Set(['net.IP', 'net.CIDR', 'kubernetes.Quantity', 'kubernetes.Semver']);

/** Values of Kubernetes' own types are found equal at once. Undefined: as all else. */
function equated([a = nothing, b = nothing]: readonly Given[]): CallCost | undefined {
  const name = typeText(a.type);
  if (typeText(b.type) !== name) return undefined;
  if (simple.has(name) || name.startsWith('kubernetes.authorization.')) return { cost: 1 };
  if (name === 'kubernetes.NamedFormat') return { cost: Math.ceil(64 * traversalCost) };
  return name === 'kubernetes.URL' ? { cost: Math.ceil((b.size.max === Number.POSITIVE_INFINITY ? 1 : b.size.max) * traversalCost) } : undefined;
}

/** Operators that compare look at the shorter of two. */
const relations: ReadonlySet<string> = new Set(['_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_']);

export function callCost(overload: Overload, given: readonly Given[]): CallCost {
  const { name, args } = overload;
  const named = byName.get(name)?.(given, overload);
  if (named !== undefined) return named;
  const [a = nothing, b = nothing] = given;
  const kind = args[0]?.kind;
  if (name === '@in') return { cost: args[1]?.kind === 'list' ? b.size.max : 1 };
  const isCompared = relations.has(name) && (kind === 'parameter' || kind === 'string' || kind === 'bytes');
  if (isCompared) return { cost: Math.ceil(Math.min(a.size.max, b.size.max) * traversalCost) };
  if (name !== '_+_' || !(kind === 'string' || kind === 'bytes' || kind === 'list')) return { cost: 1 };
  const size = plusSizes(a.size, b.size);
  return { cost: kind === 'list' ? 1 : priced(size, traversalCost), size };
}
