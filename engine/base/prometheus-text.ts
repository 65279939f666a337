/**
 * Prometheus' text form, as its Go library writes it (prometheus/common/expfmt, text_create.go): one writer for all pages of metrics.
 * Labels stand in the order of their names, `le` last; all values are doubles, counts too.
 */
import { goFloat } from './go-float.ts';

export type MetricLabels = Readonly<Record<string, string>>;

/** `# HELP` and `# TYPE`. */
export function metricHead(name: string, type: string, help: string): string {
  return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n`;
}

/** One sample. `le`: the bound of a bucket; `timeMs`: when it was measured, of pages that say so. */
export function metricLine(name: string, labels: MetricLabels, value: number, more: { readonly le?: number; readonly timeMs?: number } = {}): string {
  const { le, timeMs } = more;
  const texts = inOrder(labels).map(([label, text]) => `${label}="${quoted(text)}"`);
  if (le !== undefined) texts.push(`le="${goFloat(le)}"`);
  const time = timeMs === undefined ? '' : ` ${timeMs}`;
  return `${name}${texts.length === 0 ? '' : `{${texts.join(',')}}`} ${goFloat(value === 0 ? 0 : value)}${time}\n`;
}

/** The metrics of several writers as one page, in the order of their names. */
export function metricPage(texts: readonly string[]): string {
  const families = texts.flatMap((text) => text.split(/^(?=# HELP )/m)).filter((text) => text !== '');
  const nameOf = (family: string): string => family.split(' ', 3)[2] ?? '';
  return families.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)).join('');
}

/** The order of the samples of one metric: by their labels' values. */
export function compareLabels(a: MetricLabels, b: MetricLabels): number {
  const [left, right] = [inOrder(a), inOrder(b)];
  if (left.length !== right.length) return left.length - right.length;
  for (const [i, [, text]] of left.entries()) {
    const other = right[i]?.[1] ?? '';
    if (text !== other) return text < other ? -1 : 1;
  }
  return 0;
}

function inOrder(labels: MetricLabels): readonly (readonly [name: string, text: string])[] {
  return Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function quoted(text: string): string {
  return escaped(text).replaceAll('"', '\\"');
}
