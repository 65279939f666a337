/**
 * The last requests of one component, or questions to one webhook: what it wrote, and beside it what it reads and renews over and over, which would push that out. Its places are
 * used again, so that one more request makes nothing that has to be cleared away.
 */
import type { ApiRequest } from '../../contracts/request.ts';
import { LoggedRequest } from './logged-request.ts';

const writesKept = 160;
const routineKept = 40;
const reads: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

export class RecentRequests {
  readonly #writes: LoggedRequest[] = [];
  readonly #routine: LoggedRequest[] = [];
  #writeCount = 0;
  #routineCount = 0;

  add(request: ApiRequest, number: number, nowMs: number): LoggedRequest {
    const isRoutine = reads.has(request.verb) || request.resource === 'leases';
    const kept = isRoutine ? placeIn(this.#routine, this.#routineCount++, routineKept) : placeIn(this.#writes, this.#writeCount++, writesKept);
    kept.reset(number, nowMs, 0);
    kept.isInside = true;
    kept.userAgent = request.userAgent;
    kept.username = request.identity.name;
    kept.verb = request.verb;
    kept.group = request.group;
    kept.version = request.version;
    kept.resource = request.resource;
    kept.subresource = request.subresource ?? '';
    kept.namespace = request.namespace ?? '';
    kept.name = request.name ?? '';
    return kept;
  }

  /** A question to the outside, of which it is known how long it took. */
  addAsked(number: number, nowMs: number, latencyMs: number): LoggedRequest {
    const kept = placeIn(this.#writes, this.#writeCount++, writesKept);
    kept.reset(number, nowMs, 0);
    kept.latencyMs = latencyMs;
    return kept;
  }

  /** The newest first. */
  newest(): readonly LoggedRequest[] {
    return [...this.#writes, ...this.#routine].sort((a, b) => b.number - a.number);
  }
}

function placeIn(ring: LoggedRequest[], count: number, most: number): LoggedRequest {
  const place = count % most;
  return (ring[place] ??= new LoggedRequest());
}
