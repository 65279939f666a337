/**
 * Priority and fairness: each request belongs to a flow schema, which names the priority level whose seats it takes. What the two kinds
 * say is read again when one of them changed. Mirrors apiserver pkg/util/flowcontrol/{apf_controller,apf_filter}.go.
 */
import type { FlowSchema, PriorityLevelConfiguration } from '../../api/flowcontrol/v1/types.gen.ts';
import { assert } from '../../base/assert.ts';
import type { Identity } from '../../contracts/request.ts';
import { mandatoryLevels, mandatorySchemas } from '../../kinds/flowcontrol/v1/mandatory.ts';
import { allottedMs } from '../filters/deadline.ts';
import type { Exchange } from '../filters/filter.ts';
import type { Headers } from '../http-types.ts';
import { isLongRunning, type RequestInfo } from '../request-info.ts';
import { dumpOf } from './dump.ts';
import { bySchemaOrder, isForEverything, isSubject, schemaMatches } from './matching.ts';
import { metricsOf } from './metrics.ts';
import { FlowCounts } from './flow-counts.ts';
import type { LevelHost } from './occupied.ts';
import { PriorityLevel } from './priority-level.ts';
import { boundsOf, divide, sharesOf } from './seat-shares.ts';
import type { RequestLimiter, Seat } from './seats.ts';
import { type EstimatorOptions, seatsOf, WorkEstimator } from './work-estimate.ts';
import { WatchTracker } from './watch-tracker.ts';

export interface FlowSource {
  /** Grows with each change of one of the two kinds. */
  generation(): number;
  schemas(): readonly FlowSchema[];
  levels(): readonly PriorityLevelConfiguration[];
}

export interface PriorityAndFairnessOptions {
  readonly source: FlowSource;
  /** Seats of all levels together. */
  readonly serverSeats: number;
  readonly host: LevelHost;
  readonly work: Omit<EstimatorOptions, 'watches'>;
}

/** Where a request belongs. */
interface Flow {
  /** Name the schema and the level by their uids. */
  readonly headers: Headers;
  readonly level: PriorityLevel;
  readonly counts: FlowCounts;
  readonly distinguisher: string;
}

interface Caller {
  readonly groups: readonly string[];
  /** Where all that this user asks belongs. */
  readonly always: Flow | undefined;
  readonly flows: Map<string, Flow>;
}

const callersMax = 1024;
const flowsMax = 1024;
/** What is longer names nothing that is there. */
const keyCharsMax = 512;
const adjustMs = 10_000;
/** Of the time that a request has: so much of it may be spent in a queue. */
const waitShare = 0.25;

export class PriorityAndFairness implements RequestLimiter {
  readonly #options: PriorityAndFairnessOptions;
  readonly #levels = new Map<string, PriorityLevel>();
  readonly #counts = new Map<string, FlowCounts>();
  readonly #callers = new Map<string, Caller>();
  readonly #watches = new WatchTracker();
  readonly #estimator: WorkEstimator;
  #schemas: readonly FlowSchema[] = [];
  #generation = -1;
  #adjustedMs: number;
  #fairFraction = 0;
  #cancelAdjustment: (() => void) | undefined;

  constructor(options: PriorityAndFairnessOptions) {
    this.#options = options;
    this.#estimator = new WorkEstimator({ ...options.work, watches: this.#watches });
    this.#adjustedMs = options.host.nowMs();
  }

  admit(exchange: Exchange): Seat | undefined {
    const { info, identity, path, passage } = exchange;
    if (isLongRunning(info) && info.verb !== 'watch') return undefined;
    const flow = this.#flowOf(identity, info, path);
    const { level, counts, distinguisher } = flow;
    passage.flowHeaders = flow.headers;
    const estimate = this.#estimator.estimate(exchange, level.widestSeats, counts);
    if (!level.isExempt && (level.waiting > 0 || !level.fits(seatsOf(estimate)))) this.#adjust();
    // Watches have no end to come before.
    const waitMaxMs = allottedMs(info.verb === 'watch' ? '' : (exchange.query.get('timeout') ?? '')) * waitShare;
    return level.take({ counts, distinguisher, estimate, waitMaxMs, identity, exchange });
  }

  watched({ info, query }: Exchange): () => void {
    return this.#watches.add(info, query);
  }

  metrics(): string {
    this.#refresh();
    this.#adjust();
    return metricsOf({
      levels: [...this.#levels.values()],
      flows: [...this.#counts.values()],
      fairFraction: this.#fairFraction,
      nowMs: this.#options.host.nowMs(),
    });
  }

  dump(path: string, withDetails: boolean): string | undefined {
    this.#refresh();
    return dumpOf(path, [...this.#levels.values()], withDetails);
  }

  close(): void {
    this.#cancelAdjustment?.();
    for (const level of this.#levels.values()) level.close();
  }

  /** Classified once for each user, and for each kind of request where it matters which it is. */
  #flowOf(identity: Identity, info: RequestInfo, path: string): Flow {
    this.#refresh();
    const caller = this.#callerOf(identity);
    if (caller.always !== undefined) return caller.always;
    const key = info.isResource ? `${info.verb} ${info.resource}.${info.group}/${info.subresource} ${info.namespace}` : `${info.verb} ${path}`;
    const known = caller.flows.get(key);
    if (known !== undefined) return known;
    const flow = this.#classify(identity, info, path);
    if (key.length > keyCharsMax) return flow;
    if (caller.flows.size >= flowsMax) caller.flows.clear();
    caller.flows.set(key, flow);
    return flow;
  }

  #callerOf(identity: Identity): Caller {
    const known = this.#callers.get(identity.name);
    if (known !== undefined && isSame(known.groups, identity.groups)) return known;
    if (this.#callers.size >= callersMax) this.#callers.clear();
    const first = this.#schemas.find((schema) => this.#isServed(schema) && schema.spec?.rules?.some((rule) => isSubject(rule, identity)) === true);
    const isAlways = first !== undefined && first.spec?.distinguisherMethod?.type !== 'ByNamespace' && isForEverything(first, identity);
    const caller: Caller = { groups: identity.groups, always: isAlways ? this.#flow(first, identity, '') : undefined, flows: new Map() };
    this.#callers.set(identity.name, caller);
    return caller;
  }

  #isServed({ spec }: FlowSchema): boolean {
    return this.#levels.get(spec?.priorityLevelConfiguration.name ?? '')?.isQuiescing === false;
  }

  #classify(identity: Identity, info: RequestInfo, path: string): Flow {
    // The last schema is for everybody who is known or not; who is of no group at all is of it too.
    const schema = this.#schemas.find((one) => this.#isServed(one) && schemaMatches(one, identity, info, path)) ?? this.#schemas.at(-1);
    return this.#flow(schema as FlowSchema, identity, info.isResource ? info.namespace : '');
  }

  #flow({ metadata, spec }: FlowSchema, identity: Identity, namespace: string): Flow {
    const level = this.#levels.get(spec?.priorityLevelConfiguration.name ?? '');
    assert(level, 'a schema that is served has a level');
    const method = spec?.distinguisherMethod?.type;
    return {
      headers: { 'x-kubernetes-pf-flowschema-uid': metadata.uid ?? '', 'x-kubernetes-pf-prioritylevel-uid': level.uid },
      level,
      counts: this.#countsOf(metadata.name ?? '', level.name),
      distinguisher: method === 'ByUser' ? identity.name : method === 'ByNamespace' ? namespace : '',
    };
  }

  #countsOf(schema: string, level: string): FlowCounts {
    const key = `${schema}\n${level}`;
    let counts = this.#counts.get(key);
    if (counts === undefined) {
      counts = new FlowCounts(schema, level);
      this.#counts.set(key, counts);
    }
    return counts;
  }

  #refresh(): void {
    const { source, serverSeats, host } = this.#options;
    const generation = source.generation();
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#callers.clear();
    this.#schemas = withMandatory(source.schemas(), mandatorySchemas).sort(bySchemaOrder);
    const given = withMandatory(source.levels(), mandatoryLevels);
    const allShares = given.reduce((sum, level) => sum + sharesOf(level), 0);
    for (const level of this.#levels.values()) level.isQuiescing = true;
    for (const configuration of given) {
      const name = configuration.metadata.name ?? '';
      let level = this.#levels.get(name);
      if (level === undefined) this.#levels.set(name, (level = new PriorityLevel(name, serverSeats, host)));
      level.configure(configuration, boundsOf(configuration, serverSeats, allShares));
    }
    for (const [name, level] of this.#levels) if (level.isQuiescing && level.isIdle) this.#levels.delete(name);
    this.#divide(host.nowMs(), 1);
  }

  /** Lends and borrows seats by what was wanted in the last time; not more often than each ten seconds. */
  #adjust(): void {
    const nowMs = this.#options.host.nowMs();
    const periods = Math.floor((nowMs - this.#adjustedMs) / adjustMs);
    if (periods >= 1) this.#divide(nowMs, periods);
    if ([...this.#levels.values()].some((level) => level.waiting > 0)) this.#adjustLater(adjustMs - (nowMs - this.#adjustedMs));
  }

  /** Gives each level its seats, and begins to count anew what it wants. */
  #divide(nowMs: number, periods: number): void {
    this.#adjustedMs = nowMs;
    const levels = [...this.#levels.values()];
    for (const { demand } of levels) demand.settle(nowMs, periods);
    const { limits, targets, fairFraction } = divide(
      levels.map(({ isExempt, bounds, limit, demand: { highest, smoothed } }) => ({ isExempt, bounds, limit, highest, smoothed })),
    );
    this.#fairFraction = fairFraction;
    levels.forEach((level, index) => {
      level.demand.begin();
      level.grant(limits[index] as number, targets[index] as number);
    });
  }

  /** Who waits is not helped by requests that do not come. */
  #adjustLater(delayMs: number): void {
    this.#cancelAdjustment ??= this.#options.host.after?.(delayMs, () => {
      this.#cancelAdjustment = undefined;
      this.#adjust();
    });
  }
}

function withMandatory<T extends FlowSchema | PriorityLevelConfiguration>(stored: readonly T[], mandatory: readonly T[]): T[] {
  const names = new Set(stored.map(({ metadata }) => metadata.name));
  return [...stored, ...mandatory.filter(({ metadata }) => !names.has(metadata.name))];
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some === others || (some.length === others.length && some.every((group, index) => group === others[index]));
}
