/** Spans at which an axis that begins with 0 has its ticks: round ones, so that they can be read off. */

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000] as const;
const steps = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((ms) => ms),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 30, 90, 365].map((count) => count * day),
];
const most = 6;
/** Of the axis: nearer to its ends a tick would touch what is written there. */
const margin = 0.12;

export function roundTicks(spanMs: number): readonly number[] {
  const step = steps.find((one) => spanMs / one <= most) ?? spanMs;
  const ticks: number[] = [];
  for (let at = step; at < spanMs * (1 - margin); at += step) if (at > spanMs * margin) ticks.push(at);
  return ticks;
}
