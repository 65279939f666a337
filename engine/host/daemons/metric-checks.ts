/** Options of metrics that do not fit. Mirrors component-base/metrics options.go. */
import { readInGo } from '../go-files.ts';
import type { FlagValues } from './flag-set.ts';

const previous = '1.35';
const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const labelKey = /[a-zA-Z_:][a-zA-Z0-9_:]*,[a-zA-Z_][a-zA-Z0-9_]*/;

/** Faults in upstream's order and words. */
export function metricFaults(flags: FlagValues): readonly string[] {
  const hidden = flags.text('show-hidden-metrics-for-version');
  const disabled = flags.named('disabled-metrics');
  const misnamed = disabled.find((name) => !metricName.test(name));
  return [
    ...(hidden === '' || hidden === previous
      ? []
      : [
          `metrics.showHiddenMetricsForVersion: Invalid value: ${JSON.stringify(hidden)}: must be omitted or have the value '${previous}'; only the previous minor version is allowed`,
        ]),
    ...(misnamed === undefined
      ? []
      : [
          `metrics.disabledMetrics: Invalid value: ${JSON.stringify(disabled)}: must be fully qualified metric names matching "^[a-zA-Z_:][a-zA-Z0-9_:]*$", got ${JSON.stringify(misnamed)}`,
        ]),
    ...labelFaults(flags),
    ...manifestFaults(flags.text('allow-metric-labels-manifest')),
  ];
}

function labelFaults(flags: FlagValues): readonly string[] {
  const pairs = flags.all('allow-metric-labels').flatMap(pairsOf);
  if (pairs.every(([key]) => labelKey.test(key))) return [];
  return [
    `metrics.allowListMapping: Invalid value: ${JSON.stringify(Object.fromEntries(pairs))}: must have keys with format \`metricName,labelName\` where metricName matches "[a-zA-Z_:][a-zA-Z0-9_:]*" and labelName matches "[a-zA-Z_][a-zA-Z0-9_]*"`,
  ];
}

/** One pair may hold commas: that of a text with one `=`. */
function pairsOf(text: string): readonly (readonly [key: string, value: string])[] {
  const parts = text.split('=').length === 2 ? [text] : text.split(',');
  return parts.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)] as const);
}

function manifestFaults(file: string): readonly string[] {
  if (file === '') return [];
  try {
    readInGo(file);
    return [];
  } catch (error) {
    const why = (error as Error).message;
    return [`metrics.allowListMappingManifest: Invalid value: ${JSON.stringify(file)}: failed to read allow list manifest: ${why}`];
  }
}
