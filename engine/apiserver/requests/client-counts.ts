/** What each client has asked for so far: clients outside, components of the cluster, and webhooks, which are asked. Bounded. */
import { Rate } from './arrivals.ts';
import type { ApiRequest } from '../../contracts/request.ts';
import type { LoggedRequest } from './logged-request.ts';
import { RecentRequests } from './recent-requests.ts';

const clientsMax = 500;
/** What those are counted under for whom there is no room. */
const others = '(others)';

export type ClientType = 'Outside' | 'Component' | 'Webhook';

export interface ClientCount {
  readonly client: string;
  readonly type: ClientType;
  /** Of the last request; '' for components and webhooks. */
  username: string;
  requests: number;
  /** Answered with 400 or more, or not at all. */
  failed: number;
  /** In wall time, of requests that are over; watches and other long answers do not count. */
  latencyMs: number;
  slowestMs: number;
  timed: number;
  /** Virtual. */
  lastMs: number;
  readonly verbs: Map<string, number>;
  readonly rate: Rate;
  /** Of a component, and of whoever is asked. */
  readonly recent: RecentRequests | undefined;
}

export class ClientCounts {
  readonly #clients = new Map<string, ClientCount>();
  readonly #clock: { wallMs(): number; nowMs(): number };
  /** By the very text of a user agent, as long as there are not too many: what client or component it is. */
  readonly #agents = { Outside: new Map<string, ClientCount>(), Component: new Map<string, ClientCount>() };

  /** Requests of components are numbered among themselves. */
  #insideCount = 0;
  /** Questions to the outside too. */
  #askedCount = 0;

  constructor(clock: { wallMs(): number; nowMs(): number }) {
    this.#clock = clock;
  }

  list(): readonly ClientCount[] {
    return [...this.#clients.values()];
  }

  outside(request: LoggedRequest): void {
    const count = this.#ofAgent('Outside', request.userAgent);
    count.username = request.username;
    this.#count(count, request.verb);
    if (request.code >= 400) count.failed++;
    if (request.verb !== 'watch') time(count, request.latencyMs);
  }

  inside(request: ApiRequest): LoggedRequest | undefined {
    const { userAgent, verb } = request;
    const count = this.#ofAgent('Component', userAgent);
    count.requests++;
    count.verbs.set(verb, (count.verbs.get(verb) ?? 0) + 1);
    count.lastMs = this.#clock.nowMs();
    return count.recent?.add(request, this.#insideCount++, count.lastMs);
  }

  insideFailed(userAgent: string): void {
    this.#ofAgent('Component', userAgent).failed++;
  }

  /** What a component asked last, or a webhook was asked, the newest first. */
  recentOf(client: string, type: ClientType = 'Component'): readonly LoggedRequest[] {
    return this.#clients.get(keyOf(type, client))?.recent?.newest() ?? [];
  }

  /** Returns what is to be filled in. */
  asked(to: string, isAnswered: boolean, latencyMs: number): LoggedRequest | undefined {
    const count = this.#one('Webhook', to);
    this.#count(count, 'call');
    if (!isAnswered) count.failed++;
    time(count, latencyMs);
    return count.recent?.addAsked(this.#askedCount++, count.lastMs, latencyMs);
  }

  #count(count: ClientCount, verb: string): void {
    count.requests++;
    // Verbs are few, but methods are a client's word.
    const known = count.verbs.has(verb) || count.verbs.size < 20 ? verb : others;
    count.verbs.set(known, (count.verbs.get(known) ?? 0) + 1);
    count.lastMs = this.#clock.nowMs();
    count.rate.count(this.#clock.wallMs());
  }

  #ofAgent(type: 'Outside' | 'Component', userAgent: string): ClientCount {
    const agents = this.#agents[type];
    let count = agents.get(userAgent);
    if (count === undefined) {
      count = this.#one(type, productOf(userAgent));
      if (agents.size < clientsMax) agents.set(userAgent, count);
    }
    return count;
  }

  #one(type: ClientType, client: string): ClientCount {
    const key = keyOf(type, client);
    const known = this.#clients.get(key) ?? (this.#clients.size < clientsMax ? undefined : this.#clients.get(keyOf(type, others)));
    if (known !== undefined) return known;
    const name = this.#clients.size < clientsMax ? client : others;
    const made: ClientCount = {
      ...{ client: name, type, username: '', requests: 0, failed: 0, latencyMs: 0, slowestMs: 0, timed: 0, lastMs: 0 },
      verbs: new Map(),
      rate: new Rate(),
      recent: type === 'Outside' ? undefined : new RecentRequests(),
    };
    this.#clients.set(keyOf(type, name), made);
    return made;
  }
}

function keyOf(type: ClientType, client: string): string {
  return `${type} ${client}`;
}

function time(count: ClientCount, latencyMs: number): void {
  count.timed++;
  count.latencyMs += latencyMs;
  count.slowestMs = Math.max(count.slowestMs, latencyMs);
}

/** `kubectl/v1.36.0 (linux/amd64) kubernetes/…` is kubectl. */
function productOf(userAgent: string): string {
  const end = userAgent.search(/[/ ]/);
  return (end < 0 ? userAgent : userAgent.slice(0, end)) || '(none)';
}
