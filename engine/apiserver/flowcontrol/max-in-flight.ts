/**
 * So many requests at once that read, so many that write: what there is without priority and fairness. The privileged always come in.
 * Mirrors WithMaxInFlightLimit of apiserver pkg/server/filters.
 */
import { superuserGroup } from '../../contracts/access.ts';
import type { Exchange } from '../filters/filter.ts';
import { metricFamily } from '../metrics-text.ts';
import { isLongRunning } from '../request-info.ts';
import { type RequestLimiter, type Seat, TooManyRequests } from './seats.ts';

export interface InFlightLimits {
  /** 0: no limit. */
  readonly reading: number;
  readonly mutating: number;
}

const readingVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

export class MaxInFlight implements RequestLimiter {
  readonly #limits: InFlightLimits;
  readonly #inFlight = { reading: 0, mutating: 0 };
  #dropped = 0;

  constructor(limits: InFlightLimits) {
    this.#limits = limits;
  }

  admit({ info, identity }: Exchange): Seat | undefined {
    if (isLongRunning(info)) return undefined;
    const kind = readingVerbs.has(info.verb) ? 'reading' : 'mutating';
    const limit = this.#limits[kind];
    if (limit === 0) return undefined;
    if (this.#inFlight[kind] >= limit && !identity.groups.includes(superuserGroup)) {
      this.#dropped++;
      throw new TooManyRequests('max in flight');
    }
    this.#inFlight[kind]++;
    let isReleased = false;
    return {
      keep: () => undefined,
      release: () => {
        if (!isReleased) this.#inFlight[kind]--;
        isReleased = true;
      },
    };
  }

  watched(): () => void {
    return () => undefined;
  }

  metrics(): string {
    const { reading, mutating } = this.#inFlight;
    return (
      metricFamily(
        'apiserver_current_inflight_requests',
        'gauge',
        '[STABLE] Maximal number of currently used inflight request limit of this apiserver per request kind in last second.',
        [
          [{ request_kind: 'mutating' }, mutating],
          [{ request_kind: 'readOnly' }, reading],
        ],
      ) + metricFamily('apiserver_dropped_requests_total', 'counter', 'Number of requests that met too many others.', [[{}, this.#dropped]])
    );
  }

  dump(): undefined {
    return undefined;
  }

  close(): void {}
}
