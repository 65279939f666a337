/** A unified diff of two values as indented JSON, with three lines of context. Mirrors k8s.io/apimachinery pkg/util/diff. */
import type { JsonValue } from '../../base/json.ts';

const context = 3;

/** JavaScript's encoder refuses integers beyond 2^53: they go through as marked texts. */
function indented(value: JsonValue): string {
  const marked = (_key: string, member: unknown): unknown => (typeof member === 'bigint' ? `\u0001${member}` : member);
  return JSON.stringify(value, marked, 1).replace(/"\\u0001(-?\d+)"/g, '$1');
}

export function jsonDiff(a: JsonValue, b: JsonValue): string {
  const left = indented(a).split('\n');
  const right = indented(b).split('\n');
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let tail = 0;
  while (tail < left.length - start && tail < right.length - start && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail++;
  const from = Math.max(0, start - context);
  const after = Math.min(tail, context);
  const lines = [
    ...left.slice(from, start).map((line) => ` ${line}`),
    ...left.slice(start, left.length - tail).map((line) => `-${line}`),
    ...right.slice(start, right.length - tail).map((line) => `+${line}`),
    ...left.slice(left.length - tail, left.length - tail + after).map((line) => ` ${line}`),
  ];
  const range = (length: number): string => `${from + 1},${length - tail + after - from}`;
  return ['--- ', '+++ ', `@@ -${range(left.length)} +${range(right.length)} @@`, ...lines, ''].join('\n');
}
