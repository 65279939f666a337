/** Texts of virtual time beside those of apimachinery/time.ts: log stamps and short durations. */
import { formatMicroTime } from '../apimachinery/time.ts';

/** RFC 3339 with nanoseconds, as the runtime stamps log lines. */
export function nanoText(ms: number): string {
  return `${formatMicroTime(ms).slice(0, -1)}000Z`;
}

/** Go's Duration text for whole milliseconds: `850ms`, `1.234s`, `1m2s`. */
export function durationText(ms: number): string {
  const whole = Math.floor(ms);
  if (whole === 0) return '0s';
  if (whole < 1000) return `${whole}ms`;
  const hours = Math.floor(whole / 3_600_000);
  const minutes = Math.floor(whole / 60_000) % 60;
  const seconds = (whole % 60_000) / 1000;
  if (hours > 0) return `${hours}h${minutes}m${seconds}s`;
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}
