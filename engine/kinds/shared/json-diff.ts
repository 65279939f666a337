/** A unified diff of two values as indented JSON, with three lines of context. Mirrors k8s.io/apimachinery pkg/util/diff. */
import { escapeHtml } from '../../apimachinery/quote.ts';
import { internalValue } from '../../apimachinery/internal-value.ts';
import type { JsonValue } from '../../base/json.ts';
import { matchingBlocks } from './line-match.ts';

const context = 3;
/** Lines of both texts: beyond it what lies between the first and the last difference is shown as one, so that no object costs more than its length. */
const linesMax = 4_000;

/** JavaScript's encoder refuses integers beyond 2^53: they go through as marked texts. */
function indented(value: JsonValue): string {
  const marked = (_key: string, member: unknown): unknown => (typeof member === 'bigint' ? `\u0001${member}` : member);
  return escapeHtml(JSON.stringify(value, marked, 1).replace(/"\\u0001(-?\d+)"/g, '$1'));
}

/** Lines `from` to `to` of the left text stand where `start` to `end` of the right one do; the same lines when they are `equal`. */
interface Part {
  readonly equal: boolean;
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
}

/** Of two values of a message (`core.v1.PodSpec`), as upstream's internal types lie. */
export function internalDiff(message: string, a: unknown, b: unknown): string {
  return jsonDiff(internalValue(message, (a ?? {}) as JsonValue), internalValue(message, (b ?? {}) as JsonValue));
}

export function jsonDiff(a: JsonValue, b: JsonValue): string {
  const [left, right] = [indented(a).split('\n'), indented(b).split('\n')];
  return hunksOf(partsOf(left, right)).map((hunk) => hunkText(hunk, left, right)).join(''); // biome-ignore format: one line
}

function partsOf(left: readonly string[], right: readonly string[]): readonly Part[] {
  const parts: Part[] = [];
  let [from, start] = [0, 0];
  for (const { left: to, right: end, size } of blocksOf(left, right)) {
    if (from < to || start < end) parts.push({ equal: false, from, to, start, end });
    [from, start] = [to + size, end + size];
    if (size > 0) parts.push({ equal: true, from: to, to: from, start: end, end: start });
  }
  return parts;
}

function blocksOf(left: readonly string[], right: readonly string[]): ReturnType<typeof matchingBlocks> {
  if (left.length + right.length <= linesMax) return matchingBlocks(left, right);
  let head = 0;
  while (head < left.length && head < right.length && left[head] === right[head]) head++;
  let tail = 0;
  while (tail < left.length - head && tail < right.length - head && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail++;
  return [
    { left: 0, right: 0, size: head },
    { left: left.length - tail, right: right.length - tail, size: tail },
    { left: left.length, right: right.length, size: 0 },
  ];
}

/** What lies no further apart than twice the context is one hunk. */
function hunksOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const hunks: Part[][] = [];
  let open: Part[] = [];
  for (const [index, part] of parts.entries()) {
    const isFirst = index === 0;
    const isLast = index === parts.length - 1;
    if (!part.equal) open.push(part);
    else if (isFirst && isLast) return [];
    else if (isFirst) open.push(tailOf(part));
    else if (isLast) open.push(headOf(part));
    else if (part.to - part.from <= 2 * context) open.push(part);
    else {
      hunks.push([...open, headOf(part)]);
      open = [tailOf(part)];
    }
  }
  return [...hunks, open];
}

function headOf(part: Part): Part {
  return { ...part, to: Math.min(part.to, part.from + context), end: Math.min(part.end, part.start + context) };
}

function tailOf(part: Part): Part {
  return { ...part, from: Math.max(part.from, part.to - context), start: Math.max(part.start, part.end - context) };
}

function hunkText(hunk: readonly Part[], left: readonly string[], right: readonly string[]): string {
  const [first, last] = [hunk[0], hunk.at(-1)];
  if (first === undefined || last === undefined) return '';
  const lines = hunk.flatMap(({ equal, from, to, start, end }) =>
    equal
      ? left.slice(from, to).map((line) => ` ${line}`)
      : [...left.slice(from, to).map((line) => `-${line}`), ...right.slice(start, end).map((line) => `+${line}`)],
  );
  return [`@@ -${range(first.from, last.to)} +${range(first.start, last.end)} @@`, ...lines, ''].join('\n');
}

function range(from: number, to: number): string {
  const length = to - from;
  if (length === 1) return String(from + 1);
  return `${length === 0 ? from : from + 1},${length}`;
}
