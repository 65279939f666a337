/**
 * How much work a request is, before it is done: how many seats it takes while it is served, how many afterwards and for how long, because
 * watchers are told what it wrote. Mirrors apiserver pkg/util/flowcontrol/request.
 */
import type { FlowCounts } from './flow-counts.ts';
import type { Exchange } from '../filters/filter.ts';
import type { WatchTracker } from './watch-tracker.ts';

export interface WorkEstimate {
  readonly initialSeats: number;
  /** 0: nothing is left to do once it is answered. */
  readonly finalSeats: number;
  /** For so long after the answer; nobody waits for it. */
  readonly additionalMs: number;
}

/** What is known of the objects of one resource. */
export interface ObjectStats {
  readonly count: number;
  /** Of one as it is stored, on average. */
  readonly bytes: number;
}

export interface EstimatorOptions {
  /** Undefined for a resource that is served elsewhere or by nobody. */
  statsOf(group: string, resource: string): ObjectStats | undefined;
  /** Lists are as wide as the memory that they take, and not as objects are many. */
  readonly bySize: boolean;
  /** A watch that begins with what there is counts as a list. */
  readonly watchesAreLists: boolean;
  readonly watches: WatchTracker;
}

const single: WorkEstimate = { initialSeats: 1, finalSeats: 0, additionalMs: 0 };
const objectsPerSeat = 100;
const bytesPerSeat = 100_000;
/** What a list from the cache holds at once: it is sent as it is encoded. */
const cachedBytesMax = 1_000_000;
/** Of whose size nothing is known. */
const objectBytesMax = 1_500_000;
const watchesPerSeat = 10;
const eventMs = 5;
const mutatingSeatsMax = 10;
const changing: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete']);

export class WorkEstimator {
  readonly #options: EstimatorOptions;
  readonly #listSeatsMax: number;

  constructor(options: EstimatorOptions) {
    this.#options = options;
    this.#listSeatsMax = options.bySize ? 100 : 10;
  }

  /** `seatsMax` is what the level allows one request; 0 where it does not say. */
  estimate(exchange: Exchange, seatsMax: number, counts: FlowCounts): WorkEstimate {
    const { info } = exchange;
    if (info.verb === 'list') return this.#ofList(exchange, seatsMax);
    if (info.verb === 'watch') return this.#options.watchesAreLists ? this.#ofList(exchange, seatsMax) : single;
    return changing.has(info.verb) ? this.#ofChange(exchange, seatsMax, counts) : single;
  }

  #ofList({ info, query }: Exchange, levelMax: number): WorkEstimate {
    const seatsMax = levelMax === 0 ? this.#listSeatsMax : Math.min(levelMax, this.#listSeatsMax);
    if (!info.isResource) return single;
    if (!isReadable(query)) return seats(seatsMax);
    if (info.verb === 'watch' && !beginsWithAll(query)) return single;
    const stats = this.#options.statsOf(info.group, info.resource);
    if (stats === undefined) return single;
    const wanted = this.#options.bySize ? bySize(info, query, stats) : byCount(info, query, stats);
    return seats(Math.max(1, Math.min(wanted, seatsMax)));
  }

  #ofChange({ info }: Exchange, levelMax: number, counts: FlowCounts): WorkEstimate {
    // It changes nothing that anybody watches.
    if (!info.isResource || (info.resource === 'serviceaccounts' && info.subresource === 'token')) return single;
    const watchers = this.#options.watches.count(info);
    counts.watchers.observe(watchers);
    if (watchers < watchesPerSeat) return single;
    const wanted = Math.ceil(watchers / watchesPerSeat);
    const finalSeats = Math.min(wanted, levelMax === 0 ? mutatingSeatsMax : Math.min(levelMax, mutatingSeatsMax));
    return { initialSeats: 1, finalSeats, additionalMs: (wanted * eventMs) / finalSeats };
  }
}

/** The same work on no more than so many seats. */
export function narrowed(estimate: WorkEstimate, seatsMax: number): WorkEstimate {
  const { finalSeats, additionalMs } = estimate;
  if (finalSeats <= seatsMax || seatsMax === 0) return estimate;
  return { ...estimate, finalSeats: seatsMax, additionalMs: (additionalMs * finalSeats) / seatsMax };
}

export function seatsOf({ initialSeats, finalSeats }: WorkEstimate): number {
  return Math.max(initialSeats, finalSeats);
}

function seats(initialSeats: number): WorkEstimate {
  return initialSeats === 1 ? single : { ...single, initialSeats };
}

type Info = Exchange['info'] & { readonly isResource: true };

function byCount({ name, verb }: Info, query: URLSearchParams, { count }: ObjectStats): number {
  const limited = limitedTo(query, count);
  if (name !== '') return 1;
  if (verb === 'watch' || !goesToStorage(query)) return Math.ceil(count / objectsPerSeat);
  const isSelective = Boolean(query.get('fieldSelector')) || Boolean(query.get('labelSelector'));
  return Math.ceil((isSelective ? count + limited : 2 * limited) / objectsPerSeat);
}

function bySize({ name, verb }: Info, query: URLSearchParams, { count, bytes }: ObjectStats): number {
  const each = bytes > 0 || count === 0 ? bytes : objectBytesMax;
  const limited = limitedTo(query, count);
  const isCached = verb === 'watch' || !goesToStorage(query);
  const isSelective = Boolean(query.get('fieldSelector')) || Boolean(query.get('labelSelector'));
  const loaded = name !== '' ? 1 : isSelective && !isCached ? Math.max(limited, Math.floor(count / 2)) : limited;
  const memory = loaded * each;
  return Math.ceil((isCached ? Math.min(memory, cachedBytesMax) : memory) / bytesPerSeat);
}

function limitedTo(query: URLSearchParams, count: number): number {
  const limit = Number(query.get('limit') ?? 0);
  return limit > 0 ? Math.min(limit, count) : count;
}

/** A list that the cache does not have: an exact revision, or the rest of one. */
function goesToStorage(query: URLSearchParams): boolean {
  const revision = query.get('resourceVersion') ?? '';
  switch (query.get('resourceVersionMatch') ?? '') {
    case 'NotOlderThan':
      return false;
    case '':
      return Boolean(query.get('continue')) || (Number(query.get('limit') ?? 0) > 0 && revision !== '' && revision !== '0');
    default:
      return true;
  }
}

/** A watch that says so, or one of old that names no revision to begin after. */
function beginsWithAll(query: URLSearchParams): boolean {
  const says = query.get('sendInitialEvents');
  if (says !== null && says.toLowerCase() !== 'false' && says !== '0') return true;
  const revision = query.get('resourceVersion') ?? '';
  return revision === '' || revision === '0';
}

const wholeNumber = /^[+-]?\d+$/;

function isReadable(query: URLSearchParams): boolean {
  return ['limit', 'timeoutSeconds'].every((name) => wholeNumber.test(query.get(name) ?? '0'));
}
