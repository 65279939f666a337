/** A unified diff of two values as indented JSON, with three lines of context. Mirrors k8s.io/apimachinery pkg/util/diff. */
import type { JsonValue } from '../../base/json.ts';

const context = 3;

export function jsonDiff(a: JsonValue, b: JsonValue): string {
  const left = JSON.stringify(a, undefined, 1).split('\n');
  const right = JSON.stringify(b, undefined, 1).split('\n');
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
