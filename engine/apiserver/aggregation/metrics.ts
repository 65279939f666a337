/** Which APIServices are not available, and how often one stopped being so since the process began. Mirrors kube-aggregator pkg/controllers/status/metrics. */
import type { APIService } from '../../api/apiregistration/v1/types.gen.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { metricFamily } from '../metrics-text.ts';
import { isAvailable } from './backend.ts';

/** A name and a reason for each that ever stopped: those of APIServices that went count no more beyond so many. */
const countsMax = 10_000;

export class ApiServiceMetrics {
  readonly #stopped = new Map<string, { readonly name: string; readonly reason: string; count: number }>();

  /** Hears of each change of a stored APIService. */
  onChange(before: KubeObject | undefined, after: KubeObject | undefined): void {
    if (before === undefined || after === undefined || !isAvailable(before as APIService) || isAvailable(after as APIService)) return;
    const name = after.metadata.name ?? '';
    const reason = ((after as APIService).status?.conditions ?? []).find(({ type }) => type === 'Available')?.reason ?? 'UnknownReason';
    const key = `${name} ${reason}`;
    const known = this.#stopped.get(key);
    if (known !== undefined) known.count++;
    else if (this.#stopped.size < countsMax) this.#stopped.set(key, { name, reason, count: 1 });
  }

  /** In Prometheus' text form. */
  text(stored: readonly KubeObject[]): string {
    const now = stored.map((one) => [{ name: one.metadata.name ?? '' }, isAvailable(one as APIService) ? 0 : 1] as const);
    const stopped = [...this.#stopped.values()].map(({ name, reason, count }) => [{ name, reason }, count] as const);
    const what = 'APIServices which are marked as unavailable broken down by APIService name';
    return [
      metricFamily('aggregator_unavailable_apiservice', 'gauge', `[ALPHA] Gauge of ${what}.`, now),
      stopped.length === 0
        ? ''
        : metricFamily('aggregator_unavailable_apiservice_total', 'counter', `[ALPHA] Counter of ${what} and reason.`, stopped),
    ].join('');
  }
}
