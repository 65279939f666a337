/**
 * Files that count as they are now: they are looked at when they change, and each minute. What became of it is counted as upstream does
 * (apiserver pkg/server/options/authenticationconfig/metrics and authorizationconfig/metrics).
 */
import { hash } from 'node:crypto';
import { unwatchFile, watchFile } from 'node:fs';
import { metricFamily, type Sample } from '../../apiserver/metrics-text.ts';

const pollMs = 60_000;
const lookMs = 1_000;

/** Calls `look` now and then, and soon after a change, until the returned function is called. */
export function lookAt(file: string, look: () => void): () => void {
  const timer = setInterval(look, pollMs);
  timer.unref();
  watchFile(file, { interval: lookMs, persistent: false }, look);
  return () => {
    clearInterval(timer);
    unwatchFile(file, look);
  };
}

export class ConfigReloads {
  readonly #what: 'authentication' | 'authorization';
  readonly #nowMs: () => number;
  readonly #reloads = { success: { count: 0, lastMs: 0 }, failure: { count: 0, lastMs: 0 } };

  /** `nowMs`: wall time. */
  constructor(what: 'authentication' | 'authorization', nowMs: () => number) {
    this.#what = what;
    this.#nowMs = nowMs;
  }

  count(status: 'success' | 'failure'): void {
    const counted = this.#reloads[status];
    counted.count++;
    counted.lastMs = this.#nowMs();
  }

  /** In Prometheus' text form; `applied` is the text that counts. This server has no identity of its own, and so none in the labels. */
  metrics(applied: string): string {
    const made = Object.entries(this.#reloads).filter(([, { count }]) => count > 0);
    const family = (name: string, type: 'counter' | 'gauge', help: string, value: (of: Reload) => number): string => {
      const samples = made.map(([status, of]): Sample => [{ status, apiserver_id_hash: '' }, value(of)]);
      return samples.length === 0 ? '' : metricFamily(`${subsystem}_${name}`, type, `${help} split by status and apiserver identity.`, samples);
    };
    const subsystem = `apiserver_${this.#what}_config_controller`;
    const what = `of ${this.#what} configuration`;
    const info: Sample = [{ apiserver_id_hash: '', hash: `sha256:${hash('sha256', applied, 'hex')}` }, 1];
    return [
      family('automatic_reloads_total', 'counter', `[BETA] Total number of automatic reloads ${what}`, ({ count }) => count),
      family(
        'automatic_reload_last_timestamp_seconds',
        'gauge',
        `[BETA] Timestamp of the last automatic reload ${what}`,
        ({ lastMs }) => lastMs / 1000,
      ),
      metricFamily(
        `${subsystem}_last_config_info`,
        'gauge',
        `[ALPHA] Information about the last applied ${this.#what} configuration with hash as label, split by apiserver identity.`,
        [info],
      ),
    ].join('');
  }
}

interface Reload {
  readonly count: number;
  readonly lastMs: number;
}
