/**
 * What faults do to requests and watches on their way: the seams of the API's and the links' fault points. Requests of the group
 * sim.wavetank.dev are spared, so that what was broken can be healed.
 */
import { newStatusError, newTimeout, newUnauthorized } from '../apimachinery/errors.ts';
import type { StatusError } from '../apimachinery/status.ts';
import { type Cause, mergeCauses } from '../base/causes.ts';
import {
  apiErrors,
  apiLatency,
  credentialsExpired,
  type FaultPoints,
  linkDelayMs,
  linkLoss,
  matches,
  storeLatencyMs,
  watchBreaks,
  watchLagMs,
} from '../base/fault-points.ts';
import { Random, type RandomStream } from '../base/random.ts';
import { causesCodec } from '../base/slots.ts';
import type { RequestWeather } from '../client/loopback-client.ts';
import type { WatchWeather } from '../client/loopback-informers.ts';
import type { ApiRequest } from '../contracts/request.ts';

const spared = 'sim.wavetank.dev';
const nodeUser = 'system:node:';
const writes: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);
/** TCP sends a lost packet again after so long, doubling; after so many times nothing has got through. */
const resendMs = 200;
const resendsMax = 6;
/** A share in whole draws. */
const draws = 1_000_000;

/** What somebody asks of the API. */
export interface Asked {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly user: string;
}

export class Weather {
  readonly #points: FaultPoints;
  readonly #random: RandomStream;
  /** For what is outside history: its draws must not move those inside. */
  readonly #outside: RandomStream;
  /** Why the last write of a user to a resource failed. */
  readonly #failed: Map<string, readonly Cause[]>;

  constructor(points: FaultPoints, random: Random, seed: number) {
    this.#points = points;
    this.#failed = points.slots.map('failed writes', causesCodec);
    this.#random = random.stream('faults/requests');
    this.#outside = new Random(seed).stream('faults/reads');
  }

  /** What a request of a component meets; undefined when nothing is wrong. */
  readonly requests: RequestWeather = ({ verb, group, resource, identity }: ApiRequest) => {
    if ((this.#points.calm && this.#failed.size === 0) || group === spared) return undefined;
    const asked = { verb, group, resource, user: identity.name };
    const link = this.#link(asked);
    const late = this.#late(asked);
    const unknown = this.#unknown(asked);
    const error = link.error ?? unknown ?? this.#error(asked, this.#random);
    const node = nodeOf(asked.user);
    const why =
      link.error !== undefined
        ? this.#points.causes(linkLoss, node)
        : this.#points.causes(unknown === undefined ? apiErrors : credentialsExpired, unknown === undefined ? '' : node);
    const causes = [link.causes, late.causes, this.#rememberFailure(asked, error, why)].reduce(mergeCauses);
    return { delayMs: link.delayMs + late.delayMs, causes, error };
  };

  /** What is written at last, after it failed by a fault, has that fault as cause, also when it is healed by then. */
  #rememberFailure({ user, verb, resource }: Asked, error: StatusError | undefined, why: readonly Cause[]): readonly Cause[] {
    if (!writes.has(verb)) return [];
    const key = `${user} ${resource}`;
    const before = this.#failed.get(key) ?? [];
    if (error === undefined) this.#failed.delete(key);
    else this.#failed.set(key, mergeCauses(before, why));
    return before;
  }

  /** How a client from outside fares: outside history, as who is refused leaves nothing in it. */
  onOutside({ verb, group, resource, user }: Asked): StatusError | undefined {
    if (this.#points.calm || group === spared) return undefined;
    const asked = { verb, group, resource, user };
    return this.#unknown(asked) ?? this.#error(asked, this.#outside);
  }

  /** By how much a client outside is answered later. Virtual time: what it wants to write comes in when that has passed. */
  delayOfOutside(asked: Asked): { readonly delayMs: number; readonly causes: readonly Cause[] } {
    return this.#points.calm || asked.group === spared ? { delayMs: 0, causes: [] } : this.#late(asked);
  }

  /** For the watches of one process. */
  watches(process: string): WatchWeather {
    // Whoever heals what was broken hears as ever.
    if (process === 'faults' || process === 'scenarios') return { lagMs: () => 0, breaks: () => false, causes: () => [] };
    return {
      lagMs: () => (this.#points.calm ? 0 : this.#points.value(watchLagMs, process)),
      breaks: () => !this.#points.calm && this.#hits(this.#points.value(watchBreaks, process), this.#random),
      refusal: ({ verb, group, resource, identity }) => {
        if (this.#points.calm || group === spared) return undefined;
        const error = this.#error({ verb, group, resource, user: identity.name }, this.#random);
        return error === undefined ? undefined : this.#points.causes(apiErrors);
      },
      causes: () => (this.#points.calm ? [] : mergeCauses(this.#inForce(watchLagMs, process), this.#inForce(watchBreaks, process))),
    };
  }

  #inForce(point: typeof watchLagMs, subject: string): readonly Cause[] {
    return this.#points.value(point, subject) > 0 ? this.#points.causes(point, subject) : [];
  }

  /** The way of a node's request and its answer. */
  #link({ user, verb, resource }: Asked): { readonly delayMs: number; readonly causes: readonly Cause[]; readonly error?: StatusError } {
    if (!user.startsWith(nodeUser)) return { delayMs: 0, causes: [] };
    const node = nodeOf(user);
    const delayMs = 2 * this.#points.value(linkDelayMs, node);
    const loss = this.#points.value(linkLoss, node);
    if (delayMs === 0 && loss === 0) return { delayMs: 0, causes: [] };
    const causes = mergeCauses(this.#points.causes(linkDelayMs, node), this.#points.causes(linkLoss, node));
    let resends = 0;
    while (resends < resendsMax && this.#hits(1 - (1 - loss) ** 2, this.#random)) resends++;
    const lostMs = resendMs * (2 ** resends - 1);
    if (resends < resendsMax) return { delayMs: delayMs + lostMs, causes };
    return { delayMs: delayMs + lostMs, causes, error: newTimeout(`${verb} ${resource}: no answer came through`) };
  }

  #late(asked: Asked): { readonly delayMs: number; readonly causes: readonly Cause[] } {
    const rules = this.#points.value(apiLatency).filter(({ match }) => matches(match, asked));
    const storeMs = writes.has(asked.verb) ? this.#points.value(storeLatencyMs) : 0;
    const delayMs = rules.reduce((total, rule) => total + rule.delayMs, storeMs);
    if (delayMs === 0) return { delayMs, causes: [] };
    return {
      delayMs,
      causes: mergeCauses(rules.length === 0 ? [] : this.#points.causes(apiLatency), storeMs === 0 ? [] : this.#points.causes(storeLatencyMs)),
    };
  }

  /** Whose certificate has run out is nobody whom the API server knows. */
  #unknown({ user }: Asked): StatusError | undefined {
    return user.startsWith(nodeUser) && this.#points.value(credentialsExpired, nodeOf(user)) ? newUnauthorized('Unauthorized') : undefined;
  }

  #error(asked: Asked, random: RandomStream): StatusError | undefined {
    for (const { match, share, code } of this.#points.value(apiErrors)) {
      if (matches(match, asked) && this.#hits(share, random)) return errorOf(code, asked);
    }
    return undefined;
  }

  #hits(share: number, random: RandomStream): boolean {
    return share > 0 && random.integer(draws) < share * draws;
  }
}

function nodeOf(user: string): string {
  return user.slice(nodeUser.length);
}

function errorOf(code: number, { verb, resource }: Asked): StatusError {
  const why = `${verb} ${resource} failed by a fault of the simulation`;
  if (code === 429) return newStatusError(429, 'TooManyRequests', `Too many requests, please try again later: ${why}`, { retryAfterSeconds: 1 });
  if (code === 503) return newStatusError(503, 'ServiceUnavailable', why);
  if (code === 504) return newTimeout(why);
  return newStatusError(500, 'InternalError', `Internal error occurred: ${why}`, { causes: [{ message: why }] });
}
