/** What checks of health said, for `/metrics/slis` (component-base/metrics/prometheus/slis): read from a real 1.36.3's API server, controller manager and scheduler. */
import { metricFamily } from './metrics-text.ts';

/** By check and path of health: how often it was well and how often not, and what it said last. */
export class HealthTally {
  readonly #rows = new Map<string, { readonly name: string; readonly type: string; well: number; ill: number; last: 0 | 1 }>();

  /** `type` is `healthz`, `livez` or `readyz`. */
  count(name: string, type: string, isWell: boolean): void {
    const key = `${name} ${type}`;
    const row = this.#rows.get(key) ?? { name, type, well: 0, ill: 0, last: 1 };
    if (isWell) row.well++;
    else row.ill++;
    row.last = isWell ? 1 : 0;
    this.#rows.set(key, row);
  }

  /** The page of metrics. */
  page(startedMs: number): string {
    const rows = [...this.#rows.values()];
    const totals = rows.flatMap(({ name, type, well, ill }) => [
      ...(ill === 0 ? [] : [[{ name, status: 'error', type }, ill] as const]),
      ...(well === 0 ? [] : [[{ name, status: 'success', type }, well] as const]),
    ]);
    const started = [[{}, startedMs / 1000] as const];
    const checks =
      rows.length === 0
        ? ''
        : metricFamily(
            'kubernetes_healthcheck',
            'gauge',
            '[STABLE] This metric records the result of a single healthcheck.',
            rows.map(({ name, type, last }) => [{ name, type }, last] as const),
          ) + metricFamily('kubernetes_healthchecks_total', 'counter', '[STABLE] This metric records the results of all healthcheck.', totals);
    return checks + metricFamily('process_start_time_seconds', 'gauge', '[ALPHA] Start time of the process since unix epoch in seconds.', started);
  }
}
