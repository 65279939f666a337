/** Options of logs that do not fit. Mirrors component-base/logs/api/v1. */
import type { FlagValues } from './flag-set.ts';
import { formatDuration } from '../../apimachinery/time.ts';

const formats = ['text', 'json'];

/** Faults in upstream's order. */
export function logFaults(flags: FlagValues): readonly string[] {
  const format = flags.text('logging-format');
  const flush = flags.milliseconds('log-flush-frequency');
  return [
    ...(formats.includes(format) ? [] : [`format: Invalid value: ${JSON.stringify(format)}: Unsupported log format`]),
    ...(flush > 0 ? [] : [`flushFrequency: Invalid value: ${JSON.stringify(formatDuration(flush))}: Must be greater than zero`]),
    ...(format !== 'text' && flags.text('vmodule') !== '' ? ['vmodule: Forbidden: Only supported for text log format'] : []),
    ...formats.flatMap((one) => alphaFaults(flags, one)),
  ];
}

function alphaFaults(flags: FlagValues, format: string): readonly string[] {
  if (flags.all('feature-gates').some((text) => /(^|,)\s*(kube:)?LoggingAlphaOptions\s*=\s*(true|True|TRUE|t|T|1)\s*(,|$)/.test(text))) return [];
  const why = 'Forbidden: Feature LoggingAlphaOptions is disabled';
  const size = flags.text(`log-${format}-info-buffer-size`);
  return [
    ...(flags.isOn(`log-${format}-split-stream`) ? [`options.${format}.splitStream: ${why}`] : []),
    ...(isNothing(size) ? [] : [`options.${format}.infoBufferSize: ${why}`]),
  ];
}

/** A quantity without digits is nothing too. */
function isNothing(size: string): boolean {
  return !/[1-9]/.test(size.replace(/[eE][+-]?\d+$/, ''));
}
