/**
 * Parts of a collection by hash: what `shardSelector` of a list or watch says, `shardRange(object.metadata.uid, '0x…', '0x…') || …`. Mirrors apiserver
 * pkg/sharding/parser.go and apimachinery pkg/sharding.
 */
import { assert } from '../base/assert.ts';
import { newStatusError } from '../apimachinery/errors.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { goQuote } from '../apimachinery/quote.ts';
import { CelSyntaxErrors, parse } from '../cel/parser.ts';
import type { Expression } from '../cel/syntax.ts';

/** The gate without which nobody looks at such a selector. */
export const shardGate = 'ShardedListAndWatch';

export interface Shard {
  /** As it is told to who asked: each range as it was said. */
  readonly text: string;
  matches(object: KubeObject): boolean;
}

interface Range {
  readonly key: string;
  /** Sixteen digits behind `0x`, the end perhaps 2⁶⁴. */
  readonly start: string;
  readonly end: string;
}

const uid = 'object.metadata.uid';
const namespace = 'object.metadata.namespace';
const top = '0x10000000000000000';

class ShardFault extends Error {}

/** Throws StatusError with upstream's words, and as upstream with code 500. */
export function parseShard(text: string): Shard {
  try {
    const ranges = rangesOf(text.trim());
    const other = ranges.find(({ key }) => key !== ranges[0]?.key);
    if (other !== undefined)
      throw new ShardFault(`all shard ranges must use the same field, got ${goQuote(ranges[0]?.key ?? '')} and ${goQuote(other.key)}`);
    assert(ranges.length > 0, 'a selector that can be read has a range');
    const byUid = ranges[0]?.key === uid;
    return {
      text: ranges.map(({ key, start, end }) => `shardRange(${key}, '${start}', '${end}')`).join(' || '),
      matches: ({ metadata }) => {
        const hash = hashOf((byUid ? metadata.uid : metadata.namespace) ?? '');
        return ranges.some(({ start, end }) => !isLess(hash, start) && isLess(hash, end));
      },
    };
  } catch (error) {
    const why = error instanceof CelSyntaxErrors ? `CEL parse error: ${error.message}` : error instanceof ShardFault ? error.message : undefined;
    if (why === undefined) throw error;
    throw newStatusError(500, '', `invalid shard selector: ${why}`);
  }
}

function rangesOf(text: string): readonly Range[] {
  if (text === '') throw new ShardFault('empty shard selector is not allowed; omit the parameter for unfiltered lists');
  const ranges: Range[] = [];
  const open: Expression[] = [parse(text)];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const name = functionOf(next);
    if (name === undefined) throw new ShardFault(`unexpected expression kind ${kindNumber(next)}; expected shardRange() call or || operator`);
    const args = next.kind === 'call' ? next.args : [];
    if (name === '_||_') open.push(...[...args].reverse());
    else if (name === 'shardRange') ranges.push(rangeOf(args));
    else throw new ShardFault(`unsupported function ${goQuote(name)}; only shardRange() and || are allowed`);
  }
  return ranges;
}

/** What is called; macros count as functions, since upstream's parser has none here. */
function functionOf(expression: Expression): string | undefined {
  switch (expression.kind) {
    case 'call':
      return expression.name;
    case 'loop':
      return expression.macro;
    case 'present':
      return expression.isFlat ? 'optFlatMap' : 'optMap';
    case 'select':
      return expression.isTest ? 'has' : undefined;
    default:
      return undefined;
  }
}

const kindNumbers: Readonly<Record<Expression['kind'], number>> = {
  ...{ call: 1, bind: 2, loop: 2, present: 2, name: 3, list: 4, literal: 5, map: 6, select: 7, struct: 8 },
};

/** As Go prints the kind of a node. */
function kindNumber({ kind }: Expression): number {
  return kindNumbers[kind];
}

function rangeOf(args: readonly Expression[]): Range {
  const [field, from, to] = args;
  if (field === undefined || from === undefined || to === undefined || args.length !== 3)
    throw new ShardFault(`shardRange() requires exactly 3 arguments, got ${args.length}`);
  const key = pathOf(field);
  if (key !== uid && key !== namespace) throw new ShardFault(`unsupported field path ${goQuote(key)}; supported: ${uid}, ${namespace}`);
  const [start, end] = [boundOf(from, 'hexStart'), boundOf(to, 'hexEnd')];
  if (!isLess(start, end)) throw new ShardFault(`shard range start ${start} must be less than end ${end}`);
  return { key, start, end };
}

function pathOf(expression: Expression): string {
  const parts: string[] = [];
  let at = expression;
  for (; at.kind === 'select' && !at.isTest; at = at.operand) parts.unshift(at.field);
  if (at.kind === 'name') return [at.name, ...parts].join('.');
  throw new ShardFault(`shardRange() first argument: expected field path (e.g. object.metadata.uid), got expression kind ${kindNumber(at)}`);
}

function boundOf(expression: Expression, name: string): string {
  if (expression.kind !== 'literal')
    throw new ShardFault(`${name} must be a string literal (e.g. '0xff'), got expression kind ${kindNumber(expression)}`);
  const { value } = expression;
  if (typeof value !== 'string') throw new ShardFault(`${name} must be a string literal, got ${goTypeOf(value)}`);
  if (!value.startsWith('0x')) throw new ShardFault(`${name} must have '0x' prefix, got ${goQuote(value)}`);
  const hex = value.slice(2);
  if (hex === '') throw new ShardFault(`${name}: hex value is required after '0x'`);
  if (Buffer.byteLength(hex) > 17) throw new ShardFault(`${name}: hex value too long (${Buffer.byteLength(hex)} chars, max 17): ${goQuote(hex)}`);
  const strange = [...hex].find((character) => !/[0-9a-f]/.test(character));
  if (strange !== undefined) throw new ShardFault(`${name}: invalid hex character ${goQuote(strange)} in ${goQuote(value)}`);
  if (hex.length === 17 && value !== top) throw new ShardFault(`${name}: 17-digit hex value must be '${top}' (2^64), got ${goQuote(value)}`);
  if (hex.length < 16) {
    const meant = goQuote(`0x${hex.padStart(16, '0')}`);
    throw new ShardFault(`${name} must be a 0x-prefixed 16-digit hex value, got ${goQuote(value)} (did you mean ${meant}?)`);
  }
  return value;
}

function goTypeOf(value: unknown): string {
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return 'float64';
  if (typeof value === 'boolean') return 'bool';
  if (value === null) return 'structpb.NullValue';
  return value instanceof Uint8Array ? '[]uint8' : 'uint64';
}

function isLess(a: string, b: string): boolean {
  return a.length === b.length ? a < b : a.length < b.length;
}

/** FNV-1a of 64 bits, in two halves: the prime is 2⁴⁰ + 0x1b3. */
function hashOf(text: string): string {
  let [high, low] = [0xcbf29ce4, 0x84222325];
  for (const byte of Buffer.from(text)) {
    low = (low ^ byte) >>> 0;
    const product = low * 0x1b3;
    high = (high * 0x1b3 + Math.floor(product / 2 ** 32) + ((low << 8) >>> 0)) % 2 ** 32;
    low = product % 2 ** 32;
  }
  assert(high < 2 ** 32 && low < 2 ** 32, 'both halves fit');
  return `0x${high.toString(16).padStart(8, '0')}${low.toString(16).padStart(8, '0')}`;
}
